// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<1xf32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<1xf32>) -> tensor<f32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<f32>) -> tensor<f64>
// MHLO:         return %[[V2]] : tensor<f64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: tensor<1xf32>)
// LINALG:         %[[V0:.*]] = tensor.extract %[[A0]][%{{.*}}] : tensor<1xf32>
// LINALG:         %[[V1:.*]] = arith.extf %[[V0]] : f32 to f64
// LINALG:         return %[[V1]] : f64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<1xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<1xf32>, !tosa.shape<0>) -> tensor<f32>
// TOSA:         return %[[V2]] : tensor<f32>
func.func @run_time(%a: !torch.vtensor<[1],f32>) -> !torch.float {
  %r = torch.aten.Float.Tensor %a : !torch.vtensor<[1],f32> -> !torch.float
  return %r : !torch.float
}
