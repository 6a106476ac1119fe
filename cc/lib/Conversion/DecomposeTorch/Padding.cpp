//===- Padding.cpp - Padding with the tensor's own elements ---------------===//
//
// Concatenates slices, flipped or repeated: every backend supports these, while
// an index per element would need a gather.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Elements [start, start + count) of a dim.
static Value piece(TorchBuilder &b, Value x, int64_t dim, Value start,
                   int64_t count) {
  return b.slice(x, dim, start, b.addInt(start, b.constant(count)));
}

/// The `count` elements next to the border, mirrored at it: reflect([a, b, c,
/// d]) with 2 in front is [c, b].
static Value reflected(TorchBuilder &b, Value x, int64_t dim, int64_t count,
                       bool atEnd) {
  Value start =
      atEnd ? b.subInt(b.size(x, dim), b.constant(count + 1)) : b.constant(1);
  return b.create<AtenFlipOp>(piece(b, x, dim, start, count), b.ints(dim));
}

/// The element at the border, repeated `count` times.
static Value replicated(TorchBuilder &b, Value x, int64_t dim, int64_t count,
                        bool atEnd) {
  Value start = atEnd ? b.subInt(b.size(x, dim), b.constant(1)) : b.constant(0);
  SmallVector<Value> sizes = b.sizes(x);
  sizes[dim] = b.constant(count);
  return b.expand(piece(b, x, dim, start, 1), sizes);
}

/// The elements next to the opposite border.
static Value wrapped(TorchBuilder &b, Value x, int64_t dim, int64_t count,
                     bool atEnd) {
  Value start =
      atEnd ? b.constant(0) : b.subInt(b.size(x, dim), b.constant(count));
  return piece(b, x, dim, start, count);
}

using Border = Value (*)(TorchBuilder &, Value, int64_t, int64_t, bool);

/// Pairs (begin, end) from the last dim backwards; a negative number crops.
static Value padded(TorchBuilder &b, Value x, Value padding, Border border) {
  auto pads = boundedInts(b, padding, "padding");
  if (!pads)
    return {};
  int64_t dim = tensorType(x).getRank();
  for (size_t pair = 0; pair < pads->size(); pair += 2) {
    if (!b.error().empty())
      return {}; // x has no sizes
    --dim;
    int64_t before = (*pads)[pair], after = (*pads)[pair + 1];
    SmallVector<Value> pieces;
    if (before > 0)
      pieces.push_back(border(b, x, dim, before, /*atEnd=*/false));
    Value end =
        b.addInt(b.size(x, dim), b.constant(std::min<int64_t>(after, 0)));
    bool isCropped = before < 0 || after < 0;
    pieces.push_back(
        isCropped
            ? b.slice(x, dim, b.constant(std::max<int64_t>(-before, 0)), end)
            : x);
    if (after > 0)
      pieces.push_back(border(b, x, dim, after, /*atEnd=*/true));
    x = pieces.size() == 1 ? pieces.front() : b.cat(pieces, dim);
  }
  return x;
}

/// Circular padding repeats what is left after cropping. The other modes mirror
/// or repeat the elements at the border of the whole tensor.
static Value circular(TorchBuilder &b, Value x, Value padding) {
  auto pads = boundedInts(b, padding, "padding");
  if (!pads)
    return {};
  SmallVector<int64_t> crops, borders;
  for (int64_t pad : *pads) {
    crops.push_back(std::min<int64_t>(pad, 0));
    borders.push_back(std::max<int64_t>(pad, 0));
  }
  Value cropped = padded(b, x, b.ints(crops), wrapped);
  if (!cropped)
    return {};
  return padded(b, cropped, b.ints(borders), wrapped);
}

/// Among zeros, the elements of a piece in a dim of `size`, from `start` on.
static Value placedAt(TorchBuilder &b, Value piece, int64_t dim, Value start,
                      Value size) {
  int64_t rank = tensorType(piece).getRank();
  if (rank <= dim)
    return piece; // of an op that failed
  SmallVector<Value> pads(2 * (rank - 1 - dim), b.constant(0));
  pads.push_back(start);
  pads.push_back(b.subInt(b.subInt(size, start), b.size(piece, dim)));
  return b.create<AtenConstantPadNdOp>(piece, b.ints(pads), b.constant(0));
}

