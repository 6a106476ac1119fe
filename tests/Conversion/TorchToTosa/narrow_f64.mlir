// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-to-tosa=narrow-f64 | FileCheck %s

// CHECK-LABEL: func.func @narrowed
// CHECK-SAME:    (%[[X:.*]]: tensor<2xf32> {isthmus.dtype = f64}) -> (tensor<2xf32> {isthmus.dtype = f64})
// CHECK:         %[[HALF:.*]] = "tosa.const"() <{values = dense<5.000000e-01> : tensor<2xf32>}>
// CHECK:         %[[R:.*]] = tosa.mul %[[X]], %[[HALF]]
// CHECK:         return %[[R]] : tensor<2xf32>
func.func @narrowed(%x: !torch.vtensor<[2],f64>) -> !torch.vtensor<[2],f64> {
  %half = torch.vtensor.literal(dense<0.5> : tensor<2xf64>) : !torch.vtensor<[2],f64>
  %r = torch.aten.mul.Tensor %x, %half
      : !torch.vtensor<[2],f64>, !torch.vtensor<[2],f64> -> !torch.vtensor<[2],f64>
  return %r : !torch.vtensor<[2],f64>
}
