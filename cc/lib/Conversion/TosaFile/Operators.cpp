//===- Operators.cpp - The operators of a TOSA file -----------------------===//

#include "ProgramWriter.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::tosa_file;

Part ProgramWriter::addLocation(Location location) {
  auto node = location->findInstanceOf<NameLoc>();
  if (!node)
    return {};
  auto [place, isNew] = locations.try_emplace(node.getName());
  if (isNew) {
    Part text = file.addString(node.getName().getValue());
    place->second = file.addTable(Field::part(location::Text, text));
  }
  return place->second;
}

void ProgramWriter::addOperator(StringRef name, Part attributes,
                                ArrayRef<Part> inputs, ArrayRef<Part> outputs,
                                Location location, BlockParts &parts) {
  // Arm's tools write and read variables by the op "identity", which copies
  // from or to the variable's tensor, with the table of the variable's op.
  uint32_t table = findOp(name).second;
  bool isOfVariable = name.starts_with("variable_");
  uint32_t number = isOfVariable ? findOp("identity").second : table;
  Part inputList = file.addVector(inputs), outputList = file.addVector(outputs);
  Part place = addLocation(location);
  SmallVector<Field> fields = {
      Field::number(op::Op, number),
      Field::part(op::Attribute, attributes),
      Field::part(op::Inputs, inputList),
      Field::part(op::Outputs, outputList),
  };
  if (place)
    fields.push_back(Field::part(op::Location, place));
  fields.push_back(Field::number(op::AttributeType, uint8_t(table)));
  parts.operators.push_back(file.addTable(fields));
}

/// The bits of a number.
static uint64_t bitsOf(Attribute number) {
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(number).getValue().bitcastToAPInt().getZExtValue();
}

std::optional<Field> ProgramWriter::addAttribute(unsigned index, FieldForm form,
                                                 Attribute attribute) {
  switch (form) {
  case FieldForm::Bool:
    return Field::number(index, cast<BoolAttr>(attribute).getValue());
  case FieldForm::Bytes: {
    char bytes[sizeof(uint64_t)];
    llvm::support::endian::write64le(bytes, bitsOf(attribute));
    return Field::part(index, file.addBytes(StringRef(bytes, sizeof(bytes))));
  }
  case FieldForm::Int:
    return Field::number(index, int32_t(cast<IntegerAttr>(attribute).getInt()));
  case FieldForm::Ints: {
    if (auto numbers = dyn_cast<DenseI32ArrayAttr>(attribute))
      return Field::part(index, file.addVector(numbers.asArrayRef()));
    auto numbers = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
    if (!llvm::all_of(numbers, [](int64_t n) { return llvm::isInt<32>(n); }))
      return std::nullopt;
    return Field::part(index, file.addVector(SmallVector<int32_t>(numbers)));
  }
  case FieldForm::NanMode:
    return Field::number(
        index,
        uint32_t(cast<tosa::NanPropagationModeAttr>(attribute).getValue()));
  case FieldForm::ResizeMode:
    return Field::number(
        index, uint32_t(cast<tosa::ResizeModeAttr>(attribute).getValue()));
  case FieldForm::RoundingMode:
    return Field::number(
        index, uint32_t(cast<tosa::RoundingModeAttr>(attribute).getValue()));
  case FieldForm::String:
    return Field::part(index,
                       file.addString(cast<StringAttr>(attribute).getValue()));
  case FieldForm::Text:
    return Field::part(index,
                       file.addBytes(cast<StringAttr>(attribute).getValue()));
  case FieldForm::Type: {
    auto number = findElementType(cast<TypeAttr>(attribute).getValue());
    return number ? std::optional(Field::number(index, *number)) : std::nullopt;
  }
  case FieldForm::None:
  case FieldForm::Region:
    break;
  }
  llvm_unreachable("expected the form of an attribute");
}

Part ProgramWriter::addAttributes(Operation &op, const OpForm &form) {
  SmallVector<Field> fields;
  unsigned nextRegion = 0;
  for (auto [index, field] : llvm::enumerate(form.fields)) {
    if (field.form == FieldForm::None)
      break;
    if (field.form == FieldForm::Region) {
      // "then_graph" of cond_if is the region "cond_if_then".
      std::string name = freeName(
          (form.name + "_" + StringRef(field.name).split('_').first).str());
      fields.push_back(Field::part(index, file.addString(name)));
      pending.push_back({&op.getRegion(nextRegion++), name});
      continue;
    }
    Attribute attribute = op.getAttr(field.name);
    if (!attribute)
      continue;
    if (auto known = addAttribute(index, field.form, attribute))
      fields.push_back(*known);
    else
      emitError(op.getLoc())
          << "expected '" << field.name << "' of '" << op.getName()
          << "' in the range of a TOSA file, got " << attribute;
  }
  return file.addTable(fields);
}

/// The attribute of a constant with its elements; null for other ops.
static ElementsAttr elementsOf(Operation &op) {
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    return constant.getValues();
  if (auto constant = dyn_cast<tosa::ConstShapeOp>(op))
    return constant.getValues();
  return nullptr;
}

void ProgramWriter::addOp(Operation &op, BlockParts &parts) {
  // Globals of ml_program are variables, or constants, in another dialect.
  StringRef symbol;
  if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
    symbol = load.getGlobal().getLeafReference();
  else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
    symbol = load.getGlobal().getLeafReference();
  else if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op))
    symbol = store.getGlobal().getLeafReference();
  else if (auto read = dyn_cast<tosa::VariableReadOp>(op))
    symbol = read.getName();
  else if (auto write = dyn_cast<tosa::VariableWriteOp>(op))
    symbol = write.getName();

  StringRef name = op.getName().stripDialect();
  ElementsAttr elements = elementsOf(op);
  SmallVector<Part> inputs, outputs;
  if (symbol.data()) {
    // The symbols of a valid program are known, unless their op had an error.
    auto known = variables.find(symbol);
    if (known == variables.end())
      return;
    elements = known->second.constant;
    bool isRead = op.getNumResults() == 1;
    name = elements ? "const" : isRead ? "variable_read" : "variable_write";
    if (!elements)
      (isRead ? inputs : outputs).push_back(known->second.name);
  }

  auto [form, number] = findOp(name);
  bool isOfTosa = isa_and_nonnull<tosa::TosaDialect>(op.getDialect());
  if (!form || (!isOfTosa && !symbol.data())) {
    InFlightDiagnostic error = emitError(op.getLoc());
    error << "expected an op of TOSA 1.0, which a TOSA file can hold, got '"
          << op.getName() << "'";
    return;
  }
  Part attributes = addAttributes(op, *form);
  for (Value operand : op.getOperands())
    inputs.push_back(use(operand, op));
  for (Value result : op.getResults()) {
    outputs.push_back(nameOf(result));
    declare(result, outputs.back(), elements, parts);
  }
  addOperator(name, attributes, inputs, outputs, op.getLoc(), parts);
}
