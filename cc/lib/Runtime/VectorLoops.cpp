//===- VectorLoops.cpp - Linalg ops on buffers as loops of vectors --------===//
//
// One loop of the op runs over lanes: the one along which most operands are
// contiguous. If it is a parallel loop, each lane computes an element of its
// own. If it is a reduction, each lane holds a partial result, and the lanes
// are combined at the end.
//
//===----------------------------------------------------------------------===//

#include "VectorLoops.h"

#include "Lanes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

SmallVector<Value> isthmus::emitLoop(
    OpBuilder &builder, Location loc, Value begin, Value end, int64_t step,
    ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  Value stride = arith::ConstantIndexOp::create(builder, loc, step);
  auto loop = scf::ForOp::create(builder, loc, begin, end, stride, carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(loop.getResults());
}

void isthmus::emitLoop(OpBuilder &builder, Location loc, Value begin, Value end,
                       int64_t step, llvm::function_ref<void(Value)> body) {
  emitLoop(builder, loc, begin, end, step, ValueRange(),
           [&](Value index, ValueRange) -> SmallVector<Value> {
             body(index);
             return {};
           });
}

SmallVector<Value>
isthmus::emitLoops(OpBuilder &builder, Location loc, ArrayRef<unsigned> loops,
                   ArrayRef<OpFoldResult> sizes, Indices &indices,
                   ValueRange carried,
                   llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  if (loops.empty())
    return body(carried);
  unsigned loop = loops.front();
  auto inside = [&](Value index, ValueRange values) {
    indices[loop] = index;
    return emitLoops(builder, loc, loops.drop_front(), sizes, indices, values,
                     body);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (getConstantIntValue(sizes[loop]) == 1)
    return inside(zero, carried);
  Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[loop]);
  return emitLoop(builder, loc, zero, size, 1, carried, inside);
}

void isthmus::emitBlocks(OpBuilder &builder, Location loc, OpFoldResult size,
                         int64_t step, llvm::function_ref<void(Value)> whole,
                         llvm::function_ref<void(Value, OpFoldResult)> rest) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (std::optional<int64_t> known = getConstantIntValue(size)) {
    int64_t end = *known / step * step;
    if (end == step)
      whole(constant(0));
    else if (end)
      emitLoop(builder, loc, constant(0), constant(end), step, whole);
    if (end != *known)
      rest(constant(end), builder.getIndexAttr(*known - end));
    return;
  }
  Value total = getValueOrCreateConstantIndexOp(builder, loc, size);
  if (step == 1)
    return emitLoop(builder, loc, constant(0), total, 1, whole);
  AffineExpr s = builder.getAffineSymbolExpr(0);
  Value left = affine::AffineApplyOp::create(
      builder, loc, AffineMap::get(0, 1, s % step), total);
  Value end = arith::SubIOp::create(builder, loc, total, left);
  emitLoop(builder, loc, constant(0), end, step, whole);
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                     left, constant(0));
  auto branch = scf::IfOp::create(builder, loc, some, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  rest(end, left);
}

namespace {

Value laneMask(OpBuilder &builder, Location loc, int64_t width,
               OpFoldResult lanes) {
  Value count = getValueOrCreateConstantIndexOp(builder, loc, lanes);
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get(width, builder.getI1Type()), count);
}

SmallVector<OpFoldResult> loopSizes(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes;
  for (Range range : op.createLoopRanges(builder, op.getLoc()))
    sizes.push_back(range.size);
  return sizes;
}

bool isReduction(linalg::LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

//===----------------------------------------------------------------------===//
// Which loop runs over lanes
//===----------------------------------------------------------------------===//

/// For each result, the op that combines it with its new contribution; empty if
/// one of them is not a reduction that lanes can share.
SmallVector<Operation *> matchCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> result;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) ||
        combiners.size() != 1 || !linalg::getCombinerOpKind(combiners[0]) ||
        !arith::getNeutralElement(combiners[0]))
      return {};
    result.push_back(combiners[0]);
  }
  return result;
}

/// True if a result is indexed by a reduction loop: then the reduction cannot
/// keep it in registers.
bool resultsMoveAlongReductions(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (isReduction(op, loop) &&
          op.getMatchingIndexingMap(&init).isFunctionOfDim(loop))
        return true;
  return false;
}

