// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @forwards(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK: return
func.func @forwards(%a0: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %c0 = onnx.Constant dense<0> : tensor<1xi64>
  %c1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %c2 = onnx.Constant dense<1> : tensor<1xi64>
  %c3 = onnx.Constant dense<2> : tensor<1xi64>
  %y = "onnx.Slice"(%a0, %c0, %c1, %c2, %c3)
      : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @backwards(
// CHECK: torch.aten.flip{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @backwards(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<-1> : tensor<1xi64>
  %c1 = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %c2 = onnx.Constant dense<0> : tensor<1xi64>
  %c3 = onnx.Constant dense<-1> : tensor<1xi64>
  %y = "onnx.Slice"(%a0, %c0, %c1, %c2, %c3)
      : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @step_zero(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<0> : tensor<1xi64>
  %c1 = onnx.Constant dense<1> : tensor<1xi64>
  %c2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Slice': expected a step other than 0, got 0}}
  %y = "onnx.Slice"(%a0, %c0, %c1, %c2, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
