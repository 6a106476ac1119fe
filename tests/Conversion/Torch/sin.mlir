// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.sine %[[A0]] : tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = math.sin %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.sin %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.sin %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<2xi64>) -> tensor<2xf32>
// MHLO:         %[[V2:.*]] = mhlo.sine %[[V1]] : tensor<2xf32>
// MHLO:         return %[[V2]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<2xi64>) outs(%{{.*}} : tensor<2xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = arith.sitofp %[[V1]] : i64 to f32
// LINALG:           %[[V4:.*]] = math.sin %[[V3]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<2xf32>
// LINALG:         return %[[V0]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<2xi32>) -> tensor<2xf32>
// TOSA:         %[[V2:.*]] = tosa.sin %[[V1]] : (tensor<2xf32>) -> tensor<2xf32>
// TOSA:         return %[[V2]] : tensor<2xf32>
func.func @of_ints(%a: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> {
  %r = torch.aten.sin %a : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
