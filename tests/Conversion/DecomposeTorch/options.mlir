// RUN: isthmus-opt %s --torch-decompose-complex-ops | FileCheck %s --check-prefix=ALL
// RUN: isthmus-opt %s --torch-decompose-complex-ops=legal-ops=aten.mish,torch.aten.clamp.Tensor | FileCheck %s --check-prefix=KEPT
// RUN: not isthmus-opt %s --torch-decompose-complex-ops=legal-ops=aten.clampp 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: isthmus-opt %s --torch-decompose-complex-ops=legal-ops=aten.clamp | FileCheck %s --check-prefix=BASE
// RUN: isthmus-opt %s --torch-decompose-complex-ops=legal-ops=mine.op

// MISSPELT: expected the name of an op, such as 'aten.clamp', got 'aten.clampp'

// An op is kept by its full name, and its decomposition is not built.
// ALL-LABEL: func.func @mish
// ALL-NOT: torch.aten.mish
// ALL-NOT: torch.aten.log1p
// KEPT-LABEL: func.func @mish
// KEPT-NEXT: torch.aten.mish
func.func @mish(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %0 = torch.aten.mish %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

// The name of an overload keeps only that one; a name without an overload keeps all.
// BASE-LABEL: func.func @clamp
// BASE:         torch.aten.clamp %
// BASE:         torch.aten.clamp.Tensor
// ALL-LABEL: func.func @clamp
// ALL-NOT: torch.aten.clamp
// KEPT-LABEL: func.func @clamp
// KEPT-NOT: torch.aten.clamp %
// KEPT: torch.aten.clamp.Tensor
// KEPT-NOT: torch.aten.clamp %
func.func @clamp(%x: !torch.vtensor<[2],f32>, %bound: !torch.vtensor<[],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %0 = torch.aten.clamp %x, %int1, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.none -> !torch.vtensor<[2],f32>
  %1 = torch.aten.clamp.Tensor %0, %bound, %none : !torch.vtensor<[2],f32>, !torch.vtensor<[],f32>, !torch.none -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

// If the op's type knows more, or less, than its decomposition, there is a cast.
// ALL-LABEL: func.func @more_is_known
// ALL: torch.tensor_static_info_cast %{{.*}} : !torch.vtensor<[?],f32> to !torch.vtensor<[3],f32>
func.func @more_is_known(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[3],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}
