// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<f32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<f32>) -> tensor<i1>
// MHLO:         return %[[V1]] : tensor<i1>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: tensor<f32>)
// LINALG:         %[[V0:.*]] = tensor.extract %[[A0]][] : tensor<f32>
// LINALG:         %[[V1:.*]] = arith.cmpf une, %[[V0]], %{{.*}} : f32
// LINALG:         return %[[V1]] : i1
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<f32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// TOSA:         %[[V2:.*]] = tosa.equal %[[A0]], %[[V1]] : (tensor<f32>, tensor<f32>) -> tensor<i1>
// TOSA:         %[[V3:.*]] = tosa.logical_not %[[V2]] : (tensor<i1>) -> tensor<i1>
// TOSA:         return %[[V3]] : tensor<i1>
func.func @run_time(%a: !torch.vtensor<[],f32>) -> !torch.bool {
  %r = torch.aten.Bool.Tensor %a : !torch.vtensor<[],f32> -> !torch.bool
  return %r : !torch.bool
}
