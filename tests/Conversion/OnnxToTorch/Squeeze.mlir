// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @axes(
// CHECK: torch.prims.squeeze{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: return
func.func @axes(%a0: tensor<?x1xf32>) -> tensor<?xf32> {
  %c0 = onnx.Constant dense<1> : tensor<1xi64>
  %y = "onnx.Squeeze"(%a0, %c0)
      : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

// A rank that is not declared, or as large, says that unknown sizes are not 1.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,1,4],f32>) -> !torch.vtensor<[?,4],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[OTHER:.*]] = torch.aten.ne.int %[[N]], %int1
// CHECK:         torch.runtime.assert %[[OTHER]], "expected sizes other than 1 in the dims that the model keeps"
// CHECK:         %[[Y:.*]] = torch.prims.squeeze %[[X]]
// CHECK:         return %[[Y]]
func.func @kept(%a0: tensor<?x1x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Squeeze"(%a0, %none) : (tensor<?x1x4xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @dropped(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,4,1],f32>) -> !torch.vtensor<[4],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[IS_ONE:.*]] = torch.aten.eq.int %[[N]], %int1
// CHECK:         torch.runtime.assert %[[IS_ONE]], "expected sizes of 1 in the dims that the model squeezes"
func.func @dropped(%a0: tensor<?x4x1xf32>) -> tensor<4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Squeeze"(%a0, %none) : (tensor<?x4x1xf32>, none) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}

// -----

func.func @some_dropped(%a0: tensor<?x?xf32>) -> tensor<?xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Squeeze': expected axes for an input with sizes known at run time only, got '!torch.vtensor<[?,?],f32>'}}
  %y = "onnx.Squeeze"(%a0, %none) : (tensor<?x?xf32>, none) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

func.func @size(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Squeeze': expected dims of size 1, got 4 for dim 1}}
  %y = "onnx.Squeeze"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
