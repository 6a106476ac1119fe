//===- Bits.cpp - Reinterpretation of elements as another dtype -----------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

/// Bits of an element in memory, where a bool takes a byte.
static unsigned widthOf(Type dtype) {
  return std::max(dtype.getIntOrFloatBitWidth(), 8u);
}

/// Converts an element to an integer of its bits, and back. For bool, any
/// nonzero byte is true.
static Value toBits(OpBuilder &body, Location loc, Value element, Type dtype) {
  Type bits = body.getIntegerType(widthOf(dtype));
  if (isBoolean(dtype))
    return arith::ExtUIOp::create(body, loc, bits, element);
  if (isIntegral(dtype))
    return element;
  return arith::BitcastOp::create(body, loc, bits, element);
}
static Value fromBits(OpBuilder &body, Location loc, Value bits, Type dtype) {
  if (isBoolean(dtype)) {
    Elements bytes(body, loc, bits.getType());
    return bytes.compare(Comparison::ne, bits, bytes.zero());
  }
  if (isIntegral(dtype))
    return bits;
  return arith::BitcastOp::create(body, loc, dtype, bits);
}

static Value constantBits(OpBuilder &body, Location loc, Type type,
                          int64_t value) {
  return arith::ConstantOp::create(body, loc, body.getIntegerAttr(type, value));
}

namespace {

/// [..., n] to [..., n, count], then to [..., n * count].
Value split(Value x, Type from, Type to, LinalgBuilder &b) {
  unsigned width = widthOf(to), count = widthOf(from) / width;
  Sizes rows = b.sizes.of(x), pieces = rows, whole = rows;
  rows.push_back(b.sizes.constant(1));
  pieces.push_back(b.sizes.constant(count));
  whole.back() = b.sizes.mul(whole.back(), pieces.back());
  Value split = b.pointwise(
      b.reshape(x, rows), pieces, elementType(to),
      [&](OpBuilder &body, Location loc, ValueRange elements) {
        Value bits = toBits(body, loc, elements[0], from);
        Value piece = arith::IndexCastOp::create(
            body, loc, bits.getType(), b.index(body, rows.size() - 1));
        Value shift = arith::MulIOp::create(
            body, loc, piece, constantBits(body, loc, bits.getType(), width));
        Value moved = arith::ShRUIOp::create(body, loc, bits, shift);
        Value low = arith::TruncIOp::create(body, loc,
                                            body.getIntegerType(width), moved);
        return fromBits(body, loc, low, to);
      });
  return b.reshape(split, whole);
}

/// [..., n * count] to [..., n, count], then to [..., n].
Value merged(Value x, Type from, Type to, LinalgBuilder &b) {
  unsigned width = widthOf(from), count = widthOf(to) / width;
  Sizes whole = b.sizes.of(x), pieces = whole;
  Size parts = b.sizes.constant(count);
  whole.back() = b.sizes.floorDiv(whole.back(), parts);
  b.checkSame(pieces.back(), b.sizes.mul(whole.back(), parts),
              "a last dim of a whole number of elements");
  pieces = whole;
  pieces.push_back(parts);
  Value split = b.reshape(x, pieces);
  SmallVector<Value> columns;
  Sizes lengths = pieces;
  lengths.back() = b.sizes.constant(1);
  for (unsigned piece = 0; piece < count; ++piece) {
    Sizes offsets(pieces.size(), b.sizes.constant(0));
    offsets.back() = b.sizes.constant(piece);
    columns.push_back(b.reshape(b.slice(split, offsets, lengths), whole));
  }
  return b.pointwise(
      columns, whole, elementType(to),
      [&](OpBuilder &body, Location loc, ValueRange elements) {
        Type type = body.getIntegerType(widthOf(to));
        Value all;
        for (auto [piece, element] : llvm::enumerate(elements)) {
          Value wide = arith::ExtUIOp::create(body, loc, type,
                                              toBits(body, loc, element, from));
          Value moved = arith::ShLIOp::create(
              body, loc, wide, constantBits(body, loc, type, piece * width));
          all = all ? arith::OrIOp::create(body, loc, all, moved).getResult()
                    : moved;
        }
        return fromBits(body, loc, all, to);
      });
}

/// view.dtype: the same bytes. An element becomes several narrower ones, or
/// several become a wider one; the first holds the lowest bits.
FailureOr<Value> lowerViewDtype(AtenViewDtypeOp op, AtenViewDtypeOp::Adaptor in,
                                LinalgBuilder &b) {
  Type from = dtypeOf(op.getSelf()), to = dtypeOf(op.getResult());
  Value x = in.getSelf();
  if (from == to)
    return x;
  unsigned width = widthOf(from), narrow = widthOf(to);
  if (width > narrow)
    return split(x, from, to, b);
  if (width < narrow)
    return merged(x, from, to, b);
  return b.pointwise(x, elementType(to),
                     [&](OpBuilder &body, Location loc, ValueRange elements) {
                       Value bits = toBits(body, loc, elements[0], from);
                       return fromBits(body, loc, bits, to);
                     });
}

} // namespace

void torch_to_linalg::populateBits(LinalgLowerings &lowerings) {
  lowerings.addReal(lowerViewDtype);
}
