// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg --split-input-file --verify-diagnostics

// Every op left behind is reported with its reason.

func.func @complex_row(%x: !torch.vtensor<[2,2],complex<f32>>) -> !torch.vtensor<[2,2],complex<f32>> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.mul.Tensor': expected real numbers, got 'complex<f32>'}}
  %r = torch.aten.mul.Tensor %x, %x
      : !torch.vtensor<[2,2],complex<f32>>, !torch.vtensor<[2,2],complex<f32>> -> !torch.vtensor<[2,2],complex<f32>>
  return %r : !torch.vtensor<[2,2],complex<f32>>
}

// -----

func.func @complex_sum(%x: !torch.vtensor<[2,2],complex<f32>>) -> !torch.vtensor<[],complex<f32>> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to linalg for 'torch.aten.sum.dim_IntList': expected real numbers, got 'complex<f32>'}}
  %r = torch.aten.sum.dim_IntList %x, %none, %false, %none
      : !torch.vtensor<[2,2],complex<f32>>, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[],complex<f32>>
  return %r : !torch.vtensor<[],complex<f32>>
}

// -----

func.func @complex_cast(%x: !torch.vtensor<[2,2],complex<f32>>) -> !torch.vtensor<[2,2],f32> {
  %int6 = torch.constant.int 6
  // expected-error @below {{no lowering to linalg for 'torch.prims.convert_element_type': expected real numbers, got 'complex<f32>'}}
  %r = torch.prims.convert_element_type %x, %int6
      : !torch.vtensor<[2,2],complex<f32>>, !torch.int -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @bool_product(%x: !torch.vtensor<[2,2],i1>) -> !torch.vtensor<[2,2],i1> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.mm': expected numbers, got 'i1'}}
  %r = torch.aten.mm %x, %x
      : !torch.vtensor<[2,2],i1>, !torch.vtensor<[2,2],i1> -> !torch.vtensor<[2,2],i1>
  return %r : !torch.vtensor<[2,2],i1>
}

// -----

func.func @unknown_rank(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.tensor_static_info_cast': expected tensors of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %0 = torch.tensor_static_info_cast %x : !torch.vtensor<[2],f32> to !torch.vtensor<*,f32>
  // expected-error @below {{no lowering to linalg for 'torch.aten.exp': expected tensors of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %1 = torch.aten.exp %0
      : !torch.vtensor<*,f32> -> !torch.vtensor<*,f32>
  // expected-error @below {{no lowering to linalg for 'torch.tensor_static_info_cast': expected tensors of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %r = torch.tensor_static_info_cast %1 : !torch.vtensor<*,f32> to !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @run_time_dim(%x: !torch.vtensor<[2,2],f32>, %dim: !torch.int) -> !torch.vtensor<[2,2],f32> {
  %none = torch.constant.none
  // expected-error @below {{no lowering to linalg for 'torch.aten.cumsum': expected a dim that is known while compiling}}
  %r = torch.aten.cumsum %x, %dim, %none
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @run_time_keepdim(%x: !torch.vtensor<[2,2],f32>, %keepdim: !torch.bool) -> !torch.vtensor<[2],f32> {
  %int1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to linalg for 'torch.aten.amax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.amax %x, %dims, %keepdim
      : !torch.vtensor<[2,2],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @run_time_order(%x: !torch.vtensor<[2,2],f32>, %descending: !torch.bool) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],si64>) {
  %int1 = torch.constant.int 1
  %stable = torch.constant.bool true
  // expected-error @below {{no lowering to linalg for 'torch.aten.sort.stable': expected a dim and an order that are known while compiling}}
  %r, %i = torch.aten.sort.stable %x, %stable, %int1, %descending
      : !torch.vtensor<[2,2],f32>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],si64>
  return %r, %i : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],si64>
}

// -----

func.func @run_time_step(%x: !torch.vtensor<[2,2],f32>, %step: !torch.int) -> !torch.vtensor<[2,?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  // expected-error @below {{no lowering to linalg for 'torch.aten.slice.Tensor': expected a dim and a step that are known while compiling}}
  %r = torch.aten.slice.Tensor %x, %int1, %none, %none, %step
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.none, !torch.none, !torch.int -> !torch.vtensor<[2,?],f32>
  return %r : !torch.vtensor<[2,?],f32>
}

// -----

