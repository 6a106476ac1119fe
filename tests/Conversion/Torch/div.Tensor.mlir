// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>, %[[A1:.*]]: tensor<2xi64>)
// MHLO:         %[[V2:.*]] = mhlo.convert %[[A0]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[A1]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V4:.*]] = mhlo.divide %[[V2]], %[[V3]] : tensor<2xf32>
// MHLO:         return %[[V4]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xi64>, %[[A1:.*]]: tensor<2xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<2xi64>, tensor<2xi64>) outs(%{{.*}} : tensor<2xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i64, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.sitofp %[[V1]] : i64 to f32
// LINALG:           %[[V5:.*]] = arith.sitofp %[[V2]] : i64 to f32
// LINALG:           %[[V6:.*]] = arith.divf %[[V4]], %[[V5]] : f32
// LINALG:           linalg.yield %[[V6]] : f32
// LINALG:         } -> tensor<2xf32>
// LINALG:         return %[[V0]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xi32> {isthmus.dtype = si64}, %[[A1:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V2:.*]] = tosa.cast %[[A0]] : (tensor<2xi32>) -> tensor<2xf32>
// TOSA:         %[[V3:.*]] = tosa.cast %[[A1]] : (tensor<2xi32>) -> tensor<2xf32>
// TOSA:         %[[V4:.*]] = tosa.reciprocal %[[V3]] : (tensor<2xf32>) -> tensor<2xf32>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V6:.*]] = tosa.mul %[[V2]], %[[V4]], %[[V5]] : (tensor<2xf32>, tensor<2xf32>, tensor<1xi8>) -> tensor<2xf32>
// TOSA:         return %[[V6]] : tensor<2xf32>
func.func @of_ints(%a: !torch.vtensor<[2],si64>, %b: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> {
  %r = torch.aten.div.Tensor %a, %b
      : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64> -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
