// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @per_tensor(
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.round{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.clamp{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],ui8>
// CHECK: return
func.func @per_tensor(%a0: tensor<?x4xf32>, %a1: tensor<f32>, %a2: tensor<ui8>) -> tensor<?x4xui8> {
  %y = "onnx.QuantizeLinear"(%a0, %a1, %a2)
      : (tensor<?x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x4xui8>
  onnx.Return %y : tensor<?x4xui8>
}
