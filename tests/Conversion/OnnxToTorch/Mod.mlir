// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sign_of_divisor(
// CHECK: torch.aten.remainder.Tensor{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: return
func.func @sign_of_divisor(%a0: tensor<?x4xi64>, %a1: tensor<?x4xi64>) -> tensor<?x4xi64> {
  %y = "onnx.Mod"(%a0, %a1)
      : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi64>
  onnx.Return %y : tensor<?x4xi64>
}

// -----

// CHECK-LABEL: func.func @sign_of_dividend(
// CHECK: torch.aten.fmod.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @sign_of_dividend(%a0: tensor<?x4xf32>, %a1: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Mod"(%a0, %a1) {fmod = 1 : si64}
      : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
