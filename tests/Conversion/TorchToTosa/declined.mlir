// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-to-tosa --split-input-file --verify-diagnostics

// Forms of single ops that TOSA 1.0 cannot express, in alphabetical order.

func.func @run_time_alpha(%x: !torch.vtensor<[?,4],f32>, %alpha: !torch.int) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.add.Tensor': expected an alpha that is known while compiling}}
  %r = torch.aten.add.Tensor %x, %x, %alpha
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_maximum(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.amax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.amax %x, %dims, %false
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @range_of_64_bits() -> !torch.vtensor<[2],si64> {
  %start = torch.constant.int 2147483647
  %end = torch.constant.int 2147483649
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.arange.start_step': TOSA 1.0 has integers of 32 bits, got a range from 2147483647 to 2147483648}}
  %r = torch.aten.arange.start_step %start, %end, %int1, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @run_time_range(%end: !torch.int) -> !torch.vtensor<[?],si64> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.arange.start_step': expected bounds that are known while compiling; make sizes known with --specialize}}
  %r = torch.aten.arange.start_step %int0, %end, %int1, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// -----

func.func @argmax_of_integers(%x: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[3],si64> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.argmax': expected a dim of known size for integers; make sizes known with --specialize}}
  %r = torch.aten.argmax %x, %int0, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[3],si64>
  return %r : !torch.vtensor<[3],si64>
}

// -----

func.func @run_time_position(%x: !torch.vtensor<[2,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],si64> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.argmax': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.argmax %x, %dim, %false
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
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
  // expected-error @below {{no lowering to tosa for 'torch.aten.avg_pool2d': expected window arguments that are known while compiling}}
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
  // expected-error @below {{no lowering to tosa for 'torch.aten.avg_pool2d': expected window arguments that are known while compiling}}
  %r = torch.aten.avg_pool2d %x, %list, %list1, %list2, %false, %false, %divisor
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @average_of_integers(%x: !torch.vtensor<[1,1,4,4],si64>) -> !torch.vtensor<[1,1,3,3],si64> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.avg_pool2d': TOSA pools floats, got 'si64'}}
  %r = torch.aten.avg_pool2d %x, %list, %list1, %list2, %false, %false, %none
      : !torch.vtensor<[1,1,4,4],si64>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,1,3,3],si64>
  return %r : !torch.vtensor<[1,1,3,3],si64>
}

// -----

func.func @cat_from_outside(%list: !torch.list<vtensor>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to tosa for 'torch.aten.cat': expected a list and a dim that are known while compiling}}
  %r = torch.aten.cat %list, %int0
      : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_pads(%x: !torch.vtensor<[?,4],f32>, %pads: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to tosa for 'torch.aten.constant_pad_nd': expected paddings and a value that are known while compiling}}
  %r = torch.aten.constant_pad_nd %x, %pads, %int0
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @crop_of_unknown_size(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int0, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.constant_pad_nd': TOSA 1.0 crops dims of known size only; make sizes known with --specialize}}
  %r = torch.aten.constant_pad_nd %x, %list, %int0
      : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @convolution_of_integers(%x: !torch.vtensor<[1,3,8],si32>, %w: !torch.vtensor<[4,3,3],si32>)
    -> !torch.vtensor<[1,4,6],si32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %zeros = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': TOSA convolves floats and quantized i8, got 'si32'}}
  %r = torch.aten.convolution %x, %w, %none, %ones, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,3,8],si32>, !torch.vtensor<[4,3,3],si32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,6],si32>
  return %r : !torch.vtensor<[1,4,6],si32>
}

// -----

func.func @convolution_weight_of_unknown_size(%x: !torch.vtensor<[1,3,8],f32>, %w: !torch.vtensor<[4,3,?],f32>)
    -> !torch.vtensor<[1,4,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %zeros = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': expected a weight of known sizes, got '!torch.vtensor<[4,3,?],f32>'; make sizes known with --specialize}}
  %r = torch.aten.convolution %x, %w, %none, %ones, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[4,3,?],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,?],f32>
  return %r : !torch.vtensor<[1,4,?],f32>
}

// -----

// A stride may leave elements over, and their number depends on the size.
func.func @convolution_of_unknown_size(%x: !torch.vtensor<[1,3,?],f32>, %w: !torch.vtensor<[4,3,3],f32>)
    -> !torch.vtensor<[1,4,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %false = torch.constant.bool false
  %zeros = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': TOSA wants windows that fit the input exactly, which needs its sizes, got '!torch.vtensor<[1,3,?],f32>'; make sizes known with --specialize}}
  %r = torch.aten.convolution %x, %w, %none, %twos, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,3,?],f32>, !torch.vtensor<[4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,?],f32>
  return %r : !torch.vtensor<[1,4,?],f32>
}

