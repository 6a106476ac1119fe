// RUN: isthmus-opt %s | FileCheck %s

// An ATen op that has no class of its own reads as torch.operator, which every
// other pass knows to report or carry by its full name.

// CHECK-LABEL: func.func @results
// CHECK: %[[A:.*]]:2 = torch.operator "aten.no_such_op.overload"(%{{.*}}, %none) {a = 1 : i64} : (!torch.vtensor<[2],f32>, !torch.none) -> (!torch.vtensor<[2],f32>, !torch.int)
// CHECK: torch.operator "aten.no_such_assertion"(%[[A]]#0) : (!torch.vtensor<[2],f32>) -> ()
func.func @results(%x: !torch.vtensor<[2],f32>) {
  %none = torch.constant.none
  %0:2 = torch.aten.no_such_op.overload %x, %none {a = 1 : i64} : !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>, !torch.int
  torch.aten.no_such_assertion %0#0 : !torch.vtensor<[2],f32>
  return
}
