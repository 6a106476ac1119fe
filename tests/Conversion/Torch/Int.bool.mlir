// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i1>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<i1>) -> tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
func.func @run_time(%a: !torch.bool) -> !torch.int {
  %r = torch.aten.Int.bool %a : !torch.bool -> !torch.int
  return %r : !torch.int
}
