// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.transpose"(%[[A0]]) <{permutation = dense<[2, 0, 1]> : tensor<3xi64>}> : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
// MHLO:         return %[[V1]] : tensor<4x?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// LINALG:         %[[V0:.*]] = linalg.transpose ins(%[[A0]] : tensor<?x3x4xf32>) outs(%{{.*}} : tensor<4x?x3xf32>) permutation = [2, 0, 1]
// LINALG:         return %[[V0]] : tensor<4x?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 2, 0, 1>} : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
// TOSA:         return %[[V1]] : tensor<4x?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[4,?,3],f32> {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int_2 = torch.constant.int -2
  %list = torch.prim.ListConstruct %int2, %int0, %int_2
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.permute %a, %list
      : !torch.vtensor<[?,3,4],f32>, !torch.list<int> -> !torch.vtensor<[4,?,3],f32>
  return %r : !torch.vtensor<[4,?,3],f32>
}
