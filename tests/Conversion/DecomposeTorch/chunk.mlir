// RUN: isthmus-opt %s --torch-decompose-complex-ops | FileCheck %s

// Along a dim of unknown size, as many chunks as asked for: each has
// ceil(size / 3) elements, and the last one has elements too.
// CHECK-LABEL: func.func @unknown_size
// CHECK: %[[SIZE:.*]] = torch.aten.size.int
// CHECK: %[[LAST:.*]] = torch.aten.mul.int
// CHECK: %[[SPLITS:.*]] = torch.aten.lt.int %[[LAST]], %[[SIZE]]
// CHECK: torch.runtime.assert %[[SPLITS]], "expected a dim that splits into 3 chunks"
// CHECK-COUNT-3: torch.aten.slice.Tensor
func.func @unknown_size(%x: !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) {
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %list = torch.aten.chunk %x, %int3, %int0 : !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %r:3 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
  return %r#0, %r#1, %r#2 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
}

// A dim of two elements has two chunks, however many are asked for.
// CHECK-LABEL: func.func @more_chunks_than_elements
// CHECK-COUNT-2: torch.aten.slice.Tensor
// CHECK-NOT: torch.aten.slice.Tensor
func.func @more_chunks_than_elements(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>) {
  %int0 = torch.constant.int 0
  %many = torch.constant.int 20000
  %list = torch.aten.chunk %x, %many, %int0 : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %r:2 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>
  return %r#0, %r#1 : !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>
}
