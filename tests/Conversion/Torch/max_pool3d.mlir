// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2 * 2 + d5, d3 * 2 + d6, d4 * 2 + d7)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>

// MHLO-LABEL: func.func @default_stride
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xi32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<-2147483648> : tensor<i32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<0> : tensor<5x2xi64>, window_dilations = dense<1> : tensor<5xi64>, window_dimensions = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>, window_strides = dense<[1, 1, 2, 2, 2]> : tensor<5xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<i32>, %[[A4:.*]]: tensor<i32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<i32>
// MHLO:         mhlo.return %[[V5]] : tensor<i32>
// MHLO:         }) : (tensor<1x3x4x4x4xi32>, tensor<i32>) -> tensor<1x3x2x2x2xi32>
// MHLO:         return %[[V2]] : tensor<1x3x2x2x2xi32>
//
// LINALG-LABEL: func.func @default_stride
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xi32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}}-2147483648_i32 : i32) outs(%{{.*}} : tensor<1x3x2x2x2xi32>) -> tensor<1x3x2x2x2xi32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[A0]], %{{.*}} : tensor<1x3x4x4x4xi32>, tensor<2x2x2xi32>) outs(%[[V0]] : tensor<1x3x2x2x2xi32>) {
// LINALG:         ^bb0(%[[V2:.*]]: i32, %[[V3:.*]]: i32, %[[V4:.*]]: i32):
// LINALG:           %[[V5:.*]] = arith.maxsi %[[V4]], %[[V2]] : i32
// LINALG:           linalg.yield %[[V5]] : i32
// LINALG:         } -> tensor<1x3x2x2x2xi32>
// LINALG:         return %[[V1]] : tensor<1x3x2x2x2xi32>
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
  // expected-error @below {{no lowering to tosa for 'torch.aten.max_pool3d': TOSA pools floats and bytes, got 'si32'}}
  %r = torch.aten.max_pool3d %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[1,3,4,4,4],si32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,3,2,2,2],si32>
  return %r : !torch.vtensor<[1,3,2,2,2],si32>
}
