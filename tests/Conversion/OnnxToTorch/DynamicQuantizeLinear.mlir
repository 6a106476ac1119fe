// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.amax{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.amin{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.maximum{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.minimum{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.eq.Scalar{{.*}} -> !torch.vtensor<[],i1>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.neg{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.round{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.clamp{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[],ui8>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.round{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.clamp{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],ui8>
// CHECK: return
func.func @all(%a0: tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>) {
  %y:3 = "onnx.DynamicQuantizeLinear"(%a0)
      : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x4xui8>, tensor<f32>, tensor<ui8>
}
