// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// LINALG:         %[[V0:.*]] = arith.index_cast %{{.*}} : index to i64
// LINALG:         return %[[V0]] : i64
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>) -> !torch.int {
  %int_2 = torch.constant.int -2
  // expected-error @below {{no lowering to tosa for 'torch.aten.size.int': TOSA 1.0 has no sizes as values, got one of '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.size.int %a, %int_2 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  return %r : !torch.int
}

// -----

// MHLO-LABEL: func.func @known
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<4> : tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
//
// LINALG-LABEL: func.func @known
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// LINALG:         return %{{.*}} : i64
//
// TOSA-LABEL: func.func @known
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
// TOSA:         return %[[V1]] : tensor<i32>
func.func @known(%a: !torch.vtensor<[?,4],f32>) -> !torch.int {
  %int1 = torch.constant.int 1
  %r = torch.aten.size.int %a, %int1 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  return %r : !torch.int
}
