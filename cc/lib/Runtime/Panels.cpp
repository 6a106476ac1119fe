//===- Panels.cpp - Matrices in the order in which products read them -----===//

#include "Panels.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace isthmus;

bool isthmus::isCopy(linalg::LinalgOp op) {
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         yield.getOperand(0) == op.getRegionInputArgs().front();
}

std::optional<int64_t> isthmus::rowsOf(linalg::LinalgOp op,
                                       const ContractionLoops &loops) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t rows = 1;
  for (unsigned loop : loops.rows) {
    if (ShapedType::isDynamic(ranges[loop]))
      return std::nullopt;
    rows *= ranges[loop];
  }
  return rows;
}

int64_t isthmus::panelWidth(linalg::LinalgOp op, const ContractionLoops &loops,
                            const Machine &machine) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t rows = 1;
  for (unsigned loop : loops.rows)
    rows = ShapedType::isDynamic(ranges[loop]) || rows == ShapedType::kDynamic
               ? ShapedType::kDynamic
               : std::max(rows, ranges[loop]);
  int64_t bits =
      getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth();
  return chooseRegisterTile(machine, rows, ranges[loops.vectorLoop], bits)
             .vectors *
         machine.lanesOf(bits);
}

void isthmus::readPanels(RewriterBase &rewriter, linalg::GenericOp op,
                         const ContractionLoops &loops, Value panels,
                         ArrayRef<int64_t> sizes, int64_t columns) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(panels.getType());
  Type element = type.getElementType();
  int64_t rank = sizes.size();
  SmallVector<int64_t> shape(sizes);
  shape.push_back(columns);
  Value matrix;
  if (type.getDimSize(0) == 1) {
    SmallVector<int64_t> padded{1};
    llvm::append_range(padded, shape);
    SmallVector<OpFoldResult> offsets(rank + 2, rewriter.getIndexAttr(0)),
        steps(rank + 2, rewriter.getIndexAttr(1));
    matrix = tensor::ExtractSliceOp::create(
        rewriter, loc, RankedTensorType::get(shape, element), panels, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), padded), steps);
  } else {
    SmallVector<int64_t> outer{rank};
    llvm::append_range(outer, llvm::seq<int64_t>(0, rank));
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, element);
    matrix = linalg::UnPackOp::create(
                 rewriter, loc, panels, empty, /*innerDimsPos=*/{rank},
                 {rewriter.getIndexAttr(type.getShape().back())}, outer)
                 ->getResult(0);
  }

  SmallVector<AffineExpr> dims;
  for (unsigned loop : loops.reduction)
    dims.push_back(rewriter.getAffineDimExpr(loop));
  dims.push_back(rewriter.getAffineDimExpr(loops.vectorLoop));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[loops.right->getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, dims, rewriter.getContext());
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  loops.right->set(matrix);
}
