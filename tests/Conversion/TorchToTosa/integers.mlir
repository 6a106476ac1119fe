// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-to-tosa | FileCheck %s

// 64-bit and unsigned integers become i32 (docs/decisions/0003-integers-in-tosa.md),
// and the signature records their original dtypes.

// CHECK-LABEL: func.func @boundary
// CHECK-SAME:    (%[[X:.*]]: tensor<2xi32> {isthmus.dtype = si64}, %{{.*}}: tensor<2xi32> {isthmus.dtype = ui8}, %{{.*}}: tensor<2xi8>)
// CHECK-SAME:    -> (tensor<2xi32> {isthmus.dtype = si64})
// CHECK:         return %[[X]] : tensor<2xi32>
func.func @boundary(%x: !torch.vtensor<[2],si64>, %y: !torch.vtensor<[2],ui8>, %z: !torch.vtensor<[2],si8>)
    -> !torch.vtensor<[2],si64> {
  return %x : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @constants
// CHECK:         "tosa.const"() <{values = dense<[1, -1]> : tensor<2xi32>}>
// CHECK:         "tosa.const"() <{values = dense<[1, 255]> : tensor<2xi32>}>
func.func @constants() -> (!torch.vtensor<[2],si64>, !torch.vtensor<[2],ui8>) {
  %x = torch.vtensor.literal(dense<[1, -1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %y = torch.vtensor.literal(dense<[1, 255]> : tensor<2xui8>) : !torch.vtensor<[2],ui8>
  return %x, %y : !torch.vtensor<[2],si64>, !torch.vtensor<[2],ui8>
}

// A sum of uint8 wraps at 256, one of int8 at 128.
// CHECK-LABEL: func.func @wrapping
// CHECK-SAME:    (%[[X:.*]]: tensor<2xi32> {isthmus.dtype = ui8}, %[[Y:.*]]: tensor<2xi8>)
// CHECK:         %[[SUM:.*]] = tosa.add %[[X]], %[[X]]
// CHECK:         %[[MASK:.*]] = "tosa.const"() <{values = dense<255> : tensor<1xi32>}>
// CHECK:         tosa.bitwise_and %[[SUM]], %[[MASK]]
// CHECK:         %[[WIDE:.*]] = tosa.add {{.*}} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK:         tosa.cast %[[WIDE]] : (tensor<2xi32>) -> tensor<2xi8>
func.func @wrapping(%x: !torch.vtensor<[2],ui8>, %y: !torch.vtensor<[2],si8>)
    -> (!torch.vtensor<[2],ui8>, !torch.vtensor<[2],si8>) {
  %int1 = torch.constant.int 1
  %a = torch.aten.add.Tensor %x, %x, %int1
      : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],ui8>, !torch.int -> !torch.vtensor<[2],ui8>
  %b = torch.aten.add.Tensor %y, %y, %int1
      : !torch.vtensor<[2],si8>, !torch.vtensor<[2],si8>, !torch.int -> !torch.vtensor<[2],si8>
  return %a, %b : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],si8>
}
