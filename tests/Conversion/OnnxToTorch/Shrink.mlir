// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @parameters(
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.aten.gt.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @parameters(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Shrink"(%a0) {lambd = 1.500000e+00 : f32, bias = 5.000000e-01 : f32}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