/// The gradient of the elements that a border repeats, given that of the
/// border.
using BorderGradient = Value (*)(TorchBuilder &, Value border, int64_t dim,
                                 Value size, bool atEnd);

static Value gradientOfReflected(TorchBuilder &b, Value border, int64_t dim,
                                 Value size, bool atEnd) {
  Value start = b.constant(1);
  if (atEnd)
    start = b.subInt(b.subInt(size, start), b.size(border, dim));
  return placedAt(b, b.create<AtenFlipOp>(border, b.ints(dim)), dim, start,
                  size);
}

static Value gradientOfReplicated(TorchBuilder &b, Value border, int64_t dim,
                                  Value size, bool atEnd) {
  Value start = atEnd ? b.subInt(size, b.constant(1)) : b.constant(0);
  return placedAt(b, sumOver({b, border}, dim), dim, start, size);
}

/// The gradients of all pieces that padding puts together, added up.
template <BorderGradient gradientOf, typename Op>
static Value padBackward(Op op, TorchBuilder &b) {
  auto pads = boundedInts(b, op.getPadding(), "padding");
  if (!pads)
    return {};
  Tensor gradient(b, op.getGradOutput());
  int64_t dim = gradient.rank();
  for (size_t pair = 0; pair < pads->size(); pair += 2) {
    --dim;
    int64_t before = std::max<int64_t>((*pads)[pair], 0),
            after = std::max<int64_t>((*pads)[pair + 1], 0),
            cropped = std::max<int64_t>(-(*pads)[pair], 0);
    Value size = b.size(op.getSelf(), dim), whole = b.size(gradient, dim),
          end = b.subInt(whole, b.constant(after));
    Tensor sum(b, placedAt(b, b.slice(gradient, dim, b.constant(before), end),
                           dim, b.constant(cropped), size));
    if (before > 0)
      sum = sum +
            Tensor(b,
                   gradientOf(b, piece(b, gradient, dim, b.constant(0), before),
                              dim, size, /*atEnd=*/false));
    if (after > 0)
      sum = sum + Tensor(b, gradientOf(b, piece(b, gradient, dim, end, after),
                                       dim, size, /*atEnd=*/true));
    gradient = sum;
  }
  return gradient;
}

template <Border border, typename Op>
static Value padWith(Op op, TorchBuilder &b) {
  return padded(b, op.getSelf(), op.getPadding(), border);
}

/// aten.pad has a mode: constant, reflect, replicate or circular.
static Value pad(AtenPadOp op, TorchBuilder &b) {
  std::optional<StringRef> mode = matchStr(op.getMode());
  if (mode == "reflect")
    return padded(b, op.getSelf(), op.getPad(), reflected);
  if (mode == "replicate")
    return padded(b, op.getSelf(), op.getPad(), replicated);
  if (mode == "circular")
    return circular(b, op.getSelf(), op.getPad());
  if (mode != "constant")
    return b.fail(
        "expected a mode of constant, reflect, replicate or circular");
  Value value = isNone(op.getValue()) ? b.constant(0) : op.getValue();
  return b.create<AtenConstantPadNdOp>(op.getSelf(), op.getPad(), value);
}

void populatePadding(Decompositions &decompositions) {
  decompositions.add(
      pad, padBackward<gradientOfReflected, AtenReflectionPad1dBackwardOp>,
      padBackward<gradientOfReflected, AtenReflectionPad2dBackwardOp>,
      padBackward<gradientOfReflected, AtenReflectionPad3dBackwardOp>,
      padBackward<gradientOfReplicated, AtenReplicationPad1dBackwardOp>,
      padBackward<gradientOfReplicated, AtenReplicationPad2dBackwardOp>,
      padBackward<gradientOfReplicated, AtenReplicationPad3dBackwardOp>,
      padWith<reflected, AtenReflectionPad1dOp>,
      padWith<reflected, AtenReflectionPad2dOp>,
      padWith<reflected, AtenReflectionPad3dOp>,
      padWith<replicated, AtenReplicationPad1dOp>,
      padWith<replicated, AtenReplicationPad2dOp>,
      padWith<replicated, AtenReplicationPad3dOp>);
}

} // namespace isthmus::decompose_torch
