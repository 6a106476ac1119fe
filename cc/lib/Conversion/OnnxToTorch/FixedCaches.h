//===- FixedCaches.h - Caches that do not grow ------------------*- C++ -*-===//
//
// GroupQueryAttention reads C rows of keys and of values and returns as many.
// A step of S tokens for each of B samples ends with T tokens of a sample.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FIXEDCACHES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FIXEDCACHES_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

class FixedCache {
public:
  /// \param tokens T, [B].
  /// \param capacity C, and \p steps S, !torch.int each.
  /// \param window how many tokens a token attends to, itself included; all
  /// before it if that is negative.
  FixedCache(NodeBuilder &b, mlir::Value tokens, mlir::Value capacity,
             mlir::Value steps, int64_t window);
  virtual ~FixedCache() = default;

  /// The places of the new tokens in the text, [B, S].
  mlir::Value places() const;
  /// The cache after the step: its earlier rows and new ones [B, G, C + S, E]
  /// as [B, G, C, E].
  virtual mlir::Value after(mlir::Value rows) const = 0;
  /// The rows of those [B, G, C + S, E] that new tokens attend to, [B, G, K,
  /// E].
  virtual mlir::Value attended(mlir::Value rows) const = 0;
  /// The bias of these, [B, 1, S, K].
  virtual mlir::Value bias(mlir::Type dtype) const = 0;

protected:
  /// The rows [B, G, C + S, E] that `source` [B, C] counts, as [B, G, C, E].
  mlir::Value pick(mlir::Value rows, mlir::Value source) const;

  NodeBuilder &b;
  mlir::Value capacity, steps;
  int64_t window;
  /// T before the step, [B].
  mlir::Value earlier;
};

/// Row i is that of token i. Rows without a token are not read.
class BufferCache : public FixedCache {
public:
  using FixedCache::FixedCache;

  mlir::Value after(mlir::Value rows) const override;
  mlir::Value attended(mlir::Value rows) const override { return after(rows); }
  mlir::Value bias(mlir::Type dtype) const override;
};

/// Rows for a window of W tokens, with sliding_window_cache. The first L rows
/// are those of the tokens T - L to T - 1:
///
///   L(T) = T - G * max(floor((T - W) / G), 0), where G = C - W + 1
///
/// so that the window is always there, and rows move once in G tokens.
class WindowCache : public FixedCache {
public:
  WindowCache(NodeBuilder &b, mlir::Value tokens, mlir::Value capacity,
              mlir::Value steps, int64_t window);

  mlir::Value after(mlir::Value rows) const override;
  mlir::Value attended(mlir::Value rows) const override { return rows; }
  mlir::Value bias(mlir::Type dtype) const override;

private:
  /// L, [B].
  mlir::Value rowsOf(mlir::Value tokens) const;

  /// L before the step and after it, [B] each.
  mlir::Value rowsBefore, rowsAfter;
};

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FIXEDCACHES_H
