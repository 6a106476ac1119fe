// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u8(
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,8,5,3],ui8>
// CHECK: torch.aten.max_pool2d
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,4,2,8],ui8>
func.func @u8(%a0: tensor<?x5x3x8xui8>) -> tensor<?x4x2x8xui8> {
  %y = "onnx.com.microsoft.NhwcMaxPool"(%a0) {kernel_shape = [2, 2]}
      : (tensor<?x5x3x8xui8>) -> tensor<?x4x2x8xui8>
  onnx.Return %y : tensor<?x4x2x8xui8>
}
