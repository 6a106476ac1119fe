// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.var.correction{{.*}} -> !torch.vtensor<[1,3,1,1],f32>
// CHECK: torch.aten.sqrt{{.*}} -> !torch.vtensor<[1,3,1,1],f32>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[1,3,1,1],f32>
// CHECK: torch.aten.mean.dim{{.*}} -> !torch.vtensor<[1,3,1,1],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32> {
  %y = "onnx.MeanVarianceNormalization"(%a0)
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32>
  onnx.Return %y : tensor<?x3x8x8xf32>
}
