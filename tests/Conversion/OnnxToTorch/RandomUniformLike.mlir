// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sizes_at_run_time(
// CHECK: torch.aten.rand {{.*}} -> !torch.vtensor<[?,3],f16>
func.func @sizes_at_run_time(%x: tensor<?x3xf16>) -> tensor<?x3xf16> {
  %y = "onnx.RandomUniformLike"(%x) : (tensor<?x3xf16>) -> tensor<?x3xf16>
  onnx.Return %y : tensor<?x3xf16>
}

// -----

func.func @integers(%x: tensor<?x3xi64>) -> tensor<?x3x!onnx.Unknown> {
  // expected-error @below {{no lowering to torch for 'onnx.RandomUniformLike': expected a result of floats, got 'tensor<?x3x!onnx.Unknown>'}}
  %y = "onnx.RandomUniformLike"(%x) : (tensor<?x3xi64>) -> tensor<?x3x!onnx.Unknown>
  onnx.Return %y : tensor<?x3x!onnx.Unknown>
}
