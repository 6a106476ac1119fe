//===- PackOperands.cpp - Operands of products in the order of reading ----===//
//
// A product whose right operand is no constant, such as a weight that is an
// argument, reads it best with its columns last and in panels. A product of few
// rows gets a copy that `Distribute` makes panel by panel in the tasks that
// read it; others get panels that are made before.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Products of fewer rows read a matrix about as fast where it lies.
constexpr int64_t kLeastRows = 8;
/// The most rows that are computed as dot products with the columns of a matrix
/// whose columns are adjacent in memory, and the least length of these.
constexpr int64_t kMostDotRows = 3, kLeastDotLength = 64;
/// The fewest panels for which all rows are in one task, so that there are
/// enough tasks, and for which the left operand is transposed.
constexpr int64_t kLeastPanels = 8;
/// Smaller matrices stay in the cache wherever they lie.
constexpr int64_t kLeastElements = 16 * 1024;

class Packing {
public:
  Packing(linalg::GenericOp op, ContractionLoops loops, const Machine &machine)
      : rewriter(op.getContext()), op(op), loops(std::move(loops)),
        machine(machine) {
    rewriter.setInsertionPoint(op);
  }

  void pack();

private:
  /// Reads what a copy reads, such as a transpose of the operand.
  void skipCopies();
  /// Makes the steps of the reduction of the left operand adjacent, of which
  /// each row is read once per panel.
  void transposeLeft();
  /// The number of panels of a known number of columns.
  int64_t panels() {
    return llvm::divideCeil(op.getStaticLoopRanges()[loops.vectorLoop],
                            panelWidth(op, loops, machine));
  }
  AffineMap map() { return op.getMatchingIndexingMap(loops.right); }
  /// True if every loop of the operand is a column or a step of the reduction,
  /// with sizes known while compiling, and many enough for panels.
  bool isLargeMatrix();
  /// True if the innermost dim of the operand is a long reduction.
  bool isReducedAlong(AffineMap where);
  void packPanels(int64_t columnDim);
  void read(OpOperand *operand, Value value, AffineMap map);
  /// Reads a copy of an operand with one of its dims last.
  void readWithLast(OpOperand *operand, int64_t dim);
  /// A copy of a value whose dim i is `permutation[i]` of the value's.
  Value moved(Value value, ArrayRef<int64_t> permutation);

  IRRewriter rewriter;
  linalg::GenericOp op;
  ContractionLoops loops;
  const Machine &machine;
};

Value Packing::moved(Value value, ArrayRef<int64_t> permutation) {
  Location loc = op.getLoc();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc,
      applyPermutation(tensor::getMixedSizes(rewriter, loc, value),
                       permutation),
      getElementTypeOrSelf(value.getType()));
  auto copy =
      linalg::TransposeOp::create(rewriter, loc, value, empty, permutation);
  return (*linalg::generalizeNamedOp(rewriter, copy))->getResult(0);
}

bool Packing::isLargeMatrix() {
  auto type = cast<RankedTensorType>(loops.right->get().getType());
  return loops.batch.empty() && map().isProjectedPermutation() &&
         map().getNumResults() == loops.reduction.size() + 1 &&
         type.hasStaticShape() && type.getElementType().isIntOrFloat() &&
         type.getNumElements() >= kLeastElements;
}

bool Packing::isReducedAlong(AffineMap where) {
  auto last = dyn_cast<AffineDimExpr>(where.getResults().back());
  return last && llvm::is_contained(loops.reduction, last.getPosition()) &&
         op.getStaticLoopRanges()[last.getPosition()] >= kLeastDotLength;
}

