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
// MHLO:         %[[V8:.*]] = mhlo.remainder %[[A0]], %[[V7]] : tensor<?x4xf32>
// MHLO:         return %[[V8]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.remf %[[V1]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V4:.*]] = tosa.reciprocal %[[A1]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[V4]], %[[V5]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V7:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V8:.*]] = tosa.mul %[[A0]], %[[V6]], %[[V7]] : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
// TOSA:         %[[V9:.*]] = tosa.greater %[[V2]], %[[V8]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V10:.*]] = tosa.ceil %[[V8]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V11:.*]] = tosa.floor %[[V8]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V12:.*]] = tosa.select %[[V9]], %[[V10]], %[[V11]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V13:.*]] = tosa.abs %[[A1]] : (tensor<4xf32>) -> tensor<4xf32>
// TOSA:         %[[V14:.*]] = tosa.abs %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V15:.*]] = tosa.abs %[[V12]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V16:.*]] = tosa.reshape %[[V13]], %[[V5]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V17:.*]] = tosa.mul %[[V15]], %[[V16]], %[[V7]] : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
// TOSA:         %[[V18:.*]] = tosa.sub %[[V14]], %[[V17]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V19:.*]] = tosa.greater_equal %[[V18]], %[[V16]] : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V20:.*]] = tosa.select %[[V19]], %[[V3]], %[[V2]] : (tensor<?x4xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V21:.*]] = tosa.greater %[[V2]], %[[V18]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V22:.*]] = tosa.select %[[V21]], %[[V3]], %[[V2]] : (tensor<?x4xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V23:.*]] = tosa.sub %[[V20]], %[[V22]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V24:.*]] = tosa.greater %[[V2]], %[[A0]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V25:.*]] = tosa.reshape %[[A1]], %[[V5]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V26:.*]] = tosa.greater %[[V2]], %[[V25]] : (tensor<1x1xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
// TOSA:         %[[V27:.*]] = tosa.logical_xor %[[V24]], %[[V26]] : (tensor<?x4xi1>, tensor<1x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V28:.*]] = "tosa.const"() <{values = dense<-1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V29:.*]] = tosa.select %[[V27]], %[[V28]], %[[V3]] : (tensor<?x4xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V30:.*]] = tosa.mul %[[V23]], %[[V29]], %[[V7]] : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
// TOSA:         %[[V31:.*]] = tosa.add %[[V12]], %[[V30]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V32:.*]] = "tosa.const"() <{values = dense<0x7F800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V33:.*]] = tosa.equal %[[V16]], %[[V32]] : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xi1>
// TOSA:         %[[V34:.*]] = tosa.greater %[[V32]], %[[V14]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V35:.*]] = tosa.mul %[[V31]], %[[V25]], %[[V7]] : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
// TOSA:         %[[V36:.*]] = tosa.sub %[[A0]], %[[V35]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V37:.*]] = tosa.logical_and %[[V33]], %[[V34]] : (tensor<1x4xi1>, tensor<?x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V38:.*]] = tosa.select %[[V37]], %[[A0]], %[[V36]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V38]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.fmod.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
