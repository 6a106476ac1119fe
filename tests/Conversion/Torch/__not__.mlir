// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i1>)
// MHLO:         %[[V1:.*]] = mhlo.not %[[A0]] : tensor<i1>
// MHLO:         return %[[V1]] : tensor<i1>
func.func @run_time(%a: !torch.bool) -> !torch.bool {
  %r = torch.aten.__not__ %a : !torch.bool -> !torch.bool
  return %r : !torch.bool
}
