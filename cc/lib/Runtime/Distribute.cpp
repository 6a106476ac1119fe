//===- Distribute.cpp - Groups of ops as parallel loops over tiles --------===//
//
// Each linalg op that is not yet in a group, from the last to the first,
// becomes the root of a group: the root and those of its producers that are
// used only in the group and of which a tile of the root needs only a tile. The
// root is tiled by a `scf.forall`, and the other ops of the group are computed
// tile by tile inside it, while the data is in the cache.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Panels.h"
#include "Rewrites.h"

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

/// Elements per task of a group: enough to amortize the cost of dispatching it,
/// few enough to stay in the cache.
constexpr int64_t kElementsPerTask = 16 * 1024;
/// Elements of each of the two loops of a transposed block.
constexpr int64_t kTransposedBlock = 64;
/// Multiplications per task of a contraction.
constexpr int64_t kProductsPerTask = 1 << 20;
/// Scores of an attention that stay in the cache: a task takes as many queries,
/// but at most kMostQueries and at least kLeastRows.
constexpr int64_t kScoresPerTask = 256 * 1024, kMostQueries = 64;
/// With fewer rows, a register tile would be half empty.
constexpr int64_t kLeastRows = 16;
/// Assumed value of a dynamic size.
constexpr int64_t kTypicalSize = 128;

/// Maximum number of ops in a group. Compile time of a loop is quadratic in the
/// number of its ops.
constexpr size_t kMostMembers = 48;

constexpr int kNone = -1;

int64_t typical(int64_t size) {
  return ShapedType::isDynamic(size) ? kTypicalSize : size;
}

/// For each loop of an op, the corresponding loop of the group's root, or kNone
/// if a tile needs all iterations of it.
using Ties = SmallVector<int>;

struct Group {
  linalg::LinalgOp root;
  llvm::SetVector<Operation *> members;
  llvm::DenseMap<Operation *, Ties> ties;
  /// Loops of the root that can be tiled without recomputation.
  llvm::SmallDenseSet<int> tileable;
  /// The contraction that determines the tile sizes, if there is one.
  linalg::LinalgOp contraction;
};

bool isDistributable(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         !isa<linalg::FillOp>(op) && isa<TilingInterface>(op);
}

/// The packed weight of a contraction, as created by `packWeights`.
linalg::UnPackOp packedRight(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = matchContraction(contraction);
  return loops ? loops->right->get().getDefiningOp<linalg::UnPackOp>()
               : nullptr;
}

/// True if all rows of the product read the same matrix, such as a weight. The
/// tasks then split its columns; in attention, by contrast, each head has its
/// own matrix.
bool readsSharedMatrix(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = matchContraction(contraction);
  return loops && loops->batch.empty();
}

/// True if each task of a product lays out the columns that it reads.
bool laysOutOwnPanels(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = matchContraction(contraction);
  if (!loops || !loops->batch.empty())
    return false;
  std::optional<int64_t> rows = rowsOf(contraction, *loops);
  return rows && *rows <= kMostRowsOfPanel;
}

/// The ties of the loops of `producer`, assuming that `use`, an operand of a
/// member, is its only use; nothing if the result is not indexed by a projected
/// permutation.
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

/// Number of tiles of size one over the given loops.
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
  bool isRight = false, isPanel = false;
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
    isPanel |= loops && loops->right == &use && consumer == group.contraction &&
               isCopy(producer) && laysOutOwnPanels(consumer);
  }
  llvm::SmallDenseSet<int> tileable;
  for (int loop : ties)
    if (group.tileable.contains(loop))
      tileable.insert(loop);
  bool smaller = tileable.size() < group.tileable.size();
  // E.g. the rows of a softmax or a normalization, or the heads of an
  // attention.
  if (smaller && parallelism(group, tileable) < 16)
    return false;
  // An operand that every row of a product reads is not recomputed for each
  // row.
  if (smaller && isRight && !isPanel)
    return false;
  std::optional<ContractionLoops> loops = matchContraction(producer);
  if (loops) {
    // A product with a weight is tiled along the weight's columns, so that each
    // task reads its part of the weight.
    if (readsSharedMatrix(producer) &&
        (smaller || group.contraction ||
         !tileable.contains(ties[loops->vectorLoop])))
      return false;
    if (group.contraction && readsSharedMatrix(group.contraction))
      return false;
  }
  // Such a product that is already in the group keeps its tiles.
  if (smaller && !isPanel && group.contraction &&
      readsSharedMatrix(group.contraction))
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
    // A reduction of the root is whole in each tile, as are loops of producers
    // that only reductions tie to it.
    bool isParallel = kind == utils::IteratorType::parallel;
    own.push_back(isParallel ? int(loop) : kNone);
    if (isParallel)
      group.tileable.insert(loop);
  }
  group.ties[root] = own;
  if (matchContraction(root))
    group.contraction = root;
  // New members are appended; a producer is tried again after each of its users
  // is added.
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

