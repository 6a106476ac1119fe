// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @per_axis(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],si32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @per_axis(%a0: tensor<?x4xi8>, %a1: tensor<4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.DequantizeLinear"(%a0, %a1, %none)
      : (tensor<?x4xi8>, tensor<4xf32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
