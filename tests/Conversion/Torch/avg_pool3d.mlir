// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @half
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xf16>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<1x3x4x4x4xf16>) -> tensor<1x3x4x4x4xf32>
// MHLO:         %[[V2:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V3:.*]] = "mhlo.reduce_window"(%[[V1]], %[[V2]]) <{padding = dense<0> : tensor<5x2xi64>, window_dilations = dense<1> : tensor<5xi64>, window_dimensions = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>, window_strides = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>}> ({
// MHLO:         ^bb0(%[[A4:.*]]: tensor<f32>, %[[A5:.*]]: tensor<f32>):
// MHLO:         %[[V6:.*]] = mhlo.add %[[A4]], %[[A5]] : tensor<f32>
// MHLO:         mhlo.return %[[V6]] : tensor<f32>
// MHLO:         }) : (tensor<1x3x4x4x4xf32>, tensor<f32>) -> tensor<1x3x2x2x2xf32>
// MHLO:         %[[V7:.*]] = mhlo.constant dense<8.000000e+00> : tensor<1x3x2x2x2xf32>
// MHLO:         %[[V8:.*]] = mhlo.divide %[[V3]], %[[V7]] : tensor<1x3x2x2x2xf32>
// MHLO:         %[[V9:.*]] = mhlo.convert %[[V8]] : (tensor<1x3x2x2x2xf32>) -> tensor<1x3x2x2x2xf16>
// MHLO:         return %[[V9]] : tensor<1x3x2x2x2xf16>
func.func @half(%a: !torch.vtensor<[1,3,4,4,4],f16>) -> !torch.vtensor<[1,3,2,2,2],f16> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2, %int2
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %list_0 = torch.prim.ListConstruct : () -> !torch.list<int>
  %int0 = torch.constant.int 0
  %list_1 = torch.prim.ListConstruct %int0, %int0, %int0
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %none = torch.constant.none
  %r = torch.aten.avg_pool3d %a, %list, %list_0, %list_1, %false, %true, %none
      : !torch.vtensor<[1,3,4,4,4],f16>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,3,2,2,2],f16>
  return %r : !torch.vtensor<[1,3,2,2,2],f16>
}
