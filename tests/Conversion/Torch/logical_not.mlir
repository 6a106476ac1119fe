// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         %[[V2:.*]] = mhlo.not %[[V1]] : tensor<?x3xi1>
// MHLO:         return %[[V2]] : tensor<?x3xi1>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],i1> {
  %r = torch.aten.logical_not %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],i1>
  return %r : !torch.vtensor<[?,3],i1>
}
