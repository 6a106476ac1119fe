// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known_count(
// Equal elements keep their order.
// CHECK: %[[VALUES:.*]], %[[INDICES:.*]] = torch.aten.sort.stable
// CHECK: torch.aten.slice.Tensor %[[VALUES]], {{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK: torch.aten.slice.Tensor %[[INDICES]], {{.*}} -> !torch.vtensor<[?,2],si64>
// CHECK: return
func.func @known_count(%a0: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>) {
  %c0 = onnx.Constant dense<2> : tensor<1xi64>
  %y:2 = "onnx.TopK"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> (tensor<?x2xf32>, tensor<?x2xi64>)
  onnx.Return %y#0, %y#1 : tensor<?x2xf32>, tensor<?x2xi64>
}

// -----

// CHECK-LABEL: func.func @count_at_run_time(
// CHECK-DAG: %[[K:.*]] = torch.aten.Int.Tensor
// CHECK-DAG: %[[SIZE:.*]] = torch.aten.size.int
// CHECK: %[[FITS:.*]] = torch.aten.le.int %[[K]], %[[SIZE]]
// CHECK: torch.runtime.assert %[[FITS]], "expected K to be at most the number of elements along axis 1"
// CHECK: torch.aten.sort
func.func @count_at_run_time(%a0: tensor<3x?xf32>, %k: tensor<1xi64>) -> (tensor<3x?xf32>, tensor<3x?xi64>) {
  %y:2 = "onnx.TopK"(%a0, %k)
      : (tensor<3x?xf32>, tensor<1xi64>) -> (tensor<3x?xf32>, tensor<3x?xi64>)
  onnx.Return %y#0, %y#1 : tensor<3x?xf32>, tensor<3x?xi64>
}

// -----

func.func @more_than_there_are(%a0: tensor<3x4xf32>) -> (tensor<3x5xf32>, tensor<3x5xi64>) {
  %k = onnx.Constant dense<5> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.TopK': expected K to be at most the 4 elements along axis 1, got 5}}
  %y:2 = "onnx.TopK"(%a0, %k)
      : (tensor<3x4xf32>, tensor<1xi64>) -> (tensor<3x5xf32>, tensor<3x5xi64>)
  onnx.Return %y#0, %y#1 : tensor<3x5xf32>, tensor<3x5xi64>
}
