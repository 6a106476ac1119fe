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
  // expected-error @below {{'torch.aten.im2col' op expected 'padding' of [1] or [2], got '!torch.list<int>'}}
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

// -----

func.func @dim_of_a_size(%x: !torch.vtensor<[?,4],f32>) -> !torch.int {
  %c2 = torch.constant.int 2
  // expected-error @below {{expected a dim in [-2, 1], got 2}}
  %r = torch.aten.size.int %x, %c2
      : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  return %r : !torch.int
}

// -----

func.func @flipped_dim(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %cm3 = torch.constant.int -3
  %dims = torch.prim.ListConstruct %c0, %cm3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{expected a dim in [-2, 1], got -3}}
  %r = torch.aten.flip %x, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @gathered_dim(%x: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[?,2],si64>) -> !torch.vtensor<[?,2],f32> {
  %c2 = torch.constant.int 2
  %false = torch.constant.bool false
  // expected-error @below {{expected a dim in [-2, 1], got 2}}
  %r = torch.aten.gather %x, %c2, %i, %false
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.bool -> !torch.vtensor<[?,2],f32>
  return %r : !torch.vtensor<[?,2],f32>
}

// -----

func.func @scattered_dim(%x: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[?,2],si64>, %s: !torch.vtensor<[?,2],f32>) -> !torch.vtensor<[?,4],f32> {
  %c2 = torch.constant.int 2
  // expected-error @below {{expected a dim in [-2, 1], got 2}}
  %r = torch.aten.scatter.src %x, %c2, %i, %s
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.vtensor<[?,2],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @dim_of_an_added_index(%x: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[2],si64>, %s: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c1 = torch.constant.int 1
  %c9 = torch.constant.int 9
  // expected-error @below {{expected a dim in [-2, 1], got 9}}
  %r = torch.aten.index_add %x, %c9, %i, %s, %c1
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[2],si64>, !torch.vtensor<[2,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @dim_of_a_selected_place(%x: !torch.vtensor<[?,4],f32>, %s: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %c9 = torch.constant.int 9
  // expected-error @below {{expected a dim in [-2, 1], got 9}}
  %r = torch.aten.select_scatter %x, %s, %c9, %c0
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @rolled_dim(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c1 = torch.constant.int 1
  %c9 = torch.constant.int 9
  %shifts = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct %c9 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a dim in [-2, 1], got 9}}
  %r = torch.aten.roll %x, %shifts, %dims
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @split_dim(%x: !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor> {
  %c2 = torch.constant.int 2
  %c9 = torch.constant.int 9
  // expected-error @below {{expected a dim in [-2, 1], got 9}}
  %r = torch.aten.split.Tensor %x, %c2, %c9
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @unbound_dim(%x: !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor> {
  %c9 = torch.constant.int 9
  // expected-error @below {{expected a dim in [-2, 1], got 9}}
  %r = torch.aten.unbind.int %x, %c9
      : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @transformed_dim(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,3],complex<f32>> {
  %c0 = torch.constant.int 0
  %c2 = torch.constant.int 2
  %c1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %c2, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  // expected-error @below {{expected a dim in [-2, 1], got 2}}
  %r = torch.aten._fft_r2c %x, %dims, %c0, %true
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.int, !torch.bool -> !torch.vtensor<[?,3],complex<f32>>
  return %r : !torch.vtensor<[?,3],complex<f32>>
}

// -----

func.func @transformed_half(%x: !torch.vtensor<[2,5],complex<f32>>) -> !torch.vtensor<[2,10],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c10 = torch.constant.int 10
  %dims = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected 6 bins of a last_dim_size of 10, got 5}}
  %r = torch.aten._fft_c2r %x, %dims, %c0, %c10
      : !torch.vtensor<[2,5],complex<f32>>, !torch.list<int>, !torch.int, !torch.int -> !torch.vtensor<[2,10],f32>
  return %r : !torch.vtensor<[2,10],f32>
}

// -----

func.func @the_least_dim(%x: !torch.vtensor<[2,5],f32>) -> !torch.vtensor<[?,?],complex<f32>> {
  %none = torch.constant.none
  %dim = torch.constant.int -9223372036854775808
  // expected-error @below {{expected a dim in [-2, 1], got -9223372036854775808}}
  %r = torch.aten.fft_fft %x, %none, %dim, %none
      : !torch.vtensor<[2,5],f32>, !torch.none, !torch.int, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return %r : !torch.vtensor<[?,?],complex<f32>>
}

// -----

func.func @transform_of_no_dims(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],complex<f32>> {
  %c0 = torch.constant.int 0
  %dims = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  // expected-error @below {{expected dims to transform, got none}}
  %r = torch.aten._fft_r2c %x, %dims, %c0, %true
      : !torch.vtensor<[],f32>, !torch.list<int>, !torch.int, !torch.bool -> !torch.vtensor<[],complex<f32>>
  return %r : !torch.vtensor<[],complex<f32>>
}

// -----

func.func @dim_reduced_twice(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %cm2 = torch.constant.int -2
  %dims = torch.prim.ListConstruct %c0, %cm2 : (!torch.int, !torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  // expected-error @below {{expected each dim once, got [0,-2]}}
  %r = torch.aten.amax %x, %dims, %true
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @dims_of_no_dims(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  %c0 = torch.constant.int 0
  %dims = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected no dims, got [0]}}
  %r = torch.aten.permute %x, %dims
      : !torch.vtensor<[],f32>, !torch.list<int> -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @dims_in_the_wrong_order(%x: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor<[?],f32> {
  %c0 = torch.constant.int 0
  %c2 = torch.constant.int 2
  // expected-error @below {{expected the first dim before the last, got 2 and 0}}
  %r = torch.aten.flatten.using_ints %x, %c2, %c0
      : !torch.vtensor<[2,?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @largest_of_fewer(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,5],f32> {
  %c1 = torch.constant.int 1
  %c5 = torch.constant.int 5
  %true = torch.constant.bool true
  // expected-error @below {{expected to choose among as many elements, got 5 of [?,4]}}
  %r:2 = torch.aten.topk %x, %c5, %c1, %true, %true
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,5],f32>, !torch.vtensor<[?,5],si64>
  return %r#0 : !torch.vtensor<[?,5],f32>
}

// -----

func.func @view_of_other_elements(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[3,2],f32> {
  %c3 = torch.constant.int 3
  %c2 = torch.constant.int 2
  %sizes = torch.prim.ListConstruct %c3, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{expected sizes for 8 elements, got [3,2]}}
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[2,4],f32>, !torch.list<int> -> !torch.vtensor<[3,2],f32>
  return %r : !torch.vtensor<[3,2],f32>
}

// -----

func.func @kernel_of_no_taps(%x: !torch.vtensor<[1,2,8],f32>) -> !torch.vtensor<[1,2,9],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %kernel = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  // expected-error @below {{expected a kernel of 1 or more, got 0}}
  %r = torch.aten.max_pool1d %x, %kernel, %one, %zero, %one, %false
      : !torch.vtensor<[1,2,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,2,9],f32>
  return %r : !torch.vtensor<[1,2,9],f32>
}

// -----

func.func @columns_of_no_taps(%x: !torch.vtensor<[1,12,?],f32>) -> !torch.vtensor<[1,3,8,8],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c8 = torch.constant.int 8
  %image = torch.prim.ListConstruct %c8, %c8 : (!torch.int, !torch.int) -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %c2, %c0 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a kernel of 1 or more, got 0}}
  %r = torch.aten.col2im %x, %image, %kernel, %one, %zero, %one
      : !torch.vtensor<[1,12,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,3,8,8],f32>
  return %r : !torch.vtensor<[1,3,8,8],f32>
}

// -----

func.func @columns_at_no_distance(%x: !torch.vtensor<[1,12,?],f32>) -> !torch.vtensor<[1,3,8,8],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c8 = torch.constant.int 8
  %image = torch.prim.ListConstruct %c8, %c8 : (!torch.int, !torch.int) -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %c2, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a window with stride and dilation of 1 or more, kernel and padding of 0 or more, and all of them below 2^31, got kernel [2], stride 0, padding 0 and dilation 1}}
  %r = torch.aten.col2im %x, %image, %kernel, %one, %zero, %zero
      : !torch.vtensor<[1,12,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,3,8,8],f32>
  return %r : !torch.vtensor<[1,3,8,8],f32>
}

