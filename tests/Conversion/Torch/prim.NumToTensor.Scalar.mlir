// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         return %[[A0]] : tensor<i64>
func.func @run_time(%a: !torch.int) -> !torch.vtensor<[],si64> {
  %r = torch.prim.NumToTensor.Scalar %a : !torch.int -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}
