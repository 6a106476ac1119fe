// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>, %[[A1:.*]]: tensor<i64>)
// MHLO:         %[[V2:.*]] = mhlo.remainder %[[A0]], %[[A1]] : tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.add %[[V2]], %[[A1]] : tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.remainder %[[V3]], %[[A1]] : tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.subtract %[[A0]], %[[V4]] : tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.divide %[[V5]], %[[A1]] : tensor<i64>
// MHLO:         return %[[V6]] : tensor<i64>
func.func @run_time(%a: !torch.int, %b: !torch.int) -> !torch.int {
  %r = torch.aten.floordiv.int %a, %b : !torch.int, !torch.int -> !torch.int
  return %r : !torch.int
}
