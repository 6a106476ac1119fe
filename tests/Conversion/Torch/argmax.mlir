// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0) -> (d0)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0) -> ()>

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xi64>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V5:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.dynamic_iota"(%[[V5]]) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x3xi64>
// MHLO:         %[[V7:.*]] = mhlo.constant dense<-9223372036854775808> : tensor<i64>
// MHLO:         %[[V8:.*]] = mhlo.constant dense<9223372036854775807> : tensor<i64>
// MHLO:         %[[V9:.*]]:2 = "mhlo.reduce"(%[[A0]], %[[V6]], %[[V7]], %[[V8]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A10:.*]]: tensor<i64>, %[[A11:.*]]: tensor<i64>, %[[A12:.*]]: tensor<i64>, %[[A13:.*]]: tensor<i64>):
// MHLO:         %[[V14:.*]] = mhlo.compare GT, %[[A10]], %[[A12]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V15:.*]] = mhlo.compare EQ, %[[A10]], %[[A12]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V16:.*]] = mhlo.compare LT, %[[A11]], %[[A13]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V17:.*]] = mhlo.and %[[V15]], %[[V16]] : tensor<i1>
// MHLO:         %[[V18:.*]] = mhlo.or %[[V14]], %[[V17]] : tensor<i1>
// MHLO:         %[[V19:.*]] = mhlo.select %[[V18]], %[[A10]], %[[A12]] : tensor<i1>, tensor<i64>
// MHLO:         %[[V20:.*]] = mhlo.select %[[V18]], %[[A11]], %[[A13]] : tensor<i1>, tensor<i64>
// MHLO:         mhlo.return %[[V19]], %[[V20]] : tensor<i64>, tensor<i64>
// MHLO:         }) : (tensor<?x3xi64>, tensor<?x3xi64>, tensor<i64>, tensor<i64>) -> (tensor<?xi64>, tensor<?xi64>)
// MHLO:         return %[[V9]]#1 : tensor<?xi64>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}}-9223372036854775808_i64 : i64) outs(%{{.*}} : tensor<?xi64>) -> tensor<?xi64>
// LINALG:         %[[V1:.*]] = linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : tensor<?xi64>) -> tensor<?xi64>
// LINALG:         %[[V2:.*]]:2 = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : tensor<?x3xi64>) outs(%[[V0]], %[[V1]] : tensor<?xi64>, tensor<?xi64>) {
// LINALG:         ^bb0(%[[V3:.*]]: i64, %[[V4:.*]]: i64, %[[V5:.*]]: i64):
// LINALG:           %[[V6:.*]] = linalg.index 1 : index
// LINALG:           %[[V7:.*]] = arith.index_cast %[[V6]] : index to i64
// LINALG:           %[[V8:.*]] = arith.cmpi slt, %[[V7]], %[[V5]] : i64
// LINALG:           %[[V9:.*]] = arith.cmpi eq, %[[V3]], %[[V4]] : i64
// LINALG:           %[[V10:.*]] = arith.cmpi sgt, %[[V3]], %[[V4]] : i64
// LINALG:           %[[V11:.*]] = arith.andi %[[V9]], %[[V8]] : i1
// LINALG:           %[[V12:.*]] = arith.ori %[[V10]], %[[V11]] : i1
// LINALG:           %[[V13:.*]] = arith.select %[[V12]], %[[V3]], %[[V4]] : i64
// LINALG:           %[[V14:.*]] = arith.select %[[V12]], %[[V7]], %[[V5]] : i64
// LINALG:           linalg.yield %[[V13]], %[[V14]] : i64, i64
// LINALG:         } -> (tensor<?xi64>, tensor<?xi64>)
// LINALG:         return %[[V2]]#1 : tensor<?xi64>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xi32> {isthmus.dtype = si64})
// TOSA:         %[[V1:.*]] = tosa.reduce_max %[[A0]] {axis = 1 : i32} : (tensor<?x3xi32>) -> tensor<?x1xi32>
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
// TOSA:         %[[V3:.*]] = tosa.equal %[[A0]], %[[V1]] : (tensor<?x3xi32>, tensor<?x1xi32>) -> tensor<?x3xi1>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
// TOSA:         %[[V5:.*]] = tosa.select %[[V3]], %[[V2]], %[[V4]] : (tensor<?x3xi1>, tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<?x3xi32>
// TOSA:         %[[V6:.*]] = tosa.reduce_min %[[V5]] {axis = 1 : i32} : (tensor<?x3xi32>) -> tensor<?x1xi32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V8:.*]] = tosa.reshape %[[V6]], %[[V7]] : (tensor<?x1xi32>, !tosa.shape<1>) -> tensor<?xi32>
// TOSA:         return %[[V8]] : tensor<?xi32>
func.func @of_ints(%a: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[?],si64> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %r = torch.aten.argmax %a, %int1, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// MHLO-LABEL: func.func @flat
// MHLO-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<2x3xf32>) -> tensor<6xf32>
// MHLO:         %[[V2:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V4:.*]] = mhlo.constant dense<9223372036854775807> : tensor<i64>
// MHLO:         %[[V5:.*]]:2 = "mhlo.reduce"(%[[V1]], %[[V2]], %[[V3]], %[[V4]]) <{dimensions = dense<0> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A6:.*]]: tensor<f32>, %[[A7:.*]]: tensor<i64>, %[[A8:.*]]: tensor<f32>, %[[A9:.*]]: tensor<i64>):
// MHLO:         %[[V10:.*]] = mhlo.compare GT, %[[A6]], %[[A8]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V11:.*]] = mhlo.compare EQ, %[[A6]], %[[A8]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V12:.*]] = mhlo.compare NE, %[[A6]], %[[A6]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V13:.*]] = mhlo.compare NE, %[[A8]], %[[A8]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V14:.*]] = mhlo.not %[[V13]] : tensor<i1>
// MHLO:         %[[V15:.*]] = mhlo.and %[[V12]], %[[V14]] : tensor<i1>
// MHLO:         %[[V16:.*]] = mhlo.or %[[V10]], %[[V15]] : tensor<i1>
// MHLO:         %[[V17:.*]] = mhlo.and %[[V12]], %[[V13]] : tensor<i1>
// MHLO:         %[[V18:.*]] = mhlo.or %[[V11]], %[[V17]] : tensor<i1>
// MHLO:         %[[V19:.*]] = mhlo.compare LT, %[[A7]], %[[A9]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V20:.*]] = mhlo.and %[[V18]], %[[V19]] : tensor<i1>
// MHLO:         %[[V21:.*]] = mhlo.or %[[V16]], %[[V20]] : tensor<i1>
// MHLO:         %[[V22:.*]] = mhlo.select %[[V21]], %[[A6]], %[[A8]] : tensor<i1>, tensor<f32>
// MHLO:         %[[V23:.*]] = mhlo.select %[[V21]], %[[A7]], %[[A9]] : tensor<i1>, tensor<i64>
// MHLO:         mhlo.return %[[V22]], %[[V23]] : tensor<f32>, tensor<i64>
// MHLO:         }) : (tensor<6xf32>, tensor<6xi64>, tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>)
// MHLO:         return %[[V5]]#1 : tensor<i64>
//
// LINALG-LABEL: func.func @flat
// LINALG-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// LINALG:         %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[}}[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
// LINALG:         %[[V1:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<f32>) -> tensor<f32>
// LINALG:         %[[V2:.*]] = linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : tensor<i64>) -> tensor<i64>
// LINALG:         %[[V3:.*]]:2 = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP3]], #[[$MAP3]]], iterator_types = ["reduction"]} ins(%[[V0]] : tensor<6xf32>) outs(%[[V1]], %[[V2]] : tensor<f32>, tensor<i64>) {
// LINALG:         ^bb0(%[[V4:.*]]: f32, %[[V5:.*]]: f32, %[[V6:.*]]: i64):
// LINALG:           %[[V7:.*]] = linalg.index 0 : index
// LINALG:           %[[V8:.*]] = arith.index_cast %[[V7]] : index to i64
// LINALG:           %[[V9:.*]] = arith.cmpi slt, %[[V8]], %[[V6]] : i64
// LINALG:           %[[V10:.*]] = arith.cmpf oeq, %[[V4]], %[[V5]] : f32
// LINALG:           %[[V11:.*]] = arith.cmpf ogt, %[[V4]], %[[V5]] : f32
// LINALG:           %[[V12:.*]] = arith.cmpf uno, %[[V4]], %[[V4]] : f32
// LINALG:           %[[V13:.*]] = arith.cmpf uno, %[[V5]], %[[V5]] : f32
// LINALG:           %[[V14:.*]] = arith.andi %[[V12]], %[[V13]] : i1
// LINALG:           %[[V15:.*]] = arith.ori %[[V10]], %[[V14]] : i1
// LINALG:           %[[V16:.*]] = arith.cmpf oeq, %[[V5]], %[[V5]] : f32
// LINALG:           %[[V17:.*]] = arith.andi %[[V12]], %[[V16]] : i1
// LINALG:           %[[V18:.*]] = arith.ori %[[V11]], %[[V17]] : i1
// LINALG:           %[[V19:.*]] = arith.andi %[[V15]], %[[V9]] : i1
// LINALG:           %[[V20:.*]] = arith.ori %[[V18]], %[[V19]] : i1
// LINALG:           %[[V21:.*]] = arith.select %[[V20]], %[[V4]], %[[V5]] : f32
// LINALG:           %[[V22:.*]] = arith.select %[[V20]], %[[V8]], %[[V6]] : i64
// LINALG:           linalg.yield %[[V21]], %[[V22]] : f32, i64
// LINALG:         } -> (tensor<f32>, tensor<i64>)
// LINALG:         return %[[V3]]#1 : tensor<i64>
//
// TOSA-LABEL: func.func @flat
// TOSA-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<6> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<2x3xf32>, !tosa.shape<1>) -> tensor<6xf32>
// TOSA:         %[[V3:.*]] = tosa.argmax %[[V2]] {axis = 0 : i32} : (tensor<6xf32>) -> tensor<i32>
// TOSA:         return %[[V3]] : tensor<i32>
func.func @flat(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],si64> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %r = torch.aten.argmax %a, %none, %false
      : !torch.vtensor<[2,3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}