// -----

func.func @image_within_a_window(%x: !torch.vtensor<[1,12,?],f32>) -> !torch.vtensor<[1,3,8,1],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c8 = torch.constant.int 8
  %image = torch.prim.ListConstruct %c8, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %c2, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected an image no smaller than the window, got [8,1]}}
  %r = torch.aten.col2im %x, %image, %kernel, %one, %zero, %one
      : !torch.vtensor<[1,12,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,3,8,1],f32>
  return %r : !torch.vtensor<[1,3,8,1],f32>
}

// -----

func.func @negative_blocks(%x: !torch.vtensor<[1,4,8,8],f32>) -> !torch.vtensor<[1,1,?,?],f32> {
  %cm2 = torch.constant.int -2
  // expected-error @below {{expected a factor of 1 or more, got -2}}
  %r = torch.aten.pixel_shuffle %x, %cm2
      : !torch.vtensor<[1,4,8,8],f32>, !torch.int -> !torch.vtensor<[1,1,?,?],f32>
  return %r : !torch.vtensor<[1,1,?,?],f32>
}

// -----

func.func @output_padding_out_of_range(%x: !torch.vtensor<[1,4,8],f32>, %w: !torch.vtensor<[4,3,2],f32>) -> !torch.vtensor<[1,3,8],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %cm1 = torch.constant.int -1
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %extra = torch.prim.ListConstruct %cm1 : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %true = torch.constant.bool true
  // expected-error @below {{expected an output padding from 0 to 2^31 - 1, got -1}}
  %r = torch.aten.convolution %x, %w, %none, %one, %zero, %one, %true, %extra, %c1
      : !torch.vtensor<[1,4,8],f32>, !torch.vtensor<[4,3,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,3,8],f32>
  return %r : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @crop_of_more_than_there_is(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %cm5 = torch.constant.int -5
  %c5 = torch.constant.int 5
  %zero = torch.constant.float 0.0
  %pads = torch.prim.ListConstruct %cm5, %c5 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{expected pads that leave a size of 0 or more, got [-5,5] for [4]}}
  %r = torch.aten.constant_pad_nd %x, %pads, %zero
      : !torch.vtensor<[4],f32>, !torch.list<int>, !torch.float -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @scalar_to_normalize(%x: !torch.vtensor<[],f32>, %v: !torch.vtensor<[3],f32>) -> !torch.vtensor<[],f32> {
  %true = torch.constant.bool true
  %eps = torch.constant.float 1.0e-05
  // expected-error @below {{expected 'input' of rank 2 or more, got rank 0: '!torch.vtensor<[],f32>'}}
  %r = torch.aten.batch_norm %x, %v, %v, %v, %v, %true, %eps, %eps, %true
      : !torch.vtensor<[],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @bias_of_rank_0(%x: !torch.vtensor<[1,3,?],f32>, %w: !torch.vtensor<[4,3,2],f32>, %b: !torch.vtensor<[],f32>) -> !torch.vtensor<[1,4,?],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  // expected-error @below {{expected 'bias' of rank 1, got rank 0: '!torch.vtensor<[],f32>'}}
  %r = torch.aten.convolution %x, %w, %b, %one, %zero, %one, %false, %zero, %c1
      : !torch.vtensor<[1,3,?],f32>, !torch.vtensor<[4,3,2],f32>, !torch.vtensor<[],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,?],f32>
  return %r : !torch.vtensor<[1,4,?],f32>
}

