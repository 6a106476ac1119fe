// RUN: isthmus-opt %s | FileCheck %s

// An ATen op without a class is parsed as torch.operator. All other passes can
// report or carry it by its full name.

// CHECK-LABEL: func.func @results
// CHECK: %[[A:.*]]:2 = torch.operator "aten.no_such_op.overload"(%{{.*}}, %none) {a = 1 : i64} : (!torch.vtensor<[2],f32>, !torch.none) -> (!torch.vtensor<[2],f32>, !torch.int)
// CHECK: torch.operator "aten.no_such_assertion"(%[[A]]#0) : (!torch.vtensor<[2],f32>) -> ()
func.func @results(%x: !torch.vtensor<[2],f32>) {
  %none = torch.constant.none
  %0:2 = torch.aten.no_such_op.overload %x, %none {a = 1 : i64} : !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>, !torch.int
  torch.aten.no_such_assertion %0#0 : !torch.vtensor<[2],f32>
  return
}

// torch.operator with the name of an op with a class is parsed as that op.
// torch-mlir's imports contain these, with the dialect's name before the op's.

// CHECK-LABEL: func.func @known_here
// CHECK: torch.aten.relu %{{.*}} : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK: torch.aten.relu %{{.*}} : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
func.func @known_here(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.operator "torch.aten.relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %1 = torch.operator "aten.relu"(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @structural
// CHECK: torch.operator "constant.none"() : () -> !torch.none
func.func @structural() {
  %0 = torch.operator "constant.none"() : () -> !torch.none
  return
}
