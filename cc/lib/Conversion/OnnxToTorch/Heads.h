//===- Heads.h - Tensors of attention heads ---------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_HEADS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_HEADS_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// [B, S, heads * E] as [B, heads, S, E]; a rank-4 tensor already has this
/// form.
mlir::FailureOr<mlir::Value> splitHeads(NodeBuilder &b, mlir::Value x,
                                        std::optional<int64_t> heads);
/// The inverse.
mlir::Value joinHeads(NodeBuilder &b, mlir::Value x);

/// A scale of scores, 1 / sqrt(E) of heads [..., E] if the node gives none;
/// declines the node if E is not known then.
mlir::FailureOr<double> scaleOf(NodeBuilder &b, std::optional<double> given,
                                mlir::Value heads);

/// Repeats each head of [B, heads, S, E] for each of its query heads.
mlir::Value repeatHeads(NodeBuilder &b, mlir::Value x, mlir::Value queryHeads);

/// The pairs (x1, x2) of each head of [B, heads, S, E] rotated by their angles:
/// (cos * x1 - sin * x2, sin * x1 + cos * x2). A pair is the same element of
/// both halves, or two neighbours if interleaved. Elements past `width` stay as
/// they are. The angles are [B, 1, S, width / 2], or broadcast to it.
mlir::Value turnPairs(NodeBuilder &b, mlir::Value x, mlir::Value cos,
                      mlir::Value sin, mlir::Value width, bool isInterleaved);

/// A bias on scores: 0 where allowed, else `otherwise`.
mlir::Value unless(NodeBuilder &b, mlir::Value allowed, double otherwise,
                   mlir::Type dtype);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_HEADS_H
