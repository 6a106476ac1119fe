// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1) -> ()>

// MHLO-LABEL: func.func @keepdim
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce"(%[[A0]], %[[V1]]) <{dimensions = dense<[1, 2]> : tensor<2xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x4xf32>, tensor<f32>) -> tensor<?xf32>
// MHLO:         %[[V6:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3x4xf32>) -> tensor<i32>
// MHLO:         %[[V7:.*]] = mhlo.convert %[[V6]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V8:.*]] = mhlo.reshape %[[V7]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V9:.*]] = mhlo.constant dense<1> : tensor<2xi64>
// MHLO:         %[[V10:.*]] = "mhlo.concatenate"(%[[V8]], %[[V9]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V11:.*]] = mhlo.dynamic_reshape %[[V2]], %[[V10]] : (tensor<?xf32>, tensor<3xi64>) -> tensor<?x1x1xf32>
// MHLO:         return %[[V11]] : tensor<?x1x1xf32>
//
// LINALG-LABEL: func.func @keepdim
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "reduction", "reduction"]} ins(%[[A0]] : tensor<?x3x4xf32>) outs(%[[V0]] : tensor<?xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.maximumf %[[V3]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?xf32>
// LINALG:         %[[V5:.*]] = tensor.expand_shape %[[V1]] {{\[}}[0, 1, 2]] output_shape [%{{.*}}, 1, 1] : tensor<?xf32> into tensor<?x1x1xf32>
// LINALG:         return %[[V5]] : tensor<?x1x1xf32>
//
// TOSA-LABEL: func.func @keepdim
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// TOSA:         %[[V1:.*]] = tosa.reduce_max %[[A0]] {axis = 2 : i32} : (tensor<?x3x4xf32>) -> tensor<?x3x1xf32>
// TOSA:         %[[V2:.*]] = tosa.reduce_max %[[V1]] {axis = 1 : i32} : (tensor<?x3x1xf32>) -> tensor<?x1x1xf32>
// TOSA:         return %[[V2]] : tensor<?x1x1xf32>
func.func @keepdim(%a: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[?,1,1],f32> {
  %int1 = torch.constant.int 1
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int1, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %r = torch.aten.amax %a, %list, %true
      : !torch.vtensor<[?,3,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,1,1],f32>
  return %r : !torch.vtensor<[?,1,1],f32>
}

// MHLO-LABEL: func.func @all_dims_of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2x3xi32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<-2147483648> : tensor<i32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce"(%[[A0]], %[[V1]]) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<i32>, %[[A4:.*]]: tensor<i32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<i32>
// MHLO:         mhlo.return %[[V5]] : tensor<i32>
// MHLO:         }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
// MHLO:         return %[[V2]] : tensor<i32>
//
// LINALG-LABEL: func.func @all_dims_of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<2x3xi32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}}-2147483648_i32 : i32) outs(%{{.*}} : tensor<i32>) -> tensor<i32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP3]]], iterator_types = ["reduction", "reduction"]} ins(%[[A0]] : tensor<2x3xi32>) outs(%[[V0]] : tensor<i32>) {
// LINALG:         ^bb0(%[[V2:.*]]: i32, %[[V3:.*]]: i32):
// LINALG:           %[[V4:.*]] = arith.maxsi %[[V3]], %[[V2]] : i32
// LINALG:           linalg.yield %[[V4]] : i32
// LINALG:         } -> tensor<i32>
// LINALG:         return %[[V1]] : tensor<i32>
//
// TOSA-LABEL: func.func @all_dims_of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<2x3xi32>)
// TOSA:         %[[V1:.*]] = tosa.reduce_max %[[A0]] {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
// TOSA:         %[[V2:.*]] = tosa.reduce_max %[[V1]] {axis = 0 : i32} : (tensor<2x1xi32>) -> tensor<1x1xi32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[V2]], %[[V3]] : (tensor<1x1xi32>, !tosa.shape<0>) -> tensor<i32>
// TOSA:         return %[[V4]] : tensor<i32>
func.func @all_dims_of_ints(%a: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[],si32> {
  %list = torch.prim.ListConstruct : () -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.amax %a, %list, %false
      : !torch.vtensor<[2,3],si32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],si32>
  return %r : !torch.vtensor<[],si32>
}