// -----

func.func @strides_of_two_dims(%x: !torch.vtensor<[1,3,4,4,4],f32>, %w: !torch.vtensor<[4,3,2,2,2],f32>) -> !torch.vtensor<[1,4,3,3,3],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %ones = torch.prim.ListConstruct %c1, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  // expected-error @below {{expected 'stride' of [1] or [3], got '!torch.list<int>'}}
  %r = torch.aten.conv3d %x, %w, %none, %ones, %zero, %one, %c1
      : !torch.vtensor<[1,3,4,4,4],f32>, !torch.vtensor<[4,3,2,2,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,3,3,3],f32>
  return %r : !torch.vtensor<[1,4,3,3,3],f32>
}

// -----

func.func @index_of_another_rank(%x: !torch.vtensor<[3,?],f32>, %i: !torch.vtensor<[],si64>) -> !torch.vtensor<[],f32> {
  %c0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{expected an index of the input's rank, got [] for [3,?]}}
  %r = torch.aten.gather %x, %c0, %i, %false : !torch.vtensor<[3,?],f32>, !torch.int, !torch.vtensor<[],si64>, !torch.bool -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @scattered_from_another_rank(%x: !torch.vtensor<[3,?],f32>, %i: !torch.vtensor<[3,2],si64>, %s: !torch.vtensor<[3,2,1],f32>) -> !torch.vtensor<[3,?],f32> {
  %c0 = torch.constant.int 0
  // expected-error @below {{expected 'src' of rank 2 beside 'self', got rank 3: '!torch.vtensor<[3,2,1],f32>'}}
  %r = torch.aten.scatter.src %x, %c0, %i, %s : !torch.vtensor<[3,?],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2,1],f32> -> !torch.vtensor<[3,?],f32>
  return %r : !torch.vtensor<[3,?],f32>
}

// -----

func.func @more_values_than_indexed(%x: !torch.vtensor<[3,?],f32>, %i: !torch.vtensor<[2],si64>, %v: !torch.vtensor<[1,2,4],f32>) -> !torch.vtensor<[3,?],f32> {
  %at = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %false = torch.constant.bool false
  // expected-error @below {{expected values that broadcast to [2,?], got [1,2,4]}}
  %r = torch.aten.index_put %x, %at, %v, %false : !torch.vtensor<[3,?],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[1,2,4],f32>, !torch.bool -> !torch.vtensor<[3,?],f32>
  return %r : !torch.vtensor<[3,?],f32>
}

// -----

func.func @windows_of_a_scalar(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[2],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  // expected-error @below {{expected windows of at most one element of a scalar, got 2}}
  %r = torch.aten.unfold %x, %c0, %c2, %c1 : !torch.vtensor<[],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @real_half_of_a_spectrum(%x: !torch.vtensor<[3,?],ui8>) -> !torch.vtensor<[3,4],ui8> {
  %c1 = torch.constant.int 1
  %c4 = torch.constant.int 4
  %dims = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected complex numbers, got others}}
  %r = torch.aten._fft_c2r %x, %dims, %c1, %c4 : !torch.vtensor<[3,?],ui8>, !torch.list<int>, !torch.int, !torch.int -> !torch.vtensor<[3,4],ui8>
  return %r : !torch.vtensor<[3,4],ui8>
}

