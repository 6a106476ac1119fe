// REQUIRES: tosa
// RUN: isthmus-opt %s --limit-torch-rank --convert-torch-to-tosa --split-input-file --verify-diagnostics

// Tensors of more than 6 dims that stay.

func.func @sort(%x: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[128],f32> {
  %2 = torch.constant.int 2
  %128 = torch.constant.int 128
  %last = torch.constant.int -1
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %2, %2, %2, %2, %2, %2, %2 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[2,2,2,2,2,2,2],f32>'}}
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[8,16],f32>, !torch.list<int> -> !torch.vtensor<[2,2,2,2,2,2,2],f32>
  // expected-error @below {{no lowering to tosa for 'torch.aten.sort.stable': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[2,2,2,2,2,2,2],f32>'}}
  %r:2 = torch.aten.sort.stable %a, %true, %last, %false
      : !torch.vtensor<[2,2,2,2,2,2,2],f32>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[2,2,2,2,2,2,2],f32>, !torch.vtensor<[2,2,2,2,2,2,2],si64>
  %flat = torch.prim.ListConstruct %128 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[2,2,2,2,2,2,2],f32>'}}
  %b = torch.aten.view %r#0, %flat : !torch.vtensor<[2,2,2,2,2,2,2],f32>, !torch.list<int> -> !torch.vtensor<[128],f32>
  return %b : !torch.vtensor<[128],f32>
}

// -----

func.func @two_open_sizes(%x: !torch.vtensor<[?,?,64],f32>, %n: !torch.int, %m: !torch.int) -> !torch.vtensor<[?],f32> {
  %2 = torch.constant.int 2
  %rest = torch.constant.int -1
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %n, %m, %2, %2, %2, %2, %2, %2 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[?,?,2,2,2,2,2,2],f32>'}}
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[?,?,64],f32>, !torch.list<int> -> !torch.vtensor<[?,?,2,2,2,2,2,2],f32>
  // expected-error @below {{no lowering to tosa for 'torch.aten.exp': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[?,?,2,2,2,2,2,2],f32>'}}
  %b = torch.aten.exp %a : !torch.vtensor<[?,?,2,2,2,2,2,2],f32> -> !torch.vtensor<[?,?,2,2,2,2,2,2],f32>
  %flat = torch.prim.ListConstruct %rest : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[?,?,2,2,2,2,2,2],f32>'}}
  %c = torch.aten.view %b, %flat : !torch.vtensor<[?,?,2,2,2,2,2,2],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return %c : !torch.vtensor<[?],f32>
}
