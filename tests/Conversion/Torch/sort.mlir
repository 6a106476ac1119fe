// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @ascending_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xi64>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V5:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.dynamic_iota"(%[[V5]]) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x3xi64>
// MHLO:         %[[V7:.*]]:2 = "mhlo.sort"(%[[A0]], %[[V6]]) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO:         ^bb0(%[[A8:.*]]: tensor<i64>, %[[A9:.*]]: tensor<i64>, %[[A10:.*]]: tensor<i64>, %[[A11:.*]]: tensor<i64>):
// MHLO:         %[[V12:.*]] = mhlo.compare LT, %[[A8]], %[[A9]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         mhlo.return %[[V12]] : tensor<i1>
// MHLO:         }) : (tensor<?x3xi64>, tensor<?x3xi64>) -> (tensor<?x3xi64>, tensor<?x3xi64>)
// MHLO:         return %[[V7]]#0, %[[V7]]#1 : tensor<?x3xi64>, tensor<?x3xi64>
//
// LINALG-LABEL: func.func @ascending_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// LINALG:         %[[V0:.*]]:2 = scf.for %[[V1:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V2:.*]] = %{{.*}}, %[[V3:.*]] = %{{.*}}) -> (tensor<?x3xi64>, tensor<2x3xi64>) {
// LINALG:           %[[V4:.*]] = scf.for %[[V5:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V6:.*]] = %[[V3]]) -> (tensor<2x3xi64>) {
// LINALG:             %[[V7:.*]] = tensor.insert %{{.*}} into %[[V6]][%{{.*}}, %[[V5]]] : tensor<2x3xi64>
// LINALG:           %[[V8:.*]]:3 = scf.while (%[[V9:.*]] = %{{.*}}, %[[V10:.*]] = %{{.*}}, %[[V11:.*]] = %[[V4]]) : (index, index, tensor<2x3xi64>) -> (index, index, tensor<2x3xi64>) {
// LINALG:             %[[V12:.*]] = arith.cmpi slt, %[[V10]], %{{.*}} : index
// LINALG:             scf.condition(%[[V12]]) %[[V9]], %[[V10]], %[[V11]] : index, index, tensor<2x3xi64>
// LINALG:             %[[V13:.*]] = scf.for %[[V14:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V15:.*]] = %[[V11]]) -> (tensor<2x3xi64>) {
// LINALG:               %[[V16:.*]]:3 = scf.for %[[V17:.*]] = %[[V14]] to %{{.*}} step %{{.*}} iter_args(%[[V18:.*]] = %[[V15]], %[[V19:.*]] = %[[V14]], %[[V20:.*]] = %{{.*}}) -> (tensor<2x3xi64>, index, index) {
// LINALG:                 %[[V21:.*]] = tensor.extract %[[V18]][%[[V9]], %{{.*}}] : tensor<2x3xi64>
// LINALG:                 %[[V22:.*]] = tensor.extract %[[V18]][%[[V9]], %{{.*}}] : tensor<2x3xi64>
// LINALG:                 %[[V23:.*]] = arith.cmpi slt, %[[V20]], %{{.*}} : index
// LINALG:                 %[[V24:.*]] = tensor.extract %[[A0]][%[[V1]], %{{.*}}] : tensor<?x3xi64>
// LINALG:                 %[[V25:.*]] = tensor.extract %[[A0]][%[[V1]], %{{.*}}] : tensor<?x3xi64>
// LINALG:                 %[[V26:.*]] = arith.cmpi slt, %[[V24]], %[[V25]] : i64
// LINALG:                 %[[V27:.*]] = arith.cmpi sge, %[[V19]], %{{.*}} : index
// LINALG:                 %[[V28:.*]] = tensor.insert %{{.*}} into %[[V18]][%[[V12]], %[[V17]]] : tensor<2x3xi64>
// LINALG:           %[[V29:.*]] = scf.for %[[V30:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V31:.*]] = %[[V2]]) -> (tensor<?x3xi64>) {
// LINALG:             %[[V32:.*]] = tensor.extract %[[V8]]#2[%[[V8]]#0, %[[V30]]] : tensor<2x3xi64>
// LINALG:             %[[V33:.*]] = tensor.insert %[[V32]] into %[[V31]][%[[V1]], %[[V30]]] : tensor<?x3xi64>
// LINALG:         %[[V34:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V0]]#0 : tensor<?x3xi64>) outs(%{{.*}} : tensor<?x3xi64>) {
// LINALG:           %[[V35:.*]] = tensor.extract %[[A0]][%[[V4]], %[[V8]]] : tensor<?x3xi64>
// LINALG:         return %[[V34]], %[[V0]]#0 : tensor<?x3xi64>, tensor<?x3xi64>
func.func @ascending_ints(%a: !torch.vtensor<[?,3],si64>) -> (!torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>) {
  %int_1 = torch.constant.int -1
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.sort': expected sizes and a dim that are known while compiling; make sizes known with --specialize}}
  %r0, %r1 = torch.aten.sort %a, %int_1, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
  return %r0, %r1 : !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
}

