// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[1,1,2,2],f32>
// CHECK: torch.aten.mul.int
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,1,8,8],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,1,7,7],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,7,7],f32>
// CHECK: torch.aten.sqrt{{.*}} -> !torch.vtensor<[?,3,7,7],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x7x7xf32> {
  %y = "onnx.LpPool"(%a0) {kernel_shape = [2, 2]}
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x7x7xf32>
  onnx.Return %y : tensor<?x3x7x7xf32>
}
