// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=all --split-input-file --verify-diagnostics

func.func @generator(%x: !torch.vtensor<[4],f32>, %g: !torch.Generator) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{no lowering to tosa.custom for 'acme.random': argument 1: a generator is a state of the process that runs, and no part of a program}}
  %y = torch.operator "acme.random"(%x, %g) : (!torch.vtensor<[4],f32>, !torch.Generator) -> !torch.vtensor<[4],f32>
  return %y : !torch.vtensor<[4],f32>
}

// -----

func.func @run_time_string(%s: !torch.str) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{argument 0: expected a tensor, a number, or what is known while compiling, got a '!torch.str'}}
  %y = torch.operator "acme.named"(%s) : (!torch.str) -> !torch.vtensor<[4],f32>
  return %y : !torch.vtensor<[4],f32>
}

// -----

func.func @unknown_rank(%x: !torch.vtensor<*,f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{argument 0: expected a tensor of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %y = torch.operator "acme.shape"(%x) : (!torch.vtensor<*,f32>) -> !torch.vtensor<[4],f32>
  return %y : !torch.vtensor<[4],f32>
}

// -----

func.func @element_type(%x: !torch.vtensor<[4],f64>) -> !torch.vtensor<[4],f64> {
  // expected-error @below {{no lowering to tosa.custom for 'torch.aten.relu': TOSA has no f64; pass narrow-f64 to compute in f32}}
  %y = torch.aten.relu %x : !torch.vtensor<[4],f64> -> !torch.vtensor<[4],f64>
  return %y : !torch.vtensor<[4],f64>
}

// -----

func.func @whole_list(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  // expected-error @below {{expected its list to be taken apart by torch.prim.ListUnpack, got another use of the list}}
  %list = torch.aten.split.Tensor %x, %int2, %int0 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expected-error @below {{argument 0: expected a tensor, a number, or what is known while compiling, got a '!torch.list<vtensor>'}}
  %y = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %y : !torch.vtensor<[4],f32>
}

// -----

func.func @subgraph(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{expected an op without subgraphs, got one with 1}}
  %y = torch.operator "acme.loop"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  }
  return %y : !torch.vtensor<[4],f32>
}

// -----

func.func @result(%x: !torch.vtensor<[4],f32>) -> !torch.str {
  // expected-error @below {{expected a tensor or a number as result, got '!torch.str'}}
  %y = torch.operator "acme.text"(%x) : (!torch.vtensor<[4],f32>) -> !torch.str
  return %y : !torch.str
}

// -----

func.func @attribute(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{attribute 'kind': expected an int, a float, a string, a dtype, a tensor or a list, got tensor<f32>}}
  %y = torch.operator "onnx.Typed"(%x) {torch.onnx.kind = tensor<f32>} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %y : !torch.vtensor<[4],f32>
}
