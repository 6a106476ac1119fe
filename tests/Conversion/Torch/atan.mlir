// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V3]], %[[V6]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
// MHLO:         %[[V8:.*]] = mhlo.atan2 %[[A0]], %[[V7]] : tensor<?x3xf32>
// MHLO:         return %[[V8]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = math.atan %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V3:.*]] = tosa.abs %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V4:.*]] = tosa.greater %[[V3]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V5:.*]] = tosa.reciprocal %[[V3]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V6:.*]] = tosa.select %[[V4]], %[[V5]], %[[V3]] : (tensor<?x3xi1>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V7:.*]] = "tosa.const"() <{values = dense<0.414213568> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V8:.*]] = tosa.greater %[[V6]], %[[V7]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V9:.*]] = tosa.sub %[[V6]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V10:.*]] = tosa.add %[[V6]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V11:.*]] = tosa.reciprocal %[[V10]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V12:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V13:.*]] = tosa.mul %[[V9]], %[[V11]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V14:.*]] = tosa.select %[[V8]], %[[V13]], %[[V6]] : (tensor<?x3xi1>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V15:.*]] = tosa.mul %[[V14]], %[[V14]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V16:.*]] = "tosa.const"() <{values = dense<-0.0645916611> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V17:.*]] = tosa.mul %[[V16]], %[[V15]], %[[V12]] : (tensor<1x1xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V18:.*]] = "tosa.const"() <{values = dense<0.107462347> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V19:.*]] = tosa.add %[[V17]], %[[V18]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V20:.*]] = tosa.mul %[[V19]], %[[V15]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V21:.*]] = "tosa.const"() <{values = dense<-0.142642274> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V22:.*]] = tosa.add %[[V20]], %[[V21]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V23:.*]] = tosa.mul %[[V22]], %[[V15]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V24:.*]] = "tosa.const"() <{values = dense<0.199995503> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V25:.*]] = tosa.add %[[V23]], %[[V24]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V26:.*]] = tosa.mul %[[V25]], %[[V15]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V27:.*]] = "tosa.const"() <{values = dense<-0.333333313> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V28:.*]] = tosa.add %[[V26]], %[[V27]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V29:.*]] = tosa.mul %[[V14]], %[[V15]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V30:.*]] = tosa.mul %[[V29]], %[[V28]], %[[V12]] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V31:.*]] = tosa.add %[[V14]], %[[V30]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V32:.*]] = "tosa.const"() <{values = dense<0.785398185> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V33:.*]] = tosa.select %[[V8]], %[[V32]], %[[V2]] : (tensor<?x3xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V34:.*]] = tosa.add %[[V31]], %[[V33]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V35:.*]] = "tosa.const"() <{values = dense<1.57079637> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V36:.*]] = tosa.sub %[[V35]], %[[V34]] : (tensor<1x1xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V37:.*]] = tosa.select %[[V4]], %[[V36]], %[[V34]] : (tensor<?x3xi1>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V38:.*]] = tosa.greater %[[V2]], %[[A0]] : (tensor<1x1xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V39:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V40:.*]] = tosa.negate %[[V37]], %[[V39]], %[[V39]] : (tensor<?x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V41:.*]] = tosa.select %[[V38]], %[[V40]], %[[V37]] : (tensor<?x3xi1>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V41]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.atan %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
