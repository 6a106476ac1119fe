// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>, %[[A1:.*]]: tensor<i64>)
// MHLO:         %[[V2:.*]] = mhlo.multiply %[[A0]], %[[A1]] : tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
func.func @run_time(%a: !torch.int, %b: !torch.int) -> !torch.int {
  %r = torch.aten.mul.int %a, %b : !torch.int, !torch.int -> !torch.int
  return %r : !torch.int
}
