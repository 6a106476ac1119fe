// RUN: isthmus-opt %s --torch-decompose-complex-ops --split-input-file --verify-diagnostics

// Special functions, gradients and losses with arguments that must be known
// while compiling.

func.func @run_time_order(%x: !torch.vtensor<[?],f32>, %n: !torch.int) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.polygamma': expected an n from 0 to 1000 that is known while compiling}}
  %r = torch.aten.polygamma %n, %x : !torch.int, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @no_terms(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mvlgamma': expected a p from 1 to 1024 that is known while compiling}}
  %r = torch.aten.mvlgamma %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_decimals(%x: !torch.vtensor<[?],f32>, %decimals: !torch.int) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.round.decimals': expected decimals that are known while compiling}}
  %r = torch.aten.round.decimals %x, %decimals : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @decimals_of_integers(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.round.decimals': expected floating point numbers}}
  %r = torch.aten.round.decimals %x, %int1 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// -----

func.func @divisor_of_reals(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.gcd': expected integers}}
  %r = torch.aten.gcd %x, %x : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @shift_of_reals(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.bitwise_left_shift.Tensor_Scalar': expected integers}}
  %r = torch.aten.bitwise_left_shift.Tensor_Scalar %x, %int1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @neighbour_of_integers(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.nextafter': expected floating point numbers}}
  %r = torch.aten.nextafter %x, %x : !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// -----

func.func @gradient_of_unknown_approximation(%x: !torch.vtensor<[?],f32>, %approximate: !torch.str) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.gelu_backward': expected approximate to be "none" or "tanh"}}
  %r = torch.aten.gelu_backward %x, %x, %approximate
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.str -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @gradient_of_complex_numbers(%x: !torch.vtensor<[?],complex<f32>>) -> !torch.vtensor<[?],complex<f32>> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.sigmoid_backward': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.sigmoid_backward %x, %x
      : !torch.vtensor<[?],complex<f32>>, !torch.vtensor<[?],complex<f32>> -> !torch.vtensor<[?],complex<f32>>
  return %r : !torch.vtensor<[?],complex<f32>>
}

// -----

func.func @rrelu_in_training_with_lost_noise(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %lower = torch.constant.float 0.125
  %upper = torch.constant.float 0.25
  %true = torch.constant.bool true
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.rrelu_with_noise': expected rrelu outside of training}}
  %r = torch.aten.rrelu_with_noise %x, %x, %lower, %upper, %true, %none
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.float, !torch.float, !torch.bool, !torch.none
        -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_swap(%x: !torch.vtensor<[?,4],f32>, %swap: !torch.bool) -> !torch.vtensor<[],f32> {
  %float1 = torch.constant.float 1.0
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.triplet_margin_loss': expected a swap that is known while compiling}}
  %r = torch.aten.triplet_margin_loss %x, %x, %x, %float1, %float1, %float1, %swap, %int1
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.float, !torch.float, !torch.float, !torch.bool, !torch.int -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @margin_of_unknown_power(%x: !torch.vtensor<[?,4],f32>, %t: !torch.vtensor<[?],si64>, %p: !torch.int) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.multi_margin_loss': expected a p of 1 or 2, and scores [N,C] or [C]}}
  %r = torch.aten.multi_margin_loss %x, %t, %p, %int1, %none, %int1
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @scattered_on_part_of_a_diagonal(%x: !torch.vtensor<[3,4],f32>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.diagonal_scatter': expected a source of [3], got [2]}}
  %r = torch.aten.diagonal_scatter %x, %y, %int0, %int0, %int1
      : !torch.vtensor<[3,4],f32>, !torch.vtensor<[2],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

// -----

func.func @run_time_dtype(%dtype: !torch.int) -> !torch.vtensor<[5],unk> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %int5 = torch.constant.int 5
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linspace': expected a result of known dtype, got '!torch.vtensor<[5],unk>'}}
  %r = torch.aten.linspace %int1, %int5, %int5, %dtype, %none, %none, %none
      : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[5],unk>
  return %r : !torch.vtensor<[5],unk>
}

// -----

func.func @kernel_beyond_64_bits(%x: !torch.vtensor<[1,1,?],f32>, %w: !torch.vtensor<[1,1,9223372036854775807],f32>) -> !torch.vtensor<[1,1,?],f32> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %same = torch.constant.str "same"
  %stride = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %int3 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.conv1d.padding': expected padding of 64 bits, got that of a kernel of 9223372036854775807 elements}}
  %r = torch.aten.conv1d.padding %x, %w, %none, %stride, %same, %dilation, %int1
      : !torch.vtensor<[1,1,?],f32>, !torch.vtensor<[1,1,9223372036854775807],f32>, !torch.none, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,?],f32>
  return %r : !torch.vtensor<[1,1,?],f32>
}
