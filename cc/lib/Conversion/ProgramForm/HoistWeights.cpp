//===- HoistWeights.cpp - Constants to parameters -------------------------===//

#include "isthmus/Conversion/ProgramForm.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#define GEN_PASS_DEF_WEIGHTSTOARGUMENTS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

/// Bytes of the elements as they are stored: bools take a byte each.
static int64_t sizeInBytes(ShapedType type) {
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    parts = 2;
    element = complex.getElementType();
  }
  if (!element.isIntOrFloat())
    return 0;
  return type.getNumElements() * parts *
         llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// A splat costs nothing where it is, and MLIR stores bools as bits.
static bool isWeight(ElementsAttr value) {
  return isa<DenseElementsAttr, DenseResourceElementsAttr>(value) &&
         !value.isSplat() && !value.getElementType().isInteger(1);
}

SmallVector<HoistedWeight> isthmus::hoistWeights(func::FuncOp func,
                                                 int64_t minBytes) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> constants;
  func.walk([&](Operation *op) {
    ElementsAttr value;
    if (op->getNumResults() == 1 &&
        isa<RankedTensorType>(op->getResult(0).getType()) &&
        matchPattern(op, m_Constant(&value)) && isWeight(value) &&
        sizeInBytes(value.getShapedType()) >= minBytes)
      constants[value].push_back(op);
  });

  SmallVector<HoistedWeight> weights;
  Builder builder(func.getContext());
  for (auto &[attribute, ops] : constants) {
    std::string name = "weight_" + std::to_string(weights.size());
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
      name = resource.getRawHandle().getKey().str();
    unsigned index = func.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        builder.getNamedAttr("isthmus.weight", builder.getStringAttr(name)));
    (void)func.insertArgument(index, ops.front()->getResult(0).getType(),
                              attributes, ops.front()->getLoc());
    for (Operation *op : ops) {
      op->getResult(0).replaceAllUsesWith(func.getArgument(index));
      op->erase();
    }
    weights.push_back({std::move(name), cast<ElementsAttr>(attribute)});
  }
  return weights;
}

namespace {
struct WeightsToArguments
    : isthmus::impl::WeightsToArgumentsBase<WeightsToArguments> {
  using WeightsToArgumentsBase::WeightsToArgumentsBase;
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && func.isPublic())
        (void)hoistWeights(func, minBytes);
  }
};
} // namespace