func.func @sizes_from_outside(%x: !torch.vtensor<[?],f32>, %sizes: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.view': expected a list of sizes whose length is known}}
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @pads_from_outside(%x: !torch.vtensor<[?],f32>, %pads: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to linalg for 'torch.aten.constant_pad_nd': expected pads in a list that is made by torch.prim.ListConstruct}}
  %r = torch.aten.constant_pad_nd %x, %pads, %int0
      : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @tensors_from_outside(%list: !torch.list<vtensor>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to linalg for 'torch.aten.cat': expected a list and a dim that are known while compiling}}
  %r = torch.aten.cat %list, %int0
      : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @indices_from_outside(%x: !torch.vtensor<[2,2],f32>, %indices: !torch.list<optional<vtensor>>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.index.Tensor': expected indices of known rank and dtype in a list that is made by torch.prim.ListConstruct}}
  %r = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[2,2],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @unknown_rounding(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32> {
  %up = torch.constant.str "up"
  // expected-error @below {{no lowering to linalg for 'torch.aten.div.Tensor_mode': expected a rounding mode of none, "floor" or "trunc"}}
  %r = torch.aten.div.Tensor_mode %x, %x, %up
      : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.str -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @unknown_reduction(%x: !torch.vtensor<[2,2],f32>, %index: !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,2],f32> {
  %int1 = torch.constant.int 1
  %any = torch.constant.str "any"
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to linalg for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int1, %index, %x, %any, %false
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.vtensor<[2,2],si64>, !torch.vtensor<[2,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @run_time_accumulate(%x: !torch.vtensor<[2],f32>, %index: !torch.vtensor<[1],si64>, %values: !torch.vtensor<[1],f32>, %accumulate: !torch.bool) -> !torch.vtensor<[2],f32> {
  %indices = torch.prim.ListConstruct %index : (!torch.vtensor<[1],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to linalg for 'torch.aten.index_put': expected an accumulate that is known while compiling}}
  %r = torch.aten.index_put %x, %indices, %values, %accumulate
      : !torch.vtensor<[2],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[1],f32>, !torch.bool -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @run_time_window(%x: !torch.vtensor<[1,1,4],f32>, %kernel: !torch.list<int>) -> !torch.vtensor<[1,1,?],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %stride = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to linalg for 'torch.aten.max_pool1d': expected window arguments that are known while compiling}}
  %r = torch.aten.max_pool1d %x, %kernel, %stride, %stride, %stride, %false
      : !torch.vtensor<[1,1,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,?],f32>
  return %r : !torch.vtensor<[1,1,?],f32>
}

// -----

func.func @four_spatial_dims(%x: !torch.vtensor<[1,1,4,4,4,4],f32>, %w: !torch.vtensor<[1,1,2,2,2,2],f32>) -> !torch.vtensor<[1,1,3,3,3,3],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %ones = torch.prim.ListConstruct %int1, %int1, %int1, %int1 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %int0, %int0, %int0, %int0 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to linalg for 'torch.aten.convolution': expected 1, 2 or 3 spatial dims, got 4}}
  %r = torch.aten.convolution %x, %w, %none, %ones, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,1,4,4,4,4],f32>, !torch.vtensor<[1,1,2,2,2,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,3,3,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3,3,3],f32>
}

// -----

func.func @run_time_stride(%x: !torch.vtensor<[1,1,?],f32>, %w: !torch.vtensor<[1,1,2],f32>, %stride: !torch.list<int>) -> !torch.vtensor<[1,1,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to linalg for 'torch.aten.convolution': expected window arguments that are known while compiling}}
  %r = torch.aten.convolution %x, %w, %none, %stride, %list, %list1, %false, %list, %int1
      : !torch.vtensor<[1,1,?],f32>, !torch.vtensor<[1,1,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,?],f32>
  return %r : !torch.vtensor<[1,1,?],f32>
}

// -----

func.func @run_time_position(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],si64> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to linalg for 'torch.aten.argmax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.argmax %x, %dim, %false
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// -----

func.func @run_time_include_self(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[?,4],si64>, %include_self: !torch.bool) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %sum = torch.constant.str "sum"
  // expected-error @below {{no lowering to linalg for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %index, %x, %sum, %include_self
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],si64>, !torch.vtensor<[?,4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_reduction(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[?,4],si64>, %reduce: !torch.str) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to linalg for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %index, %x, %reduce, %true
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],si64>, !torch.vtensor<[?,4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_squeeze(%x: !torch.vtensor<[?,1],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.prims.squeeze': expected dims that are known while compiling}}
  %r = torch.prims.squeeze %x, %dims
      : !torch.vtensor<[?,1],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_permutation(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.permute': expected dims that are known while compiling}}
  %r = torch.aten.permute %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_flip(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.flip': expected dims that are known while compiling}}
  %r = torch.aten.flip %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @composite(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32> {
  // expected-error @below {{no lowering to linalg for 'torch.aten.relu': the op has no pattern yet}}
  %r = torch.aten.relu %x
      : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

// expected-error @below {{no lowering to linalg for argument 1 'x': expected a tensor of known rank and dtype, got '!torch.vtensor<*,f32>'}}
// expected-error @below {{no lowering to linalg for result 0: expected a tensor of known rank and dtype, got '!torch.vtensor<[2],unk>'}}
func.func @unknown_signature(%n: !torch.int, %x: !torch.vtensor<*,f32> {onnx.name = "x"}) -> !torch.vtensor<[2],unk> {
  %r = torch.tensor_static_info_cast %x : !torch.vtensor<*,f32> to !torch.vtensor<[2],unk>
  return %r : !torch.vtensor<[2],unk>
}
