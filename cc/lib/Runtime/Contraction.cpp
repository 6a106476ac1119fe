//===- Contraction.cpp - Matrix products and convolutions -----------------===//
//
// A tile of the result stays in registers while the reduction runs over it:
//
//   for each block of `vectors` vectors of columns
//     for each block of `rows` rows
//       acc[rows][vectors] = out[…]
//       for k: acc[i][j] += broadcast(left[i, k]) * right[k, j]
//       out[…] = acc
//
// so that rows * vectors multiplications share rows + vectors loads.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Matches yield(out + f(left, right)): integer and float sums, with any
/// conversions.
bool isMultiplyAdd(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  Value out = op.getRegionOutputArgs()[0];
  if (!llvm::is_contained(add->getOperands(), out) || !out.hasOneUse())
    return false;
  Value product =
      add->getOperand(0) == out ? add->getOperand(1) : add->getOperand(0);
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product.getDefiningOp());
}

} // namespace

RegisterTile isthmus::chooseRegisterTile(const Machine &machine, int64_t rows,
                                         int64_t columns, int64_t elementBits) {
  int64_t lanes = machine.lanesOf(elementBits);
  RegisterTile best{1, 1};
  double bestCycles = 0;
  for (int64_t vectors = 1; vectors <= 4; ++vectors) {
    // One register for each vector of `right` and one for the broadcast.
    int64_t most = (machine.vectorRegisters - vectors - 1) / vectors;
    for (int64_t height = 1; height <= most; ++height) {
      // Cycles for one step of the reduction: two multiplications or two loads
      // per cycle, and four cycles of latency before the next addition to a
      // sum.
      auto cycles = [&](double rows, double vectors) {
        return std::max({rows * vectors / 2, (rows + vectors) / 2, 6.0});
      };
      auto cover = [](int64_t size, int64_t step) {
        return ShapedType::isDynamic(size)
                   ? double(4096) / step
                   : double(llvm::divideCeil(size, step));
      };
      double total = cycles(height, vectors) * cover(rows, height) *
                     cover(columns, vectors * lanes);
      // The remaining rows have a separate tile.
      if (!ShapedType::isDynamic(rows) && rows % height)
        total -= (cycles(height, vectors) - cycles(rows % height, vectors)) *
                 cover(columns, vectors * lanes);
      if (bestCycles == 0 || total < bestCycles * 0.999) {
        best = {height, vectors};
        bestCycles = total;
      }
    }
  }
  return best;
}

std::optional<ContractionLoops> isthmus::matchContraction(linalg::LinalgOp op) {
  if (!isMultiplyAdd(op))
    return std::nullopt;
  OpOperand *first = op.getDpsInputOperand(0);
  OpOperand *second = op.getDpsInputOperand(1);
  OpOperand *out = op.getDpsInitOperand(0);
  AffineMap firstMap = op.getMatchingIndexingMap(first);
  AffineMap secondMap = op.getMatchingIndexingMap(second);
  AffineMap outMap = op.getMatchingIndexingMap(out);
  if (!outMap.isProjectedPermutation() || outMap.getNumResults() == 0)
    return std::nullopt;

  // The last result loop that indexes only one input runs over lanes; that
  // input is `right`.
  ContractionLoops loops;
  unsigned last = outMap.getDimPosition(outMap.getNumResults() - 1);
  bool inFirst = firstMap.isFunctionOfDim(last);
  bool inSecond = secondMap.isFunctionOfDim(last);
  if (inFirst == inSecond)
    return std::nullopt;
  loops.left = inFirst ? second : first;
  loops.right = inFirst ? first : second;
  loops.vectorLoop = last;
  AffineMap leftMap = inFirst ? secondMap : firstMap;
  AffineMap rightMap = inFirst ? firstMap : secondMap;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool inLeft = leftMap.isFunctionOfDim(loop);
    bool inRight = rightMap.isFunctionOfDim(loop);
    if (kind == utils::IteratorType::reduction)
      loops.reduction.push_back(loop);
    else if (inLeft && !inRight)
      loops.rows.push_back(loop);
    else if (inRight && !inLeft)
      loops.columns.push_back(loop);
    else
      loops.batch.push_back(loop);
  }
  if (loops.reduction.empty())
    return std::nullopt;
  return loops;
}

namespace {

class Emission {
public:
  Emission(RewriterBase &builder, linalg::LinalgOp op, ContractionLoops loops,
           const Machine &machine)
      : builder(builder), op(op), loops(std::move(loops)), machine(machine),
        loc(op.getLoc()), out(*op.getDpsInitOperand(0)),
        indices(op.getNumLoops()) {}

