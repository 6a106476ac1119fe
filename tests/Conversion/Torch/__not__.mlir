// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i1>)
// MHLO:         %[[V1:.*]] = mhlo.not %[[A0]] : tensor<i1>
// MHLO:         return %[[V1]] : tensor<i1>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i1)
// LINALG:         %[[V0:.*]] = arith.cmpi eq, %[[A0]], %{{.*}} : i1
// LINALG:         return %[[V0]] : i1
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i1>)
// TOSA:         %[[V1:.*]] = tosa.logical_not %[[A0]] : (tensor<i1>) -> tensor<i1>
// TOSA:         return %[[V1]] : tensor<i1>
func.func @run_time(%a: !torch.bool) -> !torch.bool {
  %r = torch.aten.__not__ %a : !torch.bool -> !torch.bool
  return %r : !torch.bool
}
