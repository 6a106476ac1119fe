// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @f32_to_i64
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xi64>
// MHLO:         return %[[V1]] : tensor<?x4xi64>
func.func @f32_to_i64(%a: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],si64> {
  %int4 = torch.constant.int 4
  %r = torch.prims.convert_element_type %a, %int4
      : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],si64>
  return %r : !torch.vtensor<[?,4],si64>
}

// MHLO-LABEL: func.func @f32_to_ui8
// MHLO-SAME:    (%[[A0:.*]]: tensor<4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<4xf32>) -> tensor<4xi64>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<4xi64>) -> tensor<4xui8>
// MHLO:         return %[[V2]] : tensor<4xui8>
func.func @f32_to_ui8(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],ui8> {
  %int0 = torch.constant.int 0
  %r = torch.prims.convert_element_type %a, %int0
      : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