// -----

// MHLO-LABEL: func.func @descending_floats
// MHLO-SAME:    (%[[A0:.*]]: tensor<3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi64>
// MHLO:         %[[V2:.*]]:2 = "mhlo.sort"(%[[A0]], %[[V1]]) <{dimension = 0 : i64, is_stable = true}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>, %[[A5:.*]]: tensor<i64>, %[[A6:.*]]: tensor<i64>):
// MHLO:         %[[V7:.*]] = mhlo.compare GT, %[[A3]], %[[A4]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V8:.*]] = mhlo.compare NE, %[[A3]], %[[A3]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V9:.*]] = mhlo.compare NE, %[[A4]], %[[A4]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V10:.*]] = mhlo.not %[[V9]] : tensor<i1>
// MHLO:         %[[V11:.*]] = mhlo.and %[[V8]], %[[V10]] : tensor<i1>
// MHLO:         %[[V12:.*]] = mhlo.or %[[V7]], %[[V11]] : tensor<i1>
// MHLO:         mhlo.return %[[V12]] : tensor<i1>
// MHLO:         }) : (tensor<3xf32>, tensor<3xi64>) -> (tensor<3xf32>, tensor<3xi64>)
// MHLO:         return %[[V2]]#0, %[[V2]]#1 : tensor<3xf32>, tensor<3xi64>
//
// LINALG-LABEL: func.func @descending_floats
// LINALG-SAME:    (%[[A0:.*]]: tensor<3xf32>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A0]] {{\[}}[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
// LINALG:         %[[V1:.*]] = scf.for %[[V2:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V3:.*]] = %{{.*}}) -> (tensor<2x3xi64>) {
// LINALG:           %[[V4:.*]] = tensor.insert %{{.*}} into %[[V3]][%{{.*}}, %[[V2]]] : tensor<2x3xi64>
// LINALG:         %[[V5:.*]]:3 = scf.while (%[[V6:.*]] = %{{.*}}, %[[V7:.*]] = %{{.*}}, %[[V8:.*]] = %[[V1]]) : (index, index, tensor<2x3xi64>) -> (index, index, tensor<2x3xi64>) {
// LINALG:           %[[V9:.*]] = arith.cmpi slt, %[[V7]], %{{.*}} : index
// LINALG:           scf.condition(%[[V9]]) %[[V6]], %[[V7]], %[[V8]] : index, index, tensor<2x3xi64>
// LINALG:           %[[V10:.*]] = scf.for %[[V11:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V12:.*]] = %[[V8]]) -> (tensor<2x3xi64>) {
// LINALG:             %[[V13:.*]]:3 = scf.for %[[V14:.*]] = %[[V11]] to %{{.*}} step %{{.*}} iter_args(%[[V15:.*]] = %[[V12]], %[[V16:.*]] = %[[V11]], %[[V17:.*]] = %{{.*}}) -> (tensor<2x3xi64>, index, index) {
// LINALG:               %[[V18:.*]] = tensor.extract %[[V15]][%[[V6]], %{{.*}}] : tensor<2x3xi64>
// LINALG:               %[[V19:.*]] = tensor.extract %[[V15]][%[[V6]], %{{.*}}] : tensor<2x3xi64>
// LINALG:               %[[V20:.*]] = arith.cmpi slt, %[[V17]], %{{.*}} : index
// LINALG:               %[[V21:.*]] = tensor.extract %[[V0]][%{{.*}}, %{{.*}}] : tensor<1x3xf32>
// LINALG:               %[[V22:.*]] = tensor.extract %[[V0]][%{{.*}}, %{{.*}}] : tensor<1x3xf32>
// LINALG:               %[[V23:.*]] = arith.cmpf ogt, %[[V21]], %[[V22]] : f32
// LINALG:               %[[V24:.*]] = arith.cmpf uno, %[[V21]], %[[V21]] : f32
// LINALG:               %[[V25:.*]] = arith.cmpf oeq, %[[V22]], %[[V22]] : f32
// LINALG:               %[[V26:.*]] = arith.cmpi sge, %[[V16]], %{{.*}} : index
// LINALG:               %[[V27:.*]] = tensor.insert %{{.*}} into %[[V15]][%[[V9]], %[[V14]]] : tensor<2x3xi64>
// LINALG:         %[[V28:.*]] = scf.for %[[V29:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V30:.*]] = %{{.*}}) -> (tensor<1x3xi64>) {
// LINALG:           %[[V31:.*]] = tensor.extract %[[V5]]#2[%[[V5]]#0, %[[V29]]] : tensor<2x3xi64>
// LINALG:           %[[V32:.*]] = tensor.insert %[[V31]] into %[[V30]][%{{.*}}, %[[V29]]] : tensor<1x3xi64>
// LINALG:         %[[V33:.*]] = tensor.collapse_shape %[[V28]] {{\[}}[0, 1]] : tensor<1x3xi64> into tensor<3xi64>
// LINALG:         %[[V34:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]} ins(%[[V33]] : tensor<3xi64>) outs(%{{.*}} : tensor<3xf32>) {
// LINALG:           %[[V35:.*]] = tensor.extract %[[A0]][%[[V9]]] : tensor<3xf32>
// LINALG:         return %[[V34]], %[[V33]] : tensor<3xf32>, tensor<3xi64>
//
// TOSA-LABEL: func.func @descending_floats
// TOSA-SAME:    (%[[A0:.*]]: tensor<3xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[1, 3, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[V2]], %[[V3]] : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[1, 1, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[V2]], %[[V5]] : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V6]], %[[V4]] : (tensor<1x1x3xf32>, tensor<1x3x1xf32>) -> tensor<1x3x3xi1>
// TOSA:         %[[V8:.*]] = tosa.equal %[[V6]], %[[V6]] : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xi1>
// TOSA:         %[[V9:.*]] = tosa.logical_not %[[V8]] : (tensor<1x1x3xi1>) -> tensor<1x1x3xi1>
// TOSA:         %[[V10:.*]] = tosa.equal %[[V4]], %[[V4]] : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xi1>
// TOSA:         %[[V11:.*]] = tosa.logical_not %[[V10]] : (tensor<1x3x1xi1>) -> tensor<1x3x1xi1>
// TOSA:         %[[V12:.*]] = tosa.logical_not %[[V11]] : (tensor<1x3x1xi1>) -> tensor<1x3x1xi1>
// TOSA:         %[[V13:.*]] = tosa.logical_and %[[V9]], %[[V12]] : (tensor<1x1x3xi1>, tensor<1x3x1xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V14:.*]] = tosa.logical_or %[[V7]], %[[V13]] : (tensor<1x3x3xi1>, tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V15:.*]] = tosa.greater %[[V4]], %[[V6]] : (tensor<1x3x1xf32>, tensor<1x1x3xf32>) -> tensor<1x3x3xi1>
// TOSA:         %[[V16:.*]] = tosa.logical_not %[[V9]] : (tensor<1x1x3xi1>) -> tensor<1x1x3xi1>
// TOSA:         %[[V17:.*]] = tosa.logical_and %[[V11]], %[[V16]] : (tensor<1x3x1xi1>, tensor<1x1x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V18:.*]] = tosa.logical_or %[[V15]], %[[V17]] : (tensor<1x3x3xi1>, tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V19:.*]] = tosa.logical_or %[[V14]], %[[V18]] : (tensor<1x3x3xi1>, tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V20:.*]] = tosa.logical_not %[[V19]] : (tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V21:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}0, 1, 2]]]> : tensor<1x1x3xi32>}> : () -> tensor<1x1x3xi32>
// TOSA:         %[[V22:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}0], [1], [2]]]> : tensor<1x3x1xi32>}> : () -> tensor<1x3x1xi32>
// TOSA:         %[[V23:.*]] = tosa.greater %[[V22]], %[[V21]] : (tensor<1x3x1xi32>, tensor<1x1x3xi32>) -> tensor<1x3x3xi1>
// TOSA:         %[[V24:.*]] = tosa.logical_and %[[V20]], %[[V23]] : (tensor<1x3x3xi1>, tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V25:.*]] = tosa.logical_or %[[V14]], %[[V24]] : (tensor<1x3x3xi1>, tensor<1x3x3xi1>) -> tensor<1x3x3xi1>
// TOSA:         %[[V26:.*]] = tosa.cast %[[V25]] : (tensor<1x3x3xi1>) -> tensor<1x3x3xi32>
// TOSA:         %[[V27:.*]] = tosa.reduce_sum %[[V26]] {axis = 2 : i32} : (tensor<1x3x3xi32>) -> tensor<1x3x1xi32>
// TOSA:         %[[V28:.*]] = tosa.equal %[[V27]], %[[V21]] : (tensor<1x3x1xi32>, tensor<1x1x3xi32>) -> tensor<1x3x3xi1>
// TOSA:         %[[V29:.*]] = "tosa.const"() <{values = dense<0> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
// TOSA:         %[[V30:.*]] = tosa.select %[[V28]], %[[V22]], %[[V29]] : (tensor<1x3x3xi1>, tensor<1x3x1xi32>, tensor<1x1x1xi32>) -> tensor<1x3x3xi32>
// TOSA:         %[[V31:.*]] = tosa.reduce_sum %[[V30]] {axis = 1 : i32} : (tensor<1x3x3xi32>) -> tensor<1x1x3xi32>
// TOSA:         %[[V32:.*]] = tosa.reshape %[[V31]], %[[V1]] : (tensor<1x1x3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
// TOSA:         %[[V33:.*]] = tosa.gather %[[V4]], %[[V32]] : (tensor<1x3x1xf32>, tensor<1x3xi32>) -> tensor<1x3x1xf32>
// TOSA:         %[[V34:.*]] = tosa.reshape %[[V33]], %[[V1]] : (tensor<1x3x1xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
// TOSA:         %[[V35:.*]] = tosa.const_shape  {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V36:.*]] = tosa.reshape %[[V34]], %[[V35]] : (tensor<1x3xf32>, !tosa.shape<1>) -> tensor<3xf32>
// TOSA:         %[[V37:.*]] = tosa.reshape %[[V32]], %[[V35]] : (tensor<1x3xi32>, !tosa.shape<1>) -> tensor<3xi32>
// TOSA:         return %[[V36]], %[[V37]] : tensor<3xf32>, tensor<3xi32>
func.func @descending_floats(%a: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>) {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %r0, %r1 = torch.aten.sort %a, %int0, %true
      : !torch.vtensor<[3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
  return %r0, %r1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
}
