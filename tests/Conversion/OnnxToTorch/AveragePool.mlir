// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.avg_pool2d{{.*}} -> !torch.vtensor<[?,3,7,7],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x7x7xf32> {
  %y = "onnx.AveragePool"(%a0) {kernel_shape = [2, 2]}
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x7x7xf32>
  onnx.Return %y : tensor<?x3x7x7xf32>
}

// -----

// CHECK-LABEL: func.func @same_upper(
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[1,1,8,8],f32>
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[1,1,9,9],f32>
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,3,9,9],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[1,1,2,2],f32>
// CHECK: torch.aten.mul.int
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,1,9,9],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,1,8,8],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,1,9,9],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[1,1,8,8],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,1,8,8],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @same_upper(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32> {
  %y = "onnx.AveragePool"(%a0) {kernel_shape = [2, 2], auto_pad = "SAME_UPPER"}
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32>
  onnx.Return %y : tensor<?x3x8x8xf32>
}
