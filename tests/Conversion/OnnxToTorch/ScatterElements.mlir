// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.scatter.src{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x4xf32>, %a1: tensor<?x4xi64>, %a2: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.ScatterElements"(%a0, %a1, %a2) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<?x4xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @reduced(
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.scatter_reduce.two{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @reduced(%a0: tensor<?x4xf32>, %a1: tensor<?x4xi64>, %a2: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.ScatterElements"(%a0, %a1, %a2) {axis = 1 : si64, reduction = "max"}
      : (tensor<?x4xf32>, tensor<?x4xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @unknown_reduction(%a0: tensor<?x4xf32>, %a1: tensor<?x4xi64>, %a2: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ScatterElements': expected reduction to be one of none, add, max, min and mul, got 'xor'}}
  %y = "onnx.ScatterElements"(%a0, %a1, %a2) {reduction = "xor"}
      : (tensor<?x4xf32>, tensor<?x4xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @indices_of_another_rank(%a0: tensor<4x?xf32>, %a1: tensor<4xi64>, %a2: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ScatterElements': expected 'indices' of rank 2 beside 'data', got rank 1: '!torch.vtensor<[4],si64>'}}
  %y = "onnx.ScatterElements"(%a0, %a1, %a2)
      : (tensor<4x?xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @updates_of_another_rank(%a0: tensor<4x?xf32>, %a1: tensor<4x4xi64>, %a2: tensor<4x4x2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ScatterElements': expected 'updates' of rank 2 beside 'data', got rank 3: '!torch.vtensor<[4,4,2],f32>'}}
  %y = "onnx.ScatterElements"(%a0, %a1, %a2)
      : (tensor<4x?xf32>, tensor<4x4xi64>, tensor<4x4x2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
