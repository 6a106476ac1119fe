// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @known_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [2, 0]]> : tensor<2x2xi64>, window_dilations = dense<1> : tensor<2xi64>, window_dimensions = dense<[1, 3]> : tensor<2xi64>, window_strides = dense<1> : tensor<2xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.multiply %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         return %[[V2]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @known_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x1xf32>) -> tensor<?x1xf32>
// LINALG:         %[[V1:.*]]:2 = scf.for %[[V2:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V3:.*]] = %{{.*}}, %[[V4:.*]] = %[[V0]]) -> (tensor<?x3xf32>, tensor<?x1xf32>) {
// LINALG:           %[[V5:.*]] = tensor.extract_slice %[[A0]][0, %[[V2]]] [%{{.*}}, 1] [1, 1] : tensor<?x3xf32> to tensor<?x1xf32>
// LINALG:           %[[V6:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// LINALG:           %[[V7:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// LINALG:           %[[V8:.*]] = scf.if %[[V7]] -> (tensor<?x1xf32>) {
// LINALG:             %[[V9:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x1xf32>) {
// LINALG:             ^bb0(%[[V10:.*]]: f32):
// LINALG:               %[[V11:.*]] = linalg.index 0 : index
// LINALG:               %[[V12:.*]] = arith.select %[[V6]], %{{.*}}, %[[V11]] : index
// LINALG:               %[[V13:.*]] = tensor.extract %[[V4]][%[[V12]], %{{.*}}] : tensor<?x1xf32>
// LINALG:               linalg.yield %[[V13]] : f32
// LINALG:             } -> tensor<?x1xf32>
// LINALG:             scf.yield %[[V9]] : tensor<?x1xf32>
// LINALG:           } else {
// LINALG:             scf.yield %[[V4]] : tensor<?x1xf32>
// LINALG:           %[[V14:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V8]], %[[V5]] : tensor<?x1xf32>, tensor<?x1xf32>) outs(%{{.*}} : tensor<?x1xf32>) {
// LINALG:           ^bb0(%[[V15:.*]]: f32, %[[V16:.*]]: f32, %[[V17:.*]]: f32):
// LINALG:             %[[V18:.*]] = arith.mulf %[[V15]], %[[V16]] : f32
// LINALG:             linalg.yield %[[V18]] : f32
// LINALG:           } -> tensor<?x1xf32>
// LINALG:           %[[V19:.*]] = tensor.insert_slice %[[V14]] into %[[V3]][0, %[[V2]]] [%{{.*}}, 1] [1, 1] : tensor<?x1xf32> into tensor<?x3xf32>
// LINALG:           scf.yield %[[V19]], %[[V14]] : tensor<?x3xf32>, tensor<?x1xf32>
// LINALG:         return %[[V1]]#0 : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @known_size
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[-1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V3:.*]] = tosa.slice %[[A0]], %[[V1]], %[[V2]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x1xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<[-1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V5:.*]] = tosa.slice %[[A0]], %[[V1]], %[[V4]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x2xf32>
// TOSA:         %[[V6:.*]] = tosa.const_shape  {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V7:.*]] = tosa.slice %[[A0]], %[[V6]], %[[V4]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x2xf32>
// TOSA:         %[[V8:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V9:.*]] = tosa.mul %[[V7]], %[[V5]], %[[V8]] : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<1xi8>) -> tensor<?x2xf32>
// TOSA:         %[[V10:.*]] = tosa.concat %[[V3]], %[[V9]] {axis = 1 : i32} : (tensor<?x1xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V11:.*]] = tosa.slice %[[V10]], %[[V1]], %[[V4]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x2xf32>
// TOSA:         %[[V12:.*]] = tosa.slice %[[V10]], %[[V1]], %[[V2]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x1xf32>
// TOSA:         %[[V13:.*]] = tosa.const_shape  {values = dense<[0, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V14:.*]] = tosa.slice %[[V10]], %[[V13]], %[[V2]] : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x1xf32>
// TOSA:         %[[V15:.*]] = tosa.mul %[[V14]], %[[V12]], %[[V8]] : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x1xf32>
// TOSA:         %[[V16:.*]] = tosa.concat %[[V11]], %[[V15]] {axis = 1 : i32} : (tensor<?x2xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V16]] : tensor<?x3xf32>
func.func @known_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %r = torch.aten.cumprod %a, %int1, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// -----

// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 1 : i64}> : (tensor<3xi64>) -> tensor<?x?x3xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 0 : i64}> : (tensor<3xi64>) -> tensor<?x?x3xi64>
// MHLO:         %[[V9:.*]] = mhlo.compare LE, %[[V7]], %[[V8]], SIGNED : (tensor<?x?x3xi64>, tensor<?x?x3xi64>) -> tensor<?x?x3xi1>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V6]]) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
// MHLO:         %[[V11:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V1]], %[[V6]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x3xf32>
// MHLO:         %[[V12:.*]] = mhlo.select %[[V9]], %[[V10]], %[[V11]] : tensor<?x?x3xi1>, tensor<?x?x3xf32>
// MHLO:         %[[V13:.*]] = "mhlo.reduce"(%[[V12]], %[[V1]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A14:.*]]: tensor<f32>, %[[A15:.*]]: tensor<f32>):
// MHLO:         %[[V16:.*]] = mhlo.multiply %[[A14]], %[[A15]] : tensor<f32>
// MHLO:         mhlo.return %[[V16]] : tensor<f32>
// MHLO:         }) : (tensor<?x?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         return %[[V13]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @unknown_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x3xf32>) -> tensor<1x3xf32>
// LINALG:         %[[V1:.*]]:2 = scf.for %[[V2:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V3:.*]] = %{{.*}}, %[[V4:.*]] = %[[V0]]) -> (tensor<?x3xf32>, tensor<1x3xf32>) {
// LINALG:           %[[V5:.*]] = tensor.extract_slice %[[A0]][%[[V2]], 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<1x3xf32>
// LINALG:           %[[V6:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V4]], %[[V5]] : tensor<1x3xf32>, tensor<1x3xf32>) outs(%{{.*}} : tensor<1x3xf32>) {
// LINALG:           ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32, %[[V9:.*]]: f32):
// LINALG:             %[[V10:.*]] = arith.mulf %[[V7]], %[[V8]] : f32
// LINALG:             linalg.yield %[[V10]] : f32
// LINALG:           } -> tensor<1x3xf32>
// LINALG:           %[[V11:.*]] = tensor.insert_slice %[[V6]] into %[[V3]][%[[V2]], 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
// LINALG:           scf.yield %[[V11]], %[[V6]] : tensor<?x3xf32>, tensor<1x3xf32>
// LINALG:         return %[[V1]]#0 : tensor<?x3xf32>
func.func @unknown_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.cumprod': expected a dim of known size; make sizes known with --specialize}}
  %r = torch.aten.cumprod %a, %int0, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
