// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0)>

// MHLO-LABEL: func.func @keepdim
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce"(%[[A0]], %[[V1]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.multiply %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
// MHLO:         %[[V6:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V7:.*]] = mhlo.convert %[[V6]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V8:.*]] = mhlo.reshape %[[V7]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V9:.*]] = mhlo.constant dense<1> : tensor<1xi64>
// MHLO:         %[[V10:.*]] = "mhlo.concatenate"(%[[V8]], %[[V9]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V11:.*]] = mhlo.dynamic_reshape %[[V2]], %[[V10]] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x1xf32>
// MHLO:         return %[[V11]] : tensor<?x1xf32>
//
// LINALG-LABEL: func.func @keepdim
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%[[V0]] : tensor<?xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.mulf %[[V3]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?xf32>
// LINALG:         %[[V5:.*]] = tensor.expand_shape %[[V1]] {{\[}}[0, 1]] output_shape [%{{.*}}, 1] : tensor<?xf32> into tensor<?x1xf32>
// LINALG:         return %[[V5]] : tensor<?x1xf32>
//
// TOSA-LABEL: func.func @keepdim
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.reduce_product %[[A0]] {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
// TOSA:         return %[[V1]] : tensor<?x1xf32>
func.func @keepdim(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,1],f32> {
  %int_1 = torch.constant.int -1
  %true = torch.constant.bool true
  %none = torch.constant.none
  %r = torch.aten.prod.dim_int %a, %int_1, %true, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.bool, !torch.none -> !torch.vtensor<[?,1],f32>
  return %r : !torch.vtensor<[?,1],f32>
}
