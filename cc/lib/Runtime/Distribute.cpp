//===- Distribute.cpp - Groups of ops as parallel loops over tiles --------===//
//
// Each linalg op that is left, from the last to the first, becomes the root of
// a group: the producers that it alone needs, as far as a tile of the root
// needs just a tile of theirs. The root is tiled by a `scf.forall`, and the
// group's other ops are computed tile by tile inside it, while the data is in
// the cache.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Rewrites.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Elements that one task of a group works on: enough to pay for handing it
/// out, few enough to stay in the cache.
constexpr int64_t kElementsPerTask = 16 * 1024;
/// Multiplications of one task of a contraction.
constexpr int64_t kProductsPerTask = 1 << 20;
/// What a size counts as that is known only at run time.
constexpr int64_t kTypicalSize = 128;

/// Ops of one group. What it takes to compile a loop grows with the square of
/// what is in it.
constexpr size_t kMostMembers = 48;

constexpr int kNone = -1;

int64_t typical(int64_t size) {
  return ShapedType::isDynamic(size) ? kTypicalSize : size;
}

/// For each loop of an op, the loop of the group's root that it follows, or
/// kNone if a tile needs all of it.
using Ties = SmallVector<int>;

struct Group {
  linalg::LinalgOp root;
  llvm::SetVector<Operation *> members;
  llvm::DenseMap<Operation *, Ties> ties;
  /// Loops of the root that can be tiled without computing anything twice.
  llvm::SmallDenseSet<int> tileable;
  /// The contraction that decides the tile, if there is one.
  linalg::LinalgOp contraction;
};

bool isDistributable(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         !isa<linalg::FillOp>(op) && isa<TilingInterface>(op);
}

/// A weight in panels, as `packWeights` leaves it.
linalg::UnPackOp packedRight(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = matchContraction(contraction);
  return loops ? loops->right->get().getDefiningOp<linalg::UnPackOp>()
               : nullptr;
}

/// True if every row of the product reads the same matrix, as a weight is. Its
/// tasks then share it by columns; the heads of an attention have one each.
bool readsSharedMatrix(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = matchContraction(contraction);
  return loops && loops->batch.empty();
}

