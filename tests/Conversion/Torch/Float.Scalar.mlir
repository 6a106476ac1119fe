// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<i64>) -> tensor<f64>
// MHLO:         return %[[V1]] : tensor<f64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = arith.sitofp %[[A0]] : i64 to f64
// LINALG:         return %[[V0]] : f64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>)
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<i32>) -> tensor<f32>
// TOSA:         return %[[V1]] : tensor<f32>
func.func @run_time(%a: !torch.int) -> !torch.float {
  %r = torch.aten.Float.Scalar %a : !torch.int -> !torch.float
  return %r : !torch.float
}
