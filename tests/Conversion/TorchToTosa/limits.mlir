// REQUIRES: tosa
// RUN: isthmus-opt %s --convert-torch-to-tosa --split-input-file --verify-diagnostics

// Limits of TOSA 1.0 that apply to any op.

// expected-error @below {{no lowering to tosa for argument 0: TOSA has no f64; pass narrow-f64 to compute in f32}}
// expected-error @below {{no lowering to tosa for result 0: TOSA has no f64; pass narrow-f64 to compute in f32}}
func.func @double(%x: !torch.vtensor<[2],f64>) -> !torch.vtensor<[2],f64> {
  return %x : !torch.vtensor<[2],f64>
}

// -----

// expected-error @below {{no lowering to tosa for argument 0: TOSA has no tensors without elements, got '!torch.vtensor<[0,2],f32>'}}
// expected-error @below {{no lowering to tosa for result 0: TOSA has no tensors without elements, got '!torch.vtensor<[0,2],f32>'}}
func.func @empty(%x: !torch.vtensor<[0,2],f32>) -> !torch.vtensor<[0,2],f32> {
  return %x : !torch.vtensor<[0,2],f32>
}

// -----

// No TOSA op has the type of an argument without uses.
func.func @unused(%x: !torch.vtensor<[0,2],f32>, %y: !torch.vtensor<[1,1,1,1,1,1,2],f64>) {
  return
}

// -----

// expected-error @below {{no lowering to tosa for argument 0: TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[1,1,1,1,1,1,2],f32>'}}
// expected-error @below {{no lowering to tosa for result 0: TOSA's level 8k has tensors of rank 6 at most, got '!torch.vtensor<[1,1,1,1,1,1,2],f32>'}}
func.func @rank(%x: !torch.vtensor<[1,1,1,1,1,1,2],f32>) -> !torch.vtensor<[1,1,1,1,1,1,2],f32> {
  return %x : !torch.vtensor<[1,1,1,1,1,1,2],f32>
}

// -----

// expected-error @below {{no lowering to tosa for argument 0: TOSA has no tensors of 'ui32'}}
// expected-error @below {{no lowering to tosa for argument 1: TOSA has no tensors of 'complex<f32>'}}
// expected-error @below {{no lowering to tosa for result 0: TOSA has no tensors of 'ui32'}}
// expected-error @below {{no lowering to tosa for result 1: TOSA has no tensors of 'complex<f32>'}}
func.func @dtypes(%x: !torch.vtensor<[2],ui32>, %y: !torch.vtensor<[2],complex<f32>>) -> (!torch.vtensor<[2],ui32>, !torch.vtensor<[2],complex<f32>>) {
  return %x, %y : !torch.vtensor<[2],ui32>, !torch.vtensor<[2],complex<f32>>
}

// -----

func.func @double_inside(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %f64 = torch.constant.int 7
  %f32 = torch.constant.int 6
  // expected-error @below {{no lowering to tosa for 'torch.prims.convert_element_type': TOSA has no f64; pass narrow-f64 to compute in f32}}
  %wide = torch.prims.convert_element_type %x, %f64 : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f64>
  // expected-error @below {{no lowering to tosa for 'torch.prims.convert_element_type': TOSA has no f64; pass narrow-f64 to compute in f32}}
  %r = torch.prims.convert_element_type %wide, %f32 : !torch.vtensor<[2],f64>, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @constant() -> !torch.vtensor<[2],si64> {
  // expected-error @below {{no lowering to tosa for 'torch.vtensor.literal': TOSA 1.0 has integers of 32 bits, got the constant 2147483648}}
  %r = torch.vtensor.literal(dense<[1, 2147483648]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @two_unknown_sizes(%x: !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,2,2],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  // expected-error @below {{no lowering to tosa for 'torch.aten.size.int': TOSA 1.0 has no sizes as values}}
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.int
  // expected-error @below {{no lowering to tosa for 'torch.aten.size.int': TOSA 1.0 has no sizes as values}}
  %m = torch.aten.size.int %x, %int1 : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %n, %m, %int2, %int2
      : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA 1.0 reshapes to one size that is known at run time only, got [?,?,2,2]; make sizes known with --specialize}}
  %r = torch.aten.view %x, %sizes : !torch.vtensor<[?,?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?,2,2],f32>
  return %r : !torch.vtensor<[?,?,2,2],f32>
}

// -----

// expected-error @below {{no lowering to tosa for argument 1 'x': expected a tensor of known rank and dtype, got '!torch.vtensor<*,f32>'}}
// expected-error @below {{no lowering to tosa for result 0: expected a tensor of known rank and dtype, got '!torch.vtensor<[2],unk>'}}
func.func @unknown_signature(%n: !torch.int, %x: !torch.vtensor<*,f32> {onnx.name = "x"}) -> !torch.vtensor<[2],unk> {
  %r = torch.tensor_static_info_cast %x : !torch.vtensor<*,f32> to !torch.vtensor<[2],unk>
  return %r : !torch.vtensor<[2],unk>
}

// -----

// Equal types do not imply equal shapes, so this view cannot be dropped.
func.func @unknown_sizes_of_a_view(%x: !torch.vtensor<[?,?],f32>, %n: !torch.int, %m: !torch.int) -> !torch.vtensor<[?,?],f32> {
  %sizes = torch.prim.ListConstruct %n, %m : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to tosa for 'torch.aten.view': TOSA 1.0 reshapes to one size that is known at run time only, got [?,?]; make sizes known with --specialize}}
  %r = torch.aten.view %x, %sizes : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @unknown_sizes_of_an_expand(%x: !torch.vtensor<[?,3],f32>, %n: !torch.int) -> !torch.vtensor<[?,3],f32> {
  %int3 = torch.constant.int 3
  %sizes = torch.prim.ListConstruct %n, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to tosa for 'torch.aten.expand': expected to know which dims of '!torch.vtensor<[?,3],f32>' grow; make sizes known with --specialize}}
  %r = torch.aten.expand %x, %sizes, %false : !torch.vtensor<[?,3],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// -----

func.func @an_unknown_size_that_stays(%x: !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[2,?,3],f32> {
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %same = torch.constant.int -1
  %sizes = torch.prim.ListConstruct %int2, %same, %int3 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.expand %x, %sizes, %false : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,?,3],f32>
  return %r : !torch.vtensor<[2,?,3],f32>
}
