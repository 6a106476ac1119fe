// RUN: isthmus-opt %s --split-input-file --verify-diagnostics

func.func @shapes_that_do_not_broadcast(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[3],f32>) {
  %int1 = torch.constant.int 1
  // expected-error @below {{expected shapes that broadcast, got [2] and [3]}}
  %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[2],f32>
  return
}

// -----

func.func @wrong_result_dtype(%x: !torch.vtensor<[2],si64>) {
  // expected-error @below {{expected a result of type '!torch.vtensor<[2],f32>', got '!torch.vtensor<[2],si64>'}}
  %0 = torch.aten.exp %x : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  return
}

// -----

func.func @dim_out_of_range(%x: !torch.vtensor<[2],f32>) {
  %int2 = torch.constant.int 2
  // expected-error @below {{expected a dim in [-1, 0], got 2}}
  %0 = torch.aten.select.int %x, %int2, %int2 : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.vtensor<[],f32>
  return
}

// -----

// expected-error @below {{unknown torch type 'vtenser'}}
func.func private @misspelt_type(!torch.vtenser)

// -----

func.func @sparse_literal() {
  // expected-error @below {{expected dense elements, got sparse<0, 1.000000e+00> : tensor<2xf32>}}
  %r = torch.vtensor.literal(sparse<0, 1.0> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return
}

// -----

func.func @window_too_far_apart(%x: !torch.vtensor<[1,2,8],f32>) {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %huge = torch.constant.int 9223372036854775807
  %false = torch.constant.bool false
  %kernel = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %stride = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %huge : (!torch.int) -> !torch.list<int>
  // expected-error @below {{and all of them below 2^31, got kernel [2], stride 1, padding 9223372036854775807 and dilation 1}}
  %0 = torch.aten.max_pool1d %x, %kernel, %stride, %padding, %stride, %false : !torch.vtensor<[1,2,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,2,?],f32>
  return
}

// -----

func.func @list_of_no_paddings(%x: !torch.vtensor<[1,8,8],f32>) {
  %int2 = torch.constant.int 2
  %two = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %none = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error @below {{expected 1 or 2 numbers per window argument, got []}}
  %0 = torch.aten.im2col %x, %two, %two, %none, %two : !torch.vtensor<[1,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[4,?],f32>
  return
}

// -----

func.func @negative_size(%x: !torch.vtensor<[4],f32>) {
  %int0 = torch.constant.int 0
  %length = torch.constant.int -3
  // expected-error @below {{expected sizes of 0 or more, got [-3]}}
  %0 = torch.aten.narrow %x, %int0, %int0, %length : !torch.vtensor<[4],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return
}

// -----

func.func @infinite_scale(%x: !torch.vtensor<[1,2,3,4],f32>) {
  %none = torch.constant.none
  %infinite = torch.constant.float 0x7FF0000000000000
  %factors = torch.prim.ListConstruct %infinite, %infinite : (!torch.float, !torch.float) -> !torch.list<float>
  // expected-error @below {{expected a result of type '!torch.vtensor<[1,2,?,?],f32>', got '!torch.vtensor<[1,3,6,8],f32>'}}
  %0 = torch.aten.upsample_nearest2d.vec %x, %none, %factors : !torch.vtensor<[1,2,3,4],f32>, !torch.none, !torch.list<float> -> !torch.vtensor<[1,3,6,8],f32>
  return
}
