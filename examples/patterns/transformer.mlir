// Layers that exporters of transformers write as elementary ops. Each becomes a custom op with one kernel:
//
//   isthmus compile bert.onnx --target stablehlo --outline-patterns examples/patterns/transformer.mlir
//
// Two patterns with the same name are two ways to write the same op.

// softmax(s q · s k + mask) · v, as torch.onnx writes scaled_dot_product_attention: both sides are multiplied by the
// square root of the scale, and a row that is masked completely becomes 0.
func.func @com.acme.Attention(
    %q: !torch.vtensor {isthmus.name = "q"}, %k: !torch.vtensor {isthmus.name = "k"}, %v: !torch.vtensor {isthmus.name = "v"},
    %mask: !torch.vtensor {isthmus.name = "mask"}, %s: !torch.float {isthmus.name = "sqrt_scale"}) -> !torch.vtensor {
  %one = torch.constant.int 1
  %last = torch.constant.int -1
  %none = torch.constant.none
  %zero = torch.vtensor.literal(dense<0.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %0 = torch.aten.mul.Scalar %q, %s : !torch.vtensor, !torch.float -> !torch.vtensor
  %1 = torch.aten.mul.Scalar %k, %s : !torch.vtensor, !torch.float -> !torch.vtensor
  %2 = torch.aten.matmul %0, %1 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %3 = torch.aten.add.Tensor %2, %mask, %one : !torch.vtensor, !torch.vtensor, !torch.int -> !torch.vtensor
  %4 = torch.aten.softmax.int %3, %last, %none : !torch.vtensor, !torch.int, !torch.none -> !torch.vtensor
  %5 = torch.aten.isnan %4 : !torch.vtensor -> !torch.vtensor
  %6 = torch.aten.where.self %5, %zero, %4 : !torch.vtensor, !torch.vtensor<[],f32>, !torch.vtensor -> !torch.vtensor
  %7 = torch.aten.matmul %6, %v : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %7 : !torch.vtensor
}

// x · (1 + erf(x / √2)) / 2
func.func @com.acme.Gelu(%x: !torch.vtensor {isthmus.name = "x"}) -> !torch.vtensor {
  %one = torch.constant.int 1
  %half = torch.constant.float 0.5
  %sqrt2 = torch.constant.float 1.4142135623730951
  %0 = torch.aten.div.Scalar %x, %sqrt2 : !torch.vtensor, !torch.float -> !torch.vtensor
  %1 = torch.aten.erf %0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.add.Scalar %1, %one, %one : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %3 = torch.aten.mul.Tensor %x, %2 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.mul.Scalar %3, %half : !torch.vtensor, !torch.float -> !torch.vtensor
  return %4 : !torch.vtensor
}

// x / 2 · (1 + erf(x · √½))
func.func @gelu_of_pytorch(%x: !torch.vtensor {isthmus.name = "x"}) -> !torch.vtensor
    attributes {isthmus.custom_op = {name = "com.acme.Gelu"}} {
  %one = torch.constant.int 1
  %half = torch.constant.float 0.5
  %sqrt = torch.constant.float 0.70710678118654757
  %0 = torch.aten.mul.Scalar %x, %half : !torch.vtensor, !torch.float -> !torch.vtensor
  %1 = torch.aten.mul.Scalar %x, %sqrt : !torch.vtensor, !torch.float -> !torch.vtensor
  %2 = torch.aten.erf %1 : !torch.vtensor -> !torch.vtensor
  %3 = torch.aten.add.Scalar %2, %one, %one : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %4 = torch.aten.mul.Tensor %0, %3 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %4 : !torch.vtensor
}

// x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))
func.func @com.acme.GeluTanh(%x: !torch.vtensor {isthmus.name = "x"}) -> !torch.vtensor {
  %one = torch.constant.int 1
  %three = torch.constant.int 3
  %half = torch.constant.float 0.5
  %cubic = torch.constant.float 0.044715
  %sqrt = torch.constant.float 0.79788456080286541
  %0 = torch.aten.mul.Scalar %x, %half : !torch.vtensor, !torch.float -> !torch.vtensor
  %1 = torch.aten.pow.Tensor_Scalar %x, %three : !torch.vtensor, !torch.int -> !torch.vtensor
  %2 = torch.aten.mul.Scalar %1, %cubic : !torch.vtensor, !torch.float -> !torch.vtensor
  %3 = torch.aten.add.Tensor %x, %2, %one : !torch.vtensor, !torch.vtensor, !torch.int -> !torch.vtensor
  %4 = torch.aten.mul.Scalar %3, %sqrt : !torch.vtensor, !torch.float -> !torch.vtensor
  %5 = torch.aten.tanh %4 : !torch.vtensor -> !torch.vtensor
  %6 = torch.aten.add.Scalar %5, %one, %one : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %7 = torch.aten.mul.Tensor %0, %6 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %7 : !torch.vtensor
}

// weight · x / √(mean(x²) + eps). The dims are an argument: -1 to one exporter, 2 to another.
func.func @com.acme.RmsNorm(
    %x: !torch.vtensor {isthmus.name = "x"}, %weight: !torch.vtensor {isthmus.name = "weight"},
    %dims: !torch.list<int> {isthmus.name = "dims"}, %eps: !torch.float {isthmus.name = "eps"}) -> !torch.vtensor {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.pow.Tensor_Scalar %x, %two : !torch.vtensor, !torch.int -> !torch.vtensor
  %1 = torch.aten.mean.dim %0, %dims, %true, %none : !torch.vtensor, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor
  %2 = torch.aten.add.Scalar %1, %eps, %one : !torch.vtensor, !torch.float, !torch.int -> !torch.vtensor
  %3 = torch.aten.sqrt %2 : !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.reciprocal %3 : !torch.vtensor -> !torch.vtensor
  %5 = torch.aten.mul.Tensor %x, %4 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %6 = torch.aten.mul.Tensor %weight, %5 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %6 : !torch.vtensor
}

// The same, as models of transformers compute it in PyTorch: x is f32, and the result is converted back.
func.func @rms_norm_of_transformers(
    %x: !torch.vtensor {isthmus.name = "x"}, %weight: !torch.vtensor {isthmus.name = "weight"},
    %dims: !torch.list<int> {isthmus.name = "dims"}, %eps: !torch.float {isthmus.name = "eps"},
    %dtype: !torch.int {isthmus.name = "dtype"}) -> !torch.vtensor
    attributes {isthmus.custom_op = {name = "com.acme.RmsNorm"}} {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.pow.Tensor_Scalar %x, %two : !torch.vtensor, !torch.int -> !torch.vtensor
  %1 = torch.aten.mean.dim %0, %dims, %true, %none : !torch.vtensor, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor
  %2 = torch.aten.add.Scalar %1, %eps, %one : !torch.vtensor, !torch.float, !torch.int -> !torch.vtensor
  %3 = torch.aten.rsqrt %2 : !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.mul.Tensor %x, %3 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %5 = torch.aten.to.dtype %4, %dtype, %false, %false, %none : !torch.vtensor, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor
  %6 = torch.aten.mul.Tensor %weight, %5 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %6 : !torch.vtensor
}
