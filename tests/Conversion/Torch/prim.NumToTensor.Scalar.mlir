// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @run_time
// MHLO-SAME:    (%[[A0:.*]]: tensor<i64>)
// MHLO:         return %[[A0]] : tensor<i64>
//
// LINALG-LABEL: func.func @run_time
// LINALG-SAME:    (%[[A0:.*]]: i64)
// LINALG:         %[[V0:.*]] = tensor.from_elements %[[A0]] : tensor<i64>
// LINALG:         return %[[V0]] : tensor<i64>
//
// TOSA-LABEL: func.func @run_time
// TOSA-SAME:    (%[[A0:.*]]: tensor<i32>)
// TOSA:         return %[[A0]] : tensor<i32>
func.func @run_time(%a: !torch.int) -> !torch.vtensor<[],si64> {
  %r = torch.prim.NumToTensor.Scalar %a : !torch.int -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}
