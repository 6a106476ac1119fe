// RUN: isthmus-opt %s --torch-decompose-complex-ops --split-input-file --verify-diagnostics

// Ops with arguments that must be known while compiling, or for which there is
// no decomposition.

func.func @run_time_output_size(%x: !torch.vtensor<[1,3,4,4],f32>, %size: !torch.list<int>) -> !torch.vtensor<[1,3,?,?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.adaptive_avg_pool2d': expected an output size of known length}}
  %r = torch.aten.adaptive_avg_pool2d %x, %size
      : !torch.vtensor<[1,3,4,4],f32>, !torch.list<int> -> !torch.vtensor<[1,3,?,?],f32>
  return %r : !torch.vtensor<[1,3,?,?],f32>
}

// -----

func.func @run_time_training(%x: !torch.vtensor<[1,3,?],f32>, %m: !torch.vtensor<[3],f32>, %training: !torch.bool) -> !torch.vtensor<[1,3,?],f32> {
  %none = torch.constant.none
  %float0_1 = torch.constant.float 0.1
  %eps = torch.constant.float 1.0e-5
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.batch_norm': expected to know while compiling whose statistics to use}}
  %r = torch.aten.batch_norm %x, %none, %none, %m, %m, %training, %float0_1, %eps, %false
      : !torch.vtensor<[1,3,?],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[1,3,?],f32>
  return %r : !torch.vtensor<[1,3,?],f32>
}

// -----

func.func @run_time_chunks(%x: !torch.vtensor<[?,4],f32>, %chunks: !torch.int) -> !torch.list<vtensor> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.chunk': expected the number of pieces to be known while compiling}}
  %r = torch.aten.chunk %x, %chunks, %int1
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @dropout_of_integers(%x: !torch.vtensor<[?,4],si64>) -> !torch.vtensor<[?,4],si64> {
  %float0_5 = torch.constant.float 0.5
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.dropout': expected floating-point numbers, and train to be known while compiling}}
  %r = torch.aten.dropout %x, %float0_5, %true
      : !torch.vtensor<[?,4],si64>, !torch.float, !torch.bool -> !torch.vtensor<[?,4],si64>
  return %r : !torch.vtensor<[?,4],si64>
}

// -----

