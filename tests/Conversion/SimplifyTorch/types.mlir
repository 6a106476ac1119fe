// RUN: isthmus-opt %s --simplify-torch | FileCheck %s

// If the types of an op's operands become more precise, so does its own type.
// The function's result type stays as callers know it.
// CHECK-LABEL: func.func @refined
// CHECK:         %[[RELU:.*]] = torch.aten.relu {{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK:         %[[CAST:.*]] = torch.tensor_static_info_cast %[[RELU]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK:         return %[[CAST]]
func.func @refined(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %vague = torch.tensor_static_info_cast %x : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
  %a = torch.aten.relu %vague : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %a : !torch.vtensor<[?,3],f32>
}
