// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.sign %[[A0]] : tensor<?x3xf32>
// MHLO:         %[[V2:.*]] = mhlo.compare NE, %[[A0]], %[[A0]], FLOAT : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         %[[V3:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V6:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V7:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V8:.*]] = "mhlo.concatenate"(%[[V6]], %[[V7]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V9:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V5]], %[[V8]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
// MHLO:         %[[V10:.*]] = mhlo.select %[[V2]], %[[V9]], %[[V1]] : tensor<?x3xi1>, tensor<?x3xf32>
// MHLO:         return %[[V10]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = arith.cmpf ogt, %[[V1]], %{{.*}} : f32
// LINALG:           %[[V4:.*]] = arith.cmpf olt, %[[V1]], %{{.*}} : f32
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V6:.*]] = arith.select %[[V3]], %{{.*}}, %[[V5]] : f32
// LINALG:           linalg.yield %[[V6]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V2:.*]] = tosa.greater %[[A0]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V4:.*]] = tosa.greater %[[V1]], %[[A0]] : (tensor<1x1xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<-1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V6:.*]] = tosa.select %[[V4]], %[[V5]], %[[V1]] : (tensor<?x3xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V7:.*]] = tosa.select %[[V2]], %[[V3]], %[[V6]] : (tensor<?x3xi1>, tensor<1x1xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V7]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.sign %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<?xi32>)
// MHLO:         %[[V1:.*]] = mhlo.sign %[[A0]] : tensor<?xi32>
// MHLO:         return %[[V1]] : tensor<?xi32>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<?xi32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<?xi32>) outs(%{{.*}} : tensor<?xi32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i32, %[[V2:.*]]: i32):
// LINALG:           %[[V3:.*]] = arith.cmpi sgt, %[[V1]], %{{.*}} : i32
// LINALG:           %[[V4:.*]] = arith.cmpi slt, %[[V1]], %{{.*}} : i32
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %{{.*}}-1_i32, %{{.*}} : i32
// LINALG:           %[[V6:.*]] = arith.select %[[V3]], %{{.*}}, %[[V5]] : i32
// LINALG:           linalg.yield %[[V6]] : i32
// LINALG:         } -> tensor<?xi32>
// LINALG:         return %[[V0]] : tensor<?xi32>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<?xi32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V2:.*]] = tosa.greater %[[A0]], %[[V1]] : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi1>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V4:.*]] = tosa.greater %[[V1]], %[[A0]] : (tensor<1xi32>, tensor<?xi32>) -> tensor<?xi1>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V6:.*]] = tosa.select %[[V4]], %[[V5]], %[[V1]] : (tensor<?xi1>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
// TOSA:         %[[V7:.*]] = tosa.select %[[V2]], %[[V3]], %[[V6]] : (tensor<?xi1>, tensor<1xi32>, tensor<?xi32>) -> tensor<?xi32>
// TOSA:         return %[[V7]] : tensor<?xi32>
func.func @of_ints(%a: !torch.vtensor<[?],si32>) -> !torch.vtensor<[?],si32> {
  %r = torch.aten.sign %a : !torch.vtensor<[?],si32> -> !torch.vtensor<[?],si32>
  return %r : !torch.vtensor<[?],si32>
}
