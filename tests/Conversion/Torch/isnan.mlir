// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.compare NE, %[[A0]], %[[A0]], FLOAT : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         return %[[V1]] : tensor<?x3xi1>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],i1> {
  %r = torch.aten.isnan %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],i1>
  return %r : !torch.vtensor<[?,3],i1>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<false> : tensor<2xi1>
// MHLO:         return %[[V1]] : tensor<2xi1>
func.func @of_ints(%a: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1> {
  %r = torch.aten.isnan %a : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],i1>
  return %r : !torch.vtensor<[2],i1>
}
