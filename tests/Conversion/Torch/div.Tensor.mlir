// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>, %[[A1:.*]]: tensor<2xi64>)
// MHLO:         %[[V2:.*]] = mhlo.convert %[[A0]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[A1]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V4:.*]] = mhlo.divide %[[V2]], %[[V3]] : tensor<2xf32>
// MHLO:         return %[[V4]] : tensor<2xf32>
func.func @of_ints(%a: !torch.vtensor<[2],si64>, %b: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> {
  %r = torch.aten.div.Tensor %a, %b
      : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64> -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
