// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @batched_product(
// CHECK-SAME:    %[[A:.*]]: !torch.vtensor<[?,2,3],f32>, %[[B:.*]]: !torch.vtensor<[?,3,4],f32>)
// CHECK-DAG:   %[[EQUATION:.*]] = torch.constant.str "bij,bjk->bik"
// CHECK-DAG:   %[[TERMS:.*]] = torch.prim.ListConstruct %[[A]], %[[B]]
// CHECK-DAG:   %[[PATH:.*]] = torch.constant.none
// CHECK:       torch.aten.einsum %[[EQUATION]], %[[TERMS]], %[[PATH]] : {{.*}} -> !torch.vtensor<[?,2,4],f32>
func.func @batched_product(%a0: tensor<?x2x3xf32>, %a1: tensor<?x3x4xf32>) -> tensor<?x2x4xf32> {
  %y = "onnx.Einsum"(%a0, %a1) {equation = "bij,bjk->bik"}
      : (tensor<?x2x3xf32>, tensor<?x3x4xf32>) -> tensor<?x2x4xf32>
  onnx.Return %y : tensor<?x2x4xf32>
}

// -----

func.func @terms(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Einsum': expected an equation of 1 terms, got 'ij,jk->ik'}}
  %y = "onnx.Einsum"(%a0) {equation = "ij,jk->ik"}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
