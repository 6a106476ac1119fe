// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @promotion
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[A1]] : (tensor<4xi64>) -> tensor<4xf32>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V4]], %[[V7]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V9:.*]] = mhlo.compare EQ, %[[A0]], %[[V8]], FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         return %[[V9]] : tensor<?x4xi1>
//
// LINALG-LABEL: func.func @promotion
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xi64>) outs(%{{.*}} : tensor<?x4xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i64, %[[V3:.*]]: i1):
// LINALG:           %[[V4:.*]] = arith.sitofp %[[V2]] : i64 to f32
// LINALG:           %[[V5:.*]] = arith.cmpf oeq, %[[V1]], %[[V4]] : f32
// LINALG:           linalg.yield %[[V5]] : i1
// LINALG:         } -> tensor<?x4xi1>
// LINALG:         return %[[V0]] : tensor<?x4xi1>
//
// TOSA-LABEL: func.func @promotion
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = si64})
// TOSA:         %[[V2:.*]] = tosa.cast %[[A1]] : (tensor<4xi32>) -> tensor<4xf32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[V2]], %[[V3]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V5:.*]] = tosa.equal %[[A0]], %[[V4]] : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xi1>
// TOSA:         return %[[V5]] : tensor<?x4xi1>
func.func @promotion(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,4],i1> {
  %r = torch.aten.eq.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],si64> -> !torch.vtensor<[?,4],i1>
  return %r : !torch.vtensor<[?,4],i1>
}

// MHLO-LABEL: func.func @unsigned
// MHLO-SAME:    (%[[A0:.*]]: tensor<4xui8>, %[[A1:.*]]: tensor<4xui8>)
// MHLO:         %[[V2:.*]] = mhlo.compare EQ, %[[A0]], %[[A1]], UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
// MHLO:         return %[[V2]] : tensor<4xi1>
//
// LINALG-LABEL: func.func @unsigned
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xi8> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi8> {isthmus.dtype = ui8})
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP2]], #[[$MAP2]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<4xi8>, tensor<4xi8>) outs(%{{.*}} : tensor<4xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: i8, %[[V2:.*]]: i8, %[[V3:.*]]: i1):
// LINALG:           %[[V4:.*]] = arith.cmpi eq, %[[V1]], %[[V2]] : i8
// LINALG:           linalg.yield %[[V4]] : i1
// LINALG:         } -> tensor<4xi1>
// LINALG:         return %[[V0]] : tensor<4xi1>
//
// TOSA-LABEL: func.func @unsigned
// TOSA-SAME:    (%[[A0:.*]]: tensor<4xi32> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = ui8})
// TOSA:         %[[V2:.*]] = tosa.equal %[[A0]], %[[A1]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// TOSA:         return %[[V2]] : tensor<4xi1>
func.func @unsigned(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],i1> {
  %r = torch.aten.eq.Tensor %a, %b
      : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],i1>
  return %r : !torch.vtensor<[4],i1>
}
