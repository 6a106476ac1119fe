// REQUIRES: mhlo
// RUN: isthmus-opt %s --split-input-file --verify-diagnostics

func.func @element_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = mhlo.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<2xf32>) {
  // expected-error @below {{cannot broadcast dimension 0 of 'tensor<2xf32>' to 'tensor<3x4xf32>'}}
  %0 = "mhlo.broadcast_in_dim"(%x) {broadcast_dimensions = dense<1> : tensor<1xi64>}
      : (tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @compare_result(%x: tensor<?xf32>) {
  // expected-error @below {{all non-scalar operands/results must have the same shape}}
  %0 = mhlo.compare LT, %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xi1>
  return
}

// -----

func.func @concatenated_sizes(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @below {{expected equal sizes, got 3 and 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "mhlo.concatenate"(%x, %y) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @contracted_sizes(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected equal sizes, got 3 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "mhlo.dot_general"(%x, %x) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gathered_dims(%x: tensor<8x2xf32>, %i: tensor<4x1xi64>) {
  // expected-error @below {{expected 1 offset_dims, got 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "mhlo.gather"(%x, %i) {dimension_numbers = #mhlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 2]> : tensor<2xi64>}
      : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @iota_dimension() {
  // expected-error @below {{expected a dimension of 'tensor<4xi32>', got 1}}
  %0 = "mhlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4xi32>
  return
}

// -----

func.func @reshape_elements(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected as many elements in 'tensor<5xf32>' as in 'tensor<2x3xf32>'}}
  %0 = mhlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_dynamic(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected a static result, got 'tensor<?xf32>'}}
  %0 = mhlo.reshape %x : (tensor<2x3xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_bounds(%x: tensor<3xf32>) {
  // expected-error @below {{expected a slice within 'tensor<3xf32>', got 1 to 4 in dimension 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "mhlo.slice"(%x) {start_indices = dense<1> : tensor<1xi64>, limit_indices = dense<4> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @permutation(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected a permutation of the dimensions of 'tensor<2x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "mhlo.transpose"(%x) {permutation = dense<0> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @unknown_field(%x: tensor<2x3xf32>) {
  // expected-error @below {{unknown field 'contracting'}}
  "mhlo.dot_general"(%x, %x) {dot_dimension_numbers = #mhlo.dot<contracting = [1]>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
}

// -----

func.func @conv_without_features(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected dimensions b and f}}
  "mhlo.convolution"(%x, %x) {dimension_numbers = #mhlo.conv<[b, 0]x[o, i]->[b, f]>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
}
