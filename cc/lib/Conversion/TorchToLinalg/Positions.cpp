//===- Positions.cpp - Elements chosen by index tensors -------------------===//

#include "Positions.h"
#include "Nonzero.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

Value torch_to_linalg::checkedPosition(LinalgBuilder &b, Value element,
                                       Type dtype, Value size,
                                       Negative negative) {
  Type index = b.getBuilder().getIndexType();
  Value at = dtype.isUnsignedInteger()
                 ? b.create<arith::IndexCastUIOp>(index, element).getResult()
                 : b.create<arith::IndexCastOp>(index, element).getResult();
  if (negative == Negative::FromEnd && !dtype.isUnsignedInteger()) {
    Value zero = b.sizes.toIndex(b.sizes.constant(0));
    Value isNegative =
        b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, at, zero);
    Value fromEnd = b.create<arith::AddIOp>(at, size);
    at = b.create<arith::SelectOp>(isNegative, fromEnd, at);
  }
  // A negative number is large as an unsigned one.
  b.check(b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, at, size),
          "an index inside the dim it indexes");
  return at;
}

Value torch_to_linalg::clampedPosition(LinalgBuilder &b, Value element,
                                       Type dtype, Value size,
                                       Negative negative) {
  Value at = checkedPosition(b, element, dtype, size, negative);
  Value zero = b.sizes.toIndex(b.sizes.constant(0)),
        one = b.sizes.toIndex(b.sizes.constant(1));
  Value last = b.create<arith::SubIOp>(size, one);
  Value below = b.create<arith::MinSIOp>(at, last);
  return b.create<arith::MaxSIOp>(below, zero);
}

Value torch_to_linalg::positionInBody(OpBuilder &body, Location loc,
                                      Value element, Type dtype, Value size,
                                      Negative negative) {
  LinalgBuilder b(body, loc);
  return clampedPosition(b, element, dtype, size, negative);
}

void torch_to_linalg::checkCovered(LinalgBuilder &b, Value index, Value tensor,
                                   std::optional<int64_t> dim) {
  for (int64_t other : llvm::seq(typeOf(tensor).getRank()))
    if (other != dim)
      b.checkAtMost(b.sizes.of(index, other), b.sizes.of(tensor, other),
                    "dim " + Twine(other) +
                        " of the index to be no larger than the tensor's");
}

//===----------------------------------------------------------------------===//
// Index tensors
//===----------------------------------------------------------------------===//

/// The positions where a mask is true, one tensor per dim of the mask.
static SmallVector<Value> maskedPositions(LinalgBuilder &b, Value mask) {
  Value positions = nonzero(b, mask, b.getBuilder().getI1Type());
  Size zero = b.sizes.constant(0), one = b.sizes.constant(1);
  Size count = b.sizes.of(positions, 0);
  SmallVector<Value> columns;
  for (int64_t dim : llvm::seq(typeOf(mask).getRank())) {
    Value column =
        b.slice(positions, {zero, b.sizes.constant(dim)}, {count, one});
    columns.push_back(b.reshape(column, {count}));
  }
  return columns;
}

std::optional<IndexedDims> IndexedDims::of(Value self, Value list,
                                           LinalgBuilder &b) {
  std::optional<SmallVector<Value>> originals = torch::matchList(list);
  if (!originals)
    return std::nullopt;
  IndexedDims dims;
  for (Value original : *originals) {
    while (auto derefine = original.getDefiningOp<torch::DerefineOp>())
      original = derefine.getOperand();
    if (torch::isNone(original)) {
      dims.indices.push_back({});
      dims.dtypes.push_back({});
      continue;
    }
    Type dtype = dtypeOf(original);
    Value index = b.converted(original);
    if (!dtype || !index || !isa<RankedTensorType>(index.getType()))
      return std::nullopt;
    SmallVector<Value> tensors = {index};
    if (dtype.isInteger(1)) {
      tensors = maskedPositions(b, index);
      dtype = IntegerType::get(dtype.getContext(), 64, IntegerType::Signed);
    }
    for (Value tensor : tensors) {
      dims.indices.push_back(tensor);
      dims.dtypes.push_back(dtype);
    }
  }
  Sizes own = b.sizes.of(self);
  dims.indices.resize(own.size());
  dims.dtypes.resize(own.size());

  Sizes common;
  std::optional<int64_t> first, last;
  int64_t kept = 0, count = 0;
  for (auto [dim, index] : llvm::enumerate(dims.indices)) {
    if (!index) {
      dims.sizes.push_back(own[dim]);
      ++kept;
      continue;
    }
    if (!first) {
      first = dim;
      dims.place = kept;
    }
    last = dim;
    ++count;
    Sizes shape = b.sizes.of(index);
    if (shape.size() > common.size())
      common.insert(common.begin(), shape.size() - common.size(),
                    b.sizes.constant(1));
    size_t offset = common.size() - shape.size();
    for (auto [number, size] : llvm::enumerate(shape))
      common[offset + number] =
          b.sizes.broadcast(common[offset + number], size);
  }
  if (first && *last - *first + 1 != count)
    dims.place = 0;
  dims.indexRank = common.size();
  dims.sizes.insert(dims.sizes.begin() + dims.place, common.begin(),
                    common.end());
  return dims;
}

SmallVector<Value> IndexedDims::alignedIndices(LinalgBuilder &b) const {
  // Trailing dims of size 1 align an index tensor's dims with those of the
  // others.
  size_t after = sizes.size() - place - indexRank;
  SmallVector<Value> aligned;
  for (Value index : indices) {
    if (!index)
      continue;
    Sizes shape = b.sizes.of(index);
    shape.append(after, b.sizes.constant(1));
    aligned.push_back(b.reshape(index, shape));
  }
  return aligned;
}
