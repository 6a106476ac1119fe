// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> ()>

// MHLO-LABEL: func.func @dim_of_bools
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi1>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x3xi1>) -> tensor<?x3xi64>
// MHLO:         %[[V2:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[V3:.*]] = "mhlo.reduce"(%[[V1]], %[[V2]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A4:.*]]: tensor<i64>, %[[A5:.*]]: tensor<i64>):
// MHLO:         %[[V6:.*]] = mhlo.add %[[A4]], %[[A5]] : tensor<i64>
// MHLO:         mhlo.return %[[V6]] : tensor<i64>
// MHLO:         }) : (tensor<?x3xi64>, tensor<i64>) -> tensor<?xi64>
// MHLO:         return %[[V3]] : tensor<?xi64>
//
// LINALG-LABEL: func.func @dim_of_bools
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xi1>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : tensor<?xi64>) -> tensor<?xi64>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : tensor<?x3xi1>) outs(%[[V0]] : tensor<?xi64>) {
// LINALG:         ^bb0(%[[V2:.*]]: i1, %[[V3:.*]]: i64):
// LINALG:           %[[V4:.*]] = arith.extui %[[V2]] : i1 to i64
// LINALG:           %[[V5:.*]] = arith.addi %[[V3]], %[[V4]] : i64
// LINALG:           linalg.yield %[[V5]] : i64
// LINALG:         } -> tensor<?xi64>
// LINALG:         return %[[V1]] : tensor<?xi64>
//
// TOSA-LABEL: func.func @dim_of_bools
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xi1>)
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<?x3xi1>) -> tensor<?x3xi32>
// TOSA:         %[[V2:.*]] = tosa.reduce_sum %[[V1]] {axis = 1 : i32} : (tensor<?x3xi32>) -> tensor<?x1xi32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[V2]], %[[V3]] : (tensor<?x1xi32>, !tosa.shape<1>) -> tensor<?xi32>
// TOSA:         return %[[V4]] : tensor<?xi32>
func.func @dim_of_bools(%a: !torch.vtensor<[?,3],i1>) -> !torch.vtensor<[?],si64> {
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %none = torch.constant.none
  %r = torch.aten.sum.dim_IntList %a, %list, %false, %none
      : !torch.vtensor<[?,3],i1>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// MHLO-LABEL: func.func @half_in_f32
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xbf16>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x3xbf16>) -> tensor<?x3xf32>
// MHLO:         %[[V2:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V3:.*]] = "mhlo.reduce"(%[[V1]], %[[V2]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A4:.*]]: tensor<f32>, %[[A5:.*]]: tensor<f32>):
// MHLO:         %[[V6:.*]] = mhlo.add %[[A4]], %[[A5]] : tensor<f32>
// MHLO:         mhlo.return %[[V6]] : tensor<f32>
// MHLO:         }) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
// MHLO:         %[[V7:.*]] = mhlo.convert %[[V3]] : (tensor<?xf32>) -> tensor<?xbf16>
// MHLO:         %[[V8:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xbf16>) -> tensor<i32>
// MHLO:         %[[V9:.*]] = mhlo.convert %[[V8]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V10:.*]] = mhlo.reshape %[[V9]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V11:.*]] = mhlo.constant dense<1> : tensor<1xi64>
// MHLO:         %[[V12:.*]] = "mhlo.concatenate"(%[[V10]], %[[V11]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V13:.*]] = mhlo.dynamic_reshape %[[V7]], %[[V12]] : (tensor<?xbf16>, tensor<2xi64>) -> tensor<?x1xbf16>
// MHLO:         return %[[V13]] : tensor<?x1xbf16>
//
// LINALG-LABEL: func.func @half_in_f32
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xbf16>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : tensor<?x3xbf16>) outs(%[[V0]] : tensor<?xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// LINALG:           %[[V5:.*]] = arith.addf %[[V3]], %[[V4]] : f32
// LINALG:           linalg.yield %[[V5]] : f32
// LINALG:         } -> tensor<?xf32>
// LINALG:         %[[V6:.*]] = tensor.expand_shape %[[V1]] {{\[}}[0, 1]] output_shape [%{{.*}}, 1] : tensor<?xf32> into tensor<?x1xf32>
// LINALG:         %[[V7:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V6]] : tensor<?x1xf32>) outs(%{{.*}} : tensor<?x1xbf16>) {
// LINALG:         ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: bf16):
// LINALG:           %[[V10:.*]] = arith.truncf %[[V8]] : f32 to bf16
// LINALG:           linalg.yield %[[V10]] : bf16
// LINALG:         } -> tensor<?x1xbf16>
// LINALG:         return %[[V7]] : tensor<?x1xbf16>
//
// TOSA-LABEL: func.func @half_in_f32
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xbf16>)
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<?x3xbf16>) -> tensor<?x3xf32>
// TOSA:         %[[V2:.*]] = tosa.reduce_sum %[[V1]] {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
// TOSA:         %[[V3:.*]] = tosa.cast %[[V2]] : (tensor<?x1xf32>) -> tensor<?x1xbf16>
// TOSA:         return %[[V3]] : tensor<?x1xbf16>
func.func @half_in_f32(%a: !torch.vtensor<[?,3],bf16>) -> !torch.vtensor<[?,1],bf16> {
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int_1 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %none = torch.constant.none
  %r = torch.aten.sum.dim_IntList %a, %list, %true, %none
      : !torch.vtensor<[?,3],bf16>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,1],bf16>
  return %r : !torch.vtensor<[?,1],bf16>
}

// MHLO-LABEL: func.func @all_dims
// MHLO-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce"(%[[A0]], %[[V1]]) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.add %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
// MHLO:         return %[[V2]] : tensor<f32>
//
// LINALG-LABEL: func.func @all_dims
// LINALG-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<f32>) -> tensor<f32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP2]]], iterator_types = ["reduction", "reduction"]} ins(%[[A0]] : tensor<2x3xf32>) outs(%[[V0]] : tensor<f32>) {
// LINALG:         ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.addf %[[V3]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<f32>
// LINALG:         return %[[V1]] : tensor<f32>
//
// TOSA-LABEL: func.func @all_dims
// TOSA-SAME:    (%[[A0:.*]]: tensor<2x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.reduce_sum %[[A0]] {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// TOSA:         %[[V2:.*]] = tosa.reduce_sum %[[V1]] {axis = 0 : i32} : (tensor<2x1xf32>) -> tensor<1x1xf32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[V2]], %[[V3]] : (tensor<1x1xf32>, !tosa.shape<0>) -> tensor<f32>
// TOSA:         return %[[V4]] : tensor<f32>
func.func @all_dims(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %r = torch.aten.sum.dim_IntList %a, %none, %false, %none
      : !torch.vtensor<[2,3],f32>, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}
