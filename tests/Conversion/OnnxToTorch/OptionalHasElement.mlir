// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known(
// CHECK-DAG: %[[YES:.*]] = torch.vtensor.literal(dense<true> : tensor<i1>)
// CHECK-DAG: %[[NO:.*]] = torch.vtensor.literal(dense<false> : tensor<i1>)
// CHECK: return %[[YES]], %[[NO]]
func.func @known(%x: tensor<2xf32>) -> (tensor<i1>, tensor<i1>) {
  %none = "onnx.NoValue"() : () -> none
  %yes = "onnx.OptionalHasElement"(%x) : (tensor<2xf32>) -> tensor<i1>
  %no = "onnx.OptionalHasElement"(%none) : (none) -> tensor<i1>
  onnx.Return %yes, %no : tensor<i1>, tensor<i1>
}
