// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sum.dim_IntList{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.sqrt{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.eq.Scalar{{.*}} -> !torch.vtensor<[?,1],i1>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @two(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.LpNormalization"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @three(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.LpNormalization': expected p to be 1 or 2, got 3}}
  %y = "onnx.LpNormalization"(%a0) {p = 3 : si64}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
