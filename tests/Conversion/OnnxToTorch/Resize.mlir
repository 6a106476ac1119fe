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

// -----

func.func @negative_size(%a0: tensor<1x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %c0 = onnx.Constant dense<[1, -8]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected sizes of 0 or more, got -8}}
  %y = "onnx.Resize"(%a0, %none, %none, %c0)
      : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @no_scale(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %c0 = onnx.Constant dense<[1.0, 0.0]> : tensor<2xf32>
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected finite scales above 0, got 0}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none)
      : (tensor<?x4xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @endless_filter(%a0: tensor<1x?xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %c0 = onnx.Constant dense<[1.0, 9.765625e-04]> : tensor<2xf32>
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected a filter of at most 1024 elements with antialias, got a scale of}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {antialias = 1 : si64, mode = "linear"}
      : (tensor<1x?xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @no_ratio(%a0: tensor<1x0xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %c0 = onnx.Constant dense<[1, 8]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected sizes of 1 or more where the aspect ratio is kept, got 0}}
  %y = "onnx.Resize"(%a0, %none, %none, %c0) {keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x0xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

// A double cannot hold the index of the last of so many elements, so positions are computed at run time.
// CHECK-LABEL: func.func @many_elements(
// CHECK: torch.aten.arange.start_step
// CHECK: torch.aten.index_select
func.func @many_elements(%a0: tensor<9223372036854775807xf32>) -> tensor<2xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %c0 = onnx.Constant dense<[2]> : tensor<1xi64>
  %y = "onnx.Resize"(%a0, %none, %none, %c0) {coordinate_transformation_mode = "align_corners", mode = "nearest", nearest_mode = "floor"}
      : (tensor<9223372036854775807xf32>, none, none, tensor<1xi64>) -> tensor<2xf32>
  onnx.Return %y : tensor<2xf32>
}
