// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}

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
func.func @true(%a: !torch.vtensor<[2],f32>, %b: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %r = torch.aten.div.Tensor_mode %a, %b, %none
      : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
