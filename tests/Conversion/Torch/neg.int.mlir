// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.negate %[[A0]] : tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
func.func @run_time(%a: !torch.int) -> !torch.int {
  %r = torch.aten.neg.int %a : !torch.int -> !torch.int
  return %r : !torch.int
}
