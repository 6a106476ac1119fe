// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[2],si64>
// CHECK: torch.aten.index_put{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x4xf32>, %a1: tensor<2x1xi64>, %a2: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.ScatterND"(%a0, %a1, %a2)
      : (tensor<?x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @product(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[2],si64>
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[2],i1>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[2],si64>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[2],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[2,1],si64>
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[2,4],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.scatter_reduce.two{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @product(%a0: tensor<?x4xf32>, %a1: tensor<2x1xi64>, %a2: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.ScatterND"(%a0, %a1, %a2) {reduction = "mul"}
      : (tensor<?x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @updates_of_another_rank(%a0: tensor<4x4x?xf32>, %a1: tensor<2x1xi64>, %a2: tensor<2x4x4x2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ScatterND': expected updates of rank 3, got '!torch.vtensor<[2,4,4,2],f32>'}}
  %y = "onnx.ScatterND"(%a0, %a1, %a2)
      : (tensor<4x4x?xf32>, tensor<2x1xi64>, tensor<2x4x4x2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scalar(%a0: tensor<f32>, %a1: tensor<2x1xi64>, %a2: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ScatterND': expected 'data' of rank 1 or more, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.ScatterND"(%a0, %a1, %a2)
      : (tensor<f32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
