// RUN: isthmus-opt %s --verify-torch-backend-contract --split-input-file --verify-diagnostics

func.func @kept(%x: !torch.vtensor<[?,2],f32>, %n: !torch.int, %maybe: !torch.optional<int>)
    -> (!torch.vtensor<[?,2],f32>, !torch.tuple<int, vtensor<[],si64>>) {
  %none = torch.constant.none
  %str = torch.constant.str "none"
  %list = torch.prim.ListConstruct %x, %none : (!torch.vtensor<[?,2],f32>, !torch.none) -> !torch.list<optional<vtensor>>
  %0 = torch.operator "my.op"(%list) : (!torch.list<optional<vtensor>>) -> !torch.vtensor<[?,2],f32>
  %1 = torch.operator "my.rank0"() : () -> !torch.vtensor<[],si64>
  %2 = torch.prim.TupleConstruct %n, %1 : !torch.int, !torch.vtensor<[],si64> -> !torch.tuple<int, vtensor<[],si64>>
  return %0, %2 : !torch.vtensor<[?,2],f32>, !torch.tuple<int, vtensor<[],si64>>
}

// -----

// One run reports everything that breaks the contract, by op and value.
// expected-error @below {{'func.func' breaks the torch backend contract: expected a tensor of known rank, got '!torch.vtensor<*,f32>' as argument #0}}
// expected-error @below {{expected a value tensor, which nothing aliases or mutates, got '!torch.tensor<[2],f32>' as argument #1}}
// expected-error @below {{expected a tensor of known dtype, got '!torch.vtensor<[2],unk>' as result #0}}
func.func @types(%x: !torch.vtensor<*,f32>, %y: !torch.tensor<[2],f32>) -> !torch.vtensor<[2],unk> {
  // expected-error @below {{'torch.operator' breaks the torch backend contract: expected a tensor, a scalar, none, or a list or tuple of them, got '!torch.any' as result #1}}
  %0:2 = torch.operator "my.op"(%x) : (!torch.vtensor<*,f32>) -> (!torch.vtensor<[2],f32>, !torch.any)
  // expected-error @below {{'torch.tensor_static_info_cast' breaks the torch backend contract: expected a tensor of known dtype}}
  %1 = torch.tensor_static_info_cast %0#0 : !torch.vtensor<[2],f32> to !torch.vtensor<[2],unk>
  return %1 : !torch.vtensor<[2],unk>
}

// -----

func.func @mutation(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{'torch.copy.to_tensor' breaks the torch backend contract: expected no op on mutable tensors}}
  %0 = torch.copy.to_tensor %x : !torch.tensor<[2],f32>
  // expected-error @below {{expected no op on mutable tensors}}
  torch.overwrite.tensor.contents %y overwrites %0 : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  // expected-error @below {{expected no op that works in place, got "aten.add_.Tensor"}}
  %1 = torch.operator "aten.add_.Tensor"(%x, %y) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %2 = torch.operator "aten.__and__.Tensor"(%x, %y) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %x : !torch.vtensor<[2],f32>
}

// -----

// expected-error @below {{'builtin.module' breaks the torch backend contract: expected functions only in the module}}
module {
}

func.func private @callee(!torch.int)

func.func @others(%x: !torch.int, %t: tensor<2xf32>) {
  // expected-error @-1 {{'func.func' breaks the torch backend contract: expected a tensor, a scalar, none, or a list or tuple of them, got 'tensor<2xf32>' as argument #1}}
  // expected-error @below {{'func.call' breaks the torch backend contract: expected one function without calls}}
  func.call @callee(%x) : (!torch.int) -> ()
  return
}
