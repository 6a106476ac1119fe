// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bilinear(
// CHECK: torch.aten.floor
// CHECK: torch.aten.index.Tensor
func.func @bilinear(%a0: tensor<?x3x5x6xf32>, %a1: tensor<?x4x3x2xf32>) -> tensor<?x3x4x3xf32> {
  %y = "onnx.com.microsoft.GridSample"(%a0, %a1)
      : (tensor<?x3x5x6xf32>, tensor<?x4x3x2xf32>) -> tensor<?x3x4x3xf32>
  onnx.Return %y : tensor<?x3x4x3xf32>
}

// -----

func.func @mode(%a0: tensor<?x3x5x6xf32>, %a1: tensor<?x4x3x2xf32>) -> tensor<?x3x4x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GridSample': expected mode to be linear, nearest or cubic, got 'area'}}
  %y = "onnx.com.microsoft.GridSample"(%a0, %a1) {mode = "area"}
      : (tensor<?x3x5x6xf32>, tensor<?x4x3x2xf32>) -> tensor<?x3x4x3xf32>
  onnx.Return %y : tensor<?x3x4x3xf32>
}
