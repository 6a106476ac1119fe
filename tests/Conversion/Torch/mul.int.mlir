// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>, %[[A1:.*]]: tensor<i64>)
// MHLO:         %[[V2:.*]] = mhlo.multiply %[[A0]], %[[A1]] : tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64, %[[A1:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.muli %[[A0]], %[[A1]] : i64
// LINALG:         return %[[V0]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>, %[[A1:.*]]: tensor<i32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V3:.*]] = tosa.mul %[[A0]], %[[A1]], %[[V2]] : (tensor<i32>, tensor<i32>, tensor<1xi8>) -> tensor<i32>
// TOSA:         return %[[V3]] : tensor<i32>
func.func @run_time(%a: !torch.int, %b: !torch.int) -> !torch.int {
  %r = torch.aten.mul.int %a, %b : !torch.int, !torch.int -> !torch.int
  return %r : !torch.int
}
