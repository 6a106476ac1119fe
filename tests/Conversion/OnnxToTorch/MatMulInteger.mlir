// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @zero_point(
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],si32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[],si32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,4],si32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[4,3],si32>
// CHECK: torch.aten.matmul{{.*}} -> !torch.vtensor<[?,3],si32>
// CHECK: return
func.func @zero_point(%a0: tensor<?x4xui8>, %a1: tensor<4x3xui8>, %a2: tensor<ui8>) -> tensor<?x3xi32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.MatMulInteger"(%a0, %a1, %a2, %none)
      : (tensor<?x4xui8>, tensor<4x3xui8>, tensor<ui8>, none) -> tensor<?x3xi32>
  onnx.Return %y : tensor<?x3xi32>
}
