// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>, %[[A1:.*]]: tensor<i64>)
// MHLO:         %[[V2:.*]] = mhlo.compare GT, %[[A0]], %[[A1]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         return %[[V2]] : tensor<i1>
func.func @run_time(%a: !torch.int, %b: !torch.int) -> !torch.bool {
  %r = torch.aten.gt.int %a, %b : !torch.int, !torch.int -> !torch.bool
  return %r : !torch.bool
}
