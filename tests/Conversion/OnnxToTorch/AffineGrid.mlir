// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plane(
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[5,6,3],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[30,3],f32>
// CHECK: torch.aten.matmul{{.*}} -> !torch.vtensor<[?,30,2],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,5,6,2],f32>
func.func @plane(%theta: tensor<?x2x3xf32>) -> tensor<?x5x6x2xf32> {
  %size = onnx.Constant dense<[2, 3, 5, 6]> : tensor<4xi64>
  %y = "onnx.AffineGrid"(%theta, %size) : (tensor<?x2x3xf32>, tensor<4xi64>) -> tensor<?x5x6x2xf32>
  onnx.Return %y : tensor<?x5x6x2xf32>
}

// -----

// CHECK-LABEL: func.func @space(
// CHECK: torch.aten.matmul{{.*}} -> !torch.vtensor<[2,?,3],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[2,?,?,?,3],f32>
func.func @space(%theta: tensor<2x3x4xf32>, %size: tensor<5xi64>) -> tensor<2x?x?x?x3xf32> {
  %y = "onnx.AffineGrid"(%theta, %size) {align_corners = 1 : si64} : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<2x?x?x?x3xf32>
  onnx.Return %y : tensor<2x?x?x?x3xf32>
}

// -----

func.func @line(%theta: tensor<2x1x2xf32>) -> tensor<2x5x1xf32> {
  %size = onnx.Constant dense<[2, 3, 5]> : tensor<3xi64>
  // expected-error @below {{no lowering to torch for 'onnx.AffineGrid': expected size of 4 or 5 sizes, got '!torch.vtensor<[3],si64>'}}
  %y = "onnx.AffineGrid"(%theta, %size) : (tensor<2x1x2xf32>, tensor<3xi64>) -> tensor<2x5x1xf32>
  onnx.Return %y : tensor<2x5x1xf32>
}

// -----

func.func @other_theta(%theta: tensor<2x3x4xf32>) -> tensor<2x5x6x2xf32> {
  %size = onnx.Constant dense<[2, 3, 5, 6]> : tensor<4xi64>
  // expected-error @below {{no lowering to torch for 'onnx.AffineGrid': expected theta of [N, 2, 3], got '!torch.vtensor<[2,3,4],f32>'}}
  %y = "onnx.AffineGrid"(%theta, %size) : (tensor<2x3x4xf32>, tensor<4xi64>) -> tensor<2x5x6x2xf32>
  onnx.Return %y : tensor<2x5x6x2xf32>
}
