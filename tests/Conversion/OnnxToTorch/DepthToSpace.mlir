// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dcr(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,2,2,2,2,3],f32>
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[?,2,2,2,3,2],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,2,4,6],f32>
// CHECK: return
func.func @dcr(%a0: tensor<?x8x2x3xf32>) -> tensor<?x2x4x6xf32> {
  %y = "onnx.DepthToSpace"(%a0) {blocksize = 2 : si64}
      : (tensor<?x8x2x3xf32>) -> tensor<?x2x4x6xf32>
  onnx.Return %y : tensor<?x2x4x6xf32>
}

// -----

// CHECK-LABEL: func.func @crd(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,2,2,2,2,3],f32>
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[?,2,2,2,3,2],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,2,4,6],f32>
// CHECK: return
func.func @crd(%a0: tensor<?x8x2x3xf32>) -> tensor<?x2x4x6xf32> {
  %y = "onnx.DepthToSpace"(%a0) {blocksize = 2 : si64, mode = "CRD"}
      : (tensor<?x8x2x3xf32>) -> tensor<?x2x4x6xf32>
  onnx.Return %y : tensor<?x2x4x6xf32>
}

// -----

func.func @rank(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.DepthToSpace': expected 'input' of rank 4, got rank 2: '!torch.vtensor<[?,4],f32>'}}
  %y = "onnx.DepthToSpace"(%a0) {blocksize = 2 : si64}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
