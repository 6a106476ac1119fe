// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=constants | FileCheck %s

// A part of a constant is a constant if its elements are adjacent, and its
// place is known.

// CHECK:       memref.global @[[PART:isthmus.constant.*]] : memref<2x3xf32>
// CHECK:       func.func @main
// CHECK-DAG:   %[[BUFFER:.*]] = memref.get_global @[[PART]] : memref<2x3xf32>
// CHECK-DAG:   %[[SECOND:.*]] = bufferization.to_tensor %[[BUFFER]] restrict
// CHECK:       %[[COLUMNS:.*]] = tensor.extract_slice {{.*}}[0, 0, 1] [2, 2, 2] [1, 1, 1]
// CHECK:       %[[ANY:.*]] = tensor.extract_slice {{.*}}[%{{.*}}, 0, 0] [1, 2, 3] [1, 1, 1]
// CHECK:       return %[[SECOND]], %[[COLUMNS]], %[[ANY]]
func.func @main(%number: tensor<i64>) -> (tensor<2x3xf32>, tensor<2x2x2xf32>, tensor<2x3xf32>) {
  %both = arith.constant dense_resource<both> : tensor<2x2x3xf32>
  %second = tensor.extract_slice %both[1, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x3xf32>
  %columns = tensor.extract_slice %both[0, 0, 1] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %n = tensor.extract %number[] : tensor<i64>
  %i = arith.index_cast %n : i64 to index
  %any = tensor.extract_slice %both[%i, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x3xf32>
  return %second, %columns, %any : tensor<2x3xf32>, tensor<2x2x2xf32>, tensor<2x3xf32>
}

{-# dialect_resources: { builtin: { both: "0x04000000000000000000803F0000004000004040000080400000A0400000C0400000E04000000041000010410000204100003041" } } #-}
