// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @periodic(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[10],si64>
// CHECK: torch.aten.cos
// CHECK: return {{.*}} : !torch.vtensor<[10],f32>
func.func @periodic() -> tensor<10xf32> {
  %size = onnx.Constant dense<10> : tensor<i64>
  %y = "onnx.HammingWindow"(%size) : (tensor<i64>) -> tensor<10xf32>
  onnx.Return %y : tensor<10xf32>
}

// -----

// A window of doubles is computed in doubles, other windows in f32.
// CHECK-LABEL: func.func @symmetric(
// CHECK: torch.aten.sub.int
// CHECK: torch.aten.cos{{.*}} -> !torch.vtensor<[?],f64>
// CHECK: return
func.func @symmetric(%size: tensor<i32>) -> tensor<?xf64> {
  %y = "onnx.HammingWindow"(%size) {periodic = 0 : si64, output_datatype = 11 : si64} : (tensor<i32>) -> tensor<?xf64>
  onnx.Return %y : tensor<?xf64>
}
