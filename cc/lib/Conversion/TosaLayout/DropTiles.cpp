//===- DropTiles.cpp - Broadcasts instead of copies -----------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// op(tile(x), y) -> op(x, y) for a pointwise op, where tile repeats dims of
/// size 1 only and another operand has the sizes of the result in them.
struct DropTile : RewritePattern {
  explicit DropTile(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    MutableArrayRef<OpOperand> operands = tosa_layout::pointwiseOperands(op);
    for (OpOperand &operand : operands) {
      auto tile = operand.get().getDefiningOp<tosa::TileOp>();
      if (!tile || !broadcasts(tile) || !othersGive(operand, operands, tile))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(tile.getInput1()); });
      return success();
    }
    return failure();
  }

private:
  static ArrayRef<int64_t> sizesOf(Value x) {
    return cast<RankedTensorType>(x.getType()).getShape();
  }

  static bool broadcasts(tosa::TileOp tile) {
    if (!isa<RankedTensorType>(tile.getType()) ||
        !isa<RankedTensorType>(tile.getInput1().getType()))
      return false;
    return llvm::all_of(
        llvm::zip_equal(sizesOf(tile.getInput1()), sizesOf(tile)),
        [](auto sizes) {
          auto [from, to] = sizes;
          return from == to || from == 1;
        });
  }

  static bool othersGive(OpOperand &dropped,
                         MutableArrayRef<OpOperand> operands,
                         tosa::TileOp tile) {
    for (auto [dim, sizes] : llvm::enumerate(
             llvm::zip_equal(sizesOf(tile.getInput1()), sizesOf(tile)))) {
      auto [from, to] = sizes;
      if (from == to)
        continue;
      bool given =
          llvm::any_of(operands, [&, dim = dim, to = to](OpOperand &other) {
            return &other != &dropped &&
                   isa<RankedTensorType>(other.get().getType()) &&
                   sizesOf(other.get())[dim] == to;
          });
      if (!given)
        return false;
    }
    return true;
  }
};

} // namespace

void tosa_layout::populateDropTiles(RewritePatternSet &patterns) {
  patterns.add<DropTile>(patterns.getContext());
}
