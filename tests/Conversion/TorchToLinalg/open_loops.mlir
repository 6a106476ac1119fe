// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg=consumer=iree --verify-diagnostics

// IREE computes some loops that carry tensors of open sizes wrongly.
func.func @open(%n: !torch.int, %c: !torch.bool, %x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  // expected-warning @below {{got 1 with open ones; specialize the sizes, or compare the results}}
  %r = torch.prim.Loop %n, %c, init(%x) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor<[?],f32>):
    %a = torch.aten.neg %v : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %c, iter(%a : !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

func.func @known(%n: !torch.int, %c: !torch.bool, %x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  %r = torch.prim.Loop %n, %c, init(%x) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor<[3],f32>):
    %a = torch.aten.neg %v : !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
    torch.prim.Loop.condition %c, iter(%a : !torch.vtensor<[3],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}
