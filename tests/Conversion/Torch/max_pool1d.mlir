// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dilated
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dilations = dense<[1, 1, 2]> : tensor<3xi64>, window_dimensions = dense<[1, 1, 2]> : tensor<3xi64>, window_strides = dense<1> : tensor<3xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x8xf32>, tensor<f32>) -> tensor<?x3x8xf32>
// MHLO:         return %[[V2]] : tensor<?x3x8xf32>
func.func @dilated(%a: !torch.vtensor<[?,3,8],f32>) -> !torch.vtensor<[?,3,8],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list_1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list_2 = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.max_pool1d %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[?,3,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,8],f32>
  return %r : !torch.vtensor<[?,3,8],f32>
}
