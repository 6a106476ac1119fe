// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.sine %[[A0]] : tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.sin %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V2:.*]] = mhlo.sine %[[V1]] : tensor<2xf32>
// MHLO:         return %[[V2]] : tensor<2xf32>
func.func @of_ints(%a: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> {
  %r = torch.aten.sin %a : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
