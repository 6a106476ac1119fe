//===- Concatenate.cpp - Parts of one tensor ------------------------------===//
//
// If a concatenation has few operands, they become slices of the result, and
// their producers may compute them in place. Checking this takes time quadratic
// in the number of operands, so many operands are copied.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace isthmus;

namespace {

constexpr unsigned kMostSlices = 16;

/// A sum of sizes; the constant ones are added at compile time.
class Offset {
public:
  void add(ImplicitLocOpBuilder &b, OpFoldResult size) {
    if (std::optional<int64_t> number = getConstantIntValue(size)) {
      known += *number;
    } else {
      auto value = cast<Value>(size);
      open = open ? arith::AddIOp::create(b, open, value).getResult() : value;
    }
  }

  OpFoldResult get(ImplicitLocOpBuilder &b) const {
    if (!open)
      return b.getIndexAttr(known);
    if (known == 0)
      return open;
    Value number = arith::ConstantIndexOp::create(b, known);
    return arith::AddIOp::create(b, open, number).getResult();
  }

private:
  int64_t known = 0;
  Value open;
};

/// Copies the operands, one after the other, into a buffer.
Value copyParts(ImplicitLocOpBuilder &b, tensor::ConcatOp op) {
  RankedTensorType type = op.getResultType();
  int64_t dim = op.getDim();
  SmallVector<SmallVector<OpFoldResult>> parts;
  SmallVector<OpFoldResult> offsets;
  Offset end;
  for (Value part : op.getInputs()) {
    parts.push_back(tensor::getMixedSizes(b, b.getLoc(), part));
    offsets.push_back(end.get(b));
    end.add(b, parts.back()[dim]);
  }
  SmallVector<Value> openSizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      openSizes.push_back(getValueOrCreateConstantIndexOp(
          b, b.getLoc(), i == dim ? end.get(b) : parts.front()[i]));
  Value whole = memref::AllocOp::create(
      b, MemRefType::get(type.getShape(), type.getElementType()), openSizes,
      b.getI64IntegerAttr(kBufferAlignment));

  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  for (auto [part, sizes, offset] :
       llvm::zip_equal(op.getInputs(), parts, offsets)) {
    auto partType = cast<mlir::TensorType>(part.getType());
    SmallVector<OpFoldResult> begin(type.getRank(), b.getIndexAttr(0));
    begin[dim] = offset;
    Value source = bufferization::ToBufferOp::create(
        b, bufferization::getMemRefTypeWithFullyDynamicLayout(partType), part,
        /*read_only=*/true);
    Value target = memref::SubViewOp::create(b, whole, begin, sizes, ones);
    memref::CopyOp::create(b, source, target);
  }
  return bufferization::ToTensorOp::create(b, type, whole, /*restrict=*/true,
                                           /*writable=*/true);
}

} // namespace

LogicalResult isthmus::lowerConcats(ModuleOp module) {
  SmallVector<tensor::ConcatOp> concats;
  module.walk([&](tensor::ConcatOp op) { concats.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (tensor::ConcatOp op : concats) {
    rewriter.setInsertionPoint(op);
    if (op.getInputs().size() > kMostSlices) {
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      rewriter.replaceOp(op, copyParts(b, op));
      continue;
    }
    FailureOr<SmallVector<Value>> slices = op.decomposeOperation(rewriter);
    if (failed(slices))
      return op.emitError("expected a concatenation of slices");
    rewriter.replaceOp(op, *slices);
  }
  return success();
}
