// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<i64>) -> tensor<i1>
// MHLO:         return %[[V1]] : tensor<i1>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.cmpi ne, %[[A0]], %{{.*}} : i64
// LINALG:         return %[[V0]] : i1
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>)
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<i32>) -> tensor<i1>
// TOSA:         return %[[V1]] : tensor<i1>
func.func @run_time(%a: !torch.int) -> !torch.bool {
  %r = torch.aten.Bool.int %a : !torch.int -> !torch.bool
  return %r : !torch.bool
}
