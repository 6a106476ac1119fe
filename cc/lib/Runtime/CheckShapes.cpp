//===- CheckShapes.cpp - Assertions for dynamic sizes ---------------------===//
//
// TOSA does not define the behavior for incompatible dynamic sizes: the
// lowering of an op assumes that its operands' shapes are compatible, and that
// a result has the size that its type states. This is asserted here, before
// memory is accessed. Verifiers already compared static sizes.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "isthmus/Support/Diagnostics.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Asserts the assumptions of one op before it.
class ShapeChecks {
public:
  explicit ShapeChecks(Operation *op)
      : b(op->getLoc(), op), node(nodePrefixOf(op->getLoc())) {}

  void check(linalg::LinalgOp op);
  void check(tensor::CastOp op) { checkResult(op.getSource(), op.getType()); }
  void check(tensor::ConcatOp op);
  void check(tensor::ExpandShapeOp op);
  void check(tensor::ExtractSliceOp op) {
    checkSlice(op.getSource(), op.getMixedOffsets(), op.getMixedSizes(),
               op.getMixedStrides());
  }
  void check(tensor::InsertSliceOp op);
  void check(tensor::PadOp op);
  void check(tosa::GatherOp op);
  void check(tosa::ScatterOp op);

private:
  using Size = OpFoldResult;

  Size sizeOf(Value tensor, int64_t dim);
  Value valueOf(Size size) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  }
  /// The value of an expression whose symbols are sizes.
  Size compute(AffineExpr formula, ArrayRef<Size> sizes) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), formula, sizes);
  }

  void stopUnless(arith::CmpIPredicate predicate, Size left, Size right,
                  const Twine &expected) {
    std::optional<int64_t> x = getConstantIntValue(left),
                           y = getConstantIntValue(right);
    if (left == right ||
        (x && y &&
         arith::applyCmpPredicate(predicate, APInt(64, *x), APInt(64, *y))))
      return;
    Value holds =
        arith::CmpIOp::create(b, predicate, valueOf(left), valueOf(right));
    cf::AssertOp::create(b, holds, (node + "expected " + expected).str());
  }
  void same(Size left, Size right, const Twine &expected) {
    stopUnless(arith::CmpIPredicate::eq, left, right, expected);
  }
  void atMost(Size left, Size right, const Twine &expected) {
    stopUnless(arith::CmpIPredicate::sle, left, right, expected);
  }

  /// Each static size of `type` equals the size of `tensor`.
  void checkResult(Value tensor, Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || !isa<RankedTensorType>(tensor.getType()))
      return;
    for (auto [dim, size] : llvm::enumerate(ranked.getShape()))
      if (!ShapedType::isDynamic(size))
        same(sizeOf(tensor, dim), b.getIndexAttr(size),
             "dim " + Twine(dim) + " to be of size " + Twine(size));
  }
  void checkSlice(Value tensor, ArrayRef<Size> offsets, ArrayRef<Size> sizes,
                  ArrayRef<Size> strides);
  /// The last index at which a loop reads an operand is in bounds.
  void checkReach(AffineExpr place, ArrayRef<Size> turns, Size size);

  ImplicitLocOpBuilder b;
  std::string node;
};

} // namespace

static bool isRanked(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

/// The destination of an op gives the size of its result. Following it back to
/// the tensor.empty makes equal sizes the same value.
OpFoldResult ShapeChecks::sizeOf(Value tensor, int64_t dim) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(result.getOwner()))
      return empty.getMixedSizes()[dim];
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op)
      break;
    tensor = op.getTiedOpOperand(result)->get();
  }
  return tensor::getMixedSize(b, b.getLoc(), tensor, dim);
}

void ShapeChecks::check(linalg::LinalgOp op) {
  // Each operand dim indexed by a loop gives the trip count of that loop.
  SmallVector<Size> turns(op.getNumLoops());
  struct Place {
    AffineExpr formula;
    Size size;
  };
  SmallVector<Place> places;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, formula] : llvm::enumerate(map.getResults())) {
      Size size = sizeOf(operand.get(), dim);
      auto loop = dyn_cast<AffineDimExpr>(formula);
      if (!loop) {
        places.push_back({formula, size});
        continue;
      }
      Size &known = turns[loop.getPosition()];
      if (known)
        same(size, known, "operands of one size");
      if (!known || getConstantIntValue(size))
        known = size;
    }
  }
  for (auto [formula, size] : places)
    checkReach(formula, turns, size);
}

void ShapeChecks::checkReach(AffineExpr place, ArrayRef<Size> turns,
                             Size size) {
  SmallVector<Size> last;
  for (Size each : turns) {
    if (!each)
      return;
    last.push_back(compute(b.getAffineSymbolExpr(0) - 1, each));
  }
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < turns.size(); ++i)
    symbols.push_back(b.getAffineSymbolExpr(i));
  Size reach = compute(place.replaceDims(symbols), last);
  stopUnless(arith::CmpIPredicate::slt, reach, size,
             "a window that lies inside of what it is moved over");
}

