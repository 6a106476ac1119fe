// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @signed(
// CHECK: torch.prims.convert_element_type
// CHECK: torch.prims.convert_element_type
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,3,4],si32>
func.func @signed(%a0: tensor<?x3x8xi16>, %a1: tensor<8x4xi16>) -> tensor<?x3x4xi32> {
  %y = "onnx.com.microsoft.MatMulInteger16"(%a0, %a1)
      : (tensor<?x3x8xi16>, tensor<8x4xi16>) -> tensor<?x3x4xi32>
  onnx.Return %y : tensor<?x3x4xi32>
}
