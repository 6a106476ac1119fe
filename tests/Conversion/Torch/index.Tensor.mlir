// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @apart
// MHLO-SAME:    (%[[A0:.*]]: tensor<5x4x3xf32>, %[[A1:.*]]: tensor<2xi64>, %[[A2:.*]]: tensor<2xi64>)
// MHLO:         %[[V3:.*]] = mhlo.constant dense<0> : tensor<2xi64>
// MHLO:         %[[V4:.*]] = mhlo.compare LT, %[[A1]], %[[V3]], SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<5> : tensor<2xi64>
// MHLO:         %[[V6:.*]] = mhlo.add %[[A1]], %[[V5]] : tensor<2xi64>
// MHLO:         %[[V7:.*]] = mhlo.select %[[V4]], %[[V6]], %[[A1]] : tensor<2xi1>, tensor<2xi64>
// MHLO:         %[[V8:.*]] = mhlo.compare LT, %[[A2]], %[[V3]], SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// MHLO:         %[[V9:.*]] = mhlo.constant dense<3> : tensor<2xi64>
// MHLO:         %[[V10:.*]] = mhlo.add %[[A2]], %[[V9]] : tensor<2xi64>
// MHLO:         %[[V11:.*]] = mhlo.select %[[V8]], %[[V10]], %[[A2]] : tensor<2xi1>, tensor<2xi64>
// MHLO:         %[[V12:.*]] = mhlo.reshape %[[V7]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V13:.*]] = mhlo.reshape %[[V11]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V14:.*]] = "mhlo.concatenate"(%[[V12]], %[[V13]]) <{dimension = 1 : i64}> : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
// MHLO:         %[[V15:.*]] = "mhlo.gather"(%[[A0]], %[[V14]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = dense<[1, 4, 1]> : tensor<3xi64>}> : (tensor<5x4x3xf32>, tensor<2x2xi64>) -> tensor<2x4xf32>
// MHLO:         return %[[V15]] : tensor<2x4xf32>
func.func @apart(%a: !torch.vtensor<[5,4,3],f32>, %b: !torch.vtensor<[2],si64>, %c: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32> {
  %none = torch.constant.none
  %indices = torch.prim.ListConstruct %b, %none, %c
      : (!torch.vtensor<[2],si64>, !torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %a, %indices
      : !torch.vtensor<[5,4,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?xi64>) -> tensor<i32>
// MHLO:         %[[V5:.*]] = mhlo.convert %[[V4]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[V7:.*]] = mhlo.reshape %[[V5]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V6]], %[[V7]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>, tensor<1xi64>) -> tensor<?xi64>
// MHLO:         %[[V9:.*]] = mhlo.compare LT, %[[A1]], %[[V8]], SIGNED : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi1>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V3]], %[[V7]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>, tensor<1xi64>) -> tensor<?xi64>
// MHLO:         %[[V11:.*]] = mhlo.add %[[A1]], %[[V10]] : tensor<?xi64>
// MHLO:         %[[V12:.*]] = mhlo.select %[[V9]], %[[V11]], %[[A1]] : tensor<?xi1>, tensor<?xi64>
// MHLO:         %[[V13:.*]] = mhlo.constant dense<1> : tensor<1xi64>
// MHLO:         %[[V14:.*]] = "mhlo.concatenate"(%[[V7]], %[[V13]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V15:.*]] = mhlo.dynamic_reshape %[[V12]], %[[V14]] : (tensor<?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
// MHLO:         %[[V16:.*]] = "mhlo.gather"(%[[A0]], %[[V15]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
// MHLO:         return %[[V16]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,4],f32> {
  %indices = torch.prim.ListConstruct %b
      : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %a, %indices
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
