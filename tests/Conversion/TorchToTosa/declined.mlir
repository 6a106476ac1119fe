// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-to-tosa --split-input-file --verify-diagnostics

// What single ops cannot have in TOSA 1.0, op by op in alphabetical order.

func.func @add_bools(%x: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1> {
  %int2 = torch.constant.int 2
  // expected-error @below {{no lowering to tosa for 'torch.aten.add.Tensor': expected an alpha of 1 for bool, got 2}}
  %r = torch.aten.add.Tensor %x, %x, %int2
      : !torch.vtensor<[2],i1>, !torch.vtensor<[2],i1>, !torch.int -> !torch.vtensor<[2],i1>
  return %r : !torch.vtensor<[2],i1>
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

func.func @argmax_of_integers(%x: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[3],si64> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.argmax': expected a dim of known size for integers; make sizes known with --specialize}}
  %r = torch.aten.argmax %x, %int0, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[3],si64>
  return %r : !torch.vtensor<[3],si64>
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

// A stride may leave elements over, and how many depends on the size.
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

func.func @transposed_convolution_of_3_dims(%x: !torch.vtensor<[1,3,4,4,4],f32>, %w: !torch.vtensor<[3,2,1,1,1],f32>)
    -> !torch.vtensor<[1,2,4,4,4],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %zeros = torch.prim.ListConstruct %int0, %int0, %int0 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1, %int1, %int1 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.convolution': TOSA has no transposed convolution of 3 spatial dims}}
  %r = torch.aten.convolution %x, %w, %none, %ones, %zeros, %ones, %true, %zeros, %int1
      : !torch.vtensor<[1,3,4,4,4],f32>, !torch.vtensor<[3,2,1,1,1],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,2,4,4,4],f32>
  return %r : !torch.vtensor<[1,2,4,4,4],f32>
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

func.func @mask_as_index(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?],f32> {
  %indices = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': a bool index picks as many elements as are true, which TOSA cannot say}}
  %r = torch.aten.index.Tensor %x, %indices
      : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
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

// The size decides how much of the last window hangs over.
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

func.func @product_of_bools(%x: !torch.vtensor<[2,3],i1>, %y: !torch.vtensor<[3,2],i1>) -> !torch.vtensor<[2,2],i1> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.mm': expected numbers, got bool}}
  %r = torch.aten.mm %x, %y : !torch.vtensor<[2,3],i1>, !torch.vtensor<[3,2],i1> -> !torch.vtensor<[2,2],i1>
  return %r : !torch.vtensor<[2,2],i1>
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

func.func @scattered_mean_of_integers(%x: !torch.vtensor<[3],si64>, %i: !torch.vtensor<[2],si64>, %y: !torch.vtensor<[2],si64>)
    -> !torch.vtensor<[3],si64> {
  %int0 = torch.constant.int 0
  %mean = torch.constant.str "mean"
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.scatter_reduce.two': TOSA has no product or mean of integers, got 'si64'}}
  %r = torch.aten.scatter_reduce.two %x, %int0, %i, %y, %mean, %true
      : !torch.vtensor<[3],si64>, !torch.int, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>, !torch.str, !torch.bool -> !torch.vtensor<[3],si64>
  return %r : !torch.vtensor<[3],si64>
}

// -----

func.func @sort_of_many(%x: !torch.vtensor<[2,99999],f32>) -> !torch.vtensor<[2,99999],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.sort': TOSA has no sort; rows of up to 4096 elements are ordered by comparing all pairs, got 99999}}
  %r:2 = torch.aten.sort %x, %int1, %false
      : !torch.vtensor<[2,99999],f32>, !torch.int, !torch.bool -> !torch.vtensor<[2,99999],f32>, !torch.vtensor<[2,99999],si64>
  return %r#0 : !torch.vtensor<[2,99999],f32>
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