std::optional<unsigned> chooseVectorLoop(linalg::LinalgOp op) {
  if (resultsMoveAlongReductions(op))
    return std::nullopt;
  std::optional<unsigned> best;
  int64_t bestScore = 0;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!hasVectorBody(op, loop))
      continue;
    if (isReduction(op, loop) && matchCombiners(op).empty())
      continue;
    int64_t score = 0;
    for (OpOperand &operand : op->getOpOperands())
      switch (accessOf(op, operand, loop)) {
      case Access::Uniform:
        break;
      case Access::Contiguous:
        score += 2;
        break;
      case Access::Irregular:
        // A scattered result costs more than a gathered input.
        score -= op.isDpsInit(&operand) ? 4 : 1;
        break;
      }
    // Short loops leave lanes idle.
    if (!ShapedType::isDynamic(sizes[loop]) && sizes[loop] < 4)
      continue;
    if (score > 0 && score >= bestScore) {
      best = loop;
      bestScore = score;
    }
  }
  return best;
}

int64_t chooseWidth(linalg::LinalgOp op, unsigned loop,
                    const Machine &machine) {
  int64_t bits = 8;
  for (OpOperand &operand : op->getOpOperands())
    if (accessOf(op, operand, loop) != Access::Uniform ||
        op.isDpsInit(&operand)) {
      Type type = getElementTypeOrSelf(operand.get().getType());
      bits = std::max<int64_t>(
          bits, type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
    }
  int64_t width = machine.lanesOf(bits);
  int64_t size = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(size))
    width = std::min<int64_t>(width, llvm::PowerOf2Ceil(size));
  return width;
}

//===----------------------------------------------------------------------===//
// A parallel loop over lanes
//===----------------------------------------------------------------------===//

/// Emits the code inside the lane loop: the reductions, with their values
/// carried in registers, or just the body.
void emitElements(Lanes lanes, ArrayRef<unsigned> reductions,
                  ArrayRef<OpFoldResult> sizes) {
  linalg::LinalgOp op = lanes.op;
  SmallVector<Value> results;
  for (OpOperand &init : op.getDpsInitsMutable())
    results.push_back(!reductions.empty() ||
                              op.payloadUsesValueFromOperand(&init)
                          ? lanes.broadcast(lanes.load(init))
                          : Value());
  auto compute = [&](ValueRange carried) {
    Lanes here = lanes;
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back(
          op.payloadUsesValueFromOperand(input) ? here.load(*input) : Value());
    llvm::append_range(arguments, carried);
    SmallVector<Value> yielded = here.body(arguments, !reductions.empty());
    if (!reductions.empty())
      for (Value &value : yielded)
        value = here.broadcast(value);
    return yielded;
  };
  if (reductions.empty())
    results = compute(results);
  else
    results = emitLoops(lanes.builder, op.getLoc(), reductions, sizes,
                        lanes.indices, results, compute);
  for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), results))
    lanes.store(init, value);
}

void emitParallelLanes(RewriterBase &rewriter, linalg::LinalgOp op,
                       unsigned vectorLoop, int64_t width) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = loopSizes(rewriter, op);
  SmallVector<unsigned> outer, reductions;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (isReduction(op, loop))
      reductions.push_back(loop);
    else if (loop != vectorLoop)
      outer.push_back(loop);
  bool maskable = canMask(op, vectorLoop);
  Indices indices(op.getNumLoops());

  auto piece = [&](Value first, int64_t lanes, Value mask) {
    indices[vectorLoop] = first;
    emitElements(Lanes{rewriter, op, indices, vectorLoop, lanes, mask},
                 reductions, sizes);
  };
  emitLoops(rewriter, loc, outer, sizes, indices, {},
            [&](ValueRange) -> SmallVector<Value> {
              emitBlocks(
                  rewriter, loc, sizes[vectorLoop], width,
                  [&](Value first) { piece(first, width, nullptr); },
                  [&](Value first, OpFoldResult left) {
                    if (maskable)
                      return piece(first, width,
                                   laneMask(rewriter, loc, width, left));
                    Value end = getValueOrCreateConstantIndexOp(
                        rewriter, loc, sizes[vectorLoop]);
                    emitLoop(rewriter, loc, first, end, 1,
                             [&](Value index) { piece(index, 1, nullptr); });
                  });
              return {};
            });
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// A reduction over lanes
//===----------------------------------------------------------------------===//

/// Number of vectors of partial results: several, since each addition to one
/// vector waits for the previous one.
constexpr int64_t kReductionVectors = 4;

