// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @default_stride
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xi32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<-2147483648> : tensor<i32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<0> : tensor<5x2xi64>, window_dilations = dense<1> : tensor<5xi64>, window_dimensions = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>, window_strides = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<i32>, %[[A4:.*]]: tensor<i32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<i32>
// MHLO:         mhlo.return %[[V5]] : tensor<i32>
// MHLO:         }) : (tensor<1x3x4x4x4xi32>, tensor<i32>) -> tensor<1x3x2x2x2xi32>
// MHLO:         return %[[V2]] : tensor<1x3x2x2x2xi32>
func.func @default_stride(%a: !torch.vtensor<[1,3,4,4,4],si32>) -> !torch.vtensor<[1,3,2,2,2],si32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2, %int2
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %list_0 = torch.prim.ListConstruct : () -> !torch.list<int>
  %int0 = torch.constant.int 0
  %list_1 = torch.prim.ListConstruct %int0, %int0, %int0
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_2 = torch.prim.ListConstruct %int1, %int1, %int1
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.max_pool3d %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[1,3,4,4,4],si32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,3,2,2,2],si32>
  return %r : !torch.vtensor<[1,3,2,2,2],si32>
}
