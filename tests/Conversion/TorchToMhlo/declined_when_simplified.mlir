// REQUIRES: mhlo
// RUN: isthmus-opt %s --verify-each=0 --simplify-torch --convert-torch-to-mhlo --split-input-file --verify-diagnostics

// Programs are verified before and after the lowering, but not in between, where
// simplification makes numbers and sizes known.

func.func @range_without_end() -> !torch.vtensor<[?],f64> {
  %start = torch.constant.float 0.0
  %large = torch.constant.float 1.0e+200
  %tenth = torch.constant.float 1.0e-1
  %end = torch.aten.mul.float %large, %tenth : !torch.float, !torch.float -> !torch.float
  %f64 = torch.constant.int 7
  %none = torch.constant.none
  // expected-error @below {{no lowering to mhlo for 'torch.aten.arange.start_step': expected bounds a countable number of steps apart, got steps of 1.000000e-01}}
  %r = torch.aten.arange.start_step %start, %end, %tenth, %f64, %none, %none, %none
      : !torch.float, !torch.float, !torch.float, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f64>
  return %r : !torch.vtensor<[?],f64>
}

// -----

func.func @product_of_sizes_that_differ(%x: !torch.vtensor<[2,3],f32>, %y: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,5],f32> {
  %unknown = torch.tensor_static_info_cast %x : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
  // expected-error @below {{no lowering to mhlo for 'torch.aten.mm': expected matrices with a common inner size, got '!torch.vtensor<[2,3],f32>' and '!torch.vtensor<[4,5],f32>'}}
  %r = torch.aten.mm %unknown, %y
      : !torch.vtensor<[2,?],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor<[2,5],f32>
  return %r : !torch.vtensor<[2,5],f32>
}
