// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// MHLO:         %[[V1:.*]] = mhlo.not %[[A0]] : tensor<?x3xi64>
// MHLO:         return %[[V1]] : tensor<?x3xi64>
func.func @dynamic(%a: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[?,3],si64> {
  %r = torch.aten.bitwise_not %a : !torch.vtensor<[?,3],si64> -> !torch.vtensor<[?,3],si64>
  return %r : !torch.vtensor<[?,3],si64>
}
