//===- layer_norm.cpp - A custom op run by XLA ----------------------------===//
//
// A program lowered with `--target mhlo --custom-ops aten.layer_norm` calls
// `torch.aten.layer_norm` through XLA's typed FFI. This is a handler for it.
// Tensors are buffers, and all other arguments are in the dictionary of
// attributes, by the number of the argument (docs/custom_ops.md).
//
//   c++ -std=c++17 -shared -fPIC -O2 layer_norm.cpp -o layer_norm.so
//       -I $(python -c 'import jax; print(jax.ffi.include_dir())')
//
//   library = ctypes.CDLL("./layer_norm.so")
//   jax.ffi.register_ffi_target(
//       "torch.aten.layer_norm", jax.ffi.pycapsule(library.layer_norm), "cpu")
//
//===----------------------------------------------------------------------===//

#include "xla/ffi/api/ffi.h"

#include <cmath>

namespace ffi = xla::ffi;

using Tensor = ffi::Buffer<ffi::F32>;
using Result = ffi::Result<Tensor>;

/// The value of the op's constant argument `number`.
template <typename T>
static ffi::ErrorOr<T> constant(const ffi::Dictionary &attributes,
                                std::string_view number) {
  auto arguments = attributes.get<ffi::Dictionary>("arguments");
  if (!arguments)
    return ffi::Unexpected(arguments.error());
  auto argument = arguments->get<ffi::Dictionary>(number);
  if (!argument)
    return ffi::Unexpected(argument.error());
  return argument->get<T>("value");
}

/// aten.layer_norm(input, normalized_shape, weight, bias, eps, cudnn_enable)
static ffi::Error layerNorm(Tensor input, Tensor weight, Tensor bias,
                            Result output, ffi::Dictionary attributes) {
  auto eps = constant<double>(attributes, "4");
  auto shape = constant<ffi::Span<const int64_t>>(attributes, "1");
  if (!eps)
    return eps.error();
  if (!shape)
    return shape.error();
  int64_t size = 1;
  for (int64_t dim : *shape)
    size *= dim;
  int64_t rows = size ? int64_t(input.element_count()) / size : 0;
  for (int64_t row = 0; row < rows; ++row) {
    const float *x = input.typed_data() + row * size;
    float *y = output->typed_data() + row * size;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += x[i];
    double mean = sum / size;
    for (int64_t i = 0; i < size; ++i)
      squares += (x[i] - mean) * (x[i] - mean);
    double scale = 1 / std::sqrt(squares / size + *eps);
    for (int64_t i = 0; i < size; ++i)
      y[i] = float((x[i] - mean) * scale) * weight.typed_data()[i] +
             bias.typed_data()[i];
  }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(layer_norm, layerNorm,
                              ffi::Ffi::Bind()
                                  .Arg<Tensor>()
                                  .Arg<Tensor>()
                                  .Arg<Tensor>()
                                  .Ret<Tensor>()
                                  .Attrs());