/// The ties of `producer`'s loops if `use`, an operand of a member, is all that
/// reads it; nothing if the use is no plain indexing.
std::optional<Ties> tiesThrough(const Group &group, OpOperand &use,
                                linalg::LinalgOp producer) {
  auto consumer = cast<linalg::LinalgOp>(use.getOwner());
  const Ties &consumerTies = group.ties.lookup(consumer);
  AffineMap read = consumer.getMatchingIndexingMap(&use);
  AffineMap written =
      producer.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
  if (!written.isProjectedPermutation())
    return std::nullopt;
  Ties ties(producer.getNumLoops(), kNone);
  for (auto [index, loop] : llvm::zip(read.getResults(), written.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(index))
      ties[cast<AffineDimExpr>(loop).getPosition()] =
          consumerTies[dim.getPosition()];
  return ties;
}

/// How many tiles of one element each the loops would give.
int64_t parallelism(Group &group, const llvm::SmallDenseSet<int> &loops) {
  int64_t product = 1;
  SmallVector<int64_t> sizes = group.root.getStaticLoopRanges();
  for (int loop : loops)
    product *= typical(sizes[loop]);
  return product;
}

bool tryToAdd(Group &group, linalg::LinalgOp producer) {
  if (producer->getNumResults() != 1 ||
      producer->getBlock() != group.root->getBlock())
    return false;
  Ties ties;
  bool isRight = false;
  for (OpOperand &use : producer->getUses()) {
    if (!group.members.contains(use.getOwner()))
      return false;
    auto consumer = cast<linalg::LinalgOp>(use.getOwner());
    if (consumer.isDpsInit(&use))
      return false;
    std::optional<Ties> here = tiesThrough(group, use, producer);
    if (!here || (!ties.empty() && ties != *here))
      return false;
    ties = *here;
    std::optional<ContractionLoops> loops = matchContraction(consumer);
    isRight |= loops && loops->right == &use;
  }
  llvm::SmallDenseSet<int> tileable;
  for (int loop : ties)
    if (group.tileable.contains(loop))
      tileable.insert(loop);
  bool smaller = tileable.size() < group.tileable.size();
  // Rows of a softmax or a normalisation, heads of an attention.
  if (smaller && parallelism(group, tileable) < 16)
    return false;
  // What every row of a product reads is not computed again for each.
  if (smaller && isRight)
    return false;
  std::optional<ContractionLoops> loops = matchContraction(producer);
  if (loops) {
    // A product with a weight is tiled along the weight's columns, so that
    // each task reads its part of the weight.
    if (readsSharedMatrix(producer) &&
        (smaller || group.contraction ||
         !tileable.contains(ties[loops->vectorLoop])))
      return false;
    if (group.contraction && readsSharedMatrix(group.contraction))
      return false;
  }
  // And what is inside the group already keeps its tiles.
  if (smaller && group.contraction && readsSharedMatrix(group.contraction))
    return false;

  group.tileable = std::move(tileable);
  group.members.insert(producer);
  group.ties[producer] = ties;
  if (loops && !group.contraction)
    group.contraction = producer;
  return true;
}

Group formGroup(linalg::LinalgOp root,
                const llvm::DenseSet<Operation *> &taken) {
  Group group;
  group.root = root;
  group.members.insert(root);
  Ties own;
  for (auto [loop, kind] : llvm::enumerate(root.getIteratorTypesArray())) {
    own.push_back(loop);
    if (kind == utils::IteratorType::parallel)
      group.tileable.insert(loop);
  }
  group.ties[root] = own;
  if (matchContraction(root))
    group.contraction = root;
  // Members grow at the end; a producer is tried again after each of its
  // users has joined.
  for (size_t i = 0; i < group.members.size(); ++i)
    for (OpOperand *input :
         cast<linalg::LinalgOp>(group.members[i]).getDpsInputOperands()) {
      Operation *producer = input->get().getDefiningOp();
      if (group.members.size() < kMostMembers && isDistributable(producer) &&
          !taken.contains(producer) && !group.members.contains(producer))
        tryToAdd(group, cast<linalg::LinalgOp>(producer));
    }
  return group;
}

//===----------------------------------------------------------------------===//
// Tile sizes
//===----------------------------------------------------------------------===//

/// The largest divisor of `size` up to `most`, or `most` when the divisors are
/// all much smaller.
int64_t evenTile(int64_t size, int64_t most) {
  if (ShapedType::isDynamic(size))
    return most;
  most = std::min(size, most);
  for (int64_t tile = most; tile > most / 2; --tile)
    if (size % tile == 0)
      return tile;
  return most;
}

/// Tiles of a contraction: all lanes of a register tile's columns, and rows
/// until a task is worth its name.
void chooseContractionTiles(const Group &group, const Machine &machine,
                            SmallVectorImpl<int64_t> &tiles) {
  linalg::LinalgOp op = group.contraction;
  ContractionLoops loops = *matchContraction(op);
  const Ties &ties = group.ties.lookup(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto tied = [&](unsigned loop) {
    return ties[loop] != kNone && group.tileable.contains(ties[loop]);
  };
  for (unsigned loop : loops.batch)
    if (tied(loop))
      tiles[ties[loop]] = 1;
  int64_t products = 1;
  for (unsigned loop : loops.reduction)
    products *= typical(sizes[loop]);
  for (unsigned loop : loops.columns) {
    if (loop != loops.vectorLoop) {
      if (tied(loop))
        tiles[ties[loop]] = 1;
      continue;
    }
    int64_t bits = getElementTypeOrSelf(op->getResult(0).getType())
                       .getIntOrFloatBitWidth();
    int64_t columns = sizes[loop];
    if (tied(loop)) {
      int64_t rows = 1;
      for (unsigned row : loops.rows)
        rows = std::max(rows, typical(sizes[row]));
      RegisterTile tile = chooseRegisterTile(machine, rows, columns, bits);
      columns = tile.vectors * machine.lanesOf(bits);
      if (linalg::UnPackOp panels = packedRight(op))
        columns = panels.getStaticTiles().front();
      tiles[ties[loop]] = columns;
    }
    products *= typical(columns);
  }
  // Rows, the innermost loop first.
  int64_t most =
      std::max<int64_t>(1, kProductsPerTask / std::max<int64_t>(products, 1));
  for (unsigned loop : llvm::reverse(loops.rows)) {
    if (!tied(loop))
      continue;
    // Not so few that a register tile would stay half empty.
    int64_t tile = evenTile(sizes[loop], std::max<int64_t>(most, 1));
    if (loop == loops.rows.back())
      tile = evenTile(sizes[loop], std::max<int64_t>(most, 16));
    tiles[ties[loop]] = tile;
    most = std::max<int64_t>(1, most / std::max<int64_t>(tile, 1));
  }
}

/// Tiles of anything else: whole inner loops while they fit into one task.
void chooseElementTiles(const Group &group, SmallVectorImpl<int64_t> &tiles) {
  linalg::LinalgOp root = group.root;
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  // What one tile of one element costs: the loops that are not tiled, of the
  // largest member.
  int64_t each = 1;
  for (Operation *member : group.members) {
    auto op = cast<linalg::LinalgOp>(member);
    int64_t inside = 1;
    for (auto [size, tie] :
         llvm::zip(op.getStaticLoopRanges(), group.ties.lookup(member)))
      if (tie == kNone || !group.tileable.contains(tie))
        inside *= typical(size);
    each = std::max(each, inside);
  }
  int64_t most = std::max<int64_t>(1, kElementsPerTask / each);
  for (int loop = root.getNumLoops() - 1; loop >= 0; --loop) {
    if (!group.tileable.contains(loop))
      continue;
    int64_t tile = evenTile(sizes[loop], most);
    tiles[loop] = tile;
    most = std::max<int64_t>(1, most / std::max<int64_t>(tile, 1));
  }
}

/// How much there is to do, in elements.
int64_t totalWork(const Group &group) {
  int64_t work = 0;
  for (Operation *member : group.members) {
    int64_t product = 1;
    for (int64_t size : cast<linalg::LinalgOp>(member).getStaticLoopRanges())
      product *= typical(size);
    work += product;
  }
  return work;
}

void distribute(RewriterBase &rewriter, const Group &group,
                const Machine &machine) {
  // Not worth a task, unless it is what reads a weight by panels.
  bool readsPanels = group.contraction && packedRight(group.contraction);
  if (totalWork(group) < kElementsPerTask / 2 && !readsPanels)
    return;
  linalg::LinalgOp root = group.root;
  SmallVector<int64_t> tiles(root.getNumLoops(), 0);
  if (group.contraction)
    chooseContractionTiles(group, machine, tiles);
  else
    chooseElementTiles(group, tiles);
  // One tile for a whole loop is no tile.
  bool any = false;
  for (auto [tile, size] : llvm::zip(tiles, root.getStaticLoopRanges())) {
    if (tile == size)
      tile = 0;
    any |= tile != 0;
  }
  if (!any)
    return;

  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.tilingOptions.setTileSizes(
      getAsIndexOpFoldResult(rewriter.getContext(), tiles));
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        Operation *op = producer.getOwner();
        if (group.members.contains(op) || isa<linalg::FillOp>(op))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  rewriter.setInsertionPoint(root);
  auto result = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(result))
    return;
  SmallVector<Value> replacements;
  for (Value value : root->getResults())
    replacements.push_back(result->replacements.lookup(value));
  rewriter.replaceOp(root, replacements);
}

/// A tile of a weight in panels is a panel: reads it where it lies.
struct SliceOfPanels : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto unpack = slice.getSource().getDefiningOp<linalg::UnPackOp>();
    if (!unpack || !slice.hasUnitStride() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return failure();
    int64_t last = slice.getType().getRank() - 1;
    int64_t width = unpack.getStaticTiles().front();
    if (unpack.getStaticTiles().size() != 1 ||
        unpack.getInnerDimsPos().front() != last)
      return failure();
    for (int64_t i = 0; i < last; ++i)
      if (getConstantIntValue(slice.getMixedOffsets()[i]) != 0 ||
          slice.getType().isDynamicDim(i) ||
          slice.getType().getDimSize(i) != slice.getSourceType().getDimSize(i))
        return failure();
    // Tiles are a panel wide, so a tile starts where a panel does.
    if (!slice.getType().isDynamicDim(last) &&
        slice.getType().getDimSize(last) > width)
      return failure();
    Location loc = slice.getLoc();
    AffineExpr s = rewriter.getAffineSymbolExpr(0);
    OpFoldResult panel = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(0, 1, s.floorDiv(width)),
        {slice.getMixedOffsets().back()});
    SmallVector<OpFoldResult> offsets{panel}, sizes{rewriter.getIndexAttr(1)};
    llvm::append_range(offsets, slice.getMixedOffsets());
    llvm::append_range(sizes, slice.getMixedSizes());
    offsets.back() = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        slice, slice.getType(), unpack.getSource(), offsets, sizes, strides);
    return success();
  }
};