/// The largest divisor of `size` up to `most`, or `most` if all divisors are
/// much smaller.
int64_t evenTile(int64_t size, int64_t most) {
  if (ShapedType::isDynamic(size))
    return most;
  most = std::min(size, most);
  for (int64_t tile = most; tile > most / 2; --tile)
    if (size % tile == 0)
      return tile;
  return most;
}

/// Tile sizes of a contraction: all lanes of a register tile's columns, and as
/// many rows as make a task worthwhile.
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
  int64_t keys = std::max<int64_t>(products, 1); // of an attention
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
  // Rows, the innermost loop first. The queries of an attention, which has two
  // products, share the reads of the keys.
  int64_t least = kLeastRows,
          most = std::max<int64_t>(1, kProductsPerTask /
                                          std::max<int64_t>(products, 1));
  if (llvm::count_if(group.members, [](Operation *member) {
        return matchContraction(cast<linalg::LinalgOp>(member)).has_value();
      }) > 1) {
    least = std::clamp(kScoresPerTask / keys, least, kMostQueries);
    if (llvm::any_of(loops.reduction, [&](unsigned loop) {
          return ShapedType::isDynamic(sizes[loop]);
        }))
      most = std::min(most, kMostQueries);
  }
  for (unsigned loop : llvm::reverse(loops.rows)) {
    if (!tied(loop))
      continue;
    int64_t tile = evenTile(sizes[loop], std::max<int64_t>(most, 1));
    if (loop == loops.rows.back())
      tile = evenTile(sizes[loop], std::max(most, least));
    tiles[ties[loop]] = tile;
    most = std::max<int64_t>(1, most / std::max<int64_t>(tile, 1));
  }
}

/// The loop of a copy's source whose elements are adjacent, if it is not that
/// of its result.
std::optional<unsigned> transposedLoop(linalg::LinalgOp op) {
  if (!isCopy(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[0].getNumResults() == 0 || !maps[1].isIdentity())
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(maps[0].getResults().back());
  if (!last || last.getPosition() + 1 == op.getNumLoops())
    return std::nullopt;
  return last.getPosition();
}

/// Tile sizes of other groups: whole inner loops as long as they fit into one
/// task.
void chooseElementTiles(const Group &group, SmallVectorImpl<int64_t> &tiles) {
  linalg::LinalgOp root = group.root;
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  // Cost of a tile of one element: the product of the untiled loops of the
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
  // The cache keeps the lines of a block until all of their elements are moved.
  if (std::optional<unsigned> other = transposedLoop(root);
      other && group.members.size() == 1) {
    for (unsigned loop : {unsigned(root.getNumLoops() - 1), *other}) {
      tiles[loop] = evenTile(sizes[loop], kTransposedBlock);
      most = std::max<int64_t>(1, most / tiles[loop]);
    }
  }
  for (int loop = root.getNumLoops() - 1; loop >= 0; --loop) {
    if (!group.tileable.contains(loop) || tiles[loop])
      continue;
    int64_t tile = evenTile(sizes[loop], most);
    tiles[loop] = tile;
    most = std::max<int64_t>(1, most / std::max<int64_t>(tile, 1));
  }
}

/// Total work of a group, in elements.
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
  // Small groups are not worth a task, unless they read a packed weight.
  bool readsPanels = group.contraction && packedRight(group.contraction);
  if (totalWork(group) < kElementsPerTask / 2 && !readsPanels)
    return;
  linalg::LinalgOp root = group.root;
  SmallVector<int64_t> tiles(root.getNumLoops(), 0);
  if (group.contraction)
    chooseContractionTiles(group, machine, tiles);
  else
    chooseElementTiles(group, tiles);
  // A tile that covers the whole loop needs no tiling.
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

/// A tile of a packed weight is a panel: replaces the slice by a direct read of
/// the panel.
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

/// CSE over the module. MLIR compares each loop with every earlier one,
/// contents included; a unique number attribute makes loops differ without that
/// comparison.
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
  // The loops use sizes of the ops fused into them: resolving these sizes
  // avoids computing the whole ops again.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  applyBounded(module, std::move(patterns));
  // Other consumers of a packed weight read it unpacked, as a matrix.
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
