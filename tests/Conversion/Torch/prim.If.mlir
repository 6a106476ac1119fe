// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @one_result
// MHLO-SAME:    (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// MHLO:         %[[R:.*]] = "mhlo.if"(%[[P]]) ({
// MHLO-NEXT:      %[[NEG:.*]] = mhlo.negate %[[X]] : tensor<?xf32>
// MHLO-NEXT:      mhlo.return %[[NEG]] : tensor<?xf32>
// MHLO-NEXT:    }, {
// MHLO-NEXT:      mhlo.return %[[X]] : tensor<?xf32>
// MHLO-NEXT:    }) : (tensor<i1>) -> tensor<?xf32>
// MHLO:         return %[[R]] : tensor<?xf32>
func.func @one_result(%p: !torch.bool, %x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %r = torch.prim.If %p -> (!torch.vtensor<[?],f32>) {
    %n = torch.aten.neg %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %n : !torch.vtensor<[?],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[?],f32>
  }
  return %r : !torch.vtensor<[?],f32>
}
