// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @flat(
// CHECK-COUNT-1: torch.aten.sort
// CHECK-NOT: torch.aten.sort
// CHECK: torch.aten.nonzero
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.scatter.src{{.*}} -> !torch.vtensor<[6],si64>
func.func @flat(%x: tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %y:4 = "onnx.Unique"(%x) : (tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  onnx.Return %y#0, %y#1, %y#2, %y#3 : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}

// -----

// There is a sort for each row, and one more for the order of first occurrences.
// CHECK-LABEL: func.func @rows_unsorted(
// CHECK-COUNT-3: torch.aten.sort.stable
// CHECK-COUNT-1: torch.aten.sort %
// CHECK-NOT: torch.aten.sort
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[3,?],si64>
func.func @rows_unsorted(%x: tensor<3x?xi64>) -> tensor<3x?xi64> {
  %y:4 = "onnx.Unique"(%x) {axis = 1 : si64, sorted = 0 : si64} : (tensor<3x?xi64>) -> (tensor<3x?xi64>, none, none, none)
  onnx.Return %y#0 : tensor<3x?xi64>
}

// -----

func.func @long_rows(%x: tensor<3x?xi64>) -> tensor<?x?xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.Unique': expected slices of at most 64 elements, a number known while compiling, got '!torch.vtensor<[3,?],si64>'}}
  %y:4 = "onnx.Unique"(%x) {axis = 0 : si64} : (tensor<3x?xi64>) -> (tensor<?x?xi64>, none, none, none)
  onnx.Return %y#0 : tensor<?x?xi64>
}
