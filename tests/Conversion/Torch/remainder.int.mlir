// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>, %[[A1:.*]]: tensor<i64>)
// MHLO:         %[[V2:.*]] = mhlo.remainder %[[A0]], %[[A1]] : tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.add %[[V2]], %[[A1]] : tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.remainder %[[V3]], %[[A1]] : tensor<i64>
// MHLO:         return %[[V4]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64, %[[A1:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.cmpi eq, %[[A1]], %{{.*}} : i64
// LINALG:         %[[V1:.*]] = arith.cmpi eq, %[[A1]], %{{.*}}-1_i64 : i64
// LINALG:         %[[V2:.*]] = arith.cmpi eq, %[[A0]], %{{.*}}-9223372036854775808_i64 : i64
// LINALG:         %[[V3:.*]] = arith.andi %[[V1]], %[[V2]] : i1
// LINALG:         %[[V4:.*]] = arith.ori %[[V0]], %[[V3]] : i1
// LINALG:         %[[V5:.*]] = arith.select %[[V4]], %{{.*}}, %[[A1]] : i64
// LINALG:         %[[V6:.*]] = arith.remsi %[[A0]], %[[V5]] : i64
// LINALG:         %[[V7:.*]] = arith.cmpi ne, %[[V6]], %{{.*}} : i64
// LINALG:         %[[V8:.*]] = arith.cmpi slt, %[[A1]], %{{.*}} : i64
// LINALG:         %[[V9:.*]] = arith.cmpi slt, %[[V6]], %{{.*}} : i64
// LINALG:         %[[V10:.*]] = arith.xori %[[V8]], %[[V9]] : i1
// LINALG:         %[[V11:.*]] = arith.andi %[[V7]], %[[V10]] : i1
// LINALG:         %[[V12:.*]] = arith.addi %[[V6]], %[[A1]] : i64
// LINALG:         %[[V13:.*]] = arith.select %[[V11]], %[[V12]], %[[V6]] : i64
// LINALG:         return %[[V13]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>, %[[A1:.*]]: tensor<i32>)
// TOSA:         %[[V2:.*]] = tosa.intdiv %[[A0]], %[[A1]] : (tensor<i32>, tensor<i32>) -> tensor<i32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V4:.*]] = tosa.mul %[[V2]], %[[A1]], %[[V3]] : (tensor<i32>, tensor<i32>, tensor<1xi8>) -> tensor<i32>
// TOSA:         %[[V5:.*]] = tosa.sub %[[A0]], %[[V4]] : (tensor<i32>, tensor<i32>) -> tensor<i32>
// TOSA:         %[[V6:.*]] = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V6]], %[[V5]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
// TOSA:         %[[V8:.*]] = tosa.greater %[[V6]], %[[A1]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
// TOSA:         %[[V9:.*]] = tosa.logical_xor %[[V7]], %[[V8]] : (tensor<i1>, tensor<i1>) -> tensor<i1>
// TOSA:         %[[V10:.*]] = tosa.equal %[[V5]], %[[V6]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
// TOSA:         %[[V11:.*]] = tosa.logical_not %[[V10]] : (tensor<i1>) -> tensor<i1>
// TOSA:         %[[V12:.*]] = tosa.logical_and %[[V9]], %[[V11]] : (tensor<i1>, tensor<i1>) -> tensor<i1>
// TOSA:         %[[V13:.*]] = tosa.cast %[[V12]] : (tensor<i1>) -> tensor<i32>
// TOSA:         %[[V14:.*]] = tosa.sub %[[V2]], %[[V13]] : (tensor<i32>, tensor<i32>) -> tensor<i32>
// TOSA:         %[[V15:.*]] = tosa.mul %[[V14]], %[[A1]], %[[V3]] : (tensor<i32>, tensor<i32>, tensor<1xi8>) -> tensor<i32>
// TOSA:         %[[V16:.*]] = tosa.sub %[[A0]], %[[V15]] : (tensor<i32>, tensor<i32>) -> tensor<i32>
// TOSA:         return %[[V16]] : tensor<i32>
func.func @run_time(%a: !torch.int, %b: !torch.int) -> !torch.int {
  %r = torch.aten.remainder.int %a, %b : !torch.int, !torch.int -> !torch.int
  return %r : !torch.int
}
