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

// CHECK-LABEL: func.func @training(
// CHECK-DAG:     %[[RATIO:.*]] = torch.vtensor.literal(dense<5.000000e-01> : tensor<f32>)
// CHECK:         %[[NUMBERS:.*]] = torch.aten.rand
// CHECK:         %[[MASK:.*]] = torch.aten.ge.Tensor %[[NUMBERS]], %[[RATIO]]
// CHECK:         %[[SCALE:.*]] = torch.aten.where.self %[[MASK]]
// CHECK:         torch.aten.mul.Tensor %{{.*}}, %[[SCALE]]
func.func @training(%a0: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>) {
  %c0 = onnx.Constant dense<true> : tensor<i1>
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Dropout"(%a0, %none, %c0)
      : (tensor<?x4xf32>, none, tensor<i1>) -> (tensor<?x4xf32>, tensor<?x4xi1>)
  onnx.Return %y#0, %y#1 : tensor<?x4xf32>, tensor<?x4xi1>
}

// -----

func.func @perhaps_training(%a0: tensor<?x4xf32>, %mode: tensor<i1>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Dropout': expected training_mode to be known while compiling, got '!torch.vtensor<[],i1>'}}
  %y:2 = "onnx.Dropout"(%a0, %none, %mode)
      : (tensor<?x4xf32>, none, tensor<i1>) -> (tensor<?x4xf32>, none)
  onnx.Return %y#0 : tensor<?x4xf32>
}
