//===- WeightsToArguments.cpp - Constants to parameters -------------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#define GEN_PASS_DEF_WEIGHTSTOARGUMENTS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

SmallVector<HoistedWeight> isthmus::hoistWeights(func::FuncOp func,
                                                 int64_t minBytes) {
  SmallVector<HoistedWeight> weights;
  Builder builder(func.getContext());
  llvm::StringSet<> names;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto name = func.getArgAttrOfType<StringAttr>(i, kWeight))
      names.insert(name);
  for (auto &[value, ops] : findWeights(func, minBytes)) {
    std::string first = nameOfWeight(value, weights.size()), name = first;
    for (unsigned i = 1; !names.insert(name).second; ++i)
      name = first + "_" + std::to_string(i);
    unsigned index = func.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(kWeight, builder.getStringAttr(name)));
    (void)func.insertArgument(index, ops.front()->getResult(0).getType(),
                              attributes, ops.front()->getLoc());
    ElementsAttr builtin = toBuiltinValue(value, ops.front());
    for (Operation *op : ops) {
      op->getResult(0).replaceAllUsesWith(func.getArgument(index));
      op->erase();
    }
    weights.push_back({std::move(name), builtin});
  }
  return weights;
}

namespace {
struct WeightsToArguments
    : isthmus::impl::WeightsToArgumentsBase<WeightsToArguments> {
  using WeightsToArgumentsBase::WeightsToArgumentsBase;
  void runOnOperation() override {
    for (func::FuncOp func : functionsForParameters(getOperation()))
      (void)hoistWeights(func, minBytes);
  }
};
} // namespace
