// RUN: isthmus-opt %s --torch-decompose-complex-ops --split-input-file --verify-diagnostics

// What single ops need to know while compiling, and arguments without a
// decomposition.

func.func @run_time_output_size(%x: !torch.vtensor<[1,3,4,4],f32>, %size: !torch.list<int>) -> !torch.vtensor<[1,3,?,?],f32> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.adaptive_avg_pool2d': expected an output size that is known while compiling}}
  %r = torch.aten.adaptive_avg_pool2d %x, %size
      : !torch.vtensor<[1,3,4,4],f32>, !torch.list<int> -> !torch.vtensor<[1,3,?,?],f32>
  return %r : !torch.vtensor<[1,3,?,?],f32>
}

// -----

func.func @pooled_dim_of_unknown_size(%x: !torch.vtensor<[1,3,4,?],f32>) -> !torch.vtensor<[1,3,2,2],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.adaptive_avg_pool2d': expected an input whose pooled dims have known sizes}}
  %r = torch.aten.adaptive_avg_pool2d %x, %list
      : !torch.vtensor<[1,3,4,?],f32>, !torch.list<int> -> !torch.vtensor<[1,3,2,2],f32>
  return %r : !torch.vtensor<[1,3,2,2],f32>
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

func.func @dropout_in_training(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %float0_5 = torch.constant.float 0.5
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.dropout': expected dropout outside of training}}
  %r = torch.aten.dropout %x, %float0_5, %true
      : !torch.vtensor<[?,4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
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
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.linalg_vector_norm': expected an order and dims that are known while compiling}}
  %r = torch.aten.linalg_vector_norm %x, %order, %list, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_mean(%x: !torch.vtensor<[?,4],f32>, %dims: !torch.list<int>) -> !torch.vtensor<[?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mean.dim': expected dims that are known while compiling}}
  %r = torch.aten.mean.dim %x, %dims, %false, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

func.func @run_time_keepdim(%x: !torch.vtensor<[?,4],f32>, %keepdim: !torch.bool) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %list = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.mean.dim': expected keepdim to be known while compiling}}
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
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.scaled_dot_product_attention': expected a dim of heads, got a query without}}
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
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.triu': expected a matrix, or a batch of them}}
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
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.sigmoid': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.sigmoid %x : !torch.vtensor<[?,4],complex<f32>> -> !torch.vtensor<[?,4],complex<f32>>
  return %r : !torch.vtensor<[?,4],complex<f32>>
}

// -----

func.func @complex_composite_op(%x: !torch.vtensor<[?,4],complex<f32>>) -> !torch.vtensor<[?,4],complex<f32>> {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.tan': expected real numbers: nothing says what it does to complex ones}}
  %r = torch.aten.tan %x : !torch.vtensor<[?,4],complex<f32>> -> !torch.vtensor<[?,4],complex<f32>>
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
