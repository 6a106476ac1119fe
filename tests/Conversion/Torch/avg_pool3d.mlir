// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2 * 2 + d5, d3 * 2 + d6, d4 * 2 + d7)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

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
//
// LINALG-LABEL: func.func @half
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xf16>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x3x2x2x2xf32>) -> tensor<1x3x2x2x2xf32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[A0]], %{{.*}} : tensor<1x3x4x4x4xf16>, tensor<2x2x2xf16>) outs(%[[V0]] : tensor<1x3x2x2x2xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f32):
// LINALG:           %[[V5:.*]] = arith.extf %[[V2]] : f16 to f32
// LINALG:           %[[V6:.*]] = arith.addf %[[V4]], %[[V5]] : f32
// LINALG:           linalg.yield %[[V6]] : f32
// LINALG:         } -> tensor<1x3x2x2x2xf32>
// LINALG:         %[[V7:.*]] = linalg.generic {indexing_maps = [#[[$MAP3]], #[[$MAP3]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%[[V1]] : tensor<1x3x2x2x2xf32>) outs(%{{.*}} : tensor<1x3x2x2x2xf16>) {
// LINALG:         ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f16):
// LINALG:           %[[V10:.*]] = arith.divf %[[V8]], %{{.*}} : f32
// LINALG:           %[[V11:.*]] = arith.truncf %[[V10]] : f32 to f16
// LINALG:           linalg.yield %[[V11]] : f16
// LINALG:         } -> tensor<1x3x2x2x2xf16>
// LINALG:         return %[[V7]] : tensor<1x3x2x2x2xf16>
//
// TOSA-LABEL: func.func @half
// TOSA-SAME:    (%[[A0:.*]]: tensor<1x3x4x4x4xf16>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 4, 1>} : (tensor<1x3x4x4x4xf16>) -> tensor<1x4x4x4x3xf16>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[1, 4, 16, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[V1]], %[[V2]] : (tensor<1x4x4x4x3xf16>, !tosa.shape<4>) -> tensor<1x4x16x3xf16>
// TOSA:         %[[V5:.*]] = tosa.avg_pool2d %[[V3]], %[[V4]], %[[V4]] {acc_type = f32, kernel = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x4x16x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x16x3xf16>
// TOSA:         %[[V6:.*]] = tosa.const_shape  {values = dense<[2, 4, 4, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V7:.*]] = tosa.reshape %[[V5]], %[[V6]] : (tensor<1x2x16x3xf16>, !tosa.shape<4>) -> tensor<2x4x4x3xf16>
// TOSA:         %[[V8:.*]] = tosa.avg_pool2d %[[V7]], %[[V4]], %[[V4]] {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<2x4x4x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x2x2x3xf16>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<[1, 2, 2, 2, 3]> : tensor<5xindex>} : () -> !tosa.shape<5>
// TOSA:         %[[V10:.*]] = tosa.reshape %[[V8]], %[[V9]] : (tensor<2x2x2x3xf16>, !tosa.shape<5>) -> tensor<1x2x2x2x3xf16>
// TOSA:         %[[V11:.*]] = tosa.transpose %[[V10]] {perms = array<i32: 0, 4, 1, 2, 3>} : (tensor<1x2x2x2x3xf16>) -> tensor<1x3x2x2x2xf16>
// TOSA:         return %[[V11]] : tensor<1x3x2x2x2xf16>
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