/// Merges what computes the same. Loops are equal to MLIR until it has compared
/// what is in them, each with all before it: a number tells them apart.
void eliminateCommonSizes(ModuleOp module) {
  constexpr StringLiteral number = "isthmus.number";
  Builder builder(module.getContext());
  int64_t next = 0;
  module.walk([&](scf::ForallOp loop) {
    loop->setDiscardableAttr(number, builder.getIndexAttr(next++));
  });
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
  module.walk([&](scf::ForallOp loop) { loop->removeDiscardableAttr(number); });
}

} // namespace

LogicalResult isthmus::distribute(ModuleOp module, const Machine &machine) {
  IRRewriter rewriter(module.getContext());
  for (auto func : module.getOps<func::FuncOp>()) {
    SmallVector<linalg::LinalgOp> ops;
    func.walk([&](linalg::LinalgOp op) {
      if (isDistributable(op))
        ops.push_back(op);
    });
    llvm::DenseSet<Operation *> taken;
    SmallVector<Group> groups;
    for (linalg::LinalgOp op : llvm::reverse(ops)) {
      if (taken.contains(op))
        continue;
      groups.push_back(formGroup(op, taken));
      taken.insert_range(groups.back().members);
    }
    for (const Group &group : groups)
      ::distribute(rewriter, group, machine);
  }
  RewritePatternSet patterns(module.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                      module.getContext());
  scf::ForallOp::getCanonicalizationPatterns(patterns, module.getContext());
  patterns.add<SliceOfPanels>(module.getContext());
  // The loops ask for sizes of what they took in: no reason to compute it once
  // more, and whole.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  applyBounded(module, std::move(patterns));
  // Whatever reads a packed weight in another way reads it as a matrix again.
  WalkResult unpacked = module.walk([&](linalg::UnPackOp op) {
    rewriter.setInsertionPoint(op);
    return failed(linalg::lowerUnPack(rewriter, op)) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  if (unpacked.wasInterrupted())
    return failure();
  eliminateCommonSizes(module);
  return success();
}
