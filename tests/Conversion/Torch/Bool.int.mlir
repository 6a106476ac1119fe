// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<i64>) -> tensor<i1>
// MHLO:         return %[[V1]] : tensor<i1>
func.func @run_time(%a: !torch.int) -> !torch.bool {
  %r = torch.aten.Bool.int %a : !torch.int -> !torch.bool
  return %r : !torch.bool
}
