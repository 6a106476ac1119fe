// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @amax
// MHLO-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi64>, %[[A2:.*]]: tensor<3x2xf32>)
// MHLO:         %[[V3:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x2x1xi64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[A1]] : (tensor<3x2xi64>) -> tensor<3x2x1xi64>
// MHLO:         %[[V5:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]]) <{dimension = 2 : i64}> : (tensor<3x2x1xi64>, tensor<3x2x1xi64>) -> tensor<3x2x2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.slice"(%[[A2]]) <{limit_indices = dense<[3, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
// MHLO:         %[[V7:.*]] = "mhlo.scatter"(%[[A0]], %[[V5]], %[[V6]]) <{scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
// MHLO:         ^bb0(%[[A8:.*]]: tensor<f32>, %[[A9:.*]]: tensor<f32>):
// MHLO:         %[[V10:.*]] = mhlo.maximum %[[A8]], %[[A9]] : tensor<f32>
// MHLO:         mhlo.return %[[V10]] : tensor<f32>
// MHLO:         }) : (tensor<3x5xf32>, tensor<3x2x2xi64>, tensor<3x2xf32>) -> tensor<3x5xf32>
// MHLO:         return %[[V7]] : tensor<3x5xf32>
//
// LINALG-LABEL: func.func @amax
// LINALG-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi64>, %[[A2:.*]]: tensor<3x2xf32>)
// LINALG:         %[[V0:.*]] = scf.for %[[V1:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V2:.*]] = %[[A0]]) -> (tensor<3x5xf32>) {
// LINALG:           %[[V3:.*]] = scf.for %[[V4:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V5:.*]] = %[[V2]]) -> (tensor<3x5xf32>) {
// LINALG:             %[[V6:.*]] = tensor.extract %[[A1]][%[[V1]], %[[V4]]] : tensor<3x2xi64>
// LINALG:             %[[V7:.*]] = arith.index_cast %[[V6]] : i64 to index
// LINALG:             %[[V8:.*]] = arith.cmpi slt, %[[V7]], %{{.*}} : index
// LINALG:             %[[V9:.*]] = arith.addi %[[V7]], %{{.*}} : index
// LINALG:             %[[V10:.*]] = arith.select %[[V8]], %[[V9]], %[[V7]] : index
// LINALG:             %[[V11:.*]] = arith.cmpi ult, %[[V10]], %{{.*}} : index
// LINALG:             cf.assert %[[V11]], "expected an index inside the dim it indexes"
// LINALG:             %[[V12:.*]] = tensor.extract %[[V5]][%[[V1]], %[[V10]]] : tensor<3x5xf32>
// LINALG:             %[[V13:.*]] = tensor.extract %[[A2]][%[[V1]], %[[V4]]] : tensor<3x2xf32>
// LINALG:             %[[V14:.*]] = arith.maximumf %[[V12]], %[[V13]] : f32
// LINALG:             %[[V15:.*]] = tensor.insert %[[V14]] into %[[V5]][%[[V1]], %[[V10]]] : tensor<3x5xf32>
// LINALG:             scf.yield %[[V15]] : tensor<3x5xf32>
// LINALG:           scf.yield %[[V3]] : tensor<3x5xf32>
// LINALG:         return %[[V0]] : tensor<3x5xf32>
//
// TOSA-LABEL: func.func @amax
// TOSA-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi32> {isthmus.dtype = si64}, %[[A2:.*]]: tensor<3x2xf32>)
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[3, 5, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[A0]], %[[V3]] : (tensor<3x5xf32>, !tosa.shape<3>) -> tensor<3x5x1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[3, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[A2]], %[[V5]] : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[3, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V8:.*]] = tosa.reshape %[[A1]], %[[V7]] : (tensor<3x2xi32>, !tosa.shape<4>) -> tensor<3x1x2x1xi32>
// TOSA:         %[[V9:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}0]], {{\[\[}}1]], {{\[\[}}2]], {{\[\[}}3]], {{\[\[}}4]]]]> : tensor<1x5x1x1xi32>}> : () -> tensor<1x5x1x1xi32>
// TOSA:         %[[V10:.*]] = tosa.equal %[[V8]], %[[V9]] : (tensor<3x1x2x1xi32>, tensor<1x5x1x1xi32>) -> tensor<3x5x2x1xi1>
// TOSA:         %[[V11:.*]] = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
// TOSA:         %[[V12:.*]] = tosa.reshape %[[V6]], %[[V7]] : (tensor<3x2x1xf32>, !tosa.shape<4>) -> tensor<3x1x2x1xf32>
// TOSA:         %[[V13:.*]] = tosa.select %[[V10]], %[[V12]], %[[V11]] : (tensor<3x5x2x1xi1>, tensor<3x1x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<3x5x2x1xf32>
// TOSA:         %[[V14:.*]] = tosa.reduce_max %[[V13]] {axis = 2 : i32} : (tensor<3x5x2x1xf32>) -> tensor<3x5x1x1xf32>
// TOSA:         %[[V15:.*]] = tosa.reshape %[[V14]], %[[V3]] : (tensor<3x5x1x1xf32>, !tosa.shape<3>) -> tensor<3x5x1xf32>
// TOSA:         %[[V16:.*]] = tosa.maximum %[[V4]], %[[V15]] : (tensor<3x5x1xf32>, tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
// TOSA:         %[[V17:.*]] = tosa.const_shape  {values = dense<[3, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V18:.*]] = tosa.reshape %[[V16]], %[[V17]] : (tensor<3x5x1xf32>, !tosa.shape<2>) -> tensor<3x5xf32>
// TOSA:         return %[[V18]] : tensor<3x5xf32>
func.func @amax(%a: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,2],si64>, %c: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,5],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "amax"
  %true = torch.constant.bool true
  %r = torch.aten.scatter_reduce.two %a, %int1, %b, %c, %str, %true
      : !torch.vtensor<[3,5],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3,5],f32>
  return %r : !torch.vtensor<[3,5],f32>
}

