// REQUIRES: mhlo
// RUN: isthmus-opt %s --torch-to-mhlo-pipeline | FileCheck %s

// Composite ops that MHLO has itself, and that are not decomposed for it.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<?xf32>)
// CHECK-NEXT:    %[[EXPM1:.*]] = mhlo.exponential_minus_one %[[X]] : tensor<?xf32>
// CHECK-NEXT:    %[[LOG1P:.*]] = mhlo.log_plus_one %[[EXPM1]] : tensor<?xf32>
// CHECK-NEXT:    %[[TAN:.*]] = mhlo.tan %[[LOG1P]] : tensor<?xf32>
// CHECK-NEXT:    %[[ATAN2:.*]] = mhlo.atan2 %[[TAN]], %[[X]] : tensor<?xf32>
// CHECK-NEXT:    return %[[ATAN2]] : tensor<?xf32>
func.func @main(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %0 = torch.aten.expm1 %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %1 = torch.aten.log1p %0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %2 = torch.aten.tan %1 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %3 = torch.aten.atan2 %2, %x : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %3 : !torch.vtensor<[?],f32>
}
