// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.reverse"(%[[A0]]) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int0, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.flip %a, %list
      : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
