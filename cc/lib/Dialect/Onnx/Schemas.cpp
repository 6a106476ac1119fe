//===- Schemas.cpp - Schemas of the ONNX ops ------------------------------===//

#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

namespace {

/// A row of the table of schemas, with ranges of `parameters` and `attributes`.
struct SchemaRow {
  llvm::StringLiteral name;
  int since;
  bool deprecated;
  uint16_t inputs;
  uint16_t outputs;
  uint16_t outputsEnd;
  uint16_t attributes;
  uint16_t attributesEnd;
};

/// A domain of ONNX's other than ai.onnx.
struct DomainRow {
  llvm::StringLiteral name;
  int newestOpset;
};

#include "isthmus/Dialect/Onnx/Schemas.inc"

} // namespace

int onnx::getNewestOpset() { return newestOpset; }

std::optional<int> onnx::getNewestOpset(StringRef domain) {
  for (const DomainRow &row : domains)
    if (row.name == domain)
      return row.newestOpset;
  return std::nullopt;
}

const TypeSet &Parameter::getTypes() const { return typeSets[types]; }

const AttributeSchema *Schema::findAttribute(StringRef name) const {
  const auto *found = llvm::find_if(
      attributes, [&](const AttributeSchema &a) { return a.name == name; });
  return found == attributes.end() ? nullptr : found;
}

std::optional<Schema> onnx::findSchema(StringRef op, int opset) {
  // Rows are sorted by name, then by version. Finds the last row with a version
  // of at most `opset`.
  const auto *end = llvm::upper_bound(
      rows, std::pair(op, opset),
      [](const std::pair<StringRef, int> &key, const SchemaRow &row) {
        return key < std::pair<StringRef, int>(row.name, row.since);
      });
  if (end == std::begin(rows) || end[-1].name != op)
    return std::nullopt;
  const SchemaRow &row = end[-1];
  return Schema{
      row.name,
      row.since,
      row.deprecated,
      ArrayRef(parameters + row.inputs, parameters + row.outputs),
      ArrayRef(parameters + row.outputs, parameters + row.outputsEnd),
      ArrayRef(attributes + row.attributes, attributes + row.attributesEnd)};
}

/// Whether `mask` contains the element type of the tensor type `type`. Any mask
/// but 0 contains an unknown element type.
static bool containsElement(uint32_t mask, Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return false;
  if (isa<UnknownType>(tensor.getElementType()))
    return mask;
  return mask >> getDataType(tensor.getElementType()) & 1;
}

bool TypeSet::contains(Type type) const {
  if (auto seq = dyn_cast<SeqType>(type))
    return containsElement(sequence, seq.getElementType());
  if (auto opt = dyn_cast<OptType>(type)) {
    if (auto seq = dyn_cast<SeqType>(opt.getElementType()))
      return containsElement(optionalSequence, seq.getElementType());
    return containsElement(optional, opt.getElementType());
  }
  return containsElement(tensor, type);
}
