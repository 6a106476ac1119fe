// REQUIRES: mhlo
// RUN: isthmus-opt %s --convert-torch-to-mhlo --split-input-file --verify-diagnostics

// Every op left behind is reported, each with its reason.

func.func @two_ops(%mask: !torch.vtensor<[4],i1>, %x: !torch.vtensor<[4],f32>)
    -> (!torch.vtensor<[?,1],si64>, !torch.vtensor<[?],f32>) {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.nonzero': the number of results depends on the data, which XLA cannot compile}}
  %r0 = torch.aten.nonzero %mask : !torch.vtensor<[4],i1> -> !torch.vtensor<[?,1],si64>
  %indices = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.index.Tensor': expected a constructed list of integer index tensors}}
  %r1 = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r0, %r1 : !torch.vtensor<[?,1],si64>, !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_dim(%x: !torch.vtensor<[2,2],f32>, %dim: !torch.int) -> !torch.vtensor<[2,2],f32> {
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.cumsum': expected a constant dim}}
  %r = torch.aten.cumsum %x, %dim, %none
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @list_from_outside(%x: !torch.vtensor<[?],f32>, %size: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.view': expected a constructed list of sizes}}
  %r = torch.aten.view %x, %size
      : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_float_range(%end: !torch.float) -> !torch.vtensor<[?],f32> {
  %float0 = torch.constant.float 0.0
  %float1 = torch.constant.float 1.0
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.arange.start_step': expected integer bounds, or bounds known while compiling, got a result of type '!torch.vtensor<[?],f32>'}}
  %r = torch.aten.arange.start_step %float0, %end, %float1, %none, %none, %none, %none
      : !torch.float, !torch.float, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @transposed_kernel(%x: !torch.vtensor<[1,3,5],f32>, %w: !torch.vtensor<[3,4,?],f32>) -> !torch.vtensor<[1,4,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %zero = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a kernel of known size for a transposed convolution, got '!torch.vtensor<[3,4,?],f32>'}}
  %r = torch.aten.convolution %x, %w, %none, %one, %zero, %one, %true, %zero, %int1
      : !torch.vtensor<[1,3,5],f32>, !torch.vtensor<[3,4,?],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,?],f32>
  return %r : !torch.vtensor<[1,4,?],f32>
}

// -----

func.func @unknown_operator(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.operator': the op has no pattern yet}}
  %r = torch.operator "acme.gelu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
