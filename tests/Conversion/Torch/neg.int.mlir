// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.negate %[[A0]] : tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.subi %{{.*}}, %[[A0]] : i64
// LINALG:         return %[[V0]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
// TOSA:         %[[V2:.*]] = tosa.sub %[[V1]], %[[A0]] : (tensor<i32>, tensor<i32>) -> tensor<i32>
// TOSA:         return %[[V2]] : tensor<i32>
func.func @run_time(%a: !torch.int) -> !torch.int {
  %r = torch.aten.neg.int %a : !torch.int -> !torch.int
  return %r : !torch.int
}
