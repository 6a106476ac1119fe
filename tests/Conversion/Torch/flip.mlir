// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.reverse"(%[[A0]]) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = linalg.index 0 : index
// LINALG:           %[[V4:.*]] = arith.subi %[[V0]], %[[V3]] : index
// LINALG:           %[[V5:.*]] = linalg.index 1 : index
// LINALG:           %[[V6:.*]] = arith.subi %{{.*}}, %[[V5]] : index
// LINALG:           %[[V7:.*]] = tensor.extract %[[A0]][%[[V4]], %[[V6]]] : tensor<?x3xf32>
// LINALG:           linalg.yield %[[V7]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V1]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.reverse %[[A0]] {axis = 0 : i32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V2:.*]] = tosa.reverse %[[V1]] {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V2]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int0, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.flip %a, %list
      : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
