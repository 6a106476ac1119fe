// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x2xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?x2xi64>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<[2, 1]> : tensor<2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 0 : i64}> : (tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V8:.*]] = mhlo.dynamic_reshape %[[A1]], %[[V6]] : (tensor<?x2xi64>, tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V9:.*]] = "mhlo.concatenate"(%[[V7]], %[[V8]]) <{dimension = 2 : i64}> : (tensor<?x2x1xi64>, tensor<?x2x1xi64>) -> tensor<?x2x2xi64>
// MHLO:         %[[V10:.*]] = "mhlo.gather"(%[[A0]], %[[V9]]) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<?x2x2xi64>) -> tensor<?x2xf32>
// MHLO:         return %[[V10]] : tensor<?x2xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,2],si64>) -> !torch.vtensor<[?,2],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %r = torch.aten.gather %a, %int1, %b, %false
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.bool -> !torch.vtensor<[?,2],f32>
  return %r : !torch.vtensor<[?,2],f32>
}
