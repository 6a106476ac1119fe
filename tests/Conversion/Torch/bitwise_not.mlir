// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// MHLO:         %[[V1:.*]] = mhlo.not %[[A0]] : tensor<?x3xi64>
// MHLO:         return %[[V1]] : tensor<?x3xi64>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xi64>) outs(%{{.*}} : tensor<?x3xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i64):
// LINALG:           %[[V3:.*]] = arith.xori %[[V1]], %{{.*}}-1_i64 : i64
// LINALG:           linalg.yield %[[V3]] : i64
// LINALG:         } -> tensor<?x3xi64>
// LINALG:         return %[[V0]] : tensor<?x3xi64>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xi32> {isthmus.dtype = si64})
// TOSA:         %[[V1:.*]] = tosa.bitwise_not %[[A0]] : (tensor<?x3xi32>) -> tensor<?x3xi32>
// TOSA:         return %[[V1]] : tensor<?x3xi32>
func.func @dynamic(%a: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[?,3],si64> {
  %r = torch.aten.bitwise_not %a : !torch.vtensor<[?,3],si64> -> !torch.vtensor<[?,3],si64>
  return %r : !torch.vtensor<[?,3],si64>
}
