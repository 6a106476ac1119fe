// REQUIRES: mhlo
// RUN: isthmus-opt %s | isthmus-opt | FileCheck %s --check-prefixes=CHECK,MHLO
// RUN: isthmus-opt %s --mhlo-to-stablehlo | isthmus-opt | FileCheck %s --check-prefixes=CHECK,STABLEHLO

// One example of every op. In jaxlib_test.py, jaxlib reads them.

// CHECK-LABEL: func.func @unary
// MHLO:         mhlo.abs %{{.*}} : tensor<2x?xf32>
// MHLO-NEXT:    mhlo.abs %{{.*}} : (tensor<2x?xf32>) -> tensor<2x4xf32>
// STABLEHLO:    stablehlo.abs %{{.*}} : tensor<2x?xf32>
func.func @unary(%x: tensor<2x?xf32>, %i: tensor<2x?xi32>) {
  %0 = mhlo.abs %x : tensor<2x?xf32>
  %1 = mhlo.abs %x : (tensor<2x?xf32>) -> tensor<2x4xf32>
  %2 = mhlo.cbrt %x : tensor<2x?xf32>
  %3 = mhlo.ceil %x : tensor<2x?xf32>
  %4 = mhlo.cosine %x : tensor<2x?xf32>
  %5 = mhlo.count_leading_zeros %i : tensor<2x?xi32>
  %6 = mhlo.exponential %x : tensor<2x?xf32>
  %7 = mhlo.exponential_minus_one %x : tensor<2x?xf32>
  %8 = mhlo.floor %x : tensor<2x?xf32>
  %9 = mhlo.log %x : tensor<2x?xf32>
  %10 = mhlo.log_plus_one %x : tensor<2x?xf32>
  %11 = mhlo.logistic %x : tensor<2x?xf32>
  %12 = mhlo.negate %x : tensor<2x?xf32>
  %13 = mhlo.not %i : tensor<2x?xi32>
  %14 = mhlo.popcnt %i : tensor<2x?xi32>
  %15 = mhlo.round_nearest_afz %x : tensor<2x?xf32>
  %16 = mhlo.round_nearest_even %x : tensor<2x?xf32>
  %17 = mhlo.rsqrt %x : tensor<2x?xf32>
  %18 = mhlo.sign %x : tensor<2x?xf32>
  %19 = mhlo.sine %x : tensor<2x?xf32>
  %20 = mhlo.sqrt %x : tensor<2x?xf32>
  %21 = mhlo.tan %x : tensor<2x?xf32>
  %22 = mhlo.tanh %x : tensor<2x?xf32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<2x?xf32>, %i: tensor<2x?xi32>) {
  %0 = mhlo.add %x, %x : tensor<2x?xf32>
  %1 = mhlo.and %i, %i : tensor<2x?xi32>
  %2 = mhlo.atan2 %x, %x : tensor<2x?xf32>
  %3 = mhlo.divide %x, %x : tensor<2x?xf32>
  %4 = mhlo.maximum %x, %x : tensor<2x?xf32>
  %5 = mhlo.minimum %x, %x : tensor<2x?xf32>
  %6 = mhlo.multiply %x, %x : tensor<2x?xf32>
  %7 = mhlo.or %i, %i : tensor<2x?xi32>
  %8 = mhlo.power %x, %x : tensor<2x?xf32>
  %9 = mhlo.remainder %x, %x : tensor<2x?xf32>
  %10 = mhlo.shift_left %i, %i : tensor<2x?xi32>
  %11 = mhlo.shift_right_arithmetic %i, %i : tensor<2x?xi32>
  %12 = mhlo.shift_right_logical %i, %i : tensor<2x?xi32>
  %13 = mhlo.subtract %x, %x : tensor<2x?xf32>
  %14 = mhlo.xor %i, %i : tensor<2x?xi32>
  return
}

