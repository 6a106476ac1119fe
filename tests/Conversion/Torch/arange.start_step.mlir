// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @ints
// MHLO:         %[[V0:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi64>
// MHLO:         %[[V1:.*]] = mhlo.constant dense<3> : tensor<2xi64>
// MHLO:         %[[V2:.*]] = mhlo.multiply %[[V0]], %[[V1]] : tensor<2xi64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<2> : tensor<2xi64>
// MHLO:         %[[V4:.*]] = mhlo.add %[[V3]], %[[V2]] : tensor<2xi64>
// MHLO:         return %[[V4]] : tensor<2xi64>
//
// LINALG-LABEL: func.func @ints
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<2xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64):
// LINALG:           %[[V2:.*]] = linalg.index 0 : index
// LINALG:           %[[V3:.*]] = arith.index_cast %[[V2]] : index to i64
// LINALG:           %[[V4:.*]] = arith.muli %[[V3]], %{{.*}} : i64
// LINALG:           %[[V5:.*]] = arith.addi %[[V4]], %{{.*}} : i64
// LINALG:           linalg.yield %[[V5]] : i64
// LINALG:         } -> tensor<2xi64>
// LINALG:         return %[[V0]] : tensor<2xi64>
//
// TOSA-LABEL: func.func @ints
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense<[2, 5]> : tensor<2xi32>}> : () -> tensor<2xi32>
// TOSA:         return %[[V0]] : tensor<2xi32>
func.func @ints() -> !torch.vtensor<[2],si64> {
  %int2 = torch.constant.int 2
  %int8 = torch.constant.int 8
  %int3 = torch.constant.int 3
  %none = torch.constant.none
  %r = torch.aten.arange.start_step %int2, %int8, %int3, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

// MHLO-LABEL: func.func @floats
// MHLO:         %[[V0:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xf64>
// MHLO:         %[[V1:.*]] = mhlo.constant dense<5.000000e-01> : tensor<3xf64>
// MHLO:         %[[V2:.*]] = mhlo.multiply %[[V0]], %[[V1]] : tensor<3xf64>
// MHLO:         %[[V3:.*]] = mhlo.add %[[V1]], %[[V2]] : tensor<3xf64>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<3xf64>) -> tensor<3xf32>
// MHLO:         return %[[V4]] : tensor<3xf32>
//
// LINALG-LABEL: func.func @floats
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32):
// LINALG:           %[[V2:.*]] = linalg.index 0 : index
// LINALG:           %[[V3:.*]] = arith.index_cast %[[V2]] : index to i64
// LINALG:           %[[V4:.*]] = arith.sitofp %[[V3]] : i64 to f64
// LINALG:           %[[V5:.*]] = arith.mulf %[[V4]], %{{.*}} : f64
// LINALG:           %[[V6:.*]] = arith.addf %[[V5]], %{{.*}} : f64
// LINALG:           %[[V7:.*]] = arith.truncf %[[V6]] : f64 to f32
// LINALG:           linalg.yield %[[V7]] : f32
// LINALG:         } -> tensor<3xf32>
// LINALG:         return %[[V0]] : tensor<3xf32>
//
// TOSA-LABEL: func.func @floats
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense<[5.000000e-01, 1.000000e+00, 1.500000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
// TOSA:         return %[[V0]] : tensor<3xf32>
func.func @floats() -> !torch.vtensor<[3],f32> {
  %float0_5 = torch.constant.float 5.000000e-01
  %float2_0 = torch.constant.float 2.000000e+00
  %int6 = torch.constant.int 6
  %none = torch.constant.none
  %r = torch.aten.arange.start_step %float0_5, %float2_0, %float0_5, %int6, %none, %none, %none
      : !torch.float, !torch.float, !torch.float, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

// MHLO-LABEL: func.func @run_time_end
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[V2:.*]] = mhlo.subtract %[[V1]], %[[A0]] : tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.subtract %[[V1]], %[[V2]] : tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.maximum %[[V3]], %[[V1]] : tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.dynamic_iota"(%[[V5]]) <{iota_dimension = 0 : i64}> : (tensor<1xi64>) -> tensor<?xi64>
// MHLO:         return %[[V6]] : tensor<?xi64>
//
// LINALG-LABEL: func.func @run_time_end
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.index_cast %[[A0]] : i64 to index
// LINALG:         %[[V1:.*]] = arith.maxsi %[[V0]], %{{.*}} : index
// LINALG:         %[[V2:.*]] = linalg.generic {indexing_maps = [#[[$MAP]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xi64>) {
// LINALG:         ^bb0(%[[V3:.*]]: i64):
// LINALG:           %[[V4:.*]] = linalg.index 0 : index
// LINALG:           %[[V5:.*]] = arith.index_cast %[[V4]] : index to i64
// LINALG:           linalg.yield %[[V5]] : i64
// LINALG:         } -> tensor<?xi64>
// LINALG:         return %[[V2]] : tensor<?xi64>
func.func @run_time_end(%a: !torch.int) -> !torch.vtensor<[?],si64> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.arange.start_step': expected bounds that are known while compiling; make sizes known with --specialize}}
  %r = torch.aten.arange.start_step %int0, %a, %int1, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}