void Packing::packPanels(int64_t columnDim) {
  Location loc = op.getLoc();
  Value matrix = loops.right->get();
  auto type = cast<RankedTensorType>(matrix.getType());
  int64_t columns = type.getDimSize(columnDim),
          width = panelWidth(op, loops, machine), count = panels();
  if (int64_t missing = count * width - columns) {
    SmallVector<OpFoldResult> none(type.getRank(), rewriter.getIndexAttr(0)),
        high = none;
    high[columnDim] = rewriter.getIndexAttr(missing);
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    matrix =
        tensor::PadOp::create(rewriter, loc, Type(), matrix, none, high, zero);
  }
  SmallVector<int64_t> split;
  SmallVector<ReassociationIndices> groups;
  llvm::SmallDenseMap<unsigned, int64_t> dimOf;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    int64_t at = split.size();
    dimOf[map().getDimPosition(dim)] = at;
    if (int64_t(dim) == columnDim) {
      groups.push_back({at, at + 1});
      split.append({count, width});
    } else {
      groups.push_back({at});
      split.push_back(size);
    }
  }
  Value blocks = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(split),
                                               matrix, groups);
  int64_t panel = dimOf.lookup(loops.vectorLoop);
  SmallVector<int64_t> order{panel}, sizes;
  for (unsigned loop : loops.reduction) {
    order.push_back(dimOf.lookup(loop));
    sizes.push_back(split[order.back()]);
  }
  order.push_back(panel + 1);
  readPanels(rewriter, op, loops, moved(blocks, order), sizes, columns);
}

void Packing::readWithLast(OpOperand *operand, int64_t dim) {
  AffineMap where = op.getMatchingIndexingMap(operand);
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < int64_t(where.getNumResults()); ++i)
    if (i != dim)
      permutation.push_back(i);
  permutation.push_back(dim);
  read(operand, moved(operand->get(), permutation),
       AffineMap::get(where.getNumDims(), 0,
                      applyPermutation(where.getResults(), permutation),
                      rewriter.getContext()));
}

void Packing::read(OpOperand *operand, Value value, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand->getOperandNumber()] = map;
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  operand->set(value);
}

void Packing::skipCopies() {
  while (auto copy = loops.right->get().getDefiningOp<linalg::GenericOp>()) {
    if (!isCopy(copy) || !copy->hasOneUse())
      return;
    SmallVector<AffineMap> maps = copy.getIndexingMapsArray();
    if (!maps[0].isPermutation() || !maps[1].isIdentity())
      return;
    read(loops.right, copy.getInputs()[0], maps[0].compose(map()));
  }
}

void Packing::transposeLeft() {
  AffineMap where = op.getMatchingIndexingMap(loops.left);
  auto type = cast<RankedTensorType>(loops.left->get().getType());
  bool hasColumns =
      !ShapedType::isDynamic(op.getStaticLoopRanges()[loops.vectorLoop]);
  if (!loops.batch.empty() || loops.reduction.size() != 1 ||
      !where.isProjectedPermutation() || where.getNumResults() < 2 ||
      (type.hasStaticShape() && type.getNumElements() < kLeastElements) ||
      (hasColumns && panels() < kLeastPanels))
    return;
  auto *at = llvm::find(where.getResults(),
                        rewriter.getAffineDimExpr(loops.reduction[0]));
  if (at != where.getResults().end() && at + 1 != where.getResults().end())
    readWithLast(loops.left, at - where.getResults().begin());
}

void Packing::pack() {
  transposeLeft();
  skipCopies();
  AffineMap where = map();
  auto *at = llvm::find(where.getResults(),
                        rewriter.getAffineDimExpr(loops.vectorLoop));
  if (at == where.getResults().end() ||
      loops.right->get().getDefiningOp<linalg::UnPackOp>())
    return;
  int64_t columnDim = at - where.getResults().begin();
  bool isLast = at + 1 == where.getResults().end();
  std::optional<int64_t> rows = rowsOf(op, loops);
  bool isWorthPanels =
      isLargeMatrix() && (!rows || *rows >= kLeastRows) && panels() > 1;
  if (!isLast && rows && *rows <= kMostDotRows && isReducedAlong(where))
    return;
  bool isInOneTask =
      rows && *rows <= kMostRowsOfPanel && panels() >= kLeastPanels;
  if (isWorthPanels && !isInOneTask)
    packPanels(columnDim);
  else if (!isLast || isWorthPanels)
    readWithLast(loops.right, columnDim);
}

} // namespace

void isthmus::packOperands(ModuleOp module, const Machine &machine) {
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops)
    if (std::optional<ContractionLoops> loops = matchContraction(op))
      Packing(op, *loops, machine).pack();
}