func.func @run_time_flatten(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.flatten.using_ints': expected dims that are known while compiling}}
  %r = torch.aten.flatten.using_ints %x, %dim, %int1
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @unknown_approximation(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %erf = torch.constant.str "erf"
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.gelu': expected approximate to be "none" or "tanh"}}
  %r = torch.aten.gelu %x, %erf
      : !torch.vtensor<[?,4],f32>, !torch.str -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_statistics(%x: !torch.vtensor<[1,3,?],f32>, %own: !torch.bool) -> !torch.vtensor<[1,3,?],f32> {
  %none = torch.constant.none
  %float0_1 = torch.constant.float 0.1
  %eps = torch.constant.float 1.0e-5
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.instance_norm': expected to know while compiling whose statistics to use}}
  %r = torch.aten.instance_norm %x, %none, %none, %none, %none, %own, %float0_1, %eps, %false
      : !torch.vtensor<[1,3,?],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[1,3,?],f32>
  return %r : !torch.vtensor<[1,3,?],f32>
}

// -----

func.func @normalized_shape_from_outside(%x: !torch.vtensor<[?,4],f32>, %shape: !torch.list<int>) -> !torch.vtensor<[?,4],f32> {
  %none = torch.constant.none
  %eps = torch.constant.float 1.0e-5
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.layer_norm': expected the number of normalized dims to be known while compiling}}
  %r = torch.aten.layer_norm %x, %shape, %none, %none, %eps, %false
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.float, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_order(%x: !torch.vtensor<[?,4],f32>, %order: !torch.float) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_vector_norm': expected an order that is known while compiling}}
  %r = torch.aten.linalg_vector_norm %x, %order, %list, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_mean(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mean.dim': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.mean.dim %x, %dims, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_keepdim(%x: !torch.vtensor<[?,4],f32>, %keepdim: !torch.bool) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mean.dim': expected dims and a keepdim that are known while compiling}}
  %r = torch.aten.mean.dim %x, %list, %keepdim, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @unknown_mode_of_padding(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,6],f32> {
  %int1 = torch.constant.int 1
  %wrap = torch.constant.str "wrap"
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.pad': expected a mode of constant, reflect, replicate or circular}}
  %r = torch.aten.pad %x, %list, %wrap, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.str, !torch.none -> !torch.vtensor<[?,6],f32>
  return %r : !torch.vtensor<[?,6],f32>
}

// -----

func.func @padding_of_64_bits(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %most = torch.constant.int 9223372036854775807
  %padding = torch.prim.ListConstruct %most, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.replication_pad1d': expected padding of 32 bits, got 9223372036854775807}}
  %r = torch.aten.replication_pad1d %x, %padding
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @dilation_of_64_bits(%x: !torch.vtensor<[2,4,7],f32>, %w: !torch.vtensor<[6,4,3],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %int1 = torch.constant.int 1
  %most = torch.constant.int 4611686018427387904
  %same = torch.constant.str "same"
  %none = torch.constant.none
  %one = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %most : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.conv1d.padding': expected dilation of 32 bits, got 4611686018427387904}}
  %r = torch.aten.conv1d.padding %x, %w, %none, %one, %same, %dilation, %int1
      : !torch.vtensor<[2,4,7],f32>, !torch.vtensor<[6,4,3],f32>, !torch.none, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int -> !torch.vtensor<[?,?,?],f32>
  return %r : !torch.vtensor<[?,?,?],f32>
}

// -----

func.func @run_time_padding(%x: !torch.vtensor<[?,4],f32>, %padding: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.reflection_pad1d': expected padding that is known while compiling}}
  %r = torch.aten.reflection_pad1d %x, %padding
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @repeats_from_outside(%x: !torch.vtensor<[?,4],f32>, %repeats: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.repeat': expected repeats whose number is known while compiling}}
  %r = torch.aten.repeat %x, %repeats
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_causality(%q: !torch.vtensor<[2,3,8],f32>, %causal: !torch.bool) -> !torch.vtensor<[2,3,8],f32> {
  %none = torch.constant.none
  %float0_0 = torch.constant.float 0.0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.scaled_dot_product_attention': expected is_causal and enable_gqa to be known while compiling}}
  %r = torch.aten.scaled_dot_product_attention %q, %q, %q, %none, %float0_0, %causal, %none, %false
      : !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,8],f32>
  return %r : !torch.vtensor<[2,3,8],f32>
}

// -----

func.func @run_time_grouping(%q: !torch.vtensor<[2,3,8],f32>, %grouped: !torch.bool) -> !torch.vtensor<[2,3,8],f32> {
  %none = torch.constant.none
  %float0_0 = torch.constant.float 0.0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.scaled_dot_product_attention': expected is_causal and enable_gqa to be known while compiling}}
  %r = torch.aten.scaled_dot_product_attention %q, %q, %q, %none, %float0_0, %false, %none, %grouped
      : !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,8],f32>
  return %r : !torch.vtensor<[2,3,8],f32>
}

// -----

func.func @groups_without_heads(%q: !torch.vtensor<[3,8],f32>) -> !torch.vtensor<[3,8],f32> {
  %none = torch.constant.none
  %float0_0 = torch.constant.float 0.0
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.scaled_dot_product_attention': expected a query, a key and a value of one rank with a dim of heads, got others}}
  %r = torch.aten.scaled_dot_product_attention %q, %q, %q, %none, %float0_0, %false, %none, %true
      : !torch.vtensor<[3,8],f32>, !torch.vtensor<[3,8],f32>, !torch.vtensor<[3,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[3,8],f32>
  return %r : !torch.vtensor<[3,8],f32>
}

// -----

func.func @run_time_selection(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.select.int': expected a dim that is known while compiling}}
  %r = torch.aten.select.int %x, %dim, %int0
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @pieces_of_unknown_size(%x: !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor> {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.split.Tensor': expected the number of pieces to be known while compiling}}
  %r = torch.aten.split.Tensor %x, %int2, %int0
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @split_sizes_from_outside(%x: !torch.vtensor<[?,4],f32>, %sizes: !torch.list<int>) -> !torch.list<vtensor> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.split_with_sizes': expected the number of pieces to be known while compiling}}
  %r = torch.aten.split_with_sizes %x, %sizes, %int1
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @run_time_squeeze(%x: !torch.vtensor<[?,1],f32>, %dim: !torch.int) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.squeeze.dim': expected a dim that is known while compiling}}
  %r = torch.aten.squeeze.dim %x, %dim
      : !torch.vtensor<[?,1],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_squeezes(%x: !torch.vtensor<[?,1],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.squeeze.dims': expected dims that are known while compiling}}
  %r = torch.aten.squeeze.dims %x, %dims
      : !torch.vtensor<[?,1],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @stack_from_outside(%list: !torch.list<vtensor>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.stack': expected a list of tensors and a dim that are known while compiling}}
  %r = torch.aten.stack %list, %int0
      : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @run_time_transposition(%x: !torch.vtensor<[?,4],f32>, %dim: !torch.int) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.transpose.int': expected dims that are known while compiling}}
  %r = torch.aten.transpose.int %x, %dim, %int1
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @triangle_of_a_vector(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{'torch.aten.triu' op expected 'self' of rank 2 or more, got rank 1: '!torch.vtensor<[4],f32>'}}
  %r = torch.aten.triu %x, %int0
      : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @pieces_of_unknown_number(%x: !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor> {
  %int0 = torch.constant.int 0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.unbind.int': expected the number of pieces to be known while compiling}}
  %r = torch.aten.unbind.int %x, %int0
      : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @complex_core_op(%x: !torch.vtensor<[?,4],complex<f32>>) -> !torch.vtensor<[?,4],complex<f32>> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.maximum': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.maximum %x, %x : !torch.vtensor<[?,4],complex<f32>>, !torch.vtensor<[?,4],complex<f32>> -> !torch.vtensor<[?,4],complex<f32>>
  return %r : !torch.vtensor<[?,4],complex<f32>>
}

// -----

func.func @complex_composite_op(%x: !torch.vtensor<[?,4],complex<f32>>) -> !torch.vtensor<[?,4],complex<f32>> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.tanh_backward': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.tanh_backward %x, %x : !torch.vtensor<[?,4],complex<f32>>, !torch.vtensor<[?,4],complex<f32>> -> !torch.vtensor<[?,4],complex<f32>>
  return %r : !torch.vtensor<[?,4],complex<f32>>
}

// -----

func.func @run_time_window(%length: !torch.int) -> !torch.vtensor<[?],f32> {
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.hann_window': expected a window whose length is known while compiling}}
  %r = torch.aten.hann_window %length, %none, %none, %none, %none
      : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_frames(%x: !torch.vtensor<[?],f32>, %size: !torch.int) -> !torch.vtensor<[?,?],complex<f32>> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.stft': expected n_fft to be known while compiling}}
  %r = torch.aten.stft %x, %size, %none, %none, %none, %false, %true, %true, %none
      : !torch.vtensor<[?],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return %r : !torch.vtensor<[?,?],complex<f32>>
}

// -----

func.func @run_time_length(%x: !torch.vtensor<[?,4],f32>, %g: !torch.vtensor<[?,1],f32>, %dim: !torch.int) -> !torch.vtensor<[?,4],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._weight_norm': expected a dim that is known while compiling}}
  %r = torch.aten._weight_norm %x, %g, %dim
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,1],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_stride(%x: !torch.vtensor<[1,3,8,8],f32>, %stride: !torch.list<int>) -> !torch.vtensor<[1,12,?],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %kernel = torch.prim.ListConstruct %c2, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.im2col': expected window arguments that are known while compiling}}
  %r = torch.aten.im2col %x, %kernel, %one, %zero, %stride
      : !torch.vtensor<[1,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,12,?],f32>
  return %r : !torch.vtensor<[1,12,?],f32>
}

// -----

func.func @large_kernel(%x: !torch.vtensor<[1,3,?,8],f32>) -> !torch.vtensor<[1,393222,?],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c65537 = torch.constant.int 65537
  %kernel = torch.prim.ListConstruct %c65537, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.im2col': expected kernels of 1 to 65536, got 65537}}
  %r = torch.aten.im2col %x, %kernel, %one, %zero, %one
      : !torch.vtensor<[1,3,?,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,393222,?],f32>
  return %r : !torch.vtensor<[1,393222,?],f32>
}

// -----

func.func @image_beyond_32_bits(%x: !torch.vtensor<[1,12,?],f32>) -> !torch.vtensor<[1,3,2147483648,8],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c8 = torch.constant.int 8
  %c2147483648 = torch.constant.int 2147483648
  %image = torch.prim.ListConstruct %c2147483648, %c8 : (!torch.int, !torch.int) -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %c2, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.col2im': expected an image whose sizes 32 bits hold, got 2147483648}}
  %r = torch.aten.col2im %x, %image, %kernel, %one, %zero, %one
      : !torch.vtensor<[1,12,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[1,3,2147483648,8],f32>
  return %r : !torch.vtensor<[1,3,2147483648,8],f32>
}

// -----

func.func @long_window() -> !torch.vtensor<[4194305],f32> {
  %c4194305 = torch.constant.int 4194305
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.hann_window': expected a window of at most 4194304 elements, got 4194305}}
  %r = torch.aten.hann_window %c4194305, %none, %none, %none, %none
      : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4194305],f32>
  return %r : !torch.vtensor<[4194305],f32>
}

// -----

func.func @frames_beyond_32_bits(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],complex<f32>> {
  %c4294967296 = torch.constant.int 4294967296
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.stft': expected n_fft and hop_length of 32 bits}}
  %r = torch.aten.stft %x, %c4294967296, %none, %none, %none, %false, %true, %true, %none
      : !torch.vtensor<[?],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return %r : !torch.vtensor<[?,?],complex<f32>>
}

// -----

func.func @frames_of_many_steps(%x: !torch.vtensor<[16386,4],complex<f32>>) -> !torch.vtensor<[3],f32> {
  %c1 = torch.constant.int 1
  %c32770 = torch.constant.int 32770
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.istft': expected frames of at most 16384 steps, got 32770}}
  %r = torch.aten.istft %x, %c32770, %c1, %none, %none, %true, %false, %true, %none, %false
      : !torch.vtensor<[16386,4],complex<f32>>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool, !torch.bool, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

func.func @many_windows(%g: !torch.vtensor<[1,1,2048,2049],f32>, %x: !torch.vtensor<[1,1,2048,2049],f32>) -> !torch.vtensor<[1,1,2048,2049],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %one = torch.prim.ListConstruct %c1, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct %c0, %c0 : (!torch.int, !torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.avg_pool2d_backward': expected at most 4194304 windows, got 4196352}}
  %r = torch.aten.avg_pool2d_backward %g, %x, %one, %one, %zero, %false, %true, %none
      : !torch.vtensor<[1,1,2048,2049],f32>, !torch.vtensor<[1,1,2048,2049],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,1,2048,2049],f32>
  return %r : !torch.vtensor<[1,1,2048,2049],f32>
}

// -----

func.func @many_pairs(%x: !torch.vtensor<[3000,2],f32>) -> !torch.vtensor<[4498500],f32> {
  %two = torch.constant.float 2.0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._pdist_forward': expected at most 4194304 pairs of rows, got 3000 rows}}
  %r = torch.aten._pdist_forward %x, %two
      : !torch.vtensor<[3000,2],f32>, !torch.float -> !torch.vtensor<[4498500],f32>
  return %r : !torch.vtensor<[4498500],f32>
}

// -----

func.func @large_table(%x: !torch.vtensor<[1,3,4194300],f32>) -> !torch.vtensor<[1,3,7],f32> {
  %c7 = torch.constant.int 7
  %size = torch.prim.ListConstruct %c7 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.adaptive_avg_pool1d': expected sizes of 0 or more and a table of at most 4194304 elements between them, got 4194300 pooled to 7}}
  %r = torch.aten.adaptive_avg_pool1d %x, %size
      : !torch.vtensor<[1,3,4194300],f32>, !torch.list<int> -> !torch.vtensor<[1,3,7],f32>
  return %r : !torch.vtensor<[1,3,7],f32>
}

// -----

func.func @many_pieces(%x: !torch.vtensor<[?,16385],f32>) -> !torch.list<vtensor> {
  %c1 = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.split.Tensor': expected at most 16384 pieces, got 16385}}
  %r = torch.aten.split.Tensor %x, %c1, %c1
      : !torch.vtensor<[?,16385],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %r : !torch.list<vtensor>
}

// -----

func.func @many_differences(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %c16385 = torch.constant.int 16385
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.diff': expected at most 16384 differences of differences, got 16385}}
  %r = torch.aten.diff %x, %c16385, %c0, %none, %none
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.none, !torch.none -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

func.func @run_time_scan_dim(%x: !torch.vtensor<[2,3],f32>, %dim: !torch.int) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>) {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.cummax': expected a dim that is known while compiling}}
  %r:2 = torch.aten.cummax %x, %dim
      : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>
  return %r#0, %r#1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>
}

// -----

func.func @run_time_log_sum_dim(%x: !torch.vtensor<[2,3],f32>, %dim: !torch.int) -> !torch.vtensor<[2,3],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.logcumsumexp': expected a dim that is known while compiling}}
  %r = torch.aten.logcumsumexp %x, %dim
      : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

func.func @run_time_median_dim(%x: !torch.vtensor<[2,3],f32>, %dim: !torch.int) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,si64>) {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.median.dim': expected a dim and keepdim that are known while compiling}}
  %r:2 = torch.aten.median.dim %x, %dim, %false
      : !torch.vtensor<[2,3],f32>, !torch.int, !torch.bool -> !torch.vtensor<*,f32>, !torch.vtensor<*,si64>
  return %r#0, %r#1 : !torch.vtensor<*,f32>, !torch.vtensor<*,si64>
}

// -----

func.func @run_time_side(%sorted: !torch.vtensor<[4],f32>, %x: !torch.vtensor<[2],f32>, %right: !torch.bool) -> !torch.vtensor<[2],si64> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.searchsorted.Tensor': expected right and side to be known while compiling}}
  %r = torch.aten.searchsorted.Tensor %sorted, %x, %false, %right, %none, %none
      : !torch.vtensor<[4],f32>, !torch.vtensor<[2],f32>, !torch.bool, !torch.bool, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @run_time_dim_of_unique(%x: !torch.vtensor<[4,2],f32>, %dim: !torch.int) -> !torch.vtensor<[?,?],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.unique_consecutive': expected a dim that is known while compiling}}
  %r:3 = torch.aten.unique_consecutive %x, %false, %false, %dim
      : !torch.vtensor<[4,2],f32>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return %r#0 : !torch.vtensor<[?,?],f32>
}

// -----

func.func @unknown_scatter_reduce(%x: !torch.vtensor<[4],f32>, %i: !torch.vtensor<[2],si64>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %reduce = torch.constant.str "subtract"
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.scatter.reduce': expected a reduce of add or multiply that is known while compiling}}
  %r = torch.aten.scatter.reduce %x, %int0, %i, %y, %reduce
      : !torch.vtensor<[4],f32>, !torch.int, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>, !torch.str -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @run_time_triangle(%a: !torch.vtensor<[?,?],f32>, %upper: !torch.bool) -> !torch.vtensor<[?,?],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_cholesky_ex': expected 'upper' to be known while compiling}}
  %l, %info = torch.aten.linalg_cholesky_ex %a, %upper, %false
      : !torch.vtensor<[?,?],f32>, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[],si32>
  return %l : !torch.vtensor<[?,?],f32>
}

// -----

func.func @no_pivots(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_lu_factor': expected pivots, which PyTorch also expects on a CPU}}
  %lu, %pivots = torch.aten.linalg_lu_factor %a, %false
      : !torch.vtensor<[?,3],f32>, !torch.bool -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],si32>
  return %lu : !torch.vtensor<[?,3],f32>
}

// -----

func.func @vectors_or_matrices(%a: !torch.vtensor<[?,?,?],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<*,f32> {
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_solve': expected right sides that are known to be vectors or matrices}}
  %x = torch.aten.linalg_solve %a, %b, %true
      : !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.bool -> !torch.vtensor<*,f32>
  return %x : !torch.vtensor<*,f32>
}

// -----

func.func @complex_loss(%x: !torch.vtensor<[?],complex<f32>>) -> !torch.vtensor<[],f32> {
  %mean = torch.constant.int 1
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mse_loss': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.mse_loss %x, %x, %mean
      : !torch.vtensor<[?],complex<f32>>, !torch.vtensor<[?],complex<f32>>, !torch.int -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @unknown_qr(%a: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[2,2],f32>) {
  %mode = torch.constant.str "raw"
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_qr': expected mode to be "reduced", "complete" or "r"}}
  %q, %r = torch.aten.linalg_qr %a, %mode
      : !torch.vtensor<[3,2],f32>, !torch.str -> !torch.vtensor<[3,2],f32>, !torch.vtensor<[2,2],f32>
  return %q, %r : !torch.vtensor<[3,2],f32>, !torch.vtensor<[2,2],f32>
}

// -----

func.func @unknown_part(%a: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?],f32> {
  %part = torch.constant.str "full"
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._linalg_eigh': expected UPLO to be "L" or "U"}}
  %w, %v = torch.aten._linalg_eigh %a, %part, %false
      : !torch.vtensor<[?,?],f32>, !torch.str, !torch.bool -> !torch.vtensor<[?],f32>, !torch.vtensor<[0],f32>
  return %w : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_factors(%a: !torch.vtensor<[3,2],f32>, %full: !torch.bool) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._linalg_svd': expected to know while compiling which factors to compute}}
  %u, %s, %v = torch.aten._linalg_svd %a, %full, %true, %none
      : !torch.vtensor<[3,2],f32>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[3,?],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[?,2],f32>
  return %s : !torch.vtensor<[2],f32>
}

// -----

func.func @run_time_exponent(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) -> !torch.vtensor<[?,?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_matrix_power': expected an exponent that is known while compiling}}
  %r = torch.aten.linalg_matrix_power %a, %n : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

func.func @norm_of_no_name(%a: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %name = torch.constant.str "max"
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_norm.ord_str': expected the norm "fro" or "nuc", got "max"}}
  %r = torch.aten.linalg_norm.ord_str %a, %name, %none, %false, %none
      : !torch.vtensor<[?,?],f32>, !torch.str, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @norm_of_no_order(%a: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[],f32> {
  %float3 = torch.constant.float 3.0
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_cond': expected a norm of order 1, 2 or inf, or of their negatives}}
  %r = torch.aten.linalg_cond %a, %float3 : !torch.vtensor<[?,?],f32>, !torch.float -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @pinv_of_no_square(%a: !torch.vtensor<[2,3,0],f32>) -> !torch.vtensor<[2,0,3],f32> {
  %tolerance = torch.constant.float 0.001
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_pinv': expected square matrices for hermitian=True}}
  %r = torch.aten.linalg_pinv %a, %tolerance, %true : !torch.vtensor<[2,3,0],f32>, !torch.float, !torch.bool -> !torch.vtensor<[2,0,3],f32>
  return %r : !torch.vtensor<[2,0,3],f32>
}

// -----

func.func @rank_of_no_square(%a: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[],si64> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_matrix_rank.atol_rtol_float': expected square matrices for hermitian=True}}
  %r = torch.aten.linalg_matrix_rank.atol_rtol_float %a, %none, %none, %true : !torch.vtensor<[3,4],f32>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}

// -----

func.func @other_batches(%a: !torch.vtensor<[3,5,3],f32>, %t: !torch.vtensor<[2,3],f32>, %o: !torch.vtensor<[2,4,5],f32>) -> !torch.vtensor<[2,4,5],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.ormqr': expected shapes that broadcast, got [2,1,1] and [3,5,1]}}
  %r = torch.aten.ormqr %a, %t, %o, %false, %false : !torch.vtensor<[3,5,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,4,5],f32>, !torch.bool, !torch.bool -> !torch.vtensor<[2,4,5],f32>
  return %r : !torch.vtensor<[2,4,5],f32>
}

// -----

func.func @pivots_of_other_matrices(%a: !torch.vtensor<[3,4,4],f32>, %p: !torch.vtensor<[2,4],si32>, %b: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,3,4],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_lu_solve': expected shapes that broadcast, got [2,4] and [3,4]}}
  %r = torch.aten.linalg_lu_solve %a, %p, %b, %false, %false : !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[2,4],si32>, !torch.vtensor<[3,4],f32>, !torch.bool, !torch.bool -> !torch.vtensor<[3,3,4],f32>
  return %r : !torch.vtensor<[3,3,4],f32>
}

// -----

func.func @declared_rank_of_pieces(%x: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[2,4,2],f32> {
  %c0 = torch.constant.int 0
  %c2 = torch.constant.int 2
  %list = torch.aten.split.Tensor %x, %c2, %c0
      : !torch.vtensor<[5,4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expected-error @below {{'torch.prim.ListUnpack' op expected a result of type '!torch.vtensor<[2,4],f32>', got '!torch.vtensor<[2,4,2],f32>'}}
  %r:3 = torch.prim.ListUnpack %list : !torch.list<vtensor>
      -> !torch.vtensor<[2,4,2],f32>, !torch.vtensor<[2,4],f32>, !torch.vtensor<[1,4],f32>
  return %r#0 : !torch.vtensor<[2,4,2],f32>
}

// -----

func.func @gradient_of_another_size(%g: !torch.vtensor<[1,2,1,6],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 3
  %c4 = torch.constant.int 4
  %c6 = torch.constant.int 6
  %resized = torch.prim.ListConstruct %c6, %c6 : (!torch.int, !torch.int) -> !torch.list<int>
  %sizes = torch.prim.ListConstruct %c1, %c2, %c3, %c4
      : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._upsample_bilinear2d_aa_backward': expected a gradient of size 6 in dim 2, got 1}}
  %r = torch.aten._upsample_bilinear2d_aa_backward %g, %resized, %sizes, %false, %none, %none
      : !torch.vtensor<[1,2,1,6],f32>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.none, !torch.none
      -> !torch.vtensor<[1,2,3,4],f32>
  return %r : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @range_of_many() -> !torch.vtensor<[?],f32> {
  %none = torch.constant.none
  %start = torch.constant.float 0.0
  %end = torch.constant.float 1.0e+9
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.range': expected from 1 to 4194304 elements}}
  %r = torch.aten.range %start, %end, %none, %none, %none, %none
      : !torch.float, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @kaiser_window_of_a_large_beta() -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %n = torch.constant.int 4
  %beta = torch.constant.float 1.0e+3
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.kaiser_window.beta': expected a beta below 700 that is known while compiling}}
  %r = torch.aten.kaiser_window.beta %n, %true, %beta, %none, %none, %none, %none
      : !torch.int, !torch.bool, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @batch_norm_without_statistics(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %eps = torch.constant.float 1.0e-5
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.native_batch_norm': expected running statistics, or training without them: the updates of running statistics have no result here}}
  %r:3 = torch.aten.native_batch_norm %x, %none, %none, %none, %none, %false, %eps, %eps
      : !torch.vtensor<[2,3],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float
      -> !torch.vtensor<[2,3],f32>, !torch.vtensor<[0],f32>, !torch.vtensor<[0],f32>
  return %r#0 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @fourier_transform_of_integers(%x: !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[3,4],si32> {
  %int1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten._fft_c2c': expected complex numbers}}
  %r = torch.aten._fft_c2c %x, %dims, %int1, %true
      : !torch.vtensor<[3,4],si32>, !torch.list<int>, !torch.int, !torch.bool -> !torch.vtensor<[3,4],si32>
  return %r : !torch.vtensor<[3,4],si32>
}

// -----

func.func @segments_of_integers(%x: !torch.vtensor<[6],si32>, %lengths: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si32> {
  %min = torch.constant.str "min"
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.segment_reduce': expected floating-point numbers}}
  %r = torch.aten.segment_reduce %x, %min, %lengths, %none, %none, %int0, %false, %none
      : !torch.vtensor<[6],si32>, !torch.str, !torch.vtensor<[2],si64>, !torch.none, !torch.none, !torch.int, !torch.bool, !torch.none -> !torch.vtensor<[2],si32>
  return %r : !torch.vtensor<[2],si32>
}

// -----

func.func @no_output_sizes(%x: !torch.vtensor<[2,3,6],f32>) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,si64>) {
  %none = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.adaptive_max_pool1d': expected an output size for 1 to 3 dims}}
  %y, %places = torch.aten.adaptive_max_pool1d %x, %none
      : !torch.vtensor<[2,3,6],f32>, !torch.list<int> -> !torch.vtensor<*,f32>, !torch.vtensor<*,si64>
  return %y, %places : !torch.vtensor<*,f32>, !torch.vtensor<*,si64>
}

// -----

func.func @unflatten_of_rank_0(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<*,f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %sizes = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.unflatten.int': expected a tensor with a dim to split, got one of rank 0}}
  %y = torch.aten.unflatten.int %x, %zero, %sizes
      : !torch.vtensor<[],f32>, !torch.int, !torch.list<int> -> !torch.vtensor<*,f32>
  return %y : !torch.vtensor<*,f32>
}

// -----

func.func @padded_from_nothing(%gradient: !torch.vtensor<[3,4,6],f32>, %x: !torch.vtensor<[3,4,0],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %less = torch.constant.int -1
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %pads = torch.prim.ListConstruct %less, %two, %one, %less : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.reflection_pad2d_backward': expected pads that leave a size of 0 or more, got [1,-5] for [3,4,4]}}
  %y = torch.aten.reflection_pad2d_backward %gradient, %x, %pads
      : !torch.vtensor<[3,4,6],f32>, !torch.vtensor<[3,4,0],f32>, !torch.list<int> -> !torch.vtensor<[?,?,?],f32>
  return %y : !torch.vtensor<[?,?,?],f32>
}

// -----

func.func @replicated_from_nothing(%x: !torch.vtensor<[2,0,5],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %pads = torch.prim.ListConstruct %one, %one, %one, %zero : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.replication_pad2d': expected sizes that [2,0,7] expands to, got [2,1,7]}}
  %y = torch.aten.replication_pad2d %x, %pads : !torch.vtensor<[2,0,5],f32>, !torch.list<int> -> !torch.vtensor<[?,?,?],f32>
  return %y : !torch.vtensor<[?,?,?],f32>
}

// -----

func.func @pieces_of_two_sizes(%x: !torch.vtensor<[2,5],f32>) -> !torch.list<vtensor> {
  %two = torch.constant.int 2
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.hsplit.int': expected a number of pieces that divides the size of dim 1}}
  %pieces = torch.aten.hsplit.int %x, %two : !torch.vtensor<[2,5],f32>, !torch.int -> !torch.list<vtensor>
  return %pieces : !torch.list<vtensor>
}