// -----

func.func @cast_to_another_rank(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3,4],f32> {
  // expected-error @below {{expected a tensor that may be of the type '!torch.vtensor<[2,3,4],f32>', got '!torch.vtensor<[2,3],f32>'}}
  %r = torch.tensor_static_info_cast %x : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,3,4],f32>
  return %r : !torch.vtensor<[2,3,4],f32>
}

// -----

func.func @cast_to_another_dtype(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,?],si64> {
  // expected-error @below {{expected a tensor that may be of the type '!torch.vtensor<[2,?],si64>', got '!torch.vtensor<[2,3],f32>'}}
  %r = torch.tensor_static_info_cast %x : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],si64>
  return %r : !torch.vtensor<[2,?],si64>
}

// -----

func.func @int_as_a_tensor(%x: !torch.int) -> !torch.vtensor<[],si64> {
  // expected-error @below {{expected a tensor that may be of the type '!torch.vtensor<[],si64>', got '!torch.int'}}
  %r = torch.tensor_static_info_cast %x : !torch.int to !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}

// -----

func.func @int_as_an_optional_tensor(%x: !torch.int) -> !torch.optional<vtensor> {
  // expected-error @below {{expected a value that may be of the type '!torch.optional<vtensor>', got '!torch.int'}}
  %r = torch.derefine %x : !torch.int to !torch.optional<vtensor>
  return %r : !torch.optional<vtensor>
}

// -----

func.func @derefined(%i: !torch.int, %none: !torch.none, %x: !torch.vtensor<[2],f32>, %o: !torch.optional<vtensor<[2],f32>>) {
  %0 = torch.derefine %i : !torch.int to !torch.optional<number>
  %1 = torch.derefine %none : !torch.none to !torch.optional<vtensor>
  %2 = torch.derefine %x : !torch.vtensor<[2],f32> to !torch.optional<vtensor<[?],f32>>
  %3 = torch.derefine %o : !torch.optional<vtensor<[2],f32>> to !torch.optional<vtensor>
  %4 = torch.derefine %i : !torch.int to !torch.any
  return
}

// -----

