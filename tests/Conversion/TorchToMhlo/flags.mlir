// REQUIRES: mhlo
// RUN: isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s

// A resource may hold a byte per flag, as ONNX files do, or a bit.

// CHECK-LABEL: func.func @bytes
// CHECK:         %[[BYTES:.*]] = mhlo.constant dense_resource<bytes> : tensor<9xi8>
// CHECK:         mhlo.convert %[[BYTES]] : (tensor<9xi8>) -> tensor<9xi1>
func.func @bytes() -> !torch.vtensor<[9],i1> {
  %0 = torch.vtensor.literal(dense_resource<bytes> : tensor<9xi1>) : !torch.vtensor<[9],i1>
  return %0 : !torch.vtensor<[9],i1>
}

// CHECK-LABEL: func.func @bits
// CHECK:         %[[BYTES:.*]] = mhlo.constant dense<[1, 0, 1, 0, 0, 0, 0, 0, 1]> : tensor<9xi8>
// CHECK:         mhlo.convert %[[BYTES]] : (tensor<9xi8>) -> tensor<9xi1>
func.func @bits() -> !torch.vtensor<[9],i1> {
  %0 = torch.vtensor.literal(dense_resource<bits> : tensor<9xi1>) : !torch.vtensor<[9],i1>
  return %0 : !torch.vtensor<[9],i1>
}

// CHECK-LABEL: func.func @sum
// CHECK-NOT:     mhlo.add
// CHECK:         mhlo.or
func.func @sum(%x: !torch.vtensor<[9],i1>) -> !torch.vtensor<[9],i1> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %x, %int1 : !torch.vtensor<[9],i1>, !torch.vtensor<[9],i1>, !torch.int -> !torch.vtensor<[9],i1>
  return %0 : !torch.vtensor<[9],i1>
}

{-# dialect_resources: { builtin: {
  bits: "0x010000000501",
  bytes: "0x01000000010001000000000001"
} } #-}
