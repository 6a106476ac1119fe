// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<f64>)
// MHLO:         %[[V1:.*]] = mhlo.ceil %[[A0]] : tensor<f64>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<f64>) -> tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: f64)
// LINALG:         %[[V0:.*]] = math.ceil %[[A0]] : f64
// LINALG:         %[[V1:.*]] = arith.fptosi %[[V0]] : f64 to i64
// LINALG:         return %[[V1]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<f32>)
// TOSA:         %[[V1:.*]] = tosa.ceil %[[A0]] : (tensor<f32>) -> tensor<f32>
// TOSA:         %[[V2:.*]] = tosa.cast %[[V1]] : (tensor<f32>) -> tensor<i32>
// TOSA:         return %[[V2]] : tensor<i32>
func.func @run_time(%a: !torch.float) -> !torch.int {
  %r = torch.aten.ceil.float %a : !torch.float -> !torch.int
  return %r : !torch.int
}
