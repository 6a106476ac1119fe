// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: torch.aten.cumsum
// CHECK: torch.aten.rand{{.*}} -> !torch.vtensor<[?,10],f32>
// CHECK: torch.aten.le.Tensor{{.*}} -> !torch.vtensor<[?,10,3],i1>
// CHECK: torch.aten.clamp
// CHECK: return {{.*}} : !torch.vtensor<[?,10],si32>
func.func @rows(%x: tensor<?x3xf16>) -> tensor<?x10xi32> {
  %y = "onnx.Multinomial"(%x) {sample_size = 10 : si64} : (tensor<?x3xf16>) -> tensor<?x10xi32>
  onnx.Return %y : tensor<?x10xi32>
}

// -----

func.func @no_rows(%x: tensor<3xf32>) -> tensor<10xi32> {
  // expected-error @below {{no lowering to torch for 'onnx.Multinomial': expected 'input' of rank 2, got rank 1: '!torch.vtensor<[3],f32>'}}
  %y = "onnx.Multinomial"(%x) {sample_size = 10 : si64} : (tensor<3xf32>) -> tensor<10xi32>
  onnx.Return %y : tensor<10xi32>
}
