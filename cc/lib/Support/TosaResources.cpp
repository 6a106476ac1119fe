//===- TosaResources.cpp - Constants that MLIR cannot fold ----------------===//

#include "isthmus/Support/TosaResources.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

/// On the op that replaces a constant: the constant's elements attribute.
static constexpr llvm::StringLiteral kHidden = "isthmus.hidden";

static bool mayHoldOne(Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  return !tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 1;
}

/// Whether folding the op may read elements of its first operand.
static bool mayRead(Operation *op) {
  if (isa<tosa::SliceOp>(op))
    return mayHoldOne(op->getResult(0).getType());
  if (isa<tosa::CastOp>(op))
    return mayHoldOne(op->getOperand(0).getType());
  return isa<tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ReduceProductOp,
             tosa::ReduceSumOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isInteger();
}

/// Whether the op may be folded to one of its operands, in another form.
static bool mayVanish(Operation *op) {
  return isa<tosa::CastOp, tosa::ConcatOp, tosa::IdentityOp, tosa::PadOp,
             tosa::ReshapeOp, tosa::ReverseOp, tosa::SliceOp, tosa::TileOp,
             tosa::TransposeOp>(op);
}

static void hide(tosa::ConstOp constant) {
  OpBuilder builder(constant);
  auto hidden = UnrealizedConversionCastOp::create(
      builder, constant.getLoc(), TypeRange(constant.getType()), ValueRange());
  hidden->setAttr(kHidden, constant.getValues());
  constant.replaceAllUsesWith(hidden.getResult(0));
  constant.erase();
}

void isthmus::hideTosaResources(Operation *root) {
  SmallVector<Value> pending;
  root->walk([&](Operation *op) {
    if (mayRead(op))
      pending.push_back(op->getOperand(0));
  });
  llvm::DenseSet<Operation *> visited;
  SmallVector<tosa::ConstOp> found;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !visited.insert(op).second)
      continue;
    auto constant = dyn_cast<tosa::ConstOp>(op);
    if (constant && isa<DenseResourceElementsAttr>(constant.getValues()))
      found.push_back(constant);
    else if (mayVanish(op))
      llvm::append_range(pending, op->getOperands());
  }
  llvm::for_each(found, hide);
}

void isthmus::showTosaResources(
    Operation *root,
    llvm::function_ref<Value(OpBuilder &, Location, DenseResourceElementsAttr)>
        create) {
  root->walk([&](UnrealizedConversionCastOp hidden) {
    auto elements = hidden->getAttrOfType<DenseResourceElementsAttr>(kHidden);
    if (!elements)
      return;
    OpBuilder builder(hidden);
    hidden.getResult(0).replaceAllUsesWith(
        create(builder, hidden.getLoc(), elements));
    hidden.erase();
  });
}
