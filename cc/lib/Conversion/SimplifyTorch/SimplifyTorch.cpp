//===- SimplifyTorch.cpp - Fewer ops for the same result ------------------===//

#include "Simplifications.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Support/EqualOps.h"
#include "isthmus/Support/Prefetch.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace isthmus {
#define GEN_PASS_DEF_SIMPLIFYTORCH
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

void simplify_torch::eraseUnused(Operation *root) {
  // In reverse order, so that operands used only by a dead op are dead when
  // they are visited.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {

/// The combined static information of two types of the same tensor.
ValueTensorType meet(ValueTensorType a, ValueTensorType b) {
  Type dtype = a.getDtype() ? a.getDtype() : b.getDtype();
  if (!a.hasRank() || !b.hasRank() || a.getRank() != b.getRank()) {
    ValueTensorType ranked = a.hasRank() ? a : b;
    return ValueTensorType::get(a.getContext(), ranked.getRanked(),
                                ranked.getSizes(), dtype);
  }
  SmallVector<int64_t> sizes;
  for (auto [own, other] : llvm::zip_equal(a.getSizes(), b.getSizes()))
    sizes.push_back(ShapedType::isDynamic(own) ? other : own);
  return ValueTensorType::get(a.getContext(), sizes, dtype);
}

/// Ops whose operand types may become more precise.
bool takesAnyTensor(Operation *op) {
  return isa<TypeInferenceOpInterface, PrimListConstructOp,
             TensorStaticInfoCastOp>(op);
}

/// Replaces `result` by `value`, whose type may be more or less precise.
void replace(Value result, Value value) {
  if (result.getType() == value.getType()) {
    result.replaceAllUsesWith(value);
    return;
  }
  auto known = dyn_cast<ValueTensorType>(value.getType());
  auto asked = dyn_cast<ValueTensorType>(result.getType());
  if (known && asked && meet(known, asked) == known)
    result.replaceUsesWithIf(
        value, [](OpOperand &use) { return takesAnyTensor(use.getOwner()); });
  if (result.use_empty())
    return;
  OpBuilder builder(result.getDefiningOp());
  result.replaceAllUsesWith(TensorStaticInfoCastOp::create(
      builder, result.getLoc(), result.getType(), value));
}

/// Refines result types to those that the op's own rule infers. Ops that
/// require a specific type, such as returns, get a cast to it.
void refineTypes(Operation *op) {
  auto rule = dyn_cast<TypeInferenceOpInterface>(op);
  TypeInference inference(op->getContext(), op->getOperands());
  if (!rule || failed(rule.inferTypes(inference)))
    return;
  for (auto [result, inferred] :
       llvm::zip_equal(op->getResults(), inference.results)) {
    auto own = dyn_cast<ValueTensorType>(result.getType());
    auto better = dyn_cast<ValueTensorType>(inferred);
    if (!own || !better)
      continue;
    ValueTensorType refined = meet(own, better);
    if (refined == own)
      continue;
    result.setType(refined);
    if (llvm::all_of(result.getUsers(), takesAnyTensor))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value cast =
        TensorStaticInfoCastOp::create(builder, op->getLoc(), own, result);
    result.replaceUsesWithIf(
        cast, [](OpOperand &use) { return !takesAnyTensor(use.getOwner()); });
  }
}

struct SimplifyTorch : isthmus::impl::SimplifyTorchBase<SimplifyTorch> {
  using SimplifyTorchBase::SimplifyTorchBase;

  void runOnOperation() override {
    simplifyNested(getOperation(), /*outer=*/nullptr);
    eraseUnused(getOperation());
  }

private:
  void simplifyNested(Operation *op, const EqualOps *outer) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      outer = nullptr;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        simplifyBlock(block, outer);
  }

  void simplifyBlock(Block &block, const EqualOps *outer) {
    EqualOps visited(outer);
    for (auto next = block.begin(); next != block.end();) {
      Operation *op = &*next++, *before = op->getPrevNode();
      prefetchNext(op);
      if (isa_and_nonnull<TorchDialect>(op->getDialect())) {
        refineTypes(op);
        simplify(op);
      }
      simplifyNested(op, &visited);
      // Ops created around the op are merged with equal earlier ones as well.
      auto made = before ? std::next(before->getIterator()) : block.begin();
      while (made != next)
        visited.mergeOrErase(&*made++);
    }
  }

  void simplify(Operation *op) {
    if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
      return;
    OpBuilder builder(op);
    TorchBuilder b(builder, op->getLoc());
    Value simpler = folded(op, builder);
    for (auto function : {simplifyView, simplifyPointwise, simplifyMask,
                          simplifySelection, simplifySize, evaluate})
      if (!simpler)
        simpler = function(op, b);
    if (!simpler && !hasSizesFromData)
      simpler = flattenPositions(op, b);
    // A type rule may reject what is built for a program that is not valid.
    if (simpler && simpler != op->getResult(0) && b.error().empty())
      replace(op->getResult(0), simpler);
  }

  /// The result of the op's own folder, as a value.
  static Value folded(Operation *op, OpBuilder &builder) {
    SmallVector<OpFoldResult> results;
    if (isa<TensorStaticInfoCastOp>(op)) { // fold where uses accept it
      Value operand = op->getOperand(0);
      if (operand.getType() == op->getResult(0).getType())
        return operand;
      auto own = dyn_cast<ValueTensorType>(operand.getType());
      auto asked = dyn_cast<ValueTensorType>(op->getResult(0).getType());
      bool isBetter = own && asked && meet(own, asked) == own;
      if (isBetter)
        op->getResult(0).replaceUsesWithIf(operand, [](OpOperand &use) {
          return takesAnyTensor(use.getOwner());
        });
      return {};
    }
    if (failed(op->fold(results)) || results.size() != 1)
      return {};
    if (auto value = dyn_cast<Value>(results.front()))
      return value;
    Operation *constant = op->getDialect()->materializeConstant(
        builder, cast<Attribute>(results.front()), op->getResult(0).getType(),
        op->getLoc());
    return constant ? constant->getResult(0) : Value();
  }
};

} // namespace
