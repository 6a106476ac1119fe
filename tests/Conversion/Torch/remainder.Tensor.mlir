// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

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
// TOSA:         %[[V39:.*]] = tosa.greater %[[V2]], %[[V38]] : (tensor<1x1xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V40:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V41:.*]] = tosa.greater %[[V40]], %[[A1]] : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xi1>
// TOSA:         %[[V42:.*]] = tosa.reshape %[[V41]], %[[V5]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V43:.*]] = tosa.logical_xor %[[V39]], %[[V42]] : (tensor<?x4xi1>, tensor<1x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V44:.*]] = tosa.equal %[[V38]], %[[V2]] : (tensor<?x4xf32>, tensor<1x1xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V45:.*]] = tosa.logical_not %[[V44]] : (tensor<?x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V46:.*]] = tosa.logical_and %[[V45]], %[[V43]] : (tensor<?x4xi1>, tensor<?x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V47:.*]] = tosa.add %[[V38]], %[[V25]] : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// TOSA:         %[[V48:.*]] = tosa.select %[[V46]], %[[V47]], %[[V38]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V48]] : tensor<?x4xf32>
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
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xi8> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi8> {isthmus.dtype = ui8})
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP2]], #[[$MAP2]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<4xi8>, tensor<4xi8>) outs(%{{.*}} : tensor<4xi8>) {
// LINALG:         ^bb0(%[[V1:.*]]: i8, %[[V2:.*]]: i8, %[[V3:.*]]: i8):
// LINALG:           %[[V4:.*]] = arith.cmpi eq, %[[V2]], %{{.*}} : i8
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %{{.*}}, %[[V2]] : i8
// LINALG:           %[[V6:.*]] = arith.remui %[[V1]], %[[V5]] : i8
// LINALG:           linalg.yield %[[V6]] : i8
// LINALG:         } -> tensor<4xi8>
// LINALG:         return %[[V0]] : tensor<4xi8>
//
// TOSA-LABEL: func.func @unsigned
// TOSA-SAME:    (%[[A0:.*]]: tensor<4xi32> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = ui8})
// TOSA:         %[[V2:.*]] = tosa.intdiv %[[A0]], %[[A1]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V4:.*]] = tosa.mul %[[V2]], %[[A1]], %[[V3]] : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
// TOSA:         %[[V5:.*]] = tosa.sub %[[A0]], %[[V4]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// TOSA:         %[[V6:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V6]], %[[V5]] : (tensor<1xi32>, tensor<4xi32>) -> tensor<4xi1>
// TOSA:         %[[V8:.*]] = tosa.greater %[[V6]], %[[A1]] : (tensor<1xi32>, tensor<4xi32>) -> tensor<4xi1>
// TOSA:         %[[V9:.*]] = tosa.logical_xor %[[V7]], %[[V8]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// TOSA:         %[[V10:.*]] = tosa.equal %[[V5]], %[[V6]] : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi1>
// TOSA:         %[[V11:.*]] = tosa.logical_not %[[V10]] : (tensor<4xi1>) -> tensor<4xi1>
// TOSA:         %[[V12:.*]] = tosa.logical_and %[[V11]], %[[V9]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// TOSA:         %[[V13:.*]] = tosa.add %[[V5]], %[[A1]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// TOSA:         %[[V14:.*]] = tosa.select %[[V12]], %[[V13]], %[[V5]] : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// TOSA:         %[[V15:.*]] = "tosa.const"() <{values = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V16:.*]] = tosa.bitwise_and %[[V14]], %[[V15]] : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         return %[[V16]] : tensor<4xi32>
func.func @unsigned(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  %r = torch.aten.remainder.Tensor %a, %b
      : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
