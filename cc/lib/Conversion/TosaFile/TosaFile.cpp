//===- TosaFile.cpp - Programs as files of TOSA 1.0 -----------------------===//
//
// A file has the program's function as its first region, "main", and then those
// of control flow, which ops refer to by name:
//
//   func.func @main ─▶ region "main" ─▶ block: inputs, operators, outputs,
//   tosa.cond_if    ─▶ regions "cond_if_then", …       tensors, shapes
//
// An operator names its operands and results, and the lists of tensors and
// shapes give their types, and the elements of constants.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Conversion/TosaFile.h"
#include "Constants.h"
#include "Flatbuffer.h"
#include "Schema.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Endian.h"
#include <deque>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::tosa_file;

using Data = Flatbuffer::Data;
using Field = Flatbuffer::Field;
using Part = Flatbuffer::Part;

namespace {

/// Tensors that keep their values from run to run.
struct Variable {
  Part name, tensor;
  /// The value of an immutable global, which is a constant; null for others.
  ElementsAttr constant;
};

class ProgramWriter {
public:
  explicit ProgramWriter(ModuleOp module) : module(module) {}

  LogicalResult build();
  void write(raw_ostream &os) { file.write(root, kIdentifier, os); }

private:
  /// The parts of a block so far.
  struct BlockParts {
    SmallVector<Part> operators, shapes, tensors;
  };

  struct PendingRegion {
    Region *region;
    std::string name;
  };

  InFlightDiagnostic emitError(Location location) {
    isValid = false;
    return mlir::emitError(location);
  }

  void addVariable(Operation *op, StringRef symbol, ShapedType type,
                   Attribute value);
  void addMain(func::FuncOp func);
  void addNested(const PendingRegion &nested);
  void addRegion(StringRef name, Part inputs, Part outputs, BlockParts &parts);

  void addOp(Operation &op, BlockParts &parts);
  void addOperator(StringRef name, Part attributes, ArrayRef<Part> inputs,
                   ArrayRef<Part> outputs, Location location,
                   BlockParts &parts);
  Part addAttributes(Operation &op, const OpForm &form);
  std::optional<Field> addAttribute(unsigned index, FieldForm form,
                                    Attribute attribute);
  Part addLocation(Location location);

  /// Gives a value its place in the block's lists.
  void declare(Value value, Part name, ElementsAttr elements,
               BlockParts &parts);
  /// An entry of the list of tensors; absent after an error.
  Part addTensor(Part name, Type type, ElementsAttr elements,
                 StringRef variable, Location location, const Twine &what = "");
  Part addShape(Part name, tosa::shapeType type, ElementsAttr elements);
  std::optional<Data> addElements(ElementsAttr elements, Location location);

  /// `wanted`, or with a number behind it if that is taken; a number of its own
  /// without one.
  Part addName(StringRef wanted = "");
  std::string freeName(StringRef wanted);
  /// Gives the value a name, if it has none.
  Part nameOf(Value value);
  /// The name of a value that the block's ops may use.
  Part use(Value value, Operation &user);

  bool isTooLarge() const { return file.size() > Flatbuffer::kMostBytes; }

