//===- Lanes.cpp - The body of a linalg op, many iterations at once -------===//

#include "Lanes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace isthmus;

namespace {

bool isVectorElement(Type type) { return type.isIntOrIndexOrFloat(); }

bool isVarying(Value value) { return isa<VectorType>(value.getType()); }

bool isBool(Type type) { return type.isInteger(1); }

/// Views the same memory as i8: a bool takes a byte in memory, and a bit in a
/// vector. The cast generates no code: both are the same LLVM type.
Value asBytes(OpBuilder &builder, Location loc, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  auto bytes = MemRefType::get(type.getShape(), builder.getI8Type(),
                               type.getLayout(), type.getMemorySpace());
  return UnrealizedConversionCastOp::create(builder, loc, bytes, memory)
      .getResult(0);
}

bool hasUnitStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

/// True if `expr` increases by one with every step of `loop`.
bool followsLoop(AffineExpr expr, unsigned loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == loop;
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return false;
  AffineExpr left = sum.getLHS(), right = sum.getRHS();
  return (followsLoop(left, loop) && !right.isFunctionOfDim(loop)) ||
         (followsLoop(right, loop) && !left.isFunctionOfDim(loop));
}

} // namespace

Access isthmus::accessOf(linalg::LinalgOp op, OpOperand &operand,
                         unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop))
    return Access::Uniform;
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !hasUnitStride(type))
    return Access::Irregular;
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(loop))
      return Access::Irregular;
  return followsLoop(map.getResults().back(), loop) ? Access::Contiguous
                                                    : Access::Irregular;
}

bool isthmus::hasVectorBody(linalg::LinalgOp op, unsigned loop) {
  llvm::SmallPtrSet<Value, 16> varying;
  for (OpOperand &operand : op->getOpOperands()) {
    if (accessOf(op, operand, loop) == Access::Uniform)
      continue;
    if (!isVectorElement(getElementTypeOrSelf(operand.get().getType())))
      return false;
    varying.insert(op.getMatchingBlockArgument(&operand));
  }
  // A reduction carries a vector of partial results.
  if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
    for (BlockArgument argument : op.getRegionOutputArgs())
      varying.insert(argument);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    bool differs = index ? index.getDim() == loop
                         : llvm::any_of(inner.getOperands(), [&](Value v) {
                             return varying.contains(v);
                           });
    for (Region &region : inner.getRegions())
      region.walk([&](Operation *nested) {
        for (Value v : nested->getOperands())
          differs |= varying.contains(v);
      });
    if (!differs)
      continue;
    bool known = isa<linalg::IndexOp, memref::LoadOp, cf::AssertOp>(inner) ||
                 OpTrait::hasElementwiseMappableTraits(&inner);
    if (!known || inner.getNumRegions())
      return false;
    for (Type type : inner.getResultTypes())
      if (!isVectorElement(type))
        return false;
    varying.insert_range(inner.getResults());
  }
  return true;
}

bool isthmus::canMask(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands())
    if (accessOf(op, operand, loop) == Access::Irregular)
      return false;
  // Inactive lanes have no valid index and must not fail.
  for (Operation &inner : op.getBlock()->without_terminator())
    if (isa<memref::LoadOp, cf::AssertOp>(inner))
      return false;
  return true;
}

SmallVector<Value> Lanes::address(OpOperand &operand, int64_t lane) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> at(indices.begin(), indices.end());
  MLIRContext *context = builder.getContext();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults()) {
    if (lane)
      expr = expr.replace(getAffineDimExpr(loop, context),
                          getAffineDimExpr(loop, context) + lane);
    OpFoldResult index = affine::makeComposedFoldedAffineApply(
        builder, loc, AffineMap::get(map.getNumDims(), 0, expr), at);
    result.push_back(getValueOrCreateConstantIndexOp(builder, loc, index));
  }
  return result;
}

Value Lanes::broadcast(Value value) {
  if (width == 1 || isVarying(value))
    return value;
  return vector::BroadcastOp::create(
      builder, op.getLoc(), VectorType::get(width, value.getType()), value);
}

Value Lanes::load(OpOperand &operand) {
  Location loc = op.getLoc();
  Value memory = operand.get();
  if (!isa<MemRefType>(memory.getType()))
    return memory;
  Access access = accessOf(op, operand, loop);
  if (width == 1 || access == Access::Uniform)
    return memref::LoadOp::create(builder, loc, memory, address(operand));
  Type element = getElementTypeOrSelf(memory.getType());
  auto type = VectorType::get(width, element);
  if (access == Access::Contiguous && isBool(element)) {
    Value loaded = loadVector(asBytes(builder, loc, memory), address(operand));
    return arith::TruncIOp::create(builder, loc, type, loaded);
  }
  if (access == Access::Contiguous)
    return loadVector(memory, address(operand));
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < width; ++lane)
    elements.push_back(
        memref::LoadOp::create(builder, loc, memory, address(operand, lane)));
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

