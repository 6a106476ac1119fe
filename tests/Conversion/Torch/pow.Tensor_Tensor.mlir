// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V6]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V8:.*]] = mhlo.power %[[A0]], %[[V7]] : tensor<?x4xf32>
// MHLO:         return %[[V8]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = math.powf %[[V1]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V6:.*]] = tosa.equal %[[A1]], %[[V4]] : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>
// TOSA:         %[[V7:.*]] = tosa.abs %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V8:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V9:.*]] = tosa.reshape %[[V6]], %[[V8]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V10:.*]] = tosa.select %[[V9]], %[[V3]], %[[V7]] : (tensor<1x4xi1>, tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V11:.*]] = tosa.abs %[[A1]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V12:.*]] = tosa.reshape %[[V11]], %[[V8]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V13:.*]] = tosa.pow %[[V10]], %[[V12]] : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V14:.*]] = tosa.greater %[[V4]], %[[A1]] : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xi1>
// TOSA:         %[[V15:.*]] = tosa.reciprocal %[[V13]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V16:.*]] = tosa.reshape %[[V14]], %[[V8]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V17:.*]] = tosa.select %[[V16]], %[[V15]], %[[V13]] : (tensor<1x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V18:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V19:.*]] = tosa.mul %[[A1]], %[[V5]], %[[V18]] : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
// TOSA:         %[[V20:.*]] = tosa.floor %[[V19]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V21:.*]] = tosa.equal %[[V19]], %[[V20]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// TOSA:         %[[V22:.*]] = tosa.logical_not %[[V21]] : (tensor<4xi1>) -> tensor<4xi1>
// TOSA:         %[[V23:.*]] = tosa.floor %[[A1]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V24:.*]] = tosa.equal %[[A1]], %[[V23]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// TOSA:         %[[V25:.*]] = tosa.negate %[[V17]], %[[V4]], %[[V4]] : (tensor<?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V26:.*]] = tosa.reshape %[[V22]], %[[V8]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V27:.*]] = tosa.select %[[V26]], %[[V25]], %[[V17]] : (tensor<1x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V28:.*]] = "tosa.const"() <{values = dense<0x7FC00000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V29:.*]] = tosa.reshape %[[V24]], %[[V8]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V30:.*]] = tosa.select %[[V29]], %[[V27]], %[[V28]] : (tensor<1x4xi1>, tensor<?x4xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V31:.*]] = tosa.greater %[[V2]], %[[A0]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V32:.*]] = tosa.select %[[V31]], %[[V30]], %[[V17]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V32]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.pow.Tensor_Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
