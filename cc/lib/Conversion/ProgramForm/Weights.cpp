//===- Weights.cpp - Selects the constants that are weights ---------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "isthmus/Support/SymbolUsers.h"
#include "isthmus/Support/WeightNames.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

std::string isthmus::toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The size in bytes of the elements of a weight.
static int64_t sizeInBytes(ShapedType type) {
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    parts = 2;
    element = complex.getElementType();
  }
  return type.getNumElements() * parts * element.getIntOrFloatBitWidth() / 8;
}

/// Whether files have a name for a type, and at least a byte for each element.
/// Torch's integers have a sign, those of files have none.
static bool isElementOfFiles(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({8, 16, 32, 64}, integer.getWidth());
  auto number = dyn_cast<FloatType>(type);
  return (!number || number.getWidth() >= 8) && isElementType(toText(type));
}

bool isthmus::isWeightName(StringRef name) {
  return llvm::json::isUTF8(name) && name != "__metadata__";
}

bool isthmus::isWeight(ElementsAttr value) {
  return isa<DenseElementsAttr, DenseResourceElementsAttr>(value) &&
         !value.isSplat() && isElementOfFiles(value.getElementType());
}

/// Calls `visit` with the value of each tensor constant, in functions.
static void
forEachConstant(Operation *root,
                llvm::function_ref<void(ElementsAttr, Operation *)> visit) {
  root->walk([&](Operation *op) {
    ElementsAttr value;
    if (op->getNumResults() == 1 &&
        isa<RankedTensorType, torch::ValueTensorType>(
            op->getResult(0).getType()) &&
        matchPattern(op, m_Constant(&value)) &&
        op->getParentOfType<FunctionOpInterface>())
      visit(value, op);
  });
}

/// Calls `visit` with the value of each weight and its constant, in functions.
static void
forEachWeight(Operation *root, int64_t minBytes,
              llvm::function_ref<void(ElementsAttr, Operation *)> visit) {
  forEachConstant(root, [&](ElementsAttr value, Operation *op) {
    if (isWeight(value) && sizeInBytes(value.getShapedType()) >= minBytes)
      visit(value, op);
  });
}

SmallVector<func::FuncOp> isthmus::functionsForParameters(ModuleOp module) {
  SymbolUsers users(module);
  return llvm::filter_to_vector(
      module.getOps<func::FuncOp>(), [&](func::FuncOp func) {
        return !func.isExternal() && func.isPublic() &&
               llvm::none_of(users.of(func), llvm::IsaPred<CallOpInterface>);
      });
}

SmallVector<Type> isthmus::externWeights(ModuleOp module) {
  SmallVector<Type> types;
  for (auto global : module.getOps<ml_program::GlobalOp>())
    if (isExternConstant(global))
      types.push_back(global.getType());
  for (auto function : module.getOps<FunctionOpInterface>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.getArgAttr(i, kWeight))
        types.push_back(function.getArgumentTypes()[i]);
  return types;
}

int64_t isthmus::countWeightBytes(ModuleOp module, int64_t minBytes) {
  int64_t bytes = 0;
  forEachWeight(module, minBytes, [&](ElementsAttr value, Operation *) {
    bytes += sizeInBytes(value.getShapedType());
  });
  return bytes;
}

int64_t isthmus::countExternBytes(ModuleOp module) {
  int64_t bytes = 0;
  for (Type type : externWeights(module))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.hasStaticShape() &&
        isa<IntegerType, FloatType, ComplexType>(tensor.getElementType()))
      bytes += sizeInBytes(tensor);
  return bytes;
}

llvm::MapVector<ElementsAttr, SmallVector<Operation *>>
isthmus::findWeights(Operation *root, int64_t minBytes) {
  llvm::MapVector<ElementsAttr, SmallVector<Operation *>> weights;
  forEachWeight(root, minBytes, [&](ElementsAttr value, Operation *op) {
    weights[value].push_back(op);
  });
  auto values = llvm::to_vector(llvm::make_first_range(weights));
  auto firsts = findEqual(values);
  for (ElementsAttr value : values)
    if (ElementsAttr first = firsts.lookup(value))
      llvm::append_range(weights[first], weights[value]);
  weights.remove_if(
      [&](const auto &weight) { return firsts.contains(weight.first); });
  return weights;
}

llvm::MapVector<StringRef, NamedWeight>
isthmus::findNamedWeights(Operation *root) {
  llvm::MapVector<StringRef, NamedWeight> weights;
  forEachConstant(root, [&](ElementsAttr value, Operation *op) {
    auto buffer = op->getAttrOfType<StringAttr>(kBuffer);
    StringRef name = buffer ? buffer.getValue() : weightNameOf(op->getLoc());
    Type element = value.getElementType();
    if (name.empty() || !isWeightName(name) ||
        !isa<DenseElementsAttr, DenseResourceElementsAttr>(value) ||
        !(buffer || isa<FloatType, ComplexType>(element)) ||
        !isElementOfFiles(element))
      return;
    NamedWeight &weight = weights[name];
    if (weight.ops.empty())
      weight.value = value;
    if (weight.value == value)
      weight.ops.push_back(op);
  });
  return weights;
}

ElementsAttr isthmus::toBuiltinValue(ElementsAttr value, Operation *constant) {
  return isa<torch::ValueTensorType>(constant->getResult(0).getType())
             ? torch::toBuiltinElements(value)
             : value;
}

std::string isthmus::nameOfWeight(ElementsAttr value, Operation *constant,
                                  size_t number) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  StringRef name = resource ? resource.getRawHandle().getKey()
                            : weightNameOf(constant->getLoc());
  if (name.empty())
    return "weight_" + std::to_string(number);
  std::string text = llvm::json::fixUTF8(name);
  return isWeightName(text) ? text : "weight_" + text;
}
