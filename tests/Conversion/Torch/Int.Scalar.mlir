// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<f64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<f64>) -> tensor<i64>
// MHLO:         return %[[V1]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: f64)
// LINALG:         %[[V0:.*]] = arith.fptosi %[[A0]] : f64 to i64
// LINALG:         return %[[V0]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<f32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// TOSA:         %[[V2:.*]] = tosa.greater %[[V1]], %[[A0]] : (tensor<f32>, tensor<f32>) -> tensor<i1>
// TOSA:         %[[V3:.*]] = tosa.ceil %[[A0]] : (tensor<f32>) -> tensor<f32>
// TOSA:         %[[V4:.*]] = tosa.floor %[[A0]] : (tensor<f32>) -> tensor<f32>
// TOSA:         %[[V5:.*]] = tosa.select %[[V2]], %[[V3]], %[[V4]] : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
// TOSA:         %[[V6:.*]] = tosa.cast %[[V5]] : (tensor<f32>) -> tensor<i32>
// TOSA:         return %[[V6]] : tensor<i32>
func.func @run_time(%a: !torch.float) -> !torch.int {
  %r = torch.aten.Int.Scalar %a : !torch.float -> !torch.int
  return %r : !torch.int
}
