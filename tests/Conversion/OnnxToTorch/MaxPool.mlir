// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.max_pool2d{{.*}} -> !torch.vtensor<[?,3,4,4],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
  %y:2 = "onnx.MaxPool"(%a0) {kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}
      : (tensor<?x3x8x8xf32>) -> (tensor<?x3x4x4xf32>, none)
  onnx.Return %y#0 : tensor<?x3x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @ceil(
// CHECK: torch.aten.max_pool2d{{.*}} -> !torch.vtensor<[?,3,4,4],f32>
// CHECK: return
func.func @ceil(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
  %y:2 = "onnx.MaxPool"(%a0) {kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1 : si64}
      : (tensor<?x3x8x8xf32>) -> (tensor<?x3x4x4xf32>, none)
  onnx.Return %y#0 : tensor<?x3x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @indices(
// CHECK: torch.aten.max_pool2d_with_indices{{.*}} -> !torch.vtensor<[?,3,4,4],f32>, !torch.vtensor<[?,3,4,4],si64>
// CHECK: %[[COLUMN:.*]] = torch.aten.remainder.Tensor{{.*}} -> !torch.vtensor<[?,3,4,4],si64>
// CHECK: %[[ROW:.*]] = torch.aten.div.Tensor_mode{{.*}} -> !torch.vtensor<[?,3,4,4],si64>
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,1,1],si64>
// CHECK: torch.aten.mul.Scalar{{.*}} -> !torch.vtensor<[?,3,1,1],si64>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,3,4,4],si64>
// CHECK: torch.aten.mul.Scalar{{.*}} -> !torch.vtensor<[?,3,4,4],si64>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,3,4,4],si64>
// CHECK: return
func.func @indices(%a0: tensor<?x3x8x8xf32>) -> (tensor<?x3x4x4xf32>, tensor<?x3x4x4xi64>) {
  %y:2 = "onnx.MaxPool"(%a0) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<?x3x8x8xf32>) -> (tensor<?x3x4x4xf32>, tensor<?x3x4x4xi64>)
  onnx.Return %y#0, %y#1 : tensor<?x3x4x4xf32>, tensor<?x3x4x4xi64>
}

// -----

// CHECK-LABEL: func.func @indices_3d(
// CHECK: torch.aten.max_pool3d_with_indices
// CHECK-COUNT-2: torch.aten.remainder.Tensor
// CHECK-NOT: torch.aten.remainder.Tensor
// CHECK: return
func.func @indices_3d(%a0: tensor<?x3x8x8x8xf32>) -> (tensor<?x3x7x7x7xf32>, tensor<?x3x7x7x7xi64>) {
  %y:2 = "onnx.MaxPool"(%a0) {kernel_shape = [2, 2, 2]}
      : (tensor<?x3x8x8x8xf32>) -> (tensor<?x3x7x7x7xf32>, tensor<?x3x7x7x7xi64>)
  onnx.Return %y#0, %y#1 : tensor<?x3x7x7x7xf32>, tensor<?x3x7x7x7xi64>
}
