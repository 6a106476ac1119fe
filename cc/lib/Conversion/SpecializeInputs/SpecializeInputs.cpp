//===- SpecializeInputs.cpp - Static shapes for a graph's inputs ----------===//
//
// Only the inputs' types change: convert-onnx-to-torch infers all others from
// them.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Support/ShapeText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

#define GEN_PASS_DEF_SPECIALIZEONNXINPUTS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

struct SpecializeOnnxInputs
    : isthmus::impl::SpecializeOnnxInputsBase<SpecializeOnnxInputs> {
  using SpecializeOnnxInputsBase::SpecializeOnnxInputsBase;

  void runOnOperation() override {
    if (inputs.empty())
      return;
    for (auto entry : getOperation().getOps<onnx::EntryPointOp>()) {
      auto func = getOperation().lookupSymbol<func::FuncOp>(
          entry.getFunc().getLeafReference());
      for (const std::string &text : inputs)
        if (!func || failed(specialize(func, text)))
          signalPassFailure();
    }
  }

  LogicalResult specialize(func::FuncOp func, StringRef text) {
    std::optional<ShapeText> shape = readShape(text);
    if (!shape)
      return func.emitError()
             << "expected an input's name and sizes as in x=1x3x224x224, got '"
             << text << "'";
    SmallVector<StringRef> names;
    for (BlockArgument parameter : func.getArguments()) {
      auto name = func.getArgAttrOfType<StringAttr>(parameter.getArgNumber(),
                                                    "onnx.name");
      if (!name)
        continue;
      names.push_back(name);
      if (name != shape->name)
        continue;
      auto type = dyn_cast<TensorType>(parameter.getType());
      if (!type ||
          failed(verifyCompatibleShape(type, type.clone(shape->sizes))))
        return func.emitError()
               << "expected sizes for input '" << shape->name << "' that fit "
               << parameter.getType() << ", got '" << text << "'";
      parameter.setType(
          RankedTensorType::get(shape->sizes, type.getElementType()));
      func.setType(FunctionType::get(func.getContext(),
                                     func.getBody().getArgumentTypes(),
                                     func.getResultTypes()));
      return success();
    }
    return func.emitError()
           << "expected the name of an input, one of '"
           << llvm::join(names, "', '") << "', got '" << shape->name << "'";
  }
};

} // namespace
