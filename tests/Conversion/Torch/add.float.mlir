// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<f64>, %[[A1:.*]]: tensor<f64>)
// MHLO:         %[[V2:.*]] = mhlo.add %[[A0]], %[[A1]] : tensor<f64>
// MHLO:         return %[[V2]] : tensor<f64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: f64, %[[A1:.*]]: f64)
// LINALG:         %[[V0:.*]] = arith.addf %[[A0]], %[[A1]] : f64
// LINALG:         return %[[V0]] : f64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<f32>, %[[A1:.*]]: tensor<f32>)
// TOSA:         %[[V2:.*]] = tosa.add %[[A0]], %[[A1]] : (tensor<f32>, tensor<f32>) -> tensor<f32>
// TOSA:         return %[[V2]] : tensor<f32>
func.func @run_time(%a: !torch.float, %b: !torch.float) -> !torch.float {
  %r = torch.aten.add.float %a, %b : !torch.float, !torch.float -> !torch.float
  return %r : !torch.float
}
