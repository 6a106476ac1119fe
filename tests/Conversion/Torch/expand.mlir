// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x1xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x1xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<2> : tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V6]]) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<?x1xf32>, tensor<3xi64>) -> tensor<2x?x4xf32>
// MHLO:         return %[[V7]] : tensor<2x?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[2,?,4],f32> {
  %int2 = torch.constant.int 2
  %int_1 = torch.constant.int -1
  %int4 = torch.constant.int 4
  %list = torch.prim.ListConstruct %int2, %int_1, %int4
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.expand %a, %list, %false
      : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,?,4],f32>
  return %r : !torch.vtensor<[2,?,4],f32>
}