// CHECK-LABEL: func.func @cast_and_choose
func.func @cast_and_choose(%x: tensor<2xf32>) {
  %0 = "mhlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2xi32>
  %1 = "mhlo.convert"(%x) : (tensor<2xf32>) -> tensor<?xi32>
  %2 = "mhlo.is_finite"(%x) : (tensor<2xf32>) -> tensor<2xi1>
  %c = "mhlo.complex"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %c1 = "mhlo.real"(%c) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %c2 = "mhlo.imag"(%c) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %cl = "mhlo.clamp"(%x, %x, %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = "mhlo.select"(%2, %x, %x) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @compare
// MHLO:         mhlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
// STABLEHLO:    stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT
func.func @compare(%x: tensor<?xf32>) {
  %0 = "mhlo.compare"(%x, %x) {comparison_direction = #mhlo<comparison_direction LT>, compare_type = #mhlo<comparison_type FLOAT>}
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %1 = "mhlo.compare"(%x, %x) {comparison_direction = #mhlo<comparison_direction LT>}
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  return
}

// One number per dimension: a vector constant in MHLO, an array in StableHLO.
// CHECK-LABEL: func.func @shapes
// MHLO:         broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>
// STABLEHLO:    broadcast_dimensions = array<i64: 0, 2>
// CHECK:        constant dense<[1, 2, 3]> : tensor<3xi64>
func.func @shapes(%x: tensor<2x3xf32>, %d: tensor<?x3xf32>, %i: tensor<i32>, %i2: tensor<2xi32>) {
  %0 = "mhlo.broadcast_in_dim"(%x) {broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %data = mhlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %i3 = mhlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = "mhlo.dynamic_broadcast_in_dim"(%d, %i3) {broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>, known_expanding_dimensions = dense<0> : tensor<1xi64>, known_nonexpanding_dimensions = dense<1> : tensor<1xi64>}
      : (tensor<?x3xf32>, tensor<3xi32>) -> tensor<?x?x3xf32>
  %2 = "mhlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4x5xi32>
  %3 = "mhlo.dynamic_iota"(%i2) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<?x?xi32>
  %4 = "mhlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %5 = "mhlo.dynamic_reshape"(%d, %i2) : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  %6 = "mhlo.transpose"(%d) {permutation = dense<[1, 0]> : tensor<2xi64>}
      : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %7 = "mhlo.slice"(%x) {start_indices = dense<[0, 1]> : tensor<2xi64>, limit_indices = dense<[2, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %8 = "mhlo.real_dynamic_slice"(%d, %i2, %i2, %i2)
      : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %9 = "mhlo.dynamic_slice"(%d, %i, %i) {slice_sizes = dense<[1, 2]> : tensor<2xi64>}
      : (tensor<?x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %10 = "mhlo.dynamic_update_slice"(%d, %9, %i, %i)
      : (tensor<?x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x3xf32>
  %z = mhlo.constant dense<0.0> : tensor<f32>
  %11 = "mhlo.pad"(%d, %z) {edge_padding_low = dense<[1, 0]> : tensor<2xi64>, edge_padding_high = dense<[1, 0]> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %12 = "mhlo.dynamic_pad"(%d, %z, %i2, %i2, %i2)
      : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %13 = "mhlo.concatenate"(%x, %d) {dimension = 0 : i64}
      : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %14 = "mhlo.reverse"(%d) {dimensions = dense<0> : tensor<1xi64>} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %15 = "mhlo.get_dimension_size"(%d) {dimension = 0 : i64} : (tensor<?x3xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @indexing
// MHLO:         #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
// STABLEHLO:    #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
// CHECK:        "[[DIALECT:mhlo|stablehlo]].scatter"
// CHECK:        [[DIALECT]].return
func.func @indexing(%x: tensor<?x8xf32>, %ix: tensor<4x1xi64>, %u: tensor<4x8xf32>, %i2: tensor<2xi32>) {
  %0 = "mhlo.gather"(%x, %ix) {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 8]> : tensor<2xi64>}
      : (tensor<?x8xf32>, tensor<4x1xi64>) -> tensor<4x8xf32>
  %1 = "mhlo.dynamic_gather"(%x, %ix, %i2) {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}
      : (tensor<?x8xf32>, tensor<4x1xi64>, tensor<2xi32>) -> tensor<4x?xf32>
  %2 = "mhlo.scatter"(%x, %ix, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    mhlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}
      : (tensor<?x8xf32>, tensor<4x1xi64>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %3:2 = "mhlo.sort"(%x, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %s = mhlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    mhlo.return %s : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true}
      : (tensor<?x8xf32>, tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  return
}

// A padding has two dimensions and stays a constant.
// CHECK-LABEL: func.func @reduction
// CHECK:        padding = dense<0> : tensor<2x2xi64>
func.func @reduction(%x: tensor<?x8xf32>, %z: tensor<f32>) {
  %4 = "mhlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    mhlo.return %s : tensor<f32>
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = "mhlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    mhlo.return %s : tensor<f32>
  }) {window_dimensions = dense<[1, 2]> : tensor<2xi64>, window_strides = dense<1> : tensor<2xi64>, base_dilations = dense<1> : tensor<2xi64>, window_dilations = dense<1> : tensor<2xi64>, padding = dense<0> : tensor<2x2xi64>}
      : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x7xf32>
  %r = "mhlo.constant"() {value = dense<0.0> : tensor<10x24xf32>} : () -> tensor<10x24xf32>
  %src = "mhlo.constant"() {value = dense<0.0> : tensor<5x8xf32>} : () -> tensor<5x8xf32>
  %6 = "mhlo.select_and_scatter"(%r, %src, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    mhlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    mhlo.return %s : tensor<f32>
  }) {window_dimensions = dense<[2, 3]> : tensor<2xi64>, window_strides = dense<[2, 3]> : tensor<2xi64>, padding = dense<0> : tensor<2x2xi64>}
      : (tensor<10x24xf32>, tensor<5x8xf32>, tensor<f32>) -> tensor<10x24xf32>
  return
}

// CHECK-LABEL: func.func @linear
// MHLO:         precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision HIGHEST>]
// STABLEHLO:    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]
// MHLO:         #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>
// MHLO-SAME:    window_reversal = dense<false> : tensor<2xi1>
// STABLEHLO:    #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>
// STABLEHLO-SAME: window_reversal = array<i1: false, false>
func.func @linear(%x: tensor<?x4x8xf32>, %y: tensor<?x8x3xf32>, %im: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %p: tensor<2x2xi32>) {
  %0 = "mhlo.dot_general"(%x, %y) {dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision HIGHEST>]}
      : (tensor<?x4x8xf32>, tensor<?x8x3xf32>) -> tensor<?x4x3xf32>
  %1 = "mhlo.convolution"(%im, %w) {dimension_numbers = #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, window_strides = dense<1> : tensor<2xi64>, padding = dense<1> : tensor<2x2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, window_reversal = dense<false> : tensor<2xi1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}
      : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %2 = "mhlo.dynamic_conv"(%im, %w, %p) {dimension_numbers = #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, window_strides = dense<1> : tensor<2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}
      : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<2x2xi32>) -> tensor<1x4x?x?xf32>
  return
}

// CHECK-LABEL: func.func @decompositions
func.func @decompositions(%x: tensor<3x9xcomplex<f32>>, %m: tensor<3x3xf32>) {
  %0 = "mhlo.fft"(%x) {fft_length = dense<9> : tensor<1xi64>, fft_type = #mhlo<fft_type FFT>}
      : (tensor<3x9xcomplex<f32>>) -> tensor<3x9xcomplex<f32>>
  %1 = "mhlo.cholesky"(%m) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = "mhlo.triangular_solve"(%m, %m) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #mhlo<transpose NO_TRANSPOSE>}
      : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %3 = "mhlo.reduce_precision"(%m) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32}
      : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// CHECK-LABEL: func.func @normalization
func.func @normalization(%x: tensor<?x3x4xf32>, %s: tensor<3xf32>) {
  %0 = "mhlo.batch_norm_inference"(%x, %s, %s, %s, %s) {epsilon = 1.0e-5 : f32, feature_index = 1 : i64}
      : (tensor<?x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3x4xf32>
  return
}

// Attributes that a custom call carries are not renamed.
// CHECK-LABEL: func.func @control
// CHECK:        backend_config = {a = dense<1> : tensor<1xi64>}
func.func @control(%n: tensor<i64>, %x: tensor<?xf32>, %p: tensor<i1>, %i: tensor<i32>) {
  %0:2 = "mhlo.while"(%n, %x) ({
  ^bb0(%a: tensor<i64>, %b: tensor<?xf32>):
    %z = mhlo.constant dense<0> : tensor<i64>
    %c = mhlo.compare GT, %a, %z, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    mhlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<?xf32>):
    %o = mhlo.constant dense<1> : tensor<i64>
    %c = mhlo.subtract %a, %o : tensor<i64>
    mhlo.return %c, %b : tensor<i64>, tensor<?xf32>
  }) : (tensor<i64>, tensor<?xf32>) -> (tensor<i64>, tensor<?xf32>)
  %1 = "mhlo.if"(%p) ({
    mhlo.return %x : tensor<?xf32>
  }, {
    mhlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %2 = "mhlo.case"(%i) ({
    mhlo.return %x : tensor<?xf32>
  }, {
    mhlo.return %x : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  %3 = "mhlo.custom_call"(%x) {call_target_name = "foo", api_version = 4 : i32, backend_config = {a = dense<1> : tensor<1xi64>}, has_side_effect = false}
      : (tensor<?xf32>) -> tensor<?xf32>
  %4 = "mhlo.composite"(%x) {name = "a.b", composite_attributes = {a = 1 : i64}, decomposition = @same, version = 1 : i32}
      : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func private @same(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
