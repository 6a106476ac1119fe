// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @floor
// MHLO-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// MHLO:         %{{.*}} = mhlo.remainder %{{.*}}, %{{.*}} : tensor<?xf32>
// MHLO:         %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<?xf32>
// MHLO:         %{{.*}} = mhlo.round_nearest_even %{{.*}} : tensor<?xf32>
// MHLO:         %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<?xf32>
//
// LINALG-LABEL: func.func @floor
// LINALG-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// LINALG:         %[[V0:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V2:.*]] = scf.if %[[V1]] -> (tensor<?xf32>) {
// LINALG:           %[[V3:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xf32>) {
// LINALG:             %[[V4:.*]] = tensor.extract %[[A0]][%{{.*}}] : tensor<?xf32>
// LINALG:         %[[V5:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V6:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V7:.*]] = scf.if %[[V6]] -> (tensor<?xf32>) {
// LINALG:           %[[V8:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xf32>) {
// LINALG:             %[[V9:.*]] = tensor.extract %[[A1]][%{{.*}}] : tensor<?xf32>
// LINALG:         %[[V10:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[V2]], %[[V7]] : tensor<?xf32>, tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {
// LINALG:           %[[V11:.*]] = arith.cmpf une, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V12:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V13:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V14:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V15:.*]] = arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// LINALG:         return %[[V10]] : tensor<?xf32>
//
// TOSA-LABEL: func.func @floor
// TOSA-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V4:.*]] = tosa.reciprocal %[[A1]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V6:.*]] = tosa.mul %[[A0]], %[[V4]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V2]], %[[V6]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V8:.*]] = tosa.ceil %[[V6]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V9:.*]] = tosa.floor %[[V6]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V10:.*]] = tosa.select %[[V7]], %[[V8]], %[[V9]] : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V11:.*]] = tosa.abs %[[A1]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V12:.*]] = tosa.abs %[[A0]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V13:.*]] = tosa.abs %[[V10]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V14:.*]] = tosa.mul %[[V13]], %[[V11]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V15:.*]] = tosa.sub %[[V12]], %[[V14]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V16:.*]] = tosa.greater_equal %[[V15]], %[[V11]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V17:.*]] = tosa.select %[[V16]], %[[V3]], %[[V2]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V18:.*]] = tosa.greater %[[V2]], %[[V15]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V19:.*]] = tosa.select %[[V18]], %[[V3]], %[[V2]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V20:.*]] = tosa.sub %[[V17]], %[[V19]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V21:.*]] = tosa.greater %[[V2]], %[[A0]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V22:.*]] = tosa.greater %[[V2]], %[[A1]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V23:.*]] = tosa.logical_xor %[[V21]], %[[V22]] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V24:.*]] = "tosa.const"() <{values = dense<-1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V25:.*]] = tosa.select %[[V23]], %[[V24]], %[[V3]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V26:.*]] = tosa.mul %[[V20]], %[[V25]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V27:.*]] = tosa.add %[[V10]], %[[V26]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V28:.*]] = "tosa.const"() <{values = dense<0x7F800000> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V29:.*]] = tosa.equal %[[V11]], %[[V28]] : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xi1>
// TOSA:         %[[V30:.*]] = tosa.greater %[[V28]], %[[V12]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V31:.*]] = tosa.mul %[[V27]], %[[A1]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V32:.*]] = tosa.sub %[[A0]], %[[V31]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V33:.*]] = tosa.logical_and %[[V29]], %[[V30]] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V34:.*]] = tosa.select %[[V33]], %[[A0]], %[[V32]] : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V35:.*]] = tosa.greater %[[V2]], %[[V34]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V36:.*]] = tosa.logical_xor %[[V35]], %[[V22]] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V37:.*]] = tosa.equal %[[V34]], %[[V2]] : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xi1>
// TOSA:         %[[V38:.*]] = tosa.logical_not %[[V37]] : (tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V39:.*]] = tosa.logical_and %[[V38]], %[[V36]] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V40:.*]] = tosa.select %[[V39]], %[[V3]], %[[V2]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V41:.*]] = tosa.sub %[[V27]], %[[V40]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         return %[[V41]] : tensor<?xf32>
func.func @floor(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %str = torch.constant.str "floor"
  %r = torch.aten.div.Tensor_mode %a, %b, %str
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.str -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// MHLO-LABEL: func.func @trunc
// MHLO-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
// MHLO:         %[[V5:.*]] = mhlo.convert %[[V4]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<1> : tensor<i64>
// MHLO:         %[[V7:.*]] = mhlo.compare EQ, %[[V3]], %[[V6]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V8:.*]] = mhlo.select %[[V7]], %[[V5]], %[[V3]] : tensor<i1>, tensor<i64>
// MHLO:         %[[V9:.*]] = mhlo.reshape %[[V8]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V9]]) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
// MHLO:         %[[V11:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V9]]) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
// MHLO:         %[[V12:.*]] = mhlo.divide %[[V10]], %[[V11]] : tensor<?xf32>
// MHLO:         %[[V13:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V14:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V13]], %[[V9]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
// MHLO:         %[[V15:.*]] = mhlo.compare LT, %[[V12]], %[[V14]], FLOAT : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
// MHLO:         %[[V16:.*]] = mhlo.ceil %[[V12]] : tensor<?xf32>
// MHLO:         %[[V17:.*]] = mhlo.floor %[[V12]] : tensor<?xf32>
// MHLO:         %[[V18:.*]] = mhlo.select %[[V15]], %[[V16]], %[[V17]] : tensor<?xi1>, tensor<?xf32>
// MHLO:         return %[[V18]] : tensor<?xf32>
//
// LINALG-LABEL: func.func @trunc
// LINALG-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// LINALG:         %[[V0:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V2:.*]] = scf.if %[[V1]] -> (tensor<?xf32>) {
// LINALG:           %[[V3:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xf32>) {
// LINALG:             %[[V4:.*]] = tensor.extract %[[A0]][%{{.*}}] : tensor<?xf32>
// LINALG:         %[[V5:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V6:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V7:.*]] = scf.if %[[V6]] -> (tensor<?xf32>) {
// LINALG:           %[[V8:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xf32>) {
// LINALG:             %[[V9:.*]] = tensor.extract %[[A1]][%{{.*}}] : tensor<?xf32>
// LINALG:         %[[V10:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[V2]], %[[V7]] : tensor<?xf32>, tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {
// LINALG:         return %[[V10]] : tensor<?xf32>
//
// TOSA-LABEL: func.func @trunc
// TOSA-SAME:    (%[[A0:.*]]: tensor<?xf32>, %[[A1:.*]]: tensor<?xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V4:.*]] = tosa.reciprocal %[[A1]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V6:.*]] = tosa.mul %[[A0]], %[[V4]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V2]], %[[V6]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V8:.*]] = tosa.ceil %[[V6]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V9:.*]] = tosa.floor %[[V6]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V10:.*]] = tosa.select %[[V7]], %[[V8]], %[[V9]] : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V11:.*]] = tosa.abs %[[A1]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V12:.*]] = tosa.abs %[[A0]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V13:.*]] = tosa.abs %[[V10]] : (tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V14:.*]] = tosa.mul %[[V13]], %[[V11]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V15:.*]] = tosa.sub %[[V12]], %[[V14]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V16:.*]] = tosa.greater_equal %[[V15]], %[[V11]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V17:.*]] = tosa.select %[[V16]], %[[V3]], %[[V2]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V18:.*]] = tosa.greater %[[V2]], %[[V15]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V19:.*]] = tosa.select %[[V18]], %[[V3]], %[[V2]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V20:.*]] = tosa.sub %[[V17]], %[[V19]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         %[[V21:.*]] = tosa.greater %[[V2]], %[[A0]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V22:.*]] = tosa.greater %[[V2]], %[[A1]] : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xi1>
// TOSA:         %[[V23:.*]] = tosa.logical_xor %[[V21]], %[[V22]] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
// TOSA:         %[[V24:.*]] = "tosa.const"() <{values = dense<-1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V25:.*]] = tosa.select %[[V23]], %[[V24]], %[[V3]] : (tensor<?xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
// TOSA:         %[[V26:.*]] = tosa.mul %[[V20]], %[[V25]], %[[V5]] : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
// TOSA:         %[[V27:.*]] = tosa.add %[[V10]], %[[V26]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// TOSA:         return %[[V27]] : tensor<?xf32>
func.func @trunc(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %str = torch.constant.str "trunc"
  %r = torch.aten.div.Tensor_mode %a, %b, %str
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.str -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// MHLO-LABEL: func.func @true
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xf32>, %[[A1:.*]]: tensor<2xf32>)
// MHLO:         %[[V2:.*]] = mhlo.divide %[[A0]], %[[A1]] : tensor<2xf32>
// MHLO:         return %[[V2]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @true
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xf32>, %[[A1:.*]]: tensor<2xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<2xf32>, tensor<2xf32>) outs(%{{.*}} : tensor<2xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.divf %[[V1]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<2xf32>
// LINALG:         return %[[V0]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @true
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xf32>, %[[A1:.*]]: tensor<2xf32>)
// TOSA:         %[[V2:.*]] = tosa.reciprocal %[[A1]] : (tensor<2xf32>) -> tensor<2xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V4:.*]] = tosa.mul %[[A0]], %[[V2]], %[[V3]] : (tensor<2xf32>, tensor<2xf32>, tensor<1xi8>) -> tensor<2xf32>
// TOSA:         return %[[V4]] : tensor<2xf32>
func.func @true(%a: !torch.vtensor<[2],f32>, %b: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %r = torch.aten.div.Tensor_mode %a, %b, %none
      : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
