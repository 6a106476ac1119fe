// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// MHLO-LABEL: func.func @same_sizes
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x4xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V5:.*]] = mhlo.convert %[[V4]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<1> : tensor<i64>
// MHLO:         %[[V7:.*]] = mhlo.compare EQ, %[[V3]], %[[V6]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         %[[V8:.*]] = mhlo.select %[[V7]], %[[V5]], %[[V3]] : tensor<i1>, tensor<i64>
// MHLO:         %[[V9:.*]] = mhlo.reshape %[[V8]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V10:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V11:.*]] = "mhlo.concatenate"(%[[V9]], %[[V10]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V12:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V11]]) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V13:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V11]]) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V14:.*]] = mhlo.add %[[V12]], %[[V13]] : tensor<?x4xf32>
// MHLO:         return %[[V14]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @same_sizes
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x4xf32>)
// LINALG:         %[[V0:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V2:.*]] = scf.if %[[V1]] -> (tensor<?x4xf32>) {
// LINALG:           %[[V3:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:             %[[V4:.*]] = tensor.extract %[[A0]][%{{.*}}, %{{.*}}] : tensor<?x4xf32>
// LINALG:         %[[V5:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V6:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:         %[[V7:.*]] = scf.if %[[V6]] -> (tensor<?x4xf32>) {
// LINALG:           %[[V8:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:             %[[V9:.*]] = tensor.extract %[[A1]][%{{.*}}, %{{.*}}] : tensor<?x4xf32>
// LINALG:         %[[V10:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V2]], %[[V7]] : tensor<?x4xf32>, tensor<?x4xf32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         return %[[V10]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @same_sizes
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x4xf32>)
// TOSA:         %[[V2:.*]] = tosa.add %[[A0]], %[[A1]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V2]] : tensor<?x4xf32>
func.func @same_sizes(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int1 = torch.constant.int 1
  %r = torch.aten.add.Tensor %a, %b, %int1
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// MHLO-LABEL: func.func @alpha_and_promotion
// MHLO-SAME:    (%[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<2x1xi32>)
// MHLO:         %[[V2:.*]] = mhlo.convert %[[A1]] : (tensor<2x1xi32>) -> tensor<2x1xf32>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<2.000000e+00> : tensor<2x1xf32>
// MHLO:         %[[V4:.*]] = mhlo.multiply %[[V2]], %[[V3]] : tensor<2x1xf32>
// MHLO:         %[[V5:.*]] = "mhlo.broadcast_in_dim"(%[[A0]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<2x4xf32>
// MHLO:         %[[V6:.*]] = "mhlo.broadcast_in_dim"(%[[V4]]) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x1xf32>) -> tensor<2x4xf32>
// MHLO:         %[[V7:.*]] = mhlo.add %[[V5]], %[[V6]] : tensor<2x4xf32>
// MHLO:         return %[[V7]] : tensor<2x4xf32>
//
// LINALG-LABEL: func.func @alpha_and_promotion
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<2x1xi32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP2]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<4xf32>, tensor<2x1xi32>) outs(%{{.*}} : tensor<2x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.sitofp %[[V2]] : i32 to f32
// LINALG:           %[[V5:.*]] = arith.mulf %[[V4]], %{{.*}} : f32
// LINALG:           %[[V6:.*]] = arith.addf %[[V1]], %[[V5]] : f32
// LINALG:           linalg.yield %[[V6]] : f32
// LINALG:         } -> tensor<2x4xf32>
// LINALG:         return %[[V0]] : tensor<2x4xf32>
//
// TOSA-LABEL: func.func @alpha_and_promotion
// TOSA-SAME:    (%[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<2x1xi32>)
// TOSA:         %[[V2:.*]] = tosa.cast %[[A1]] : (tensor<2x1xi32>) -> tensor<2x1xf32>
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V5:.*]] = tosa.mul %[[V2]], %[[V3]], %[[V4]] : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
// TOSA:         %[[V6:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V7:.*]] = tosa.reshape %[[A0]], %[[V6]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V8:.*]] = tosa.add %[[V7]], %[[V5]] : (tensor<1x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// TOSA:         return %[[V8]] : tensor<2x4xf32>
func.func @alpha_and_promotion(%a: !torch.vtensor<[4],f32>, %b: !torch.vtensor<[2,1],si32>) -> !torch.vtensor<[2,4],f32> {
  %int2 = torch.constant.int 2
  %r = torch.aten.add.Tensor %a, %b, %int2
      : !torch.vtensor<[4],f32>, !torch.vtensor<[2,1],si32>, !torch.int -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}