  LogicalResult run();

private:
  void chooseRowLoop();
  /// Splits the reduction into loops around the rows and loops inside a tile.
  void splitReduction();
  /// Splits the only loop of the reduction into blocks around the rows.
  void blockReduction();
  void emitColumns();
  void emitBlocksOfRows(Value column, int64_t vectors, Value mask);
  void emitRows(Value column, int64_t vectors, Value mask);
  void emitTile(Value row, int64_t height, Value column, int64_t vectors,
                Value mask);

  /// A position at `row` and `column` plus constants. The mask applies to the
  /// last vector.
  Lanes at(Value row, int64_t i, Value column, int64_t j, Value mask) {
    Indices here = indices;
    if (rowLoop >= 0)
      here[rowLoop] = plus(row, i);
    here[loops.vectorLoop] = plus(column, j * width);
    return Lanes{builder, op, here, loops.vectorLoop, width, mask};
  }

  Value plus(Value index, int64_t offset) {
    AffineExpr s = builder.getAffineSymbolExpr(0);
    return getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(
            builder, loc, AffineMap::get(0, 1, s + offset), {index}));
  }

  RewriterBase &builder;
  linalg::LinalgOp op;
  ContractionLoops loops;
  const Machine &machine;
  Location loc;
  OpOperand &out;
  Indices indices;
  SmallVector<OpFoldResult> sizes;
  SmallVector<unsigned> outerReduction, innerReduction;
  int64_t width = 0;
  int64_t rowLoop = -1;
  /// The steps of a block of the reduction, or 0 if it is not split, and where
  /// the block begins.
  int64_t blockSize = 0;
  Value blockStart;
  RegisterTile tile{1, 1};
};

void Emission::chooseRowLoop() {
  // The longest loop; among equals, the innermost. An unknown size counts as
  // long.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t longest = 0;
  for (unsigned loop : loops.rows) {
    int64_t size = ShapedType::isDynamic(ranges[loop])
                       ? std::numeric_limits<int64_t>::max()
                       : ranges[loop];
    if (size >= longest) {
      longest = size;
      rowLoop = loop;
    }
  }
  llvm::erase(loops.rows, unsigned(rowLoop));
}

void Emission::splitReduction() {
  // The part of `right` that one tile reads should stay in the cache from one
  // block of rows to the next.
  Type element = getElementTypeOrSelf(loops.right->get().getType());
  int64_t bytes = tile.vectors * width *
                  llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  innerReduction = loops.reduction;
  auto total = [&] {
    int64_t product = bytes;
    for (unsigned loop : innerReduction)
      product *= ShapedType::isDynamic(ranges[loop]) ? 1 : ranges[loop];
    return product;
  };
  while (innerReduction.size() > 1 && total() > machine.cacheBytes / 3) {
    outerReduction.push_back(innerReduction.front());
    innerReduction.erase(innerReduction.begin());
  }
}

void Emission::blockReduction() {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (rowLoop < 0 || innerReduction.size() != 1 ||
      ShapedType::isDynamic(ranges[innerReduction[0]]))
    return;
  Type element = getElementTypeOrSelf(loops.right->get().getType());
  int64_t bytes = tile.vectors * width *
                  llvm::divideCeil(element.getIntOrFloatBitWidth(), 8),
          steps = ranges[innerReduction[0]],
          most = machine.cacheBytes / 8 / bytes;
  for (int64_t size = std::min(most, steps - 1); size > most / 2; --size)
    if (steps % size == 0) {
      blockSize = size;
      return;
    }
}

void Emission::emitTile(Value row, int64_t height, Value column,
                        int64_t vectors, Value mask) {
  auto maskOf = [&](int64_t j) { return j + 1 == vectors ? mask : Value(); };
  SmallVector<Value> sums;
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < vectors; ++j) {
      Lanes here = at(row, i, column, j, maskOf(j));
      sums.push_back(here.load(out));
    }
  sums = emitLoops(
      builder, loc, innerReduction, sizes, indices, sums,
      [&](ValueRange carried) {
        SmallVector<Value> rights, next(carried.begin(), carried.end());
        if (blockStart) {
          Value &step = indices[innerReduction[0]];
          step = arith::AddIOp::create(builder, loc, blockStart, step);
        }
        for (int64_t j = 0; j < vectors; ++j)
          rights.push_back(at(row, 0, column, j, maskOf(j)).load(*loops.right));
        for (int64_t i = 0; i < height; ++i) {
          Value left = at(row, i, column, 0, nullptr).load(*loops.left);
          for (int64_t j = 0; j < vectors; ++j) {
            Value &sum = next[i * vectors + j];
            bool leftFirst = loops.left == op.getDpsInputOperand(0);
            Lanes here = at(row, i, column, j, maskOf(j));
            sum = here.body({leftFirst ? left : rights[j],
                             leftFirst ? rights[j] : left, sum},
                            /*contract=*/true)[0];
          }
        }
        return next;
      });
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < vectors; ++j)
      at(row, i, column, j, maskOf(j)).store(out, sums[i * vectors + j]);
}

