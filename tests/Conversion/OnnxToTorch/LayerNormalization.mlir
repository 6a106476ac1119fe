// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @fused(
// CHECK: torch.aten.layer_norm{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @fused(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<?x4xf32> {
  %y:3 = "onnx.LayerNormalization"(%a0, %a1, %a2)
      : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, none, none)
  onnx.Return %y#0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @half(
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.layer_norm{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f16>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f16>
// CHECK: return
func.func @half(%a0: tensor<?x4xf16>, %a1: tensor<4xf16>) -> tensor<?x4xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:3 = "onnx.LayerNormalization"(%a0, %a1, %none)
      : (tensor<?x4xf16>, tensor<4xf16>, none) -> (tensor<?x4xf16>, none, none)
  onnx.Return %y#0 : tensor<?x4xf16>
}

// -----

// CHECK-LABEL: func.func @statistics(
// CHECK: torch.aten.layer_norm{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mean.dim{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.var.correction{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.rsqrt{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: return
func.func @statistics(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:3 = "onnx.LayerNormalization"(%a0, %a1, %none)
      : (tensor<?x4xf32>, tensor<4xf32>, none) -> (tensor<?x4xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x4xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}
