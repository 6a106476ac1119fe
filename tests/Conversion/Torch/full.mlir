// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @known_sizes
// MHLO:         %[[V0:.*]] = mhlo.constant dense<1.500000e+00> : tensor<2x3xf32>
// MHLO:         return %[[V0]] : tensor<2x3xf32>
//
// LINALG-LABEL: func.func @known_sizes
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x3xf32>) -> tensor<2x3xf32>
// LINALG:         return %[[V0]] : tensor<2x3xf32>
//
// TOSA-LABEL: func.func @known_sizes
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense<1.500000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
// TOSA:         return %[[V0]] : tensor<2x3xf32>
func.func @known_sizes() -> !torch.vtensor<[2,3],f32> {
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %list = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %float1_5 = torch.constant.float 1.500000e+00
  %int6 = torch.constant.int 6
  %none = torch.constant.none
  %r = torch.aten.full %list, %float1_5, %int6, %none, %none, %none
      : !torch.list<int>, !torch.float, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

// MHLO-LABEL: func.func @run_time_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<7> : tensor<i64>
// MHLO:         %[[V2:.*]] = mhlo.reshape %[[A0]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V4:.*]] = "mhlo.concatenate"(%[[V2]], %[[V3]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V5:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V1]], %[[V4]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>, tensor<2xi64>) -> tensor<?x3xi64>
// MHLO:         return %[[V5]] : tensor<?x3xi64>
//
// LINALG-LABEL: func.func @run_time_size
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.index_cast %[[A0]] : i64 to index
// LINALG:         %[[V1:.*]] = linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : tensor<?x3xi64>) -> tensor<?x3xi64>
// LINALG:         return %[[V1]] : tensor<?x3xi64>
func.func @run_time_size(%a: !torch.int) -> !torch.vtensor<[?,3],si64> {
  %int3 = torch.constant.int 3
  %sizes = torch.prim.ListConstruct %a, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %int7 = torch.constant.int 7
  %int4 = torch.constant.int 4
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.full': expected sizes that are known while compiling, got '!torch.vtensor<[?,3],si64>'; make sizes known with --specialize}}
  %r = torch.aten.full %sizes, %int7, %int4, %none, %none, %none
      : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?,3],si64>
  return %r : !torch.vtensor<[?,3],si64>
}
