//===- CustomOpFuzz.cpp - Custom ops with any description -----------------===//
//
//   tools/fuzz CustomOp
//
// An input has an op's full name, its domain and its type, each on a line, and
// then its attributes. The custom op of every target with this description is
// read back as a torch op that verifies, or there is an error.
//
//===----------------------------------------------------------------------===//

#include "RaisedProgram.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "tests/support/fuzz/JsonMutator.h"

using namespace mlir;
using namespace isthmus;

/// An operand of a type. Up to four numbers of a type that the encoding
/// `operands` uses are a constant. Anything else is a parameter of the
/// function.
static Value getOperand(OpBuilder &builder, Location loc, Type type,
                        Block *entry) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isSmall = tensor && tensor.hasStaticShape() && tensor.getRank() <= 1 &&
                 tensor.getNumElements() <= 4;
  Type element = isSmall ? tensor.getElementType() : Type();
  if (isSmall && element.isF32())
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(tensor, 1e-5f));
  if (isSmall && element.isSignlessInteger() &&
      llvm::is_contained({1u, 64u}, element.getIntOrFloatBitWidth()))
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(tensor, builder.getOneAttr(element)));
  return entry->addArgument(type, loc);
}

static OwningOpRef<ModuleOp> build(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext *context) {
  loadDialects(context);
  auto [name, afterName] = buffer->getBuffer().split('\n');
  auto [domain, afterDomain] = afterName.split('\n');
  auto [typeText, text] = afterDomain.split('\n');
  Location loc = UnknownLoc::get(context);
  FunctionType type;
  {
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    type = dyn_cast_or_null<FunctionType>(parseType(typeText, context));
  }
  if (!type) {
    emitError(loc) << "expected a function's type, got '" << typeText << "'";
    return nullptr;
  }

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto main = func::FuncOp::create(builder, loc, "main", type);
  auto carrier = func::FuncOp::create(builder, loc, "carrier", type);
  carrier.setPrivate();
  carrier->setAttr(
      custom_ops::kFunctionAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("attributes", builder.getStringAttr(text)),
           builder.getNamedAttr("domain", builder.getStringAttr(domain)),
           builder.getNamedAttr("name", builder.getStringAttr(name))}));

  Block *entry = &main.getBody().emplaceBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> operands, results;
  for (Type input : type.getInputs())
    operands.push_back(getOperand(builder, loc, input, entry));
  llvm::append_range(
      results,
      func::CallOp::create(builder, loc, carrier, operands).getResults());
  llvm::append_range(results,
                     tosa::CustomOp::create(builder, loc, type.getResults(),
                                            name, domain, text, operands)
                         .getResults());
#ifdef ISTHMUS_WITH_MHLO
  std::string why;
  if (auto says = custom_ops::fromText(text, why))
    if (auto all =
            dyn_cast<DictionaryAttr>(custom_ops::toAttribute(*says, context))) {
      NamedAttrList config(all);
      config.set("domain", builder.getStringAttr(domain));
      llvm::append_range(results, mhlo::CustomCallOp::create(
                                      builder, loc, type.getResults(), operands,
                                      builder.getStringAttr(name), BoolAttr(),
                                      config.getDictionary(context),
                                      builder.getI32IntegerAttr(4))
                                      .getResults());
    }
#endif
  func::ReturnOp::create(builder, loc, results);
  main.setType(builder.getFunctionType(entry->getArgumentTypes(),
                                       TypeRange(ValueRange(results))));
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

/// Changes the attributes as JSON, and keeps the lines before them.
static std::string change(StringRef input, StringRef donor,
                          fuzz::Random &random) {
  auto attributesOf = [](StringRef text) {
    return text.split('\n').second.split('\n').second.split('\n').second;
  };
  StringRef attributes = attributesOf(input);
  std::string changed =
      fuzz::changeJson(attributes, attributesOf(donor), random);
  if (changed.empty())
    return "";
  return input.drop_back(attributes.size()).str() + changed;
}

ISTHMUS_FUZZ_MUTATOR(change)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, build, raise);
  return 0;
}
