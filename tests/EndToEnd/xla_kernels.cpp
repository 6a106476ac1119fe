//===- xla_kernels.cpp - Kernels of a BERT encoder's custom ops for XLA ---===//
//
// The kernels are plain loops. examples/xla_kernel/layer_norm.cpp explains how
// handlers work.
//
//===----------------------------------------------------------------------===//

#include "xla/ffi/api/ffi.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ffi = xla::ffi;

using Tensor = ffi::Buffer<ffi::F32>;

/// aten.gelu(self, approximate="none")
static ffi::Error geluKernel(Tensor input, ffi::Result<Tensor> output) {
  for (size_t i = 0; i < input.element_count(); ++i) {
    double x = input.typed_data()[i];
    output->typed_data()[i] =
        float(0.5 * x * (1 + std::erf(x / std::sqrt(2.0))));
  }
  return ffi::Error::Success();
}

/// aten.scaled_dot_product_attention(query, key, value, attn_mask, ...) with a
/// mask of bools of shape [batch or 1, heads or 1, queries, keys].
static ffi::Error attentionKernel(Tensor query, Tensor key, Tensor value,
                                  ffi::Buffer<ffi::PRED> mask,
                                  ffi::Result<Tensor> output) {
  auto sizes = query.dimensions();
  int64_t heads = sizes[1], queries = sizes[2], width = sizes[3];
  int64_t keys = key.dimensions()[2];
  auto masks = mask.dimensions();
  double scale = 1 / std::sqrt(double(width));
  std::vector<double> weights(keys);
  for (int64_t head = 0; head < sizes[0] * heads; ++head)
    for (int64_t q = 0; q < queries; ++q) {
      const float *x = query.typed_data() + (head * queries + q) * width;
      int64_t batch = masks[0] == 1 ? 0 : head / heads;
      int64_t ownHead = masks[1] == 1 ? 0 : head % heads;
      int64_t row = masks[2] == 1 ? 0 : q;
      const bool *seen =
          mask.typed_data() +
          ((batch * masks[1] + ownHead) * masks[2] + row) * masks[3];
      double largest = -INFINITY, sum = 0;
      for (int64_t k = 0; k < keys; ++k) {
        const float *y = key.typed_data() + (head * keys + k) * width;
        double product = 0;
        for (int64_t i = 0; i < width; ++i)
          product += double(x[i]) * y[i];
        weights[k] = seen[masks[3] == 1 ? 0 : k] ? product * scale : -INFINITY;
        largest = std::max(largest, weights[k]);
      }
      for (double &weight : weights)
        sum += weight = std::exp(weight - largest);
      for (int64_t i = 0; i < width; ++i) {
        double total = 0;
        for (int64_t k = 0; k < keys; ++k)
          total += weights[k] / sum *
                   value.typed_data()[(head * keys + k) * width + i];
        output->typed_data()[(head * queries + q) * width + i] = float(total);
      }
    }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    gelu,
    [](Tensor x, ffi::Result<Tensor> y, ffi::Dictionary) {
      return geluKernel(x, y);
    },
    ffi::Ffi::Bind().Arg<Tensor>().Ret<Tensor>().Attrs());
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    attention,
    [](Tensor q, Tensor k, Tensor v, ffi::Buffer<ffi::PRED> mask,
       ffi::Result<Tensor> y,
       ffi::Dictionary) { return attentionKernel(q, k, v, mask, y); },
    ffi::Ffi::Bind()
        .Arg<Tensor>()
        .Arg<Tensor>()
        .Arg<Tensor>()
        .Arg<ffi::Buffer<ffi::PRED>>()
        .Ret<Tensor>()
        .Attrs());
