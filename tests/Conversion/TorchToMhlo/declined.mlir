// REQUIRES: mhlo
// RUN: isthmus-opt %s --convert-torch-to-mhlo --split-input-file --verify-diagnostics

// Every op left behind is reported, each with its reason.

func.func @two_ops(%mask: !torch.vtensor<[4],i1>, %x: !torch.vtensor<[4],f32>)
    -> (!torch.vtensor<[?,1],si64>, !torch.vtensor<[?],f32>) {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.nonzero': the number of results depends on the data, which XLA cannot compile}}
  %r0 = torch.aten.nonzero %mask : !torch.vtensor<[4],i1> -> !torch.vtensor<[?,1],si64>
  %indices = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.index.Tensor': a mask picks as many elements as are true, which XLA cannot compile}}
  %r1 = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r0, %r1 : !torch.vtensor<[?,1],si64>, !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_dim(%x: !torch.vtensor<[2,2],f32>, %dim: !torch.int) -> !torch.vtensor<[2,2],f32> {
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.cumsum': expected a dim that is known while compiling}}
  %r = torch.aten.cumsum %x, %dim, %none
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @list_from_outside(%x: !torch.vtensor<[?],f32>, %size: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.view': expected a list of sizes whose length is known}}
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

func.func @run_time_stride(%x: !torch.vtensor<[1,1,?],f32>, %w: !torch.vtensor<[1,1,2],f32>, %stride: !torch.list<int>) -> !torch.vtensor<[1,1,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.convolution': expected window arguments that are known while compiling}}
  %r = torch.aten.convolution %x, %w, %none, %stride, %list, %list1, %false, %list, %int1
      : !torch.vtensor<[1,1,?],f32>, !torch.vtensor<[1,1,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,?],f32>
  return %r : !torch.vtensor<[1,1,?],f32>
}

// -----

func.func @run_time_rounding(%x: !torch.vtensor<[?,4],f32>, %mode: !torch.str) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.div.Tensor_mode': expected a rounding_mode that is known while compiling}}
  %r = torch.aten.div.Tensor_mode %x, %x, %mode
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.str -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_reduce(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[?,4],si64>, %reduce: !torch.str) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to mhlo for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %index, %x, %reduce, %true
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],si64>, !torch.vtensor<[?,4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @unknown_reduce(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[?,4],si64>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %any = torch.constant.str "any"
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to mhlo for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %index, %x, %any, %true
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],si64>, !torch.vtensor<[?,4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_accumulate(%x: !torch.vtensor<[?],f32>, %index: !torch.vtensor<[2],si64>, %values: !torch.vtensor<[2],f32>, %accumulate: !torch.bool) -> !torch.vtensor<[?],f32> {
  %list = torch.prim.ListConstruct %index : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.index_put': expected an accumulate that is known while compiling}}
  %r = torch.aten.index_put %x, %list, %values, %accumulate
      : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @own_values_of_a_mask(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>, %values: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.index_put': a mask picks as many elements as are true, which XLA cannot compile}}
  %r = torch.aten.index_put %x, %list, %values, %false
      : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @indices_from_outside(%x: !torch.vtensor<[?],f32>, %indices: !torch.list<optional<vtensor>>, %values: !torch.vtensor<[2],f32>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to mhlo for 'torch.aten.index_put': expected a constructed list of index tensors}}
  %r = torch.aten.index_put %x, %indices, %values, %false
      : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_window(%x: !torch.vtensor<[1,1,4,4],f32>, %kernel: !torch.list<int>) -> !torch.vtensor<[1,1,?,?],f32> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.max_pool2d': expected window arguments that are known while compiling}}
  %r = torch.aten.max_pool2d %x, %kernel, %list, %list1, %list, %false
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,?,?],f32>
  return %r : !torch.vtensor<[1,1,?,?],f32>
}

// -----

func.func @run_time_window_with_indices(%x: !torch.vtensor<[1,1,4,4],f32>, %kernel: !torch.list<int>) -> (!torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>) {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.max_pool2d_with_indices': expected window arguments that are known while compiling}}
  %r, %i = torch.aten.max_pool2d_with_indices %x, %kernel, %list, %list1, %list, %false
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>
  return %r, %i : !torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>
}

// -----

func.func @run_time_count_include_pad(%x: !torch.vtensor<[1,1,4,4],f32>, %count_include_pad: !torch.bool) -> !torch.vtensor<[1,1,3,3],f32> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.avg_pool2d': expected window arguments that are known while compiling}}
  %r = torch.aten.avg_pool2d %x, %list, %list1, %list2, %false, %count_include_pad, %none
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @run_time_divisor(%x: !torch.vtensor<[1,1,4,4],f32>, %divisor: !torch.int) -> !torch.vtensor<[1,1,3,3],f32> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.avg_pool2d': expected window arguments that are known while compiling}}
  %r = torch.aten.avg_pool2d %x, %list, %list1, %list2, %false, %false, %divisor
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @run_time_maximum(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to mhlo for 'torch.aten.amax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.amax %x, %dims, %false
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_position(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],si64> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to mhlo for 'torch.aten.argmax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.argmax %x, %dim, %false
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// -----

func.func @run_time_sum(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.sum.dim_IntList': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.sum.dim_IntList %x, %dims, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_product(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.prod.dim_int': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.prod.dim_int %x, %dim, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_order(%x: !torch.vtensor<[?,4],f32>, %descending: !torch.bool) -> (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],si64>) {
  %int1 = torch.constant.int 1
  %stable = torch.constant.bool true
  // expected-error @below {{no lowering to mhlo for 'torch.aten.sort.stable': expected a dim and an order that are known while compiling}}
  %r, %i = torch.aten.sort.stable %x, %stable, %int1, %descending
      : !torch.vtensor<[?,4],f32>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],si64>
  return %r, %i : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],si64>
}

// -----

func.func @run_time_top(%x: !torch.vtensor<[?,4],f32>, %largest: !torch.bool) -> (!torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],si64>) {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to mhlo for 'torch.aten.topk': expected a dim and an order that are known while compiling}}
  %r, %i = torch.aten.topk %x, %int2, %int1, %largest, %true
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],si64>
  return %r, %i : !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],si64>
}

