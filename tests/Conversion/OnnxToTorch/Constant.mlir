// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Integers have a sign in torch, where they have none here.
// CHECK-LABEL: func.func @value(
// CHECK-DAG:     %[[F:.*]] = torch.vtensor.literal(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
// CHECK-DAG:     %[[I:.*]] = torch.vtensor.literal(dense<[-1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
// CHECK-DAG:     %[[U:.*]] = torch.vtensor.literal(dense<200> : tensor<ui8>) : !torch.vtensor<[],ui8>
// CHECK-DAG:     %[[B:.*]] = torch.vtensor.literal(dense<[true, false]> : tensor<2xi1>) : !torch.vtensor<[2],i1>
// CHECK:         return %[[F]], %[[I]], %[[U]], %[[B]]
func.func @value() -> (tensor<2xf32>, tensor<2xi64>, tensor<ui8>, tensor<2xi1>) {
  %f = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %u = onnx.Constant dense<200> : tensor<ui8>
  %b = onnx.Constant dense<[true, false]> : tensor<2xi1>
  onnx.Return %f, %i, %u, %b : tensor<2xf32>, tensor<2xi64>, tensor<ui8>, tensor<2xi1>
}

// -----

// Weights stay where they are: the literal is the same resource.
// CHECK-LABEL: func.func @resource(
// CHECK:         torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
func.func @resource() -> tensor<2xf32> {
  %w = onnx.Constant dense_resource<w> : tensor<2xf32>
  onnx.Return %w : tensor<2xf32>
}

{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}

// -----

// The importer writes value_int, value_floats and the like as value.
func.func @other_attribute() -> tensor<i64> {
  // expected-error @below {{no lowering to torch for 'onnx.Constant': expected the attribute 'value'}}
  %i = onnx.Constant {value_int = 2 : si64} : tensor<i64>
  onnx.Return %i : tensor<i64>
}

// -----

func.func @strings() -> tensor<2x!onnx.String> {
  // expected-error @below {{no lowering to torch for 'onnx.Constant': torch has no dtype for '!onnx.String'}}
  %s = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.String>
  onnx.Return %s : tensor<2x!onnx.String>
}
