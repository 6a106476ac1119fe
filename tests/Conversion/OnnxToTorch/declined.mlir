// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics

// Errors that no other file tests: attributes that the schema does not check,
// and operands that match no definition.

func.func @past_key_alone(%a0: tensor<1x2x3x4xf32>, %a1: tensor<1x2x3x4xf32>, %a2: tensor<1x2x3x4xf32>, %a3: tensor<1x2x5x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected past_key and past_value together, got one of them}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %a3, %none, %none)
      : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, none, tensor<1x2x5x4xf32>, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @unknown_head_size(%a0: tensor<1x2x3x?xf32>, %a1: tensor<1x2x3x?xf32>, %a2: tensor<1x2x3x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected a head size known while compiling where scale is not given, got '!torch.vtensor<[1,2,3,?],f32>'}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %none) {softcap = 2.0 : f32}
      : (tensor<1x2x3x?xf32>, tensor<1x2x3x?xf32>, tensor<1x2x3x4xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @unknown_matmul_output_mode(%a0: tensor<1x2x3x4xf32>, %a1: tensor<1x2x3x4xf32>, %a2: tensor<1x2x3x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected qk_matmul_output_mode in [0, 3], got 4}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %none) {qk_matmul_output_mode = 4 : si64, softcap = 2.0 : f32}
      : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @softmax_in_strings(%a0: tensor<1x2x3x4xf32>, %a1: tensor<1x2x3x4xf32>, %a2: tensor<1x2x3x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected softmax_precision to be a dtype that torch has, got 8}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %none) {softmax_precision = 8 : si64}
      : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @shape_of_unknown_length(%a0: tensor<?xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ConstantOfShape': expected a shape of known length, got '!torch.vtensor<[?],si64>'}}
  %y = "onnx.ConstantOfShape"(%a0)
      : (tensor<?xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @two_values(%a0: tensor<2xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ConstantOfShape': expected a value of one element, got 'tensor<2xf32>'}}
  %y = "onnx.ConstantOfShape"(%a0) {value = dense<[1.0, 2.0]> : tensor<2xf32>}
      : (tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @another_dtype(%a0: tensor<2xi64>) -> tensor<?x?xf16> {
  // expected-error @below {{no lowering to torch for 'onnx.ConstantOfShape': expected a result of 'f16', got 'f32'}}
  %y = "onnx.ConstantOfShape"(%a0) {value = dense<1.0> : tensor<1xf32>}
      : (tensor<2xi64>) -> tensor<?x?xf16>
  onnx.Return %y : tensor<?x?xf16>
}

// -----

func.func @window_over_no_dim(%a0: tensor<?x3xf32>, %a1: tensor<6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected 'X' of rank 3 or more, got rank 2: '!torch.vtensor<[?,3],f32>'}}
  %y = "onnx.Conv"(%a0, %a1, %none)
      : (tensor<?x3xf32>, tensor<6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @stride_zero(%a0: tensor<?x3x8xf32>, %a1: tensor<6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected strides of 1 or more, got 0}}
  %y = "onnx.Conv"(%a0, %a1, %none) {strides = [0]}
      : (tensor<?x3x8xf32>, tensor<6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_auto_pad(%a0: tensor<?x3x8xf32>, %a1: tensor<6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected auto_pad to be NOTSET, SAME_LOWER, SAME_UPPER or VALID, got 'SAME'}}
  %y = "onnx.Conv"(%a0, %a1, %none) {auto_pad = "SAME"}
      : (tensor<?x3x8xf32>, tensor<6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @stride_of_64_bits(%a0: tensor<?x3x8xf32>, %a1: tensor<6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected strides of 32 bits, got 4294967296}}
  %y = "onnx.Conv"(%a0, %a1, %none) {strides = [4294967296]}
      : (tensor<?x3x8xf32>, tensor<6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @output_shape_of_one_number(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3x6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.ConvTranspose': expected 2 numbers in output_shape, got 1}}
  %y = "onnx.ConvTranspose"(%a0, %a1, %none) {output_shape = [16]}
      : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @output_padding_of_one_number(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3x6x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.ConvTranspose': expected 2 numbers in output_padding, got 1}}
  %y = "onnx.ConvTranspose"(%a0, %a1, %none) {output_padding = [1]}
      : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @sum_along_two_axes(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.CumSum': expected 'axis' of [] or [1], got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.CumSum"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @blocksize_zero(%a0: tensor<?x4x2x2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.DepthToSpace': expected a blocksize of 1 or more, got 0}}
  %y = "onnx.DepthToSpace"(%a0) {blocksize = 0 : si64}
      : (tensor<?x4x2x2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_order_of_blocks(%a0: tensor<?x4x2x2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.DepthToSpace': expected mode to be 'DCR' or 'CRD', got 'RCD'}}
  %y = "onnx.DepthToSpace"(%a0) {blocksize = 2 : si64, mode = "RCD"}
      : (tensor<?x4x2x2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scales_of_another_rank(%a0: tensor<?x4x2xi8>, %a1: tensor<4x2xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DequantizeLinear': expected scales and zero points that are scalars, vectors along axis 1 or blocks along it, got '!torch.vtensor<[4,2],f32>'}}
  %y = "onnx.DequantizeLinear"(%a0, %a1, %none)
      : (tensor<?x4x2xi8>, tensor<4x2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @digit_in_equation(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Einsum': expected letters and at most one ellipsis for 2 dims, got 'i1->i'}}
  %y = "onnx.Einsum"(%a0) {equation = "i1->i"}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @term_of_another_rank(%a0: tensor<?x4x2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Einsum': expected letters and at most one ellipsis for 3 dims, got 'ij->ij'}}
  %y = "onnx.Einsum"(%a0) {equation = "ij->ij"}
      : (tensor<?x4x2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @label_from_nowhere(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Einsum': expected a result whose labels are those of terms, got 'ij->ik'}}
  %y = "onnx.Einsum"(%a0) {equation = "ij->ik"}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @expand_to_unknown_length(%a0: tensor<?x4xf32>, %a1: tensor<?xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Expand': expected a shape of known length, got '!torch.vtensor<[?],si64>'}}
  %y = "onnx.Expand"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @sizes_that_do_not_broadcast(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Expand': expected sizes that broadcast, got 4 and 3}}
  %y = "onnx.Expand"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @eye_like_a_vector(%a0: tensor<?xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.EyeLike': expected 'input' of rank 2, got rank 1: '!torch.vtensor<[?],f32>'}}
  %y = "onnx.EyeLike"(%a0)
      : (tensor<?xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @indices_of_the_batch_alone(%a0: tensor<2x4xf32>, %a1: tensor<2xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected indices of a rank above 1, got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.GatherND"(%a0, %a1) {batch_dims = 1 : si64}
      : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @indices_for_no_dim(%a0: tensor<?x4xf32>, %a1: tensor<3x0xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected indices for at least one dim, got '!torch.vtensor<[3,0],si64>'}}
  %y = "onnx.GatherND"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<3x0xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @indices_for_too_many_dims(%a0: tensor<?x4xf32>, %a1: tensor<3x3xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected indices for at most 2 dims, got 3}}
  %y = "onnx.GatherND"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<3x3xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @half_of_integers(%a0: tensor<?x4xi32>, %a1: tensor<4x2xi32>) -> tensor<*xi32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Gemm': expected whole numbers as alpha and beta of integer matrices, got 5.000000e-01 and 1.000000e+00}}
  %y = "onnx.Gemm"(%a0, %a1, %none) {alpha = 0.5 : f32}
      : (tensor<?x4xi32>, tensor<4x2xi32>, none) -> tensor<*xi32>
  onnx.Return %y : tensor<*xi32>
}

// -----

func.func @channels_alone(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.LRN': expected 'X' of rank 3 or more, got rank 2: '!torch.vtensor<[?,4],f32>'}}
  %y = "onnx.LRN"(%a0) {size = 3 : si64}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @four_spatial_dims(%a0: tensor<1x1x4x4x4x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.MaxPool': expected at most 3 spatial dims, got 4}}
  %y:2 = "onnx.MaxPool"(%a0) {kernel_shape = [2, 2, 2, 2]}
      : (tensor<1x1x4x4x4x4xf32>) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @unknown_loss(%a0: tensor<?x4xf32>, %a1: tensor<?xi64>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.NegativeLogLikelihoodLoss': expected reduction to be none, sum or mean, got 'max'}}
  %y = "onnx.NegativeLogLikelihoodLoss"(%a0, %a1, %none) {reduction = "max"}
      : (tensor<?x4xf32>, tensor<?xi64>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @pads_at_one_side(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<1> : tensor<2xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Pad': expected 2 pads for each of 2 axes, got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.Pad"(%a0, %c0, %none, %none)
      : (tensor<?x4xf32>, tensor<2xi64>, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @weights_of_one_direction(%a0: tensor<5x?x3xf32>, %a1: tensor<1x4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.RNN': expected W for 2 directions, got '!torch.vtensor<[1,4,3],f32>'}}
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none) {activations = ["Tanh"], direction = "bidirectional"}
      : (tensor<5x?x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @one_activation_for_two_directions(%a0: tensor<5x?x3xf32>, %a1: tensor<2x4x3xf32>, %a2: tensor<2x4x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.RNN': expected 2 activations, got 1}}
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none) {activations = ["Tanh"], direction = "bidirectional"}
      : (tensor<5x?x3xf32>, tensor<2x4x3xf32>, tensor<2x4x4xf32>, none, none, none) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @unknown_activation(%a0: tensor<5x?x3xf32>, %a1: tensor<1x4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.RNN': expected an activation that ONNX has, got 'Gelu'}}
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none) {activations = ["Gelu"]}
      : (tensor<5x?x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @weights_without_directions(%a0: tensor<5x?x3xf32>, %a1: tensor<4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.RNN': expected 'W' of rank 3, got rank 2: '!torch.vtensor<[4,3],f32>'}}
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none)
      : (tensor<5x?x3xf32>, tensor<4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @axis_twice(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.ReduceSum': expected each axis once, got -2 twice}}
  %y = "onnx.ReduceSum"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @reshape_to_unknown_length(%a0: tensor<?x4xf32>, %a1: tensor<?xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Reshape': expected a shape of known length, got '!torch.vtensor<[?],si64>'}}
  %y = "onnx.Reshape"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_policy(%a0: tensor<2x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[2, 8]> : tensor<2xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected keep_aspect_ratio_policy to be stretch, not_larger or not_smaller, got 'fit'}}
  %y = "onnx.Resize"(%a0, %none, %none, %c0) {keep_aspect_ratio_policy = "fit"}
      : (tensor<2x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @aspect_ratio_of_unknown_size(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[2, 8]> : tensor<2xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected sizes known while compiling where the aspect ratio is kept, got sizes known at run time only}}
  %y = "onnx.Resize"(%a0, %none, %none, %c0) {keep_aspect_ratio_policy = "not_larger"}
      : (tensor<?x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scales_and_sizes(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<2xf32>
  %c1 = onnx.Constant dense<[2, 8]> : tensor<2xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected either scales or sizes, got both}}
  %y = "onnx.Resize"(%a0, %none, %c0, %c1)
      : (tensor<?x4xf32>, none, tensor<2xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @neither_scales_nor_sizes(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected either scales or sizes, got neither}}
  %y = "onnx.Resize"(%a0, %none, %none, %none)
      : (tensor<?x4xf32>, none, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @one_scale_for_two_axes(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<1xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected 2 scales, got '!torch.vtensor<[1],f32>'}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none)
      : (tensor<?x4xf32>, none, tensor<1xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @roi_of_one_axis(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  %c1 = onnx.Constant dense<2.0> : tensor<2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected a roi of 4 numbers, got '!torch.vtensor<[2],f32>'}}
  %y = "onnx.Resize"(%a0, %c0, %c1, %none) {coordinate_transformation_mode = "tf_crop_and_resize"}
      : (tensor<?x4xf32>, tensor<2xf32>, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_nearest_mode(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected nearest_mode to be round_prefer_floor, round_prefer_ceil, floor or ceil, got 'round'}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {nearest_mode = "round"}
      : (tensor<?x4xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_coordinates(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected a coordinate_transformation_mode that ONNX has, got 'corners'}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none) {coordinate_transformation_mode = "corners"}
      : (tensor<?x4xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @antialias_of_unknown_scale(%a0: tensor<?x4xf32>, %a1: tensor<2xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected a scale known while compiling with antialias, got one known at run time only}}
  %y = "onnx.Resize"(%a0, %none, %a1, %none) {antialias = 1 : si64, mode = "linear"}
      : (tensor<?x4xf32>, none, tensor<2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scale_without_dims(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<f32>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Resize': expected 'scales' of rank 1, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.Resize"(%a0, %none, %c0, %none)
      : (tensor<?x4xf32>, none, tensor<f32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @backwards_from_unknown_start(%a0: tensor<?x4xf32>, %a1: tensor<1xi64>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<0> : tensor<1xi64>
  %c1 = onnx.Constant dense<0> : tensor<1xi64>
  %c2 = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Slice': expected starts and ends to be known while compiling where a step is negative, got values known at run time only}}
  %y = "onnx.Slice"(%a0, %a1, %c0, %c1, %c2)
      : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @more_starts_than_ends(%a0: tensor<?x4xf32>, %a1: tensor<2xi64>, %a2: tensor<1xi64>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Slice': expected dim 0 of 'ends' to be 2 beside 'starts', got 1: '!torch.vtensor<[1],si64>'}}
  %y = "onnx.Slice"(%a0, %a1, %a2, %none, %none)
      : (tensor<?x4xf32>, tensor<2xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @fewer_axes_than_starts(%a0: tensor<?x4xf32>, %a1: tensor<2xi64>, %a2: tensor<2xi64>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<0> : tensor<1xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Slice': expected dim 0 of 'axes' to be 2 beside 'starts', got 1: '!torch.vtensor<[1],si64>'}}
  %y = "onnx.Slice"(%a0, %a1, %a2, %c0, %none)
      : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @three_sizes_for_two_parts(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[1, 1, 2]> : tensor<3xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Split': expected split to have one size for each of 2 outputs, got '!torch.vtensor<[3],si64>'}}
  %y:2 = "onnx.Split"(%a0, %c0) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<3xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @repeats_of_one_dim(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Tile': expected one number of repeats per dim, got '!torch.vtensor<[1],si64>' for '!torch.vtensor<[?,4],f32>'}}
  %y = "onnx.Tile"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @two_diagonals(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Trilu': expected 'k' of [] or [1], got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.Trilu"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @triangle_of_a_vector(%a0: tensor<?xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Trilu': expected 'input' of rank 2 or more, got rank 1: '!torch.vtensor<[?],f32>'}}
  %y = "onnx.Trilu"(%a0, %none)
      : (tensor<?xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @strings(%x: tensor<?xi64>) -> tensor<?x!onnx.String> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.CategoryMapper': expected a result of numbers, got strings, which no target has}}
  %y = "onnx.ai.onnx.ml.CategoryMapper"(%x) {cats_int64s = [1, 2], cats_strings = ["a", "b"]} : (tensor<?xi64>) -> tensor<?x!onnx.String>
  onnx.Return %y : tensor<?x!onnx.String>
}
