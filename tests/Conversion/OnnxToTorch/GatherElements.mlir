// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @wrapped(
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: torch.aten.gather{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @wrapped(%a0: tensor<?x4xf32>, %a1: tensor<?x4xi64>) -> tensor<?x4xf32> {
  %y = "onnx.GatherElements"(%a0, %a1) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<?x4xi64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @indices_of_another_rank(%a0: tensor<4x?xf32>, %a1: tensor<2x2x2xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherElements': expected 'indices' of rank 2 beside 'data', got rank 3: '!torch.vtensor<[2,2,2],si64>'}}
  %y = "onnx.GatherElements"(%a0, %a1)
      : (tensor<4x?xf32>, tensor<2x2x2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
