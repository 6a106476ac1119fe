// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// There is a step for each box, and too many steps to unroll.
// CHECK-LABEL: func.func @many(
// CHECK: torch.aten.gt.Scalar{{.*}} -> !torch.vtensor<[1,100,100],i1>
// CHECK: torch.aten.sort{{.*}} -> !torch.vtensor<[1,2,100],f32>, !torch.vtensor<[1,2,100],si64>
// CHECK: torch.prim.Loop
// CHECK: torch.aten.nonzero
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[?,3],si64>
func.func @many(%boxes: tensor<1x100x4xf32>, %scores: tensor<1x2x100xf32>, %most: tensor<1xi64>, %iou: tensor<1xf32>, %score: tensor<1xf32>) -> tensor<?x3xi64> {
  %y = "onnx.NonMaxSuppression"(%boxes, %scores, %most, %iou, %score)
      : (tensor<1x100x4xf32>, tensor<1x2x100xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>
  onnx.Return %y : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: func.func @centred(
// CHECK-NOT: torch.aten.minimum{{.*}} -> !torch.vtensor<[?,?],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,?,?],i1>
// CHECK: torch.prim.Loop
func.func @centred(%boxes: tensor<?x?x4xf32>, %scores: tensor<?x?x?xf32>) -> tensor<?x3xi64> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.NonMaxSuppression"(%boxes, %scores, %none, %none, %none) {center_point_box = 1 : si64}
      : (tensor<?x?x4xf32>, tensor<?x?x?xf32>, none, none, none) -> tensor<?x3xi64>
  onnx.Return %y : tensor<?x3xi64>
}

// -----

func.func @no_batch(%boxes: tensor<100x4xf32>, %scores: tensor<1x2x100xf32>) -> tensor<?x3xi64> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.NonMaxSuppression': expected 'boxes' of rank 3, got rank 2: '!torch.vtensor<[100,4],f32>'}}
  %y = "onnx.NonMaxSuppression"(%boxes, %scores, %none, %none, %none)
      : (tensor<100x4xf32>, tensor<1x2x100xf32>, none, none, none) -> tensor<?x3xi64>
  onnx.Return %y : tensor<?x3xi64>
}
