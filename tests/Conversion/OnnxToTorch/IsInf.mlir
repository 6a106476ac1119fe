// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @both(
// CHECK: torch.aten.isinf{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @both(%a0: tensor<?x4xf32>) -> tensor<?x4xi1> {
  %y = "onnx.IsInf"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}

// -----

// CHECK-LABEL: func.func @negative_only(
// CHECK: torch.aten.eq.Scalar{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @negative_only(%a0: tensor<?x4xf32>) -> tensor<?x4xi1> {
  %y = "onnx.IsInf"(%a0) {detect_positive = 0 : si64}
      : (tensor<?x4xf32>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}

// -----

// CHECK-LABEL: func.func @neither(
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @neither(%a0: tensor<?x4xf32>) -> tensor<?x4xi1> {
  %y = "onnx.IsInf"(%a0) {detect_positive = 0 : si64, detect_negative = 0 : si64}
      : (tensor<?x4xf32>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}
