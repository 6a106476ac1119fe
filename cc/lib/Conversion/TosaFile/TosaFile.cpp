//===- TosaFile.cpp - Programs as files of TOSA 1.0 -----------------------===//

#include "isthmus/Conversion/TosaFile.h"
#include "ProgramWriter.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::tosa_file;

/// The name of an input or output, or `otherwise`.
static std::string nameIn(DictionaryAttr attributes, const Twine &otherwise) {
  if (attributes)
    for (StringRef key : {"isthmus.name", "isthmus.weight", "onnx.name",
                          "ml_program.identifier", "tosa.tensor_name"})
      if (auto name = attributes.getAs<StringAttr>(key); name && !name.empty())
        return name.str();
  return otherwise.str();
}

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
  addVariables();
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

/// The first public function with a body of one block; null if there is none.
static func::FuncOp findMain(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && func.getBody().hasOneBlock())
      return func;
  return {};
}

LogicalResult ProgramWriter::build() {
  taken.insert("main"); // of the region
  func::FuncOp main = findMain(module);
  for (Operation &op : module.getOps()) {
    if (isa<ml_program::GlobalOp, tosa::VariableOp>(op) || &op == main)
      continue;
    InFlightDiagnostic error = emitError(op.getLoc());
    error << "expected one function of one block, and variables, which a TOSA "
             "file can hold, got another '"
          << op.getName() << "'";
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      error << " @" << symbol.getName();
  }
  if (!main) {
    if (isValid)
      emitError(module.getLoc()) << "expected a public function, got none";
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
