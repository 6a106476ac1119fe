// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nearest_known(
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,2,4,2],f32>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,2,4,4],f32>
// CHECK: return
func.func @nearest_known(%a0: tensor<?x2x2x2xf32>) -> tensor<?x2x4x4xf32> {
  %c0 = onnx.Constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"}
      : (tensor<?x2x2x2xf32>, none, tensor<4xf32>, none) -> tensor<?x2x4x4xf32>
  onnx.Return %y : tensor<?x2x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @linear_run_time(
// CHECK: torch.aten.Float.Scalar
// CHECK: torch.aten.mul.float
// CHECK: torch.aten.floor.float
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.vtensor.literal
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.floor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.le.Tensor{{.*}} -> !torch.vtensor<[?],i1>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.clamp.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.le.Tensor{{.*}} -> !torch.vtensor<[?],i1>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.clamp.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,2,?],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,1,?],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,?],f32>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,2,?],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,1,?],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,?],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,2,?],f32>
// CHECK: return
func.func @linear_run_time(%a0: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %c0 = onnx.Constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {mode = "linear"}
      : (tensor<?x2x?xf32>, none, tensor<3xf32>, none) -> tensor<?x2x?xf32>
  onnx.Return %y : tensor<?x2x?xf32>
}

// -----

func.func @unknown_mode(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected mode to be nearest, linear or cubic, got 'area'}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {mode = "area"}
      : (tensor<?x4xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
