// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @inference(
// CHECK: return
func.func @inference(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Dropout"(%a0, %none, %none)
      : (tensor<?x4xf32>, none, none) -> (tensor<?x4xf32>, none)
  onnx.Return %y#0 : tensor<?x4xf32>
}

// -----

func.func @training(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<true> : tensor<i1>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Dropout': expected training_mode to be false or ratio to be 0 while compiling, got a node that drops elements at random}}
  %y:2 = "onnx.Dropout"(%a0, %none, %c0)
      : (tensor<?x4xf32>, none, tensor<i1>) -> (tensor<?x4xf32>, none)
  onnx.Return %y#0 : tensor<?x4xf32>
}
