// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<1xi32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<1xi32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
func.func @run_time(%a: !torch.vtensor<[1],si32>) -> !torch.int {
  %r = torch.aten.Int.Tensor %a : !torch.vtensor<[1],si32> -> !torch.int
  return %r : !torch.int
}
