// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known_count(
// Sorting is stable, and aten.topk need not be.
// CHECK: %[[VALUES:.*]], %[[INDICES:.*]] = torch.aten.sort %{{.*}}, %{{.*}}, %true
// CHECK: torch.aten.slice.Tensor %[[VALUES]], {{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK: torch.aten.slice.Tensor %[[INDICES]], {{.*}} -> !torch.vtensor<[?,2],si64>
// CHECK: return
func.func @known_count(%a0: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>) {
  %c0 = onnx.Constant dense<2> : tensor<1xi64>
  %y:2 = "onnx.TopK"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> (tensor<?x2xf32>, tensor<?x2xi64>)
  onnx.Return %y#0, %y#1 : tensor<?x2xf32>, tensor<?x2xi64>
}
