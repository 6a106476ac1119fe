// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i1>, %[[A1:.*]]: tensor<i1>)
// MHLO:         %[[V2:.*]] = mhlo.or %[[A0]], %[[A1]] : tensor<i1>
// MHLO:         return %[[V2]] : tensor<i1>
func.func @run_time(%a: !torch.bool, %b: !torch.bool) -> !torch.bool {
  %r = torch.aten.__or__.bool %a, %b : !torch.bool, !torch.bool -> !torch.bool
  return %r : !torch.bool
}
