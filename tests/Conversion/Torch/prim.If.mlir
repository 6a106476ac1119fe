// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @one_result
// MHLO-SAME:    (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// MHLO:         %[[R:.*]] = "mhlo.if"(%[[P]]) ({
// MHLO-NEXT:      %[[NEG:.*]] = mhlo.negate %[[X]] : tensor<?xf32>
// MHLO-NEXT:      mhlo.return %[[NEG]] : tensor<?xf32>
// MHLO-NEXT:    }, {
// MHLO-NEXT:      mhlo.return %[[X]] : tensor<?xf32>
// MHLO-NEXT:    }) : (tensor<i1>) -> tensor<?xf32>
// MHLO:         return %[[R]] : tensor<?xf32>
//
// LINALG-LABEL: func.func @one_result
// LINALG-SAME:    (%[[A0:.*]]: i1, %[[A1:.*]]: tensor<?xf32>)
// LINALG:         %[[V0:.*]] = scf.if %[[A0]] -> (tensor<?xf32>) {
// LINALG:           %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[A1]] : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {
// LINALG:           ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:             %[[V4:.*]] = arith.negf %[[V2]] : f32
// LINALG:             linalg.yield %[[V4]] : f32
// LINALG:           } -> tensor<?xf32>
// LINALG:           scf.yield %[[V1]] : tensor<?xf32>
// LINALG:         } else {
// LINALG:           scf.yield %[[A1]] : tensor<?xf32>
// LINALG:         return %[[V0]] : tensor<?xf32>
//
// TOSA-LABEL: func.func @one_result
// TOSA-SAME:    (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// TOSA:         %[[R:.*]] = tosa.cond_if %[[P]] (%{{.*}} = %[[X]]) : tensor<i1> (tensor<?xf32>) -> tensor<?xf32> {
// TOSA-NEXT:    ^bb0(%[[V:.*]]: tensor<?xf32>):
// TOSA:           %[[NEG:.*]] = tosa.negate %[[V]]
// TOSA:           tosa.yield %[[NEG]] : tensor<?xf32>
// TOSA-NEXT:    } else {
// TOSA-NEXT:    ^bb0(%[[W:.*]]: tensor<?xf32>):
// TOSA-NEXT:      tosa.yield %[[W]] : tensor<?xf32>
// TOSA:         return %[[R]] : tensor<?xf32>
func.func @one_result(%p: !torch.bool, %x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %r = torch.prim.If %p -> (!torch.vtensor<[?],f32>) {
    %n = torch.aten.neg %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %n : !torch.vtensor<[?],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[?],f32>
  }
  return %r : !torch.vtensor<[?],f32>
}
