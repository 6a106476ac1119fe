// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @plane_places
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x4x4xf32>)
// MHLO:         %{{.*}} = "mhlo.reduce_window"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 2, 2]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
func.func @plane_places(%a: !torch.vtensor<[?,3,4,4],f32>) -> (!torch.vtensor<[?,3,2,2],f32>, !torch.vtensor<[?,3,2,2],si64>) {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list_0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int0 = torch.constant.int 0
  %list_1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_2 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r0, %r1 = torch.aten.max_pool2d_with_indices %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[?,3,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,2,2],f32>, !torch.vtensor<[?,3,2,2],si64>
  return %r0, %r1 : !torch.vtensor<[?,3,2,2],f32>, !torch.vtensor<[?,3,2,2],si64>
}
