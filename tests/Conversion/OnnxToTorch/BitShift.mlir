// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @left(
// CHECK: torch.aten.bitwise_left_shift.Tensor{{.*}} -> !torch.vtensor<[?,4],ui8>
// CHECK: return
func.func @left(%a0: tensor<?x4xui8>, %a1: tensor<?x4xui8>) -> tensor<?x4xui8> {
  %y = "onnx.BitShift"(%a0, %a1) {direction = "LEFT"}
      : (tensor<?x4xui8>, tensor<?x4xui8>) -> tensor<?x4xui8>
  onnx.Return %y : tensor<?x4xui8>
}

// -----

func.func @direction(%a0: tensor<?x4xui8>, %a1: tensor<?x4xui8>) -> tensor<?x4xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.BitShift': expected direction to be 'LEFT' or 'RIGHT', got 'UP'}}
  %y = "onnx.BitShift"(%a0, %a1) {direction = "UP"}
      : (tensor<?x4xui8>, tensor<?x4xui8>) -> tensor<?x4xui8>
  onnx.Return %y : tensor<?x4xui8>
}