void Emission::emitRows(Value column, int64_t vectors, Value mask) {
  if (!blockSize)
    return emitBlocksOfRows(column, vectors, mask);
  OpFoldResult &size = sizes[innerReduction[0]], whole = size;
  size = builder.getIndexAttr(blockSize);
  emitBlocks(
      builder, loc, whole, blockSize,
      [&](Value start) {
        blockStart = start;
        emitBlocksOfRows(column, vectors, mask);
      },
      [](Value, OpFoldResult) { llvm_unreachable("blocks divide the loop"); });
  sizes[innerReduction[0]] = whole;
}

void Emission::emitBlocksOfRows(Value column, int64_t vectors, Value mask) {
  SmallVector<unsigned> around = outerReduction;
  llvm::append_range(around, loops.rows);
  emitLoops(
      builder, loc, around, sizes, indices, {},
      [&](ValueRange) -> SmallVector<Value> {
        if (rowLoop < 0) {
          emitTile(nullptr, 1, column, vectors, mask);
          return {};
        }
        emitBlocks(
            builder, loc, sizes[rowLoop], tile.rows,
            [&](Value row) { emitTile(row, tile.rows, column, vectors, mask); },
            [&](Value row, OpFoldResult left) {
              if (std::optional<int64_t> height = getConstantIntValue(left))
                return emitTile(row, *height, column, vectors, mask);
              // Processes rows one by one: their number is known only at run
              // time.
              Value end =
                  getValueOrCreateConstantIndexOp(builder, loc, sizes[rowLoop]);
              emitLoop(builder, loc, row, end, 1, [&](Value index) {
                emitTile(index, 1, column, vectors, mask);
              });
            });
        return {};
      });
}

void Emission::emitColumns() {
  OpFoldResult size = sizes[loops.vectorLoop];
  emitBlocks(
      builder, loc, size, tile.vectors * width,
      [&](Value column) { emitRows(column, tile.vectors, nullptr); },
      [&](Value column, OpFoldResult left) {
        auto maskFor = [&](OpFoldResult lanes) -> Value {
          return vector::CreateMaskOp::create(
              builder, loc, VectorType::get(width, builder.getI1Type()),
              getValueOrCreateConstantIndexOp(builder, loc, lanes));
        };
        if (std::optional<int64_t> rest = getConstantIntValue(left)) {
          int64_t vectors = llvm::divideCeil(*rest, width);
          Value mask;
          if (*rest % width)
            mask = maskFor(builder.getIndexAttr(*rest % width));
          return emitRows(column, vectors, mask);
        }
        Value end = getValueOrCreateConstantIndexOp(builder, loc, size);
        emitLoop(builder, loc, column, end, width, [&](Value index) {
          Value lanes = arith::SubIOp::create(builder, loc, end, index);
          emitRows(index, 1, maskFor(lanes));
        });
      });
}

LogicalResult Emission::run() {
  unsigned vectorLoop = loops.vectorLoop;
  if (!hasVectorBody(op, vectorLoop) || !canMask(op, vectorLoop) ||
      accessOf(op, out, vectorLoop) != Access::Contiguous)
    return failure();
  // Dot products are faster than gathered columns.
  if (loops.reduction.size() == 1 &&
      accessOf(op, *loops.right, loops.reduction[0]) == Access::Contiguous &&
      accessOf(op, *loops.right, vectorLoop) == Access::Irregular)
    return failure();
  Type element = getElementTypeOrSelf(out.get().getType());
  int64_t bits = element.getIntOrFloatBitWidth();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  width = machine.lanesOf(bits);
  if (!ShapedType::isDynamic(ranges[vectorLoop]))
    width = std::min<int64_t>(width, llvm::PowerOf2Ceil(ranges[vectorLoop]));
  if (width < 2)
    return failure();

  builder.setInsertionPoint(op);
  for (Range range : op.createLoopRanges(builder, loc))
    sizes.push_back(range.size);
  if (!loops.rows.empty())
    chooseRowLoop();
  tile = chooseRegisterTile(machine, rowLoop < 0 ? 1 : ranges[rowLoop],
                            ranges[vectorLoop], bits);
  splitReduction();
  blockReduction();
  llvm::erase(loops.columns, vectorLoop);
  SmallVector<unsigned> around = loops.batch;
  llvm::append_range(around, loops.columns);
  emitLoops(builder, loc, around, sizes, indices, {},
            [&](ValueRange) -> SmallVector<Value> {
              emitColumns();
              return {};
            });
  builder.eraseOp(op);
  return success();
}

} // namespace

LogicalResult isthmus::emitContraction(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const Machine &machine) {
  std::optional<ContractionLoops> loops = matchContraction(op);
  if (!loops)
    return failure();
  return Emission(rewriter, op, *loops, machine).run();
}
