// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>

// MHLO-LABEL: func.func @plane_places
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x4x4xf32>)
// MHLO:         %{{.*}} = "mhlo.reduce_window"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 2, 2]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
//
// LINALG-LABEL: func.func @plane_places
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x4x4xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3x2x2xf32>) -> tensor<?x3x2x2xf32>
// LINALG:         %[[V1:.*]] = linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : tensor<?x3x2x2xi64>) -> tensor<?x3x2x2xi64>
// LINALG:         %[[V2:.*]]:2 = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]], #[[$MAP2]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[A0]], %{{.*}} : tensor<?x3x4x4xf32>, tensor<2x2xf32>) outs(%[[V0]], %[[V1]] : tensor<?x3x2x2xf32>, tensor<?x3x2x2xi64>) {
// LINALG:           %[[V3:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// LINALG:           %[[V4:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// LINALG:           %[[V5:.*]] = arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V6:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// LINALG:           %[[V7:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// LINALG:           %[[V8:.*]] = arith.cmpf uno, %{{.*}}, %{{.*}} : f32
// LINALG:         return %[[V2]]#0, %[[V2]]#1 : tensor<?x3x2x2xf32>, tensor<?x3x2x2xi64>
//
// Along rows, then down.
// TOSA-LABEL: func.func @plane_places
// TOSA:         %[[ROW:.*]] = tosa.logical_or %{{.*}}, %{{.*}} : (tensor<?x4x2x3xi1>, tensor<?x4x2x3xi1>) -> tensor<?x4x2x3xi1>
// TOSA:         %[[X:.*]] = tosa.select %[[ROW]], %{{.*}}, %{{.*}} : (tensor<?x4x2x3xi1>, tensor<?x4x2x3xf32>, tensor<?x4x2x3xf32>) -> tensor<?x4x2x3xf32>
// TOSA:         %[[PLACES:.*]] = tosa.select %[[ROW]], %{{.*}}, %{{.*}} : (tensor<?x4x2x3xi1>, tensor<1x4x2x1xi32>, tensor<1x4x2x1xi32>) -> tensor<?x4x2x3xi32>
// TOSA:         %[[DOWN:.*]] = tosa.logical_or %{{.*}}, %{{.*}} : (tensor<?x2x2x3xi1>, tensor<?x2x2x3xi1>) -> tensor<?x2x2x3xi1>
// TOSA:         %[[Y:.*]] = tosa.select %[[DOWN]], %{{.*}}, %{{.*}} : (tensor<?x2x2x3xi1>, tensor<?x2x2x3xf32>, tensor<?x2x2x3xf32>) -> tensor<?x2x2x3xf32>
// TOSA:         %[[AT:.*]] = tosa.select %[[DOWN]], %{{.*}}, %{{.*}} : (tensor<?x2x2x3xi1>, tensor<?x2x2x3xi32>, tensor<?x2x2x3xi32>) -> tensor<?x2x2x3xi32>
// TOSA:         tosa.transpose %[[Y]]
// TOSA:         tosa.transpose %[[AT]]
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