func.func @tensors_as_ints(%x: !torch.vtensor<[2],si64>) -> !torch.list<int> {
  // expected-error @below {{expected a list of the operands' types, got '!torch.list<int>'}}
  %r = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.list<int>
  return %r : !torch.list<int>
}

// -----

func.func @tuple_of_more(%x: !torch.vtensor<[2],si64>) -> !torch.tuple<vtensor<[2],si64>, int> {
  // expected-error @below {{expected a tuple of the operands' types, got '!torch.tuple<vtensor<[2],si64>, int>'}}
  %r = torch.prim.TupleConstruct %x : !torch.vtensor<[2],si64> -> !torch.tuple<vtensor<[2],si64>, int>
  return %r : !torch.tuple<vtensor<[2],si64>, int>
}

// -----

func.func @unpacked_as_ints(%x: !torch.list<vtensor>) -> !torch.int {
  // expected-error @below {{expected a list of the results' types, got '!torch.list<vtensor>'}}
  %r = torch.prim.ListUnpack %x : !torch.list<vtensor> -> !torch.int
  return %r : !torch.int
}

// -----

func.func @more_unpacked_than_packed(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %list = torch.prim.ListConstruct %x : (!torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expected-error @below {{expected 1 results, one for each element, got 2}}
  %r:2 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %r#0 : !torch.vtensor
}

// -----

func.func @unpacked_with_another_rank(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,2],f32> {
  %list = torch.prim.ListConstruct %x : (!torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expected-error @below {{expected a result of type '!torch.vtensor<[2],f32>', got '!torch.vtensor<[2,2],f32>'}}
  %r = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @copied_with_another_size(%x: !torch.vtensor<[2],f32>) -> !torch.tensor<[3],f32> {
  // expected-error @below {{expected a result of the operand's sizes and dtype '!torch.vtensor<[2],f32>', got '!torch.tensor<[3],f32>'}}
  %r = "torch.copy.to_tensor"(%x) : (!torch.vtensor<[2],f32>) -> !torch.tensor<[3],f32>
  return %r : !torch.tensor<[3],f32>
}

// -----

func.func @overwritten_with_another_size(%x: !torch.vtensor<[2],f32>, %y: !torch.tensor<[3],f32>) {
  // expected-error @below {{expected a value that may be of the type '!torch.vtensor<[3],f32>', got '!torch.vtensor<[2],f32>'}}
  torch.overwrite.tensor.contents %x overwrites %y : !torch.vtensor<[2],f32>, !torch.tensor<[3],f32>
  return
}

// -----

func.func @scales_of_other_dims(%x: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,8,8],f32> {
  %none = torch.constant.none
  %c8 = torch.constant.int 8
  %sizes = torch.prim.ListConstruct %c8, %c8 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{expected 'self' of rank 3, got rank 4: '!torch.vtensor<[1,1,4,4],f32>'}}
  %r = torch.aten.upsample_nearest1d %x, %sizes, %none : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.none -> !torch.vtensor<[1,1,8,8],f32>
  return %r : !torch.vtensor<[1,1,8,8],f32>
}

// -----

func.func @fewer_scales_than_sizes(%x: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,8,8],f32> {
  %c8 = torch.constant.int 8
  %two = torch.constant.float 2.0
  %false = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %c8, %c8 : (!torch.int, !torch.int) -> !torch.list<int>
  %scales = torch.prim.ListConstruct %two : (!torch.float) -> !torch.list<float>
  // expected-error @below {{expected dim 0 of 'scale_factors' to be 2, got 1: '!torch.list<float>'}}
  %r = torch.aten.upsample_bilinear2d.vec %x, %sizes, %false, %scales : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.bool, !torch.list<float> -> !torch.vtensor<[1,1,8,8],f32>
  return %r : !torch.vtensor<[1,1,8,8],f32>
}

// -----

func.func @distance_in_the_dtype_of_one(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[2],f64>) -> !torch.vtensor<[],f32> {
  %two = torch.constant.float 2.0
  // expected-error @below {{expected a result of type '!torch.vtensor<[],f64>', got '!torch.vtensor<[],f32>'}}
  %r = torch.aten.dist %x, %y, %two : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f64>, !torch.float -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @repeated_along_no_dim(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %c2 = torch.constant.int 2
  %c0 = torch.constant.int 0
  // expected-error @below {{expected a tensor of rank 1 or more, got a rank-0 one}}
  %r = torch.aten.repeat_interleave.self_int %x, %c2, %c0, %none : !torch.vtensor<[],f32>, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

// Exported programs declare lengths of f16, though PyTorch's own are of f32.
func.func @lengths_in_either_dtype(%v: !torch.vtensor<[3,2],f16>, %g: !torch.vtensor<[3,1],f16>) {
  %c0 = torch.constant.int 0
  %w0, %f16 = torch.aten._weight_norm_interface %v, %g, %c0 : !torch.vtensor<[3,2],f16>, !torch.vtensor<[3,1],f16>, !torch.int -> !torch.vtensor<[3,2],f16>, !torch.vtensor<[3,1],f16>
  %w1, %f32 = torch.aten._weight_norm_interface %v, %g, %c0 : !torch.vtensor<[3,2],f16>, !torch.vtensor<[3,1],f16>, !torch.int -> !torch.vtensor<[3,2],f16>, !torch.vtensor<[3,1],f32>
  return
}

// -----

func.func @places_for_fewer_samples(%y: !torch.vtensor<[2,3],f32>, %x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %int1 = torch.constant.int 1
  // expected-error @below {{expected a place for each of 3 samples, got 2}}
  %r = torch.aten.trapezoid.x %y, %x, %int1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @classes_of_fewer_samples(%x: !torch.vtensor<[2,3],f32>, %t: !torch.vtensor<[1],si64>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  // expected-error @below {{expected a target of [2], got [1]}}
  %r = torch.aten.multi_margin_loss %x, %t, %int1, %int1, %none, %int0
      : !torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

// The number of choices is found without a step for each of the chosen.
func.func @one_element_many_times(%x: !torch.vtensor<[1],f32>) -> !torch.vtensor<[1,4611686018427387904],f32> {
  %many = torch.constant.int 4611686018427387904
  %true = torch.constant.bool true
  %r = torch.aten.combinations %x, %many, %true : !torch.vtensor<[1],f32>, !torch.int, !torch.bool -> !torch.vtensor<[1,4611686018427387904],f32>
  return %r : !torch.vtensor<[1,4611686018427387904],f32>
}

// -----

func.func @product_of_vectors(%x: !torch.vtensor<[3],f32>) {
  %one = torch.constant.int 1
  // expected-error @below {{expected operand 1 of rank 2, got [3]}}
  %r = torch.aten.addmm %x, %x, %x, %one, %one
      : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.int, !torch.int -> !torch.vtensor
  return
}

// -----

func.func @average_of_no_elements(%x: !torch.vtensor<[1,4,4],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %false = torch.constant.bool false
  %kernel = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a divisor other than 0}}
  %r = torch.aten.avg_pool2d %x, %kernel, %kernel, %padding, %false, %false, %zero
      : !torch.vtensor<[1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor
  return
}

// -----

func.func @window_of_padding_alone(%x: !torch.vtensor<[1,4,4],f32>) {
  %two = torch.constant.int 2
  %three = torch.constant.int 3
  %false = torch.constant.bool false
  %none = torch.constant.none
  %kernel = torch.prim.ListConstruct %three : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected a padding of at most half the kernel of 3, got 2}}
  %r = torch.aten.avg_pool2d %x, %kernel, %kernel, %padding, %false, %false, %none
      : !torch.vtensor<[1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor
  return
}

// -----

func.func @maximum_of_bools(%x: !torch.vtensor<[2,4],i1>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %false = torch.constant.bool false
  %kernel = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected real numbers to pool, got others}}
  %r = torch.aten.max_pool1d %x, %kernel, %kernel, %padding, %dilation, %false
      : !torch.vtensor<[2,4],i1>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor
  return
}

// -----

func.func @places_in_volumes(%x: !torch.vtensor<[1,1,2,6,6],f32>) {
  %two = torch.constant.int 2
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %false = torch.constant.bool false
  %kernel = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  // expected-error @below {{expected 'self' of [_, _, _] or [_, _, _, _], got '!torch.vtensor<[1,1,2,6,6],f32>'}}
  %y, %places = torch.aten.max_pool2d_with_indices %x, %kernel, %kernel, %padding, %dilation, %false
      : !torch.vtensor<[1,1,2,6,6],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor, !torch.vtensor
  return
}
