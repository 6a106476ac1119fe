//===- Tensors.cpp - The tensors and shapes of a TOSA file ----------------===//

#include "Constants.h"
#include "ProgramWriter.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::tosa_file;

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
    if (elements.getElementType() != tensor.getElementType() ||
        (tensor.hasStaticShape() &&
         elements.getShapedType().getShape() != tensor.getShape())) {
      emitError(location) << what << "expected elements of " << type
                          << ", got those of " << elements.getShapedType();
      return {};
    }
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
                             ElementsAttr elements, Location location) {
  SmallVector<Field> fields = {
      Field::part(shape::Name, name),
      Field::number(shape::Rank, uint32_t(type.getRank())),
  };
  if (elements && !isa<DenseElementsAttr>(elements))
    emitError(location) << "expected the sizes of a shape in the program, got "
                        << elements;
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
    parts.shapes.push_back(addShape(name, type, elements, value.getLoc()));
  else
    parts.tensors.push_back(
        addTensor(name, value.getType(), elements, "", value.getLoc()));
}

void ProgramWriter::addVariable(Operation *op, StringRef symbol, Type type,
                                Attribute value) {
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

void ProgramWriter::addVariables() {
  for (Operation &op : module.getOps()) {
    if (isTooLarge())
      return;
    if (auto variable = dyn_cast<tosa::VariableOp>(op))
      addVariable(variable, variable.getName(), tosa::getVariableType(variable),
                  variable.getInitialValueAttr());
    else if (auto global = dyn_cast<ml_program::GlobalOp>(op))
      addVariable(global, global.getSymName(), global.getType(),
                  global.getValueAttr());
  }
}
