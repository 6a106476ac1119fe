// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1) -> ()>

// MHLO-LABEL: func.func @replace
// MHLO-SAME:    (%[[A0:.*]]: tensor<5x4xf32>, %[[A1:.*]]: tensor<3xi64>, %[[A2:.*]]: tensor<3x4xf32>)
// MHLO:         %[[V3:.*]] = mhlo.constant dense<0> : tensor<3xi64>
// MHLO:         %[[V4:.*]] = mhlo.compare LT, %[[A1]], %[[V3]], SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<5> : tensor<3xi64>
// MHLO:         %[[V6:.*]] = mhlo.add %[[A1]], %[[V5]] : tensor<3xi64>
// MHLO:         %[[V7:.*]] = mhlo.select %[[V4]], %[[V6]], %[[A1]] : tensor<3xi1>, tensor<3xi64>
// MHLO:         %[[V8:.*]] = mhlo.reshape %[[V7]] : (tensor<3xi64>) -> tensor<3x1xi64>
// MHLO:         %[[V9:.*]] = "mhlo.scatter"(%[[A0]], %[[V8]], %[[A2]]) <{scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
// MHLO:         ^bb0(%[[A10:.*]]: tensor<f32>, %[[A11:.*]]: tensor<f32>):
// MHLO:         mhlo.return %[[A11]] : tensor<f32>
// MHLO:         }) : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32>
// MHLO:         return %[[V9]] : tensor<5x4xf32>
//
// LINALG-LABEL: func.func @replace
// LINALG-SAME:    (%[[A0:.*]]: tensor<5x4xf32>, %[[A1:.*]]: tensor<3xi64>, %[[A2:.*]]: tensor<3x4xf32>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A1]] {{\[}}[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V0]] : tensor<3x1xi64>) outs(%{{.*}} : tensor<3x4xi64>) {
// LINALG:         ^bb0(%[[V2:.*]]: i64, %[[V3:.*]]: i64):
// LINALG:           linalg.yield %[[V2]] : i64
// LINALG:         } -> tensor<3x4xi64>
// LINALG:         %[[V4:.*]] = scf.for %[[V5:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V6:.*]] = %[[A0]]) -> (tensor<5x4xf32>) {
// LINALG:           %[[V7:.*]] = scf.for %[[V8:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V9:.*]] = %[[V6]]) -> (tensor<5x4xf32>) {
// LINALG:             %[[V10:.*]] = tensor.extract %[[V1]][%[[V5]], %[[V8]]] : tensor<3x4xi64>
// LINALG:             %[[V11:.*]] = arith.index_cast %[[V10]] : i64 to index
// LINALG:             %[[V12:.*]] = arith.cmpi slt, %[[V11]], %{{.*}} : index
// LINALG:             %[[V13:.*]] = arith.addi %[[V11]], %{{.*}} : index
// LINALG:             %[[V14:.*]] = arith.select %[[V12]], %[[V13]], %[[V11]] : index
// LINALG:             %[[V15:.*]] = arith.cmpi ult, %[[V14]], %{{.*}} : index
// LINALG:             cf.assert %[[V15]], "expected an index inside the dim it indexes"
// LINALG:             %[[V16:.*]] = tensor.extract %[[A2]][%[[V5]], %[[V8]]] : tensor<3x4xf32>
// LINALG:             %[[V17:.*]] = tensor.insert %[[V16]] into %[[V9]][%[[V14]], %[[V8]]] : tensor<5x4xf32>
// LINALG:             scf.yield %[[V17]] : tensor<5x4xf32>
// LINALG:           scf.yield %[[V7]] : tensor<5x4xf32>
// LINALG:         return %[[V4]] : tensor<5x4xf32>
//
// TOSA-LABEL: func.func @replace
// TOSA-SAME:    (%[[A0:.*]]: tensor<5x4xf32>, %[[A1:.*]]: tensor<3xi32> {isthmus.dtype = si64}, %[[A2:.*]]: tensor<3x4xf32>)
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V5:.*]] = tosa.greater %[[V4]], %[[A1]] : (tensor<1xi32>, tensor<3xi32>) -> tensor<3xi1>
// TOSA:         %[[V6:.*]] = tosa.add %[[A1]], %[[V3]] : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xi32>
// TOSA:         %[[V7:.*]] = tosa.select %[[V5]], %[[V6]], %[[A1]] : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
// TOSA:         %[[V8:.*]] = tosa.const_shape  {values = dense<[1, 3, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V9:.*]] = tosa.reshape %[[A2]], %[[V8]] : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
// TOSA:         %[[V10:.*]] = tosa.const_shape  {values = dense<[1, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V11:.*]] = tosa.reshape %[[A0]], %[[V10]] : (tensor<5x4xf32>, !tosa.shape<3>) -> tensor<1x5x4xf32>
// TOSA:         %[[V12:.*]] = tosa.const_shape  {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V13:.*]] = tosa.reshape %[[V7]], %[[V12]] : (tensor<3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
// TOSA:         %[[V14:.*]] = tosa.scatter %[[V11]], %[[V13]], %[[V9]] : (tensor<1x5x4xf32>, tensor<1x3xi32>, tensor<1x3x4xf32>) -> tensor<1x5x4xf32>
// TOSA:         %[[V15:.*]] = tosa.const_shape  {values = dense<[5, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V16:.*]] = tosa.reshape %[[V14]], %[[V15]] : (tensor<1x5x4xf32>, !tosa.shape<2>) -> tensor<5x4xf32>
// TOSA:         return %[[V16]] : tensor<5x4xf32>
func.func @replace(%a: !torch.vtensor<[5,4],f32>, %b: !torch.vtensor<[3],si64>, %c: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[5,4],f32> {
  %indices = torch.prim.ListConstruct %b
      : (!torch.vtensor<[3],si64>) -> !torch.list<optional<vtensor>>
  %false = torch.constant.bool false
  %r = torch.aten.index_put %a, %indices, %c, %false
      : !torch.vtensor<[5,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[3,4],f32>, !torch.bool -> !torch.vtensor<[5,4],f32>
  return %r : !torch.vtensor<[5,4],f32>
}

// -----

// MHLO-LABEL: func.func @accumulate
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<2xi64>, %[[A2:.*]]: tensor<f32>)
// MHLO:         %[[V3:.*]] = mhlo.constant dense<0> : tensor<2xi64>
// MHLO:         %[[V4:.*]] = mhlo.compare LT, %[[A1]], %[[V3]], SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<2xi64>
// MHLO:         %[[V6:.*]] = mhlo.add %[[A1]], %[[V5]] : tensor<2xi64>
// MHLO:         %[[V7:.*]] = mhlo.select %[[V4]], %[[V6]], %[[A1]] : tensor<2xi1>, tensor<2xi64>
// MHLO:         %[[V8:.*]] = mhlo.reshape %[[V7]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V9:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V10:.*]] = mhlo.convert %[[V9]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V11:.*]] = mhlo.reshape %[[V10]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V12:.*]] = mhlo.constant dense<2> : tensor<1xi64>
// MHLO:         %[[V13:.*]] = "mhlo.concatenate"(%[[V11]], %[[V12]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V14:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A2]], %[[V13]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x2xf32>
// MHLO:         %[[V15:.*]] = "mhlo.scatter"(%[[A0]], %[[V8]], %[[V14]]) <{scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
// MHLO:         ^bb0(%[[A16:.*]]: tensor<f32>, %[[A17:.*]]: tensor<f32>):
// MHLO:         %[[V18:.*]] = mhlo.add %[[A16]], %[[A17]] : tensor<f32>
// MHLO:         mhlo.return %[[V18]] : tensor<f32>
// MHLO:         }) : (tensor<?x4xf32>, tensor<2x1xi64>, tensor<?x2xf32>) -> tensor<?x4xf32>
// MHLO:         return %[[V15]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @accumulate
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<2xi64>, %[[A2:.*]]: tensor<f32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<2xi64>) outs(%{{.*}} : tensor<?x2xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i64):
// LINALG:           linalg.yield %[[V1]] : i64
// LINALG:         } -> tensor<?x2xi64>
// LINALG:         %[[V3:.*]] = linalg.generic {indexing_maps = [#[[$MAP3]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A2]] : tensor<f32>) outs(%{{.*}} : tensor<?x2xf32>) {
// LINALG:         ^bb0(%[[V4:.*]]: f32, %[[V5:.*]]: f32):
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?x2xf32>
// LINALG:         %[[V6:.*]] = scf.for %[[V7:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V8:.*]] = %[[A0]]) -> (tensor<?x4xf32>) {
// LINALG:           %[[V9:.*]] = scf.for %[[V10:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V11:.*]] = %[[V8]]) -> (tensor<?x4xf32>) {
// LINALG:             %[[V12:.*]] = tensor.extract %[[V0]][%[[V7]], %[[V10]]] : tensor<?x2xi64>
// LINALG:             %[[V13:.*]] = arith.index_cast %[[V12]] : i64 to index
// LINALG:             %[[V14:.*]] = arith.cmpi slt, %[[V13]], %{{.*}} : index
// LINALG:             %[[V15:.*]] = arith.addi %[[V13]], %{{.*}} : index
// LINALG:             %[[V16:.*]] = arith.select %[[V14]], %[[V15]], %[[V13]] : index
// LINALG:             %[[V17:.*]] = arith.cmpi ult, %[[V16]], %{{.*}} : index
// LINALG:             cf.assert %[[V17]], "expected an index inside the dim it indexes"
// LINALG:             %[[V18:.*]] = tensor.extract %[[V3]][%[[V7]], %[[V10]]] : tensor<?x2xf32>
// LINALG:             %[[V19:.*]] = tensor.extract %[[V11]][%[[V7]], %[[V16]]] : tensor<?x4xf32>
// LINALG:             %[[V20:.*]] = arith.addf %[[V19]], %[[V18]] : f32
// LINALG:             %[[V21:.*]] = tensor.insert %[[V20]] into %[[V11]][%[[V7]], %[[V16]]] : tensor<?x4xf32>
// LINALG:             scf.yield %[[V21]] : tensor<?x4xf32>
// LINALG:           scf.yield %[[V9]] : tensor<?x4xf32>
// LINALG:         return %[[V6]] : tensor<?x4xf32>
func.func @accumulate(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[2],si64>, %c: !torch.vtensor<[],f32>) -> !torch.vtensor<[?,4],f32> {
  %none = torch.constant.none
  %indices = torch.prim.ListConstruct %none, %b
      : (!torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_put': expected a tensor of known sizes, got '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index_put %a, %indices, %c, %true
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
