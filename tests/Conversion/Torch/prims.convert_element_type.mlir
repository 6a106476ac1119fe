// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @f32_to_i64
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xi64>
// MHLO:         return %[[V1]] : tensor<?x4xi64>
//
// LINALG-LABEL: func.func @f32_to_i64
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x4xf32>) outs(%{{.*}} : tensor<?x4xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i64):
// LINALG:           %[[V3:.*]] = arith.fptosi %[[V1]] : f32 to i64
// LINALG:           linalg.yield %[[V3]] : i64
// LINALG:         } -> tensor<?x4xi64>
// LINALG:         return %[[V0]] : tensor<?x4xi64>
//
// TOSA-LABEL: func.func @f32_to_i64
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V2:.*]] = tosa.greater %[[V1]], %[[A0]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V3:.*]] = tosa.ceil %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V4:.*]] = tosa.floor %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V5:.*]] = tosa.select %[[V2]], %[[V3]], %[[V4]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V6:.*]] = tosa.cast %[[V5]] : (tensor<?x4xf32>) -> tensor<?x4xi32>
// TOSA:         return %[[V6]] : tensor<?x4xi32>
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
//
// LINALG-LABEL: func.func @f32_to_ui8
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<4xf32>) outs(%{{.*}} : tensor<4xi8>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i8):
// LINALG:           %[[V3:.*]] = arith.fptosi %[[V1]] : f32 to i32
// LINALG:           %[[V4:.*]] = arith.trunci %[[V3]] : i32 to i8
// LINALG:           linalg.yield %[[V4]] : i8
// LINALG:         } -> tensor<4xi8>
// LINALG:         return %[[V0]] : tensor<4xi8>
//
// TOSA-LABEL: func.func @f32_to_ui8
// TOSA-SAME:    (%[[A0:.*]]: tensor<4xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V2:.*]] = tosa.greater %[[V1]], %[[A0]] : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xi1>
// TOSA:         %[[V3:.*]] = tosa.ceil %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V4:.*]] = tosa.floor %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V5:.*]] = tosa.select %[[V2]], %[[V3]], %[[V4]] : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V6:.*]] = tosa.cast %[[V5]] : (tensor<4xf32>) -> tensor<4xi32>
// TOSA:         %[[V7:.*]] = "tosa.const"() <{values = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V8:.*]] = tosa.bitwise_and %[[V6]], %[[V7]] : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[V9:.*]] = tosa.bitwise_and %[[V8]], %[[V7]] : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         return %[[V9]] : tensor<4xi32>
func.func @f32_to_ui8(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],ui8> {
  %int0 = torch.constant.int 0
  %r = torch.prims.convert_element_type %a, %int0
      : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