// MHLO-LABEL: func.func @mean_without_self
// MHLO-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi64>, %[[A2:.*]]: tensor<3x2xf32>)
// MHLO:         %{{.*}} = "mhlo.slice"(%{{.*}}) <{limit_indices = dense<[3, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
// MHLO:         %{{.*}} = "mhlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
// MHLO:         %{{.*}} = "mhlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
// MHLO:         %{{.*}} = "mhlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
// MHLO:         %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<3x5xf32>
//
// LINALG-LABEL: func.func @mean_without_self
// LINALG-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi64>, %[[A2:.*]]: tensor<3x2xf32>)
// LINALG:         %[[V0:.*]] = scf.for %[[V1:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V2:.*]] = %[[A0]]) -> (tensor<3x5xf32>) {
// LINALG:           %[[V3:.*]] = scf.for %[[V4:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V5:.*]] = %[[V2]]) -> (tensor<3x5xf32>) {
// LINALG:             %[[V6:.*]] = tensor.extract %[[A1]][%[[V1]], %[[V4]]] : tensor<3x2xi64>
// LINALG:             %[[V7:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// LINALG:             %[[V8:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// LINALG:             cf.assert %[[V8]], "expected an index inside the dim it indexes"
// LINALG:             %[[V9:.*]] = tensor.insert %{{.*}} into %[[V5]][%[[V1]], %{{.*}}] : tensor<3x5xf32>
// LINALG:         %[[V10:.*]] = scf.for %[[V11:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V12:.*]] = %[[V0]]) -> (tensor<3x5xf32>) {
// LINALG:           %[[V13:.*]] = scf.for %[[V14:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V15:.*]] = %[[V12]]) -> (tensor<3x5xf32>) {
// LINALG:             %[[V16:.*]] = tensor.extract %[[A1]][%[[V11]], %[[V14]]] : tensor<3x2xi64>
// LINALG:             %[[V17:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// LINALG:             %[[V18:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// LINALG:             cf.assert %[[V18]], "expected an index inside the dim it indexes"
// LINALG:             %[[V19:.*]] = tensor.extract %[[V15]][%[[V11]], %{{.*}}] : tensor<3x5xf32>
// LINALG:             %[[V20:.*]] = tensor.extract %[[A2]][%[[V11]], %[[V14]]] : tensor<3x2xf32>
// LINALG:             %[[V21:.*]] = tensor.insert %{{.*}} into %[[V15]][%[[V11]], %{{.*}}] : tensor<3x5xf32>
// LINALG:         %[[V22:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<3x5xf32>) -> tensor<3x5xf32>
// LINALG:         %[[V23:.*]] = scf.for %[[V24:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V25:.*]] = %[[V22]]) -> (tensor<3x5xf32>) {
// LINALG:           %[[V26:.*]] = scf.for %[[V27:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V28:.*]] = %[[V25]]) -> (tensor<3x5xf32>) {
// LINALG:             %[[V29:.*]] = tensor.extract %[[A1]][%[[V24]], %[[V27]]] : tensor<3x2xi64>
// LINALG:             %[[V30:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// LINALG:             %[[V31:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// LINALG:             cf.assert %[[V31]], "expected an index inside the dim it indexes"
// LINALG:             %[[V32:.*]] = tensor.extract %[[V28]][%[[V24]], %{{.*}}] : tensor<3x5xf32>
// LINALG:             %[[V33:.*]] = tensor.insert %{{.*}} into %[[V28]][%[[V24]], %{{.*}}] : tensor<3x5xf32>
// LINALG:         %[[V34:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V10]], %[[V23]] : tensor<3x5xf32>, tensor<3x5xf32>) outs(%{{.*}} : tensor<3x5xf32>) {
// LINALG:         return %[[V34]] : tensor<3x5xf32>
//
// TOSA-LABEL: func.func @mean_without_self
// TOSA-SAME:    (%[[A0:.*]]: tensor<3x5xf32>, %[[A1:.*]]: tensor<3x2xi32> {isthmus.dtype = si64}, %[[A2:.*]]: tensor<3x2xf32>)
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[3, 5, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[A0]], %[[V3]] : (tensor<3x5xf32>, !tosa.shape<3>) -> tensor<3x5x1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[3, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[A2]], %[[V5]] : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[3, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V8:.*]] = tosa.reshape %[[A1]], %[[V7]] : (tensor<3x2xi32>, !tosa.shape<4>) -> tensor<3x1x2x1xi32>
// TOSA:         %[[V9:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}0]], {{\[\[}}1]], {{\[\[}}2]], {{\[\[}}3]], {{\[\[}}4]]]]> : tensor<1x5x1x1xi32>}> : () -> tensor<1x5x1x1xi32>
// TOSA:         %[[V10:.*]] = tosa.equal %[[V8]], %[[V9]] : (tensor<3x1x2x1xi32>, tensor<1x5x1x1xi32>) -> tensor<3x5x2x1xi1>
// TOSA:         %[[V11:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
// TOSA:         %[[V12:.*]] = tosa.reshape %[[V6]], %[[V7]] : (tensor<3x2x1xf32>, !tosa.shape<4>) -> tensor<3x1x2x1xf32>
// TOSA:         %[[V13:.*]] = tosa.select %[[V10]], %[[V12]], %[[V11]] : (tensor<3x5x2x1xi1>, tensor<3x1x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<3x5x2x1xf32>
// TOSA:         %[[V14:.*]] = tosa.reduce_sum %[[V13]] {axis = 2 : i32} : (tensor<3x5x2x1xf32>) -> tensor<3x5x1x1xf32>
// TOSA:         %[[V15:.*]] = tosa.reshape %[[V14]], %[[V3]] : (tensor<3x5x1x1xf32>, !tosa.shape<3>) -> tensor<3x5x1xf32>
// TOSA:         %[[V16:.*]] = tosa.cast %[[V10]] : (tensor<3x5x2x1xi1>) -> tensor<3x5x2x1xi32>
// TOSA:         %[[V17:.*]] = tosa.reduce_sum %[[V16]] {axis = 2 : i32} : (tensor<3x5x2x1xi32>) -> tensor<3x5x1x1xi32>
// TOSA:         %[[V18:.*]] = tosa.reshape %[[V17]], %[[V3]] : (tensor<3x5x1x1xi32>, !tosa.shape<3>) -> tensor<3x5x1xi32>
// TOSA:         %[[V19:.*]] = "tosa.const"() <{values = dense<0> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
// TOSA:         %[[V20:.*]] = tosa.greater %[[V18]], %[[V19]] : (tensor<3x5x1xi32>, tensor<1x1x1xi32>) -> tensor<3x5x1xi1>
// TOSA:         %[[V21:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
// TOSA:         %[[V22:.*]] = tosa.select %[[V20]], %[[V21]], %[[V4]] : (tensor<3x5x1xi1>, tensor<1x1x1xf32>, tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
// TOSA:         %[[V23:.*]] = tosa.add %[[V22]], %[[V15]] : (tensor<3x5x1xf32>, tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
// TOSA:         %[[V24:.*]] = "tosa.const"() <{values = dense<1> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
// TOSA:         %[[V25:.*]] = tosa.maximum %[[V18]], %[[V24]] : (tensor<3x5x1xi32>, tensor<1x1x1xi32>) -> tensor<3x5x1xi32>
// TOSA:         %[[V26:.*]] = tosa.cast %[[V25]] : (tensor<3x5x1xi32>) -> tensor<3x5x1xf32>
// TOSA:         %[[V27:.*]] = tosa.reciprocal %[[V26]] : (tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
// TOSA:         %[[V28:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V29:.*]] = tosa.mul %[[V23]], %[[V27]], %[[V28]] : (tensor<3x5x1xf32>, tensor<3x5x1xf32>, tensor<1xi8>) -> tensor<3x5x1xf32>
// TOSA:         %[[V30:.*]] = tosa.const_shape  {values = dense<[3, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V31:.*]] = tosa.reshape %[[V29]], %[[V30]] : (tensor<3x5x1xf32>, !tosa.shape<2>) -> tensor<3x5xf32>
// TOSA:         return %[[V31]] : tensor<3x5xf32>
func.func @mean_without_self(%a: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,2],si64>, %c: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,5],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "mean"
  %false = torch.constant.bool false
  %r = torch.aten.scatter_reduce.two %a, %int1, %b, %c, %str, %false
      : !torch.vtensor<[3,5],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3,5],f32>
  return %r : !torch.vtensor<[3,5],f32>
}