// -----

func.func @tensors_from_outside(%list: !torch.list<vtensor>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to mhlo for 'torch.aten.cat': expected a list and a dim that are known while compiling}}
  %r = torch.aten.cat %list, %int0
      : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @pads_from_outside(%x: !torch.vtensor<[?,4],f32>, %pads: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to mhlo for 'torch.aten.constant_pad_nd': expected a constructed list of paddings}}
  %r = torch.aten.constant_pad_nd %x, %pads, %int0
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_flip(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.flip': expected dims that are known while compiling}}
  %r = torch.aten.flip %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_permutation(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.aten.permute': expected dims that are known while compiling}}
  %r = torch.aten.permute %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_step(%x: !torch.vtensor<[?,4],f32>, %step: !torch.int) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.slice.Tensor': expected a dim and a step that are known while compiling}}
  %r = torch.aten.slice.Tensor %x, %int0, %none, %none, %step
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.none, !torch.none, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_squeeze(%x: !torch.vtensor<[?,1],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to mhlo for 'torch.prims.squeeze': expected dims that are known while compiling}}
  %r = torch.prims.squeeze %x, %dims
      : !torch.vtensor<[?,1],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @flags_of_no_blob() -> !torch.vtensor<[2],i1> {
  // expected-error @below {{no lowering to mhlo for 'torch.vtensor.literal': expected a constant whose elements are at hand}}
  %r = torch.vtensor.literal(dense_resource<absent> : tensor<2xi1>) : !torch.vtensor<[2],i1>
  return %r : !torch.vtensor<[2],i1>
}

// -----

func.func @unknown_operator(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{no lowering to mhlo for 'acme.gelu': the op has no pattern yet}}
  %r = torch.operator "acme.gelu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

// expected-error @below {{no lowering to mhlo for argument 1 'x': expected a tensor of known rank and dtype, got '!torch.vtensor<*,f32>'}}
// expected-error @below {{no lowering to mhlo for result 0: expected a tensor of known rank and dtype, got '!torch.vtensor<[2],unk>'}}
func.func @unknown_signature(%n: !torch.int, %x: !torch.vtensor<*,f32> {onnx.name = "x"}) -> !torch.vtensor<[2],unk> {
  %r = torch.tensor_static_info_cast %x : !torch.vtensor<*,f32> to !torch.vtensor<[2],unk>
  return %r : !torch.vtensor<[2],unk>
}
