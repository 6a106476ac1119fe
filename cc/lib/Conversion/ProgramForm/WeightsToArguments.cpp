//===- WeightsToArguments.cpp - Constants to parameters -------------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#define GEN_PASS_DEF_WEIGHTSTOARGUMENTS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Replaces constants of a function with new last parameters.
class Hoisting {
public:
  explicit Hoisting(func::FuncOp func)
      : func(func), builder(func.getContext()) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (auto name = func.getArgAttrOfType<StringAttr>(i, kWeight))
        names.insert(name);
  }

  /// Adds a parameter for constants of the same value.
  void add(StringRef wanted, ElementsAttr value, ArrayRef<Operation *> ops) {
    std::string name = wanted.str();
    for (unsigned i = 1; !names.insert(name).second; ++i)
      name = (wanted + "_" + Twine(i)).str();
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
    sdy::setShardingOfUses(func, index);
    weights.push_back({std::move(name), builtin});
  }

  SmallVector<HoistedWeight> weights;

private:
  func::FuncOp func;
  Builder builder;
  llvm::StringSet<> names;
};

} // namespace

SmallVector<HoistedWeight> isthmus::hoistWeights(func::FuncOp func,
                                                 int64_t minBytes) {
  Hoisting hoisting(func);
  for (auto &[value, ops] : findWeights(func, minBytes))
    hoisting.add(nameOfWeight(value, ops.front(), hoisting.weights.size()),
                 value, ops);
  return std::move(hoisting.weights);
}

SmallVector<HoistedWeight> isthmus::hoistNamedWeights(func::FuncOp func) {
  Hoisting hoisting(func);
  for (auto &[name, weight] : findNamedWeights(func))
    hoisting.add(name, weight.value, weight.ops);
  return std::move(hoisting.weights);
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
