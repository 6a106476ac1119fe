// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known_shape(
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[2,?,5],f32>
// CHECK: return
func.func @known_shape(%a0: tensor<?x1xf32>) -> tensor<2x?x5xf32> {
  %c0 = onnx.Constant dense<[2, 1, 5]> : tensor<3xi64>
  %y = "onnx.Expand"(%a0, %c0)
      : (tensor<?x1xf32>, tensor<3xi64>) -> tensor<2x?x5xf32>
  onnx.Return %y : tensor<2x?x5xf32>
}

// -----

// A known dim keeps its size, and the requested size must fit.
// CHECK-LABEL: func.func @shape_at_run_time(
// CHECK: %[[ONE:.*]] = torch.aten.eq.int
// CHECK: %[[SAME:.*]] = torch.aten.eq.int
// CHECK: %[[FITS:.*]] = torch.aten.__or__.bool %[[ONE]], %[[SAME]]
// CHECK: torch.runtime.assert %[[FITS]], "expected sizes that broadcast"
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[3],f32>
func.func @shape_at_run_time(%a0: tensor<3xf32>, %shape: tensor<1xi64>) -> tensor<3xf32> {
  %y = "onnx.Expand"(%a0, %shape) : (tensor<3xf32>, tensor<1xi64>) -> tensor<3xf32>
  onnx.Return %y : tensor<3xf32>
}

// -----

// If neither size is known, aten.expand gets y + (y == 1) * (x - 1).
// CHECK-LABEL: func.func @nothing_known(
// CHECK-NOT: torch.runtime.assert
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[?],f32>
func.func @nothing_known(%a0: tensor<?xf32>, %shape: tensor<1xi64>) -> tensor<?xf32> {
  %y = "onnx.Expand"(%a0, %shape) : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}
