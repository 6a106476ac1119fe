// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d1, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

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
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x1xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]] : tensor<?x1xf32>) outs(%{{.*}} : tensor<2x?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           linalg.yield %[[V1]] : f32
// LINALG:         } -> tensor<2x?x4xf32>
// LINALG:         return %[[V0]] : tensor<2x?x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x1xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[1, -1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x1xf32>, !tosa.shape<3>) -> tensor<1x?x1xf32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[2, 1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V4:.*]] = tosa.tile %[[V2]], %[[V3]] : (tensor<1x?x1xf32>, !tosa.shape<3>) -> tensor<2x?x4xf32>
// TOSA:         return %[[V4]] : tensor<2x?x4xf32>
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