void ShapeChecks::check(tensor::ConcatOp op) {
  auto axis = static_cast<int64_t>(op.getDim());
  ValueRange parts = op.getInputs();
  SmallVector<Size> lengths;
  AffineExpr sum = b.getAffineConstantExpr(0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    for (int64_t dim = 0; dim < op.getRank(); ++dim)
      if (dim != axis)
        same(sizeOf(part, dim), sizeOf(parts.front(), dim),
             "parts of one size beside the axis");
    lengths.push_back(sizeOf(part, axis));
    sum = sum + b.getAffineSymbolExpr(i);
  }
  for (int64_t dim = 0; dim < op.getRank(); ++dim)
    if (int64_t size = op.getResultType().getDimSize(dim);
        !ShapedType::isDynamic(size))
      same(dim == axis ? compute(sum, lengths) : sizeOf(parts.front(), dim),
           b.getIndexAttr(size),
           "dim " + Twine(dim) + " to be of size " + Twine(size));
}

void ShapeChecks::check(tensor::ExpandShapeOp op) {
  SmallVector<Size> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    StringRef expected = "as many elements as there are";
    // The product must not overflow: if the source is empty, sizes whose
    // product wraps to zero would match it.
    int64_t known = 1;
    bool overflows = false;
    for (int64_t each : group)
      if (std::optional<int64_t> size = getConstantIntValue(sizes[each]))
        overflows |= llvm::MulOverflow(known, *size, known);
    Size all = b.getIndexAttr(known);
    for (int64_t each : group) {
      if (getConstantIntValue(sizes[each]))
        continue;
      auto wide =
          arith::MulUIExtendedOp::create(b, valueOf(all), valueOf(sizes[each]));
      same(wide.getHigh(), b.getIndexAttr(0), expected);
      all = wide.getLow();
    }
    if (overflows)
      stopUnless(arith::CmpIPredicate::ne, b.getIndexAttr(0), b.getIndexAttr(0),
                 expected);
    same(all, sizeOf(op.getSrc(), dim), expected);
  }
}

void ShapeChecks::checkSlice(Value tensor, ArrayRef<Size> offsets,
                             ArrayRef<Size> sizes, ArrayRef<Size> strides) {
  Size zero = b.getIndexAttr(0);
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(offsets, sizes, strides)) {
    StringRef expected = "a slice that lies inside of its tensor";
    Size all = sizeOf(tensor, dim);
    AffineExpr x, y, z;
    bindSymbols(b.getContext(), x, y, z);
    atMost(zero, offset, expected);
    atMost(zero, size, expected);
    atMost(size, all, expected);
    if (isOneInteger(stride))
      atMost(offset, compute(x - y, {all, size}), expected);
    else
      atMost(compute(x + (y - 1) * z, {offset, size, stride}),
             compute(x - 1, all), expected);
  }
}

void ShapeChecks::check(tensor::InsertSliceOp op) {
  SmallVector<Size> sizes = op.getMixedSizes();
  checkSlice(op.getDest(), op.getMixedOffsets(), sizes, op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t dim = 0;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!dropped.test(i))
      same(sizeOf(op.getSource(), dim++), size, "a slice of its declared size");
}

void ShapeChecks::check(tensor::PadOp op) {
  AffineExpr x, y, z;
  bindSymbols(b.getContext(), x, y, z);
  for (auto [dim, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad()))
    if (int64_t size = op.getResultType().getDimSize(dim);
        !ShapedType::isDynamic(size))
      same(compute(x + y + z, {sizeOf(op.getSource(), dim), low, high}),
           b.getIndexAttr(size),
           "dim " + Twine(dim) + " to be of size " + Twine(size));
}

// These become loops that access one element at a time: after that, no op
// relates the sizes of their operands.

/// gather(values [N, K, C], indices [N, W])
void ShapeChecks::check(tosa::GatherOp op) {
  if (isRanked(op))
    same(sizeOf(op.getIndices(), 0), sizeOf(op.getValues(), 0),
         "operands of one size");
}

/// scatter(values [N, K, C], indices [N, W], input [N, W, C])
void ShapeChecks::check(tosa::ScatterOp op) {
  if (!isRanked(op))
    return;
  Value values = op.getValuesIn(), indices = op.getIndices(),
        input = op.getInput();
  StringRef expected = "operands of one size";
  same(sizeOf(indices, 0), sizeOf(values, 0), expected);
  same(sizeOf(input, 0), sizeOf(values, 0), expected);
  same(sizeOf(input, 1), sizeOf(indices, 1), expected);
  same(sizeOf(input, 2), sizeOf(values, 2), expected);
}

void isthmus::checkShapes(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    ShapeChecks checks(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case<linalg::LinalgOp, tensor::CastOp, tensor::ConcatOp,
              tensor::ExpandShapeOp, tensor::ExtractSliceOp,
              tensor::InsertSliceOp, tensor::PadOp, tosa::GatherOp,
              tosa::ScatterOp>([&](auto each) { checks.check(each); });
  }
}
