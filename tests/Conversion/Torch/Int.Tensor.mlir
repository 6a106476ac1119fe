// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<1xi32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<1xi32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         return %[[V2]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: tensor<1xi32>)
// LINALG:         %[[V0:.*]] = tensor.extract %[[A0]][%{{.*}}] : tensor<1xi32>
// LINALG:         %[[V1:.*]] = arith.extsi %[[V0]] : i32 to i64
// LINALG:         return %[[V1]] : i64
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<1xi32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<1xi32>, !tosa.shape<0>) -> tensor<i32>
// TOSA:         return %[[V2]] : tensor<i32>
func.func @run_time(%a: !torch.vtensor<[1],si32>) -> !torch.int {
  %r = torch.aten.Int.Tensor %a : !torch.vtensor<[1],si32> -> !torch.int
  return %r : !torch.int
}
