// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0) -> (d0)>




// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V6]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V8:.*]] = mhlo.remainder %[[A0]], %[[V7]] : tensor<?x4xf32>
// MHLO:         %[[V9:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V9]], %[[V6]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V11:.*]] = mhlo.compare NE, %[[V8]], %[[V10]], FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         %[[V12:.*]] = mhlo.compare LT, %[[V8]], %[[V10]], FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         %[[V13:.*]] = mhlo.compare LT, %[[V7]], %[[V10]], FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         %[[V14:.*]] = mhlo.compare NE, %[[V12]], %[[V13]], UNSIGNED : (tensor<?x4xi1>, tensor<?x4xi1>) -> tensor<?x4xi1>
// MHLO:         %[[V15:.*]] = mhlo.and %[[V11]], %[[V14]] : tensor<?x4xi1>
// MHLO:         %[[V16:.*]] = mhlo.add %[[V8]], %[[V7]] : tensor<?x4xf32>
// MHLO:         %[[V17:.*]] = mhlo.select %[[V15]], %[[V16]], %[[V8]] : tensor<?x4xi1>, tensor<?x4xf32>
// MHLO:         return %[[V17]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.remf %[[V1]], %[[V2]] : f32
// LINALG:           %[[V5:.*]] = arith.cmpf une, %[[V4]], %{{.*}} : f32
// LINALG:           %[[V6:.*]] = arith.cmpf olt, %[[V2]], %{{.*}} : f32
// LINALG:           %[[V7:.*]] = arith.cmpf olt, %[[V4]], %{{.*}} : f32
// LINALG:           %[[V8:.*]] = arith.xori %[[V6]], %[[V7]] : i1
// LINALG:           %[[V9:.*]] = arith.andi %[[V5]], %[[V8]] : i1
// LINALG:           %[[V10:.*]] = arith.addf %[[V4]], %[[V2]] : f32
// LINALG:           %[[V11:.*]] = arith.select %[[V9]], %[[V10]], %[[V4]] : f32
// LINALG:           linalg.yield %[[V11]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.remainder.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// MHLO-LABEL: func.func @unsigned
// MHLO-SAME:    (%[[A0:.*]]: tensor<4xui8>, %[[A1:.*]]: tensor<4xui8>)
// MHLO:         %[[V2:.*]] = mhlo.remainder %[[A0]], %[[A1]] : tensor<4xui8>
// MHLO:         return %[[V2]] : tensor<4xui8>
//
// LINALG-LABEL: func.func @unsigned
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xi8>, %[[A1:.*]]: tensor<4xi8>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP2]], #[[$MAP2]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<4xi8>, tensor<4xi8>) outs(%{{.*}} : tensor<4xi8>) {
// LINALG:         ^bb0(%[[V1:.*]]: i8, %[[V2:.*]]: i8, %[[V3:.*]]: i8):
// LINALG:           %[[V4:.*]] = arith.cmpi eq, %[[V2]], %{{.*}} : i8
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %{{.*}}, %[[V2]] : i8
// LINALG:           %[[V6:.*]] = arith.remui %[[V1]], %[[V5]] : i8
// LINALG:           linalg.yield %[[V6]] : i8
// LINALG:         } -> tensor<4xi8>
// LINALG:         return %[[V0]] : tensor<4xi8>
func.func @unsigned(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  %r = torch.aten.remainder.Tensor %a, %b
      : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