void emitReducedLanes(RewriterBase &rewriter, linalg::LinalgOp op,
                      unsigned vectorLoop, int64_t width) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = loopSizes(rewriter, op);
  SmallVector<Operation *> combiners = matchCombiners(op);
  SmallVector<unsigned> outer, reductions;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop != vectorLoop)
      (isReduction(op, loop) ? reductions : outer).push_back(loop);
  bool maskable = canMask(op, vectorLoop);
  Indices indices(op.getNumLoops());

  auto accumulate = [&](Value first, int64_t lanes, Value mask,
                        ValueRange carried) {
    indices[vectorLoop] = first;
    Lanes here{rewriter, op, indices, vectorLoop, lanes, mask};
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back(
          op.payloadUsesValueFromOperand(input) ? here.load(*input) : Value());
    llvm::append_range(arguments, carried);
    SmallVector<Value> next = here.body(arguments, /*contract=*/true);
    for (auto [value, old] : llvm::zip(next, carried)) {
      value = here.broadcast(value);
      if (mask)
        value = arith::SelectOp::create(rewriter, loc, mask, value, old);
    }
    return next;
  };
  auto loop = [&](Value begin, Value end, int64_t lanes, bool masked,
                  ValueRange carried) {
    return emitLoop(rewriter, loc, begin, end, lanes, carried,
                    [&](Value index, ValueRange values) {
                      Value mask;
                      if (masked) {
                        Value left =
                            arith::SubIOp::create(rewriter, loc, end, index);
                        mask = laneMask(rewriter, loc, lanes, left);
                      }
                      return accumulate(index, lanes, mask, values);
                    });
  };
  auto neutral = [&](int64_t lanes) {
    SmallVector<Value> values;
    for (Operation *combiner : combiners) {
      TypedAttr element = *arith::getNeutralElement(combiner);
      TypedAttr attr = element;
      if (lanes > 1)
        attr = DenseElementsAttr::get(VectorType::get(lanes, element.getType()),
                                      Attribute(element));
      values.push_back(arith::ConstantOp::create(rewriter, loc, attr));
    }
    return values;
  };

  emitLoops(
      rewriter, loc, outer, sizes, indices, {},
      [&](ValueRange) -> SmallVector<Value> {
        Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
        Value end =
            getValueOrCreateConstantIndexOp(rewriter, loc, sizes[vectorLoop]);
        int64_t wide = width * kReductionVectors;
        AffineExpr s = rewriter.getAffineSymbolExpr(0);
        OpFoldResult folded = affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(0, 1, s - s % wide),
            {sizes[vectorLoop]});
        Value middle = getValueOrCreateConstantIndexOp(rewriter, loc, folded);

        SmallVector<Value> starts = neutral(wide);
        int64_t restLanes = maskable ? width : 1;
        llvm::append_range(starts, neutral(restLanes));
        size_t count = combiners.size();
        SmallVector<Value> partial = emitLoops(
            rewriter, loc, reductions, sizes, indices, starts,
            [&](ValueRange carried) {
              SmallVector<Value> next =
                  loop(zero, middle, wide, /*masked=*/false,
                       carried.take_front(count));
              llvm::append_range(next, loop(middle, end, restLanes, maskable,
                                            carried.drop_front(count)));
              return next;
            });
        indices[vectorLoop] = zero;
        Lanes here{rewriter, op, indices, vectorLoop};
        for (auto [i, combiner] : llvm::enumerate(combiners)) {
          vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
          OpOperand &init = op.getDpsInitsMutable()[i];
          Value result = here.load(init);
          result = vector::ReductionOp::create(rewriter, loc, kind, partial[i],
                                               result,
                                               arith::FastMathFlags::reassoc);
          if (restLanes > 1)
            result = vector::ReductionOp::create(rewriter, loc, kind,
                                                 partial[count + i], result,
                                                 arith::FastMathFlags::reassoc);
          else
            result = vector::makeArithReduction(rewriter, loc, kind, result,
                                                partial[count + i]);
          here.store(init, result);
        }
        return {};
      });
  rewriter.eraseOp(op);
}

} // namespace

LogicalResult isthmus::emitVectorLoops(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const Machine &machine) {
  std::optional<unsigned> loop = chooseVectorLoop(op);
  if (!loop)
    return failure();
  int64_t width = chooseWidth(op, *loop, machine);
  if (width < 2)
    return failure();
  rewriter.setInsertionPoint(op);
  if (isReduction(op, *loop))
    emitReducedLanes(rewriter, op, *loop, width);
  else
    emitParallelLanes(rewriter, op, *loop, width);
  return success();
}