Value Lanes::loadVector(Value memory, ValueRange at) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(memory.getType());
  auto type = VectorType::get(width, element);
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, memory, at);
  // Ones, so that a division by an inactive lane is harmless.
  Value ones = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getOneAttr(element)));
  return vector::MaskedLoadOp::create(builder, loc, type, memory, at, mask,
                                      ones);
}

void Lanes::store(OpOperand &operand, Value value) {
  Location loc = op.getLoc();
  Value memory = operand.get();
  Access access = accessOf(op, operand, loop);
  if (width == 1 || access == Access::Uniform) {
    memref::StoreOp::create(builder, loc, value, memory, address(operand));
    return;
  }
  value = broadcast(value);
  if (access == Access::Contiguous && isBool(getElementTypeOrSelf(memory))) {
    memory = asBytes(builder, loc, memory);
    value = arith::ExtUIOp::create(
        builder, loc, VectorType::get(width, builder.getI8Type()), value);
  }
  if (access == Access::Contiguous && mask) {
    vector::MaskedStoreOp::create(builder, loc, memory, address(operand), mask,
                                  value);
  } else if (access == Access::Contiguous) {
    vector::StoreOp::create(builder, loc, value, memory, address(operand));
  } else {
    for (int64_t lane = 0; lane < width; ++lane) {
      Value element = vector::ExtractOp::create(builder, loc, value, lane);
      memref::StoreOp::create(builder, loc, element, memory,
                              address(operand, lane));
    }
  }
}

SmallVector<Value> Lanes::body(ValueRange arguments, bool contract) {
  Location loc = op.getLoc();
  Block *block = op.getBlock();
  IRMapping values;
  values.map(block->getArguments(), arguments);
  // Vectors of consecutive indices, each with the index of its first lane.
  llvm::DenseMap<Value, Value> firstLane;

  auto lookup = [&](Value value) { return values.lookupOrDefault(value); };

  auto indexOf = [&](linalg::IndexOp index) -> Value {
    Value first = indices[index.getDim()];
    if (width == 1 || index.getDim() != loop)
      return first;
    Value lanes = vector::StepOp::create(
        builder, loc, VectorType::get(width, builder.getIndexType()));
    Value sum = arith::AddIOp::create(builder, loc, broadcast(first), lanes);
    firstLane[sum] = first;
    return sum;
  };

  auto gather = [&](memref::LoadOp load) -> Value {
    Value memory = lookup(load.getMemRef());
    SmallVector<Value> at;
    for (Value index : load.getIndices())
      at.push_back(lookup(index));
    auto type = VectorType::get(width, load.getType());
    if (!isBool(load.getType()) &&
        hasUnitStride(cast<MemRefType>(memory.getType())) &&
        firstLane.contains(at.back()) &&
        llvm::none_of(ArrayRef(at).drop_back(), isVarying)) {
      at.back() = firstLane[at.back()];
      return vector::LoadOp::create(builder, loc, type, memory, at);
    }
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < width; ++lane) {
      SmallVector<Value> here;
      for (Value index : at)
        here.push_back(isVarying(index) ? vector::ExtractOp::create(
                                              builder, loc, index, lane)
                                        : index);
      elements.push_back(memref::LoadOp::create(builder, loc, memory, here));
    }
    return vector::FromElementsOp::create(builder, loc, type, elements);
  };

  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      values.map(index.getResult(), indexOf(index));
      continue;
    }
    bool differs = llvm::any_of(inner.getOperands(), [&](Value value) {
      return isVarying(lookup(value));
    });
    if (!differs) {
      builder.clone(inner, values);
      continue;
    }
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      values.map(load.getResult(), gather(load));
      continue;
    }
    if (auto assertion = dyn_cast<cf::AssertOp>(inner)) {
      Value all = vector::ReductionOp::create(
          builder, loc, vector::CombiningKind::AND, lookup(assertion.getArg()));
      cf::AssertOp::create(builder, loc, all, assertion.getMsgAttr());
      continue;
    }
    SmallVector<Value> operands;
    SmallVector<Type> types;
    for (Value operand : inner.getOperands())
      operands.push_back(broadcast(lookup(operand)));
    for (Type type : inner.getResultTypes())
      types.push_back(VectorType::get(width, type));
    Operation *wide = builder.create(loc, inner.getName().getIdentifier(),
                                     operands, types, inner.getAttrs());
    if (contract && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(wide))
      wide->setAttr("fastmath",
                    arith::FastMathFlagsAttr::get(
                        builder.getContext(), arith::FastMathFlags::contract));
    values.map(inner.getResults(), wide->getResults());
  }
  SmallVector<Value> yielded;
  for (Value value : block->getTerminator()->getOperands())
    yielded.push_back(lookup(value));
  return yielded;
}
