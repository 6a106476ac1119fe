// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Reads the four elements around each position in a plane.
// CHECK-LABEL: func.func @linear(
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[2,?,?,3],f32>
// CHECK-COUNT-4: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[2,4,5,3],f32>
// CHECK-NOT: torch.aten.index.Tensor
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[2,3,4,5],f32>
func.func @linear(%x: tensor<2x3x?x?xf32>, %grid: tensor<2x4x5x2xf32>) -> tensor<2x3x4x5xf32> {
  %y = "onnx.GridSample"(%x, %grid) : (tensor<2x3x?x?xf32>, tensor<2x4x5x2xf32>) -> tensor<2x3x4x5xf32>
  onnx.Return %y : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @nearest(
// CHECK-COUNT-3: torch.aten.round
// CHECK-COUNT-1: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[1,2,2,2,1],f32>
// CHECK-NOT: torch.aten.index.Tensor
func.func @nearest(%x: tensor<1x1x3x4x5xf16>, %grid: tensor<1x2x2x2x3xf16>) -> tensor<1x1x2x2x2xf16> {
  %y = "onnx.GridSample"(%x, %grid) {mode = "nearest", padding_mode = "border"} : (tensor<1x1x3x4x5xf16>, tensor<1x2x2x2x3xf16>) -> tensor<1x1x2x2x2xf16>
  onnx.Return %y : tensor<1x1x2x2x2xf16>
}

// -----

// CHECK-LABEL: func.func @cubic(
// CHECK: torch.aten.remainder.Tensor
// CHECK-COUNT-16: torch.aten.index.Tensor
// CHECK-NOT: torch.aten.index.Tensor
func.func @cubic(%x: tensor<1x1x3x4xf64>, %grid: tensor<1x2x2x2xf64>) -> tensor<1x1x2x2xf64> {
  %y = "onnx.GridSample"(%x, %grid) {mode = "cubic", padding_mode = "reflection", align_corners = 1 : si64} : (tensor<1x1x3x4xf64>, tensor<1x2x2x2xf64>) -> tensor<1x1x2x2xf64>
  onnx.Return %y : tensor<1x1x2x2xf64>
}

// -----

func.func @too_few_coordinates(%x: tensor<1x1x3x4xf32>, %grid: tensor<1x2x2x1xf32>) -> tensor<1x1x2x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GridSample': expected a grid with a coordinate for each spatial dim, got '!torch.vtensor<[1,2,2,1],f32>' for '!torch.vtensor<[1,1,3,4],f32>'}}
  %y = "onnx.GridSample"(%x, %grid) : (tensor<1x1x3x4xf32>, tensor<1x2x2x1xf32>) -> tensor<1x1x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2xf32>
}

// -----

func.func @unknown_mode(%x: tensor<1x1x3x4xf32>, %grid: tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GridSample': expected mode to be linear, nearest or cubic, got 'area'}}
  %y = "onnx.GridSample"(%x, %grid) {mode = "area"} : (tensor<1x1x3x4xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2xf32>
}

// -----

func.func @unknown_padding(%x: tensor<1x1x3x4xf32>, %grid: tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GridSample': expected padding_mode to be zeros, border or reflection, got 'wrap'}}
  %y = "onnx.GridSample"(%x, %grid) {padding_mode = "wrap"} : (tensor<1x1x3x4xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2xf32>
}
