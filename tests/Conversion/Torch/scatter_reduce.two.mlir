// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

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
func.func @mean_without_self(%a: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,2],si64>, %c: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,5],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "mean"
  %false = torch.constant.bool false
  %r = torch.aten.scatter_reduce.two %a, %int1, %b, %c, %str, %false
      : !torch.vtensor<[3,5],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3,5],f32>
  return %r : !torch.vtensor<[3,5],f32>
}
