// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x5xf32>, %[[A1:.*]]: tensor<?x2xi64>, %[[A2:.*]]: tensor<?x2xf32>)
// MHLO:         %[[V3:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?x2xi64>) -> tensor<i32>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<[2, 1]> : tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_iota"(%[[V7]]) <{iota_dimension = 0 : i64}> : (tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V9:.*]] = mhlo.dynamic_reshape %[[A1]], %[[V7]] : (tensor<?x2xi64>, tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V10:.*]] = "mhlo.concatenate"(%[[V8]], %[[V9]]) <{dimension = 2 : i64}> : (tensor<?x2x1xi64>, tensor<?x2x1xi64>) -> tensor<?x2x2xi64>
// MHLO:         %[[V11:.*]] = mhlo.constant dense<0> : tensor<2xi64>
// MHLO:         %[[V12:.*]] = mhlo.constant dense<2> : tensor<1xi64>
// MHLO:         %[[V13:.*]] = "mhlo.concatenate"(%[[V5]], %[[V12]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V14:.*]] = mhlo.constant dense<1> : tensor<2xi64>
// MHLO:         %[[V15:.*]] = mhlo.real_dynamic_slice %[[A2]], %[[V11]], %[[V13]], %[[V14]] : (tensor<?x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
// MHLO:         %[[V16:.*]] = "mhlo.scatter"(%[[A0]], %[[V10]], %[[V15]]) <{scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
// MHLO:         ^bb0(%[[A17:.*]]: tensor<f32>, %[[A18:.*]]: tensor<f32>):
// MHLO:         mhlo.return %[[A18]] : tensor<f32>
// MHLO:         }) : (tensor<?x5xf32>, tensor<?x2x2xi64>, tensor<?x2xf32>) -> tensor<?x5xf32>
// MHLO:         return %[[V16]] : tensor<?x5xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x5xf32>, %[[A1:.*]]: tensor<?x2xi64>, %[[A2:.*]]: tensor<?x2xf32>)
// LINALG:         %[[FLAT:.*]] = tensor.collapse_shape %[[A0]] {{.*}} : tensor<?x5xf32> into tensor<?xf32>
// LINALG:         %[[V0:.*]] = scf.for %[[V1:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V2:.*]] = %[[FLAT]]) -> (tensor<?xf32>) {
// LINALG:           %[[V3:.*]] = scf.for %[[V4:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V5:.*]] = %[[V2]]) -> (tensor<?xf32>) {
// LINALG:             %[[V6:.*]] = tensor.extract %[[A1]][%[[V1]], %[[V4]]] : tensor<?x2xi64>
// LINALG:             %[[V7:.*]] = arith.index_cast %[[V6]] : i64 to index
// LINALG:             %[[V11:.*]] = arith.cmpi ult, %[[V7]], %{{.*}} : index
// LINALG:             cf.assert %[[V11]], "expected an index inside the dim it indexes"
// LINALG:             %[[ROW:.*]] = arith.muli %[[V1]], %c5 : index
// LINALG:             %[[PLACE:.*]] = arith.addi %[[ROW]], %[[V7]] : index
// LINALG:             %[[V12:.*]] = tensor.extract %[[A2]][%[[V1]], %[[V4]]] : tensor<?x2xf32>
// LINALG:             %[[V13:.*]] = tensor.insert %[[V12]] into %[[V5]][%[[PLACE]]] : tensor<?xf32>
// LINALG:             scf.yield %[[V13]] : tensor<?xf32>
// LINALG:           scf.yield %[[V3]] : tensor<?xf32>
// LINALG:         %[[RESULT:.*]] = tensor.expand_shape %[[V0]] {{.*}} into tensor<?x5xf32>
// LINALG:         return %[[RESULT]] : tensor<?x5xf32>
func.func @dynamic(%a: !torch.vtensor<[?,5],f32>, %b: !torch.vtensor<[?,2],si64>, %c: !torch.vtensor<[?,2],f32>) -> !torch.vtensor<[?,5],f32> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to tosa for 'torch.aten.scatter.src': expected tensors of known sizes; make sizes known with --specialize}}
  %r = torch.aten.scatter.src %a, %int1, %b, %c
      : !torch.vtensor<[?,5],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.vtensor<[?,2],f32> -> !torch.vtensor<[?,5],f32>
  return %r : !torch.vtensor<[?,5],f32>
}