// -----

func.func @run_time_stride(%x: !torch.vtensor<[1,1,4],f32>, %w: !torch.vtensor<[1,1,2],f32>, %stride: !torch.list<int>) -> !torch.vtensor<[1,1,?],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': expected window arguments that are known while compiling}}
  %r = torch.aten.convolution %x, %w, %none, %stride, %list, %list1, %false, %list, %int1
      : !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,?],f32>
  return %r : !torch.vtensor<[1,1,?],f32>
}

// -----

func.func @run_time_sum(%x: !torch.vtensor<[2,4],f32>, %dim: !torch.int) -> !torch.vtensor<[2,4],f32> {
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.cumsum': expected numbers and a dim that is known while compiling}}
  %r = torch.aten.cumsum %x, %dim, %none
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @running_sum_of_unknown_many(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.cumsum': expected a dim of known size; make sizes known with --specialize}}
  %r = torch.aten.cumsum %x, %int0, %none
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @rounding_up(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %up = torch.constant.str "up"
  // expected-error @below {{no lowering to tosa for 'torch.aten.div.Tensor_mode': expected a rounding mode of trunc or floor}}
  %r = torch.aten.div.Tensor_mode %x, %x, %up
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.str -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_flip(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.flip': expected dims that are known while compiling}}
  %r = torch.aten.flip %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @fill_value_of_64_bits() -> !torch.vtensor<[2],si64> {
  %int2 = torch.constant.int 2
  %fill = torch.constant.int 4294967296
  %none = torch.constant.none
  %size = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.full': TOSA 1.0 has integers of 32 bits, got a fill value of 4294967296}}
  %r = torch.aten.full %size, %fill, %none, %none, %none, %none
      : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @gather_along_run_time_dim(%x: !torch.vtensor<[2,4],f32>, %dim: !torch.int, %index: !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.gather': expected a dim that is known while compiling}}
  %r = torch.aten.gather %x, %dim, %index, %false
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.vtensor<[2,4],si64>, !torch.bool -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @mask_as_index(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?],f32> {
  %indices = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': a bool index picks as many elements as are true, which TOSA cannot say}}
  %r = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @indices_from_outside(%x: !torch.vtensor<[2,4],f32>, %indices: !torch.list<optional<vtensor>>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': expected a list of indices that is known while compiling}}
  %r = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[2,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @index_into_unknown_size(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32> {
  %list = torch.prim.ListConstruct %index : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': expected an indexed dim of known size, got dim 0 of '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index.Tensor %x, %list
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @index_that_may_be_absent(%x: !torch.vtensor<[2,4],f32>, %index: !torch.optional<vtensor<[2],si64>>) -> !torch.vtensor<[2,4],f32> {
  %list = torch.prim.ListConstruct %index : (!torch.optional<vtensor<[2],si64>>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': expected index tensors, got '!torch.optional<vtensor<[2],si64>>'}}
  %r = torch.aten.index.Tensor %x, %list
      : !torch.vtensor<[2,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @put_with_run_time_accumulate(%x: !torch.vtensor<[2,4],f32>, %index: !torch.vtensor<[2],si64>, %values: !torch.vtensor<[2,4],f32>, %accumulate: !torch.bool) -> !torch.vtensor<[2,4],f32> {
  %list = torch.prim.ListConstruct %index : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_put': expected indices and accumulate that are known while compiling}}
  %r = torch.aten.index_put %x, %list, %values, %accumulate
      : !torch.vtensor<[2,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2,4],f32>, !torch.bool -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @put_into_unknown_size(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[2],si64>, %values: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %index : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_put': expected a tensor of known sizes, got '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index_put %x, %list, %values, %false
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2,4],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @put_at_no_index(%x: !torch.vtensor<[2,4],f32>, %values: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %none : (!torch.none) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_put': expected an index tensor, got none}}
  %r = torch.aten.index_put %x, %list, %values, %false
      : !torch.vtensor<[2,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2,4],f32>, !torch.bool -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @run_time_dim(%x: !torch.vtensor<[2,2],f32>, %i: !torch.vtensor<[3],si64>, %dim: !torch.int)
    -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_select': expected a dim that is known while compiling}}
  %r = torch.aten.index_select %x, %dim, %i
      : !torch.vtensor<[2,2],f32>, !torch.int, !torch.vtensor<[3],si64> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

// The size determines how far the last window extends over the end.
func.func @pooling_of_unknown_size(%x: !torch.vtensor<[1,3,?],f32>) -> !torch.vtensor<[1,3,?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %true = torch.constant.bool true
  %zeros = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool1d': TOSA wants windows that fit the input exactly, which needs its sizes, got '!torch.vtensor<[1,3,?],f32>'; make sizes known with --specialize}}
  %r = torch.aten.max_pool1d %x, %twos, %twos, %zeros, %ones, %true
      : !torch.vtensor<[1,3,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,3,?],f32>
  return %r : !torch.vtensor<[1,3,?],f32>
}

// -----

func.func @run_time_dilation(%x: !torch.vtensor<[1,1,4,4],f32>, %dilation: !torch.list<int>) -> !torch.vtensor<[1,1,?,?],f32> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool2d': expected window arguments that are known while compiling}}
  %r = torch.aten.max_pool2d %x, %list, %list1, %list2, %dilation, %false
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,?,?],f32>
  return %r : !torch.vtensor<[1,1,?,?],f32>
}

// -----

func.func @maximum_of_integers(%x: !torch.vtensor<[1,1,4,4],si64>) -> !torch.vtensor<[1,1,3,3],si64> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool2d': TOSA pools floats and bytes, got 'si64'}}
  %r = torch.aten.max_pool2d %x, %list, %list1, %list2, %list1, %false
      : !torch.vtensor<[1,1,4,4],si64>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,3,3],si64>
  return %r : !torch.vtensor<[1,1,3,3],si64>
}

// -----

func.func @run_time_dilation_with_indices(%x: !torch.vtensor<[1,1,4,4],f32>, %dilation: !torch.list<int>) -> (!torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>) {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool2d_with_indices': expected window arguments that are known while compiling}}
  %r, %i = torch.aten.max_pool2d_with_indices %x, %list, %list1, %list2, %dilation, %false
      : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>
  return %r, %i : !torch.vtensor<[1,1,?,?],f32>, !torch.vtensor<[1,1,?,?],si64>
}

// -----

func.func @maximum_of_integers_with_indices(%x: !torch.vtensor<[1,1,4,4],si64>) -> (!torch.vtensor<[1,1,3,3],si64>, !torch.vtensor<[1,1,3,3],si64>) {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool2d_with_indices': TOSA pools floats, got 'si64'}}
  %r, %i = torch.aten.max_pool2d_with_indices %x, %list, %list1, %list2, %list1, %false
      : !torch.vtensor<[1,1,4,4],si64>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,3,3],si64>, !torch.vtensor<[1,1,3,3],si64>
  return %r, %i : !torch.vtensor<[1,1,3,3],si64>, !torch.vtensor<[1,1,3,3],si64>
}

// -----

func.func @product_of_bools(%x: !torch.vtensor<[2,3],i1>, %y: !torch.vtensor<[3,2],i1>) -> !torch.vtensor<[2,2],i1> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.mm': expected numbers, got bool}}
  %r = torch.aten.mm %x, %y : !torch.vtensor<[2,3],i1>, !torch.vtensor<[3,2],i1> -> !torch.vtensor<[2,2],i1>
  return %r : !torch.vtensor<[2,2],i1>
}

// -----

func.func @run_time_permutation(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.permute': expected dims that are known while compiling}}
  %r = torch.aten.permute %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @product_of_unknown_many(%x: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[3],si64> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.prod.dim_int': TOSA multiplies integers of known number only; make sizes known with --specialize}}
  %r = torch.aten.prod.dim_int %x, %int0, %false, %none
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool, !torch.none -> !torch.vtensor<[3],si64>
  return %r : !torch.vtensor<[3],si64>
}

// -----

func.func @run_time_product(%x: !torch.vtensor<[2,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.prod.dim_int': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.prod.dim_int %x, %dim, %false, %none
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @scatter_along_run_time_dim(%x: !torch.vtensor<[2,4],f32>, %dim: !torch.int, %index: !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],f32> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.scatter.src': expected a dim that is known while compiling}}
  %r = torch.aten.scatter.src %x, %dim, %index, %x
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.vtensor<[2,4],si64>, !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @scatter_into_unknown_size(%x: !torch.vtensor<[?,4],f32>, %index: !torch.vtensor<[2,4],si64>, %values: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to tosa for 'torch.aten.scatter.src': expected tensors of known sizes; make sizes known with --specialize}}
  %r = torch.aten.scatter.src %x, %int0, %index, %values
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[2,4],si64>, !torch.vtensor<[2,4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @unknown_reduction(%x: !torch.vtensor<[2,4],f32>, %index: !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],f32> {
  %int0 = torch.constant.int 0
  %any = torch.constant.str "any"
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.scatter_reduce.two': expected a dim, an include_self, and a reduce of sum, prod, mean, amax or amin, that are known while compiling}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %index, %x, %any, %true
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.vtensor<[2,4],si64>, !torch.vtensor<[2,4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @run_time_start(%x: !torch.vtensor<[2,4],f32>, %start: !torch.int) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to tosa for 'torch.aten.slice.Tensor': expected a start that is known while compiling; make sizes known with --specialize}}
  %r = torch.aten.slice.Tensor %x, %int0, %start, %none, %int1
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @sort_of_many(%x: !torch.vtensor<[2,99999],f32>) -> !torch.vtensor<[2,99999],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %stable = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.sort.stable': TOSA has no sort; rows of up to 4096 elements are ordered by comparing all pairs, got 99999}}
  %r:2 = torch.aten.sort.stable %x, %stable, %int1, %false
      : !torch.vtensor<[2,99999],f32>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[2,99999],f32>, !torch.vtensor<[2,99999],si64>
  return %r#0 : !torch.vtensor<[2,99999],f32>
}

// -----

func.func @run_time_total(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.sum.dim_IntList': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.sum.dim_IntList %x, %dims, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @sum_as_bool(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[4],i1> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %int11 = torch.constant.int 11
  %list = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.sum.dim_IntList': expected a dtype of numbers, got bool}}
  %r = torch.aten.sum.dim_IntList %x, %list, %false, %int11
      : !torch.vtensor<[2,4],f32>, !torch.list<int>, !torch.bool, !torch.int -> !torch.vtensor<[4],i1>
  return %r : !torch.vtensor<[4],i1>
}

// -----

func.func @run_time_k(%x: !torch.vtensor<[4],f32>, %k: !torch.int) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.topk': expected a k that is known while compiling}}
  %r:2 = torch.aten.topk %x, %k, %int0, %true, %true
      : !torch.vtensor<[4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],si64>
  return %r#0 : !torch.vtensor<[?],f32>
}

// -----

func.func @integers_of_no_blob() -> !torch.vtensor<[2],si64> {
  // expected-error @below {{no lowering to tosa for 'torch.vtensor.literal': expected a constant whose elements are at hand}}
  %r = torch.vtensor.literal(dense_resource<absent> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

// expected-error @below {{no lowering to tosa for argument 0: TOSA has sizes of 32 bits, got '!torch.vtensor<[2147483648],f32>'}}
// expected-error @below {{no lowering to tosa for result 0: TOSA has sizes of 32 bits, got '!torch.vtensor<[2147483648],f32>'}}
func.func @size_beyond_32_bits(%x: !torch.vtensor<[2147483648],f32>) -> !torch.vtensor<[2147483648],f32> {
  return %x : !torch.vtensor<[2147483648],f32>
}

// -----

func.func @padding_beyond_32_bits(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %c0 = torch.constant.int 0
  %c4294967296 = torch.constant.int 4294967296
  %pads = torch.prim.ListConstruct %c0, %c4294967296 : (!torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.constant.float 0.0
  // expected-error @below {{no lowering to tosa for 'torch.aten.constant_pad_nd': TOSA has sizes of 32 bits, got a padding of 4294967296}}
  %r = torch.aten.constant_pad_nd %x, %pads, %zero
      : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.float -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @long_range() -> !torch.vtensor<[16777217],si64> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c16777217 = torch.constant.int 16777217
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.arange.start_step': TOSA has no op that counts; expected a range of at most 16777216 numbers, got 16777217}}
  %r = torch.aten.arange.start_step %c0, %c16777217, %c1, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[16777217],si64>
  return %r : !torch.vtensor<[16777217],si64>
}

// -----

func.func @place_among_many(%x: !torch.vtensor<[16777217],si64>) -> !torch.vtensor<[],si64> {
  %c0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.argmax': expected to count at most 16777216 elements, got 16777217}}
  %r = torch.aten.argmax %x, %c0, %false
      : !torch.vtensor<[16777217],si64>, !torch.int, !torch.bool -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}

// -----

func.func @more_groups_than_filters(%x: !torch.vtensor<[1,?,8],f32>, %w: !torch.vtensor<[2,1,3],f32>) -> !torch.vtensor<[1,2,6],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c4 = torch.constant.int 4
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': expected between 1 and 2 groups, got 4}}
  %r = torch.aten.convolution %x, %w, %none, %one, %zero, %one, %false, %zero, %c4
      : !torch.vtensor<[1,?,8],f32>, !torch.vtensor<[2,1,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,2,6],f32>
  return %r : !torch.vtensor<[1,2,6],f32>
}

// -----

func.func @padding_with_more_than_32_bits(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %number = torch.constant.int 9223372036854775807
  %pads = torch.prim.ListConstruct %int0, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.constant_pad_nd': TOSA 1.0 has integers of 32 bits, got 9223372036854775808}}
  %r = torch.aten.constant_pad_nd %x, %pads, %number
      : !torch.vtensor<[?],si64>, !torch.list<int>, !torch.int -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

