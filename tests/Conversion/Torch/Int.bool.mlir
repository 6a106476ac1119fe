// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i1>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<i1>) -> tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i1)
// LINALG:         %[[V0:.*]] = arith.extui %[[A0]] : i1 to i64
// LINALG:         return %[[V0]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i1>)
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<i1>) -> tensor<i32>
// TOSA:         return %[[V1]] : tensor<i32>
func.func @run_time(%a: !torch.bool) -> !torch.int {
  %r = torch.aten.Int.bool %a : !torch.bool -> !torch.int
  return %r : !torch.int
}
