// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @shape(
// CHECK: %[[X:.*]] = torch.aten.rand {{.*}} -> !torch.vtensor<[2,3],f64>
// CHECK: %[[SCALE:.*]] = torch.constant.float 5.000000e-01
// CHECK: torch.aten.mul.Scalar %[[X]], %[[SCALE]]
// CHECK: %[[SHIFT:.*]] = torch.constant.float 2.000000e+00
// CHECK: torch.aten.add.Scalar %{{.*}}, %[[SHIFT]]
func.func @shape() -> tensor<2x3xf64> {
  %y = "onnx.RandomUniform"() {shape = [2, 3], dtype = 11 : si64, low = 2.0 : f32, high = 2.5 : f32} : () -> tensor<2x3xf64>
  onnx.Return %y : tensor<2x3xf64>
}
