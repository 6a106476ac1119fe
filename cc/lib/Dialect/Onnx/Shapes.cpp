//===- Shapes.cpp - Operand shapes of each op -----------------------------===//

#include "isthmus/Dialect/Onnx/Shapes.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

namespace {

struct Line {
  StringLiteral op;
  StringLiteral text;
};

const Line lines[] = {
#define SHAPES(OP, TEXT) {#OP, TEXT},
#include "Shapes.def"
};

struct Entry {
  StringRef text;
  ShapeSignature signature;
};

/// Parsed once. A signature that does not parse is left out; tests/Meta reports
/// it.
const llvm::StringMap<Entry> &table() {
  static const llvm::StringMap<Entry> entries = [] {
    llvm::StringMap<Entry> made;
    std::string error;
    for (const Line &line : lines)
      if (auto signature = ShapeSignature::parse(line.text, error))
        made[line.op] = {line.text, std::move(*signature)};
    return made;
  }();
  return entries;
}

} // namespace

StringRef onnx::getShapes(StringRef op) {
  auto found = table().find(op);
  return found == table().end() ? "" : found->second.text;
}

std::optional<std::string> onnx::findWrongShape(
    Operation *op,
    llvm::function_ref<std::optional<OperandShape>(unsigned)> shapeOf) {
  StringRef name = op->getName().stripDialect();
  auto found = table().find(name);
  auto schema = findSchema(name, getNewestOpset());
  if (found == table().end() || !schema)
    return std::nullopt;
  const ShapeSignature &signature = found->second.signature;
  return signature.findWrong([&](size_t place) {
    StringRef name = signature.getOperands()[place].name;
    SmallVector<OperandShape, 1> shapes;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      // All operands after the last parameter belong to that parameter, which
      // is variadic.
      size_t parameter = std::min<size_t>(i, schema->inputs.size() - 1);
      if (name == schema->inputs[parameter].name)
        if (std::optional<OperandShape> shape = shapeOf(i))
          shapes.push_back(std::move(*shape));
    }
    return shapes;
  });
}

SmallVector<std::string> onnx::findWrongSignatures() {
  SmallVector<std::string> wrong;
  StringRef before;
  for (const Line &line : lines) {
    auto report = [&](const Twine &what) {
      wrong.push_back((line.op + ": " + what).str());
    };
    if (line.op <= before)
      report("expected before " + before + ", by the alphabet");
    before = line.op;
    auto schema = findSchema(line.op, getNewestOpset());
    // Ops of ai.onnx.ml that were withdrawn are still ops of the dialect.
    if (!schema || (schema->deprecated && domainIn(line.op) != mlDomain)) {
      report("no op is called so");
      continue;
    }
    std::string error;
    auto signature = ShapeSignature::parse(line.text, error);
    if (!signature) {
      report(error);
      continue;
    }
    SmallVector<StringRef> seen;
    for (const ShapeSignature::Operand &operand : signature->getOperands()) {
      if (llvm::none_of(schema->inputs, [&](const Parameter &parameter) {
            return operand.name == parameter.name;
          }))
        report("no input is called '" + operand.name + "'");
      if (llvm::is_contained(seen, operand.name))
        report("'" + operand.name + "' is there twice");
      seen.push_back(operand.name);
    }
  }
  return wrong;
}
