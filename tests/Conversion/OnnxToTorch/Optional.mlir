// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @of_a_tensor(
// CHECK-SAME: %[[X:.*]]: !torch.vtensor<[2],f32>
// CHECK-NEXT: return %[[X]]
func.func @of_a_tensor(%x: tensor<2xf32>) -> tensor<2xf32> {
  %o = "onnx.Optional"(%x) : (tensor<2xf32>) -> !onnx.Opt<tensor<2xf32>>
  %y = "onnx.OptionalGetElement"(%o) : (!onnx.Opt<tensor<2xf32>>) -> tensor<2xf32>
  onnx.Return %y : tensor<2xf32>
}