  ModuleOp module;
  Flatbuffer file;
  Part root;
  bool isValid = true;
  llvm::StringSet<> taken;
  /// The number behind the next equal name.
  llvm::StringMap<unsigned> nextNumbers;
  DenseMap<Value, Part> names;
  DenseMap<Attribute, Data> elementsInFile;
  DenseMap<StringAttr, Part> locations;
  llvm::StringMap<Variable> variables;
  SmallVector<Part> variableTensors, regions;
  std::deque<PendingRegion> pending;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string ProgramWriter::freeName(StringRef wanted) {
  std::string name = wanted.str();
  // The next number is remembered, for programs with many equal names.
  for (unsigned &next = nextNumbers[wanted];; ++next) {
    if (!name.empty() && taken.insert(name).second)
      return name;
    name = (wanted.empty() ? "t" + Twine(next) : wanted + "_" + Twine(next + 1))
               .str();
  }
}

Part ProgramWriter::addName(StringRef wanted) {
  return file.addString(freeName(wanted));
}

Part ProgramWriter::nameOf(Value value) {
  auto [place, isNew] = names.try_emplace(value);
  if (isNew)
    place->second = addName();
  return place->second;
}

Part ProgramWriter::use(Value value, Operation &user) {
  if (value.getParentBlock() != user.getBlock()) {
    emitError(user.getLoc())
        << "expected operands of '" << user.getName()
        << "' that its block defines, as a TOSA file has no others, got a "
           "value from outside";
    return {};
  }
  return nameOf(value);
}

/// The name of an input or output, or `otherwise`.
static std::string nameIn(DictionaryAttr attributes, const Twine &otherwise) {
  if (attributes)
    for (StringRef key : {"isthmus.name", "onnx.name", "ml_program.identifier",
                          "tosa.tensor_name"})
      if (auto name = attributes.getAs<StringAttr>(key); name && !name.empty())
        return name.str();
  return otherwise.str();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::optional<Data> ProgramWriter::addElements(ElementsAttr elements,
                                               Location location) {
  auto known = elementsInFile.find(elements);
  if (known != elementsInFile.end())
    return known->second;
  std::optional<uint64_t> size = countBytes(elements);
  if (!size) {
    emitError(location) << "expected a constant with its elements, got one "
                           "that was parted from them";
    return std::nullopt;
  }
  // Arm's library pads data with zeros, so readers may expect it.
  uint64_t padded = llvm::alignTo(*size, Flatbuffer::kAlignment);
  uint64_t padding = padded - *size;
  Data data = file.addData(padded, [=](raw_ostream &os) {
    writeElements(elements, os);
    os.write_zeros(padding);
  });
  elementsInFile.try_emplace(elements, data);
  return data;
}

Part ProgramWriter::addTensor(Part name, Type type, ElementsAttr elements,
                              StringRef variable, Location location,
                              const Twine &what) {
  auto tensor = dyn_cast<TensorType>(type);
  std::optional<uint32_t> element =
      tensor ? findElementType(tensor.getElementType()) : std::nullopt;
  if (!element) {
    emitError(location) << what << "expected a tensor of " << kElementTypes
                        << ", which a TOSA file can hold, got " << type;
    return {};
  }
  SmallVector<int32_t> sizes;
  if (tensor.hasRank()) {
    for (int64_t size : tensor.getShape()) {
      if (size > std::numeric_limits<int32_t>::max()) {
        emitError(location) << what
                            << "expected sizes of 32 bits, which a TOSA file "
                               "can hold, got "
                            << type;
        return {};
      }
      sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
    }
  }
  SmallVector<Field> fields = {
      Field::part(tensor::Name, name),
      Field::part(tensor::Shape, file.addVector(sizes)),
      Field::number(tensor::Type, *element),
  };
  if (elements) {
    std::optional<Data> data = addElements(elements, location);
    if (!data)
      return {};
    fields.push_back(Field::data(tensor::Data, *data));
  }
  if (!tensor.hasRank())
    fields.push_back(Field::number(tensor::IsUnranked, true));
  if (!variable.empty()) {
    fields.push_back(
        Field::part(tensor::VariableName, file.addString(variable)));
    fields.push_back(Field::number(tensor::Variable, true));
  }
  return file.addTable(fields);
}

Part ProgramWriter::addShape(Part name, tosa::shapeType type,
                             ElementsAttr elements) {
  SmallVector<Field> fields = {
      Field::part(shape::Name, name),
      Field::number(shape::Rank, uint32_t(type.getRank())),
  };
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(elements)) {
    std::string bytes;
    for (const APInt &size : dense.getValues<APInt>()) {
      char number[sizeof(int64_t)];
      llvm::support::endian::write64le(number, size.getSExtValue());
      bytes.append(number, sizeof(number));
    }
    fields.push_back(Field::part(shape::Data, file.addBytes(bytes)));
  }
  return file.addTable(fields);
}

void ProgramWriter::declare(Value value, Part name, ElementsAttr elements,
                            BlockParts &parts) {
  if (auto type = dyn_cast<tosa::shapeType>(value.getType()))
    parts.shapes.push_back(addShape(name, type, elements));
  else
    parts.tensors.push_back(
        addTensor(name, value.getType(), elements, "", value.getLoc()));
}

void ProgramWriter::addVariable(Operation *op, StringRef symbol,
                                ShapedType type, Attribute value) {
  auto elements = dyn_cast_if_present<ElementsAttr>(value);
  if (value && !elements) {
    emitError(op->getLoc()) << "expected elements as the value of '" << symbol
                            << "', got " << value;
    return;
  }
  Variable &variable = variables[symbol];
  if (auto global = dyn_cast<ml_program::GlobalOp>(op);
      global && !global.getIsMutable()) {
    variable.constant = elements;
    return;
  }
  variable.name = addName(symbol);
  variable.tensor =
      addTensor(variable.name, type, elements, symbol, op->getLoc());
  variableTensors.push_back(variable.tensor);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void ProgramWriter::addRegion(StringRef name, Part inputs, Part outputs,
                              BlockParts &parts) {
  llvm::append_range(parts.tensors, variableTensors);
  Part text = file.addString(name);
  Part operators = file.addVector(parts.operators);
  Part tensors = file.addVector(parts.tensors);
  Part shapes = file.addVector(parts.shapes);
  Part block = file.addTable({
      Field::part(block::Name, text),
      Field::part(block::Operators, operators),
      Field::part(block::Tensors, tensors),
      Field::part(block::Inputs, inputs),
      Field::part(block::Outputs, outputs),
      Field::part(block::Shapes, shapes),
  });
  Part blocks = file.addVector(block);
  regions.push_back(file.addTable({
      Field::part(region::Name, text),
      Field::part(region::Blocks, blocks),
  }));
}

void ProgramWriter::addMain(func::FuncOp func) {
  Block &block = func.getBody().front();
  BlockParts parts;
  SmallVector<Part> inputs, outputs;
  for (auto [index, argument] : llvm::enumerate(block.getArguments())) {
    Part name =
        addName(nameIn(func.getArgAttrDict(index), "input_" + Twine(index)));
    names.try_emplace(argument, name);
    inputs.push_back(name);
    parts.tensors.push_back(addTensor(name, argument.getType(), {}, "",
                                      func.getLoc(),
                                      "argument " + Twine(index) + ": "));
  }
  // Each output has its own name: an input, or another output, is copied.
  Operation *end = block.getTerminator();
  SmallVector<bool> isCopy;
  for (auto [index, result] : llvm::enumerate(end->getOperands())) {
    outputs.push_back(addName(
        nameIn(func.getResultAttrDict(index), "output_" + Twine(index))));
    isCopy.push_back(!names.try_emplace(result, outputs.back()).second);
  }
  for (Operation &op : block.without_terminator()) {
    addOp(op, parts);
    if (isTooLarge())
      return;
  }
  const OpForm &identity = *findOp("identity").first;
  for (auto [index, result] : llvm::enumerate(end->getOperands())) {
    if (!isCopy[index])
      continue;
    declare(result, outputs[index], {}, parts);
    addOperator(identity.name, file.addTable({}), nameOf(result),
                outputs[index], end->getLoc(), parts);
  }
  addRegion("main", file.addVector(inputs), file.addVector(outputs), parts);
}

void ProgramWriter::addNested(const PendingRegion &nested) {
  Operation *parent = nested.region->getParentOp();
  if (!nested.region->hasOneBlock()) {
    emitError(parent->getLoc())
        << "expected one block in each region of '" << parent->getName()
        << "', got " << nested.region->getBlocks().size();
    return;
  }
  Block &block = nested.region->front();
  BlockParts parts;
  SmallVector<Part> inputs, outputs;
  for (BlockArgument argument : block.getArguments()) {
    inputs.push_back(nameOf(argument));
    declare(argument, inputs.back(), {}, parts);
  }
  for (Operation &op : block.without_terminator()) {
    addOp(op, parts);
    if (isTooLarge())
      return;
  }
  Operation *end = block.getTerminator();
  for (Value result : end->getOperands())
    outputs.push_back(use(result, *end));
  addRegion(nested.name, file.addVector(inputs), file.addVector(outputs),
            parts);
}

LogicalResult ProgramWriter::build() {
  taken.insert("main"); // of the region
  func::FuncOp main;
  // Names of variables are taken after those of inputs and outputs.
  for (Operation &op : module.getOps()) {
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func) {
      if (!isa<ml_program::GlobalOp, tosa::VariableOp>(op))
        emitError(op.getLoc())
            << "expected a function and its variables, which a TOSA file can "
               "hold, got '"
            << op.getName() << "'";
      continue;
    }
    if (main || func.isExternal() || !func.getBody().hasOneBlock())
      emitError(func.getLoc())
          << "expected one function of one block, which a TOSA file can "
             "hold, got "
          << (main ? "another function '" : "function '") << func.getName()
          << "'";
    else
      main = func;
  }
  for (Operation &op : module.getOps()) {
    if (auto variable = dyn_cast<tosa::VariableOp>(op))
      addVariable(variable, variable.getName(), tosa::getVariableType(variable),
                  variable.getInitialValueAttr());
    else if (auto global = dyn_cast<ml_program::GlobalOp>(op))
      addVariable(global, global.getSymName(),
                  cast<ShapedType>(global.getType()), global.getValueAttr());
  }
  if (!main) {
    if (isValid)
      emitError(module.getLoc()) << "expected a function, got none";
    return failure();
  }
  addMain(main);
  for (; !pending.empty() && !isTooLarge(); pending.pop_front())
    addNested(pending.front());
  if (isTooLarge())
    emitError(main.getLoc())
        << "expected at most " << Flatbuffer::kMostBytes
        << " bytes, which a TOSA file can hold, got " << file.size();
  if (!isValid)
    return failure();

  // Of TOSA 1.0, not of a draft.
  Part versionPart = file.addTable({
      Field::number(version::Major, int32_t(1)),
      Field::number(version::Minor, int32_t(0)),
      Field::number(version::Patch, int32_t(0)),
      Field::number(version::Draft, false),
  });
  Part regionList = file.addVector(regions);
  root = file.addTable({
      Field::part(graph::Version, versionPart),
      Field::part(graph::Regions, regionList),
  });
  return success();
}

LogicalResult isthmus::writeTosaFile(ModuleOp module, raw_ostream &os) {
  ProgramWriter writer(module);
  if (failed(writer.build()))
    return failure();
  writer.write(os);
  return success();
}
