//===- Program.cpp - An exported program as a function --------------------===//

#include "Program.h"
#include "Expression.h"
#include "Guards.h"
#include "Specialize.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Support/WeightNames.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

static bool isConstant(Kind kind) {
  return kind == Kind::None || kind == Kind::Int || kind == Kind::Float ||
         kind == Kind::Bool || kind == Kind::String;
}

Attribute ProgramImporter::describeLeaf(const schema::Argument &argument,
                                        size_t number) {
  if (!isConstant(argument.kind))
    return builder.getI64IntegerAttr(number);
  Attribute value = builder.getUnitAttr(); // None
  if (argument.kind == Kind::Int)
    value = builder.getI64IntegerAttr(argument.integer);
  else if (argument.kind == Kind::Float)
    value = builder.getF64FloatAttr(argument.number);
  else if (argument.kind == Kind::Bool)
    value = builder.getBoolAttr(argument.integer);
  else if (argument.kind == Kind::String)
    value = builder.getStringAttr(argument.text);
  return builder.getDictionaryAttr(named("value", value));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// "0:s0,1:2*s0+1" for the sizes that depend on symbols.
static std::string getDimParams(const schema::TensorMeta &meta) {
  std::string params;
  for (auto [dim, size] : llvm::enumerate(meta.sizes)) {
    std::optional<Expression> expression =
        size.value ? std::nullopt : Expression::parse(size.expression);
    std::optional<std::string> text =
        expression ? expression->getText() : std::nullopt;
    if (text)
      params += (params.empty() ? "" : ",") + std::to_string(dim) + ":" + *text;
  }
  return params;
}

/// {isthmus.dim_params = "0:s77", isthmus.name = "x"} of an input or output.
SmallVector<NamedAttribute> ProgramImporter::describe(StringRef name) {
  SmallVector<NamedAttribute> attributes;
  auto meta = program.graph.tensors.find(name);
  if (meta != program.graph.tensors.end())
    if (std::string params = getDimParams(meta->second); !params.empty())
      attributes.push_back(
          named("isthmus.dim_params", builder.getStringAttr(params)));
  attributes.push_back(named("isthmus.name", builder.getStringAttr(name)));
  return attributes;
}

void ProgramImporter::importUserInput(const schema::Argument &argument) {
  inputLeaves.push_back(describeLeaf(argument, argumentAttributes.size()));
  if (isConstant(argument.kind))
    return;
  StringRef name = argument.text;
  Subject subject(import, "input", name);
  Type type = graph.getDeclaredType(argument, subject);
  argumentAttributes.push_back(builder.getDictionaryAttr(describe(name)));
  // A scalar is passed in and out as a tensor of rank 0: every target supports
  // those, and few support another form.
  bool isInt = type && torch::isInt(type);
  if (isInt)
    type = torch::ValueTensorType::get(
        import.context, {}, builder.getIntegerType(64, /*isSigned=*/true));
  auto location = NameLoc::get(builder.getStringAttr(name), import.location);
  Value value;
  if (type)
    value = func.getBody().front().addArgument(type, location);
  if (isInt)
    value = torch::AtenIntTensorOp::create(
        builder, location, torch::IntType::get(import.context), value);
  Values::Id id = values.add(value);
  graph.define(name, id, subject);
  if (argument.kind == Kind::Tensor)
    writable.push_back({name.str(), id});
}

void ProgramImporter::importWeight(const schema::InputSpec &spec) {
  Subject subject(import, "weight", spec.target);
  Type declared = graph.getDeclaredType(spec.arg, subject);
  ElementsAttr value = weights.get(spec.target, subject);
  Value literal;
  if (value && declared) {
    auto op = torch::ValueTensorLiteralOp::create(
        builder, weightLocation(spec.target, import.location), value);
    literals[spec.target] = op;
    literal = op;
    if (literal.getType() != declared) {
      subject.error() << "expected the graph to take " << literal.getType()
                      << ", got " << declared;
      literal = nullptr;
    }
  }
  Values::Id id = values.add(literal);
  graph.define(spec.arg.text, id, subject);
  writable.push_back({spec.target, id});
}

void ProgramImporter::importInput(const schema::InputSpec &spec) {
  switch (spec.kind) {
  case schema::InputSpec::Kind::User:
  case schema::InputSpec::Kind::Constant:
    return importUserInput(spec.arg);
  case schema::InputSpec::Kind::Parameter:
  case schema::InputSpec::Kind::Buffer:
  case schema::InputSpec::Kind::TensorConstant:
    return importWeight(spec);
  case schema::InputSpec::Kind::CustomObject:
    Subject(import, "input", spec.arg.text).error()
        << "expected a tensor or a scalar, got an object of a custom class, '"
        << spec.target << "'";
    break;
  case schema::InputSpec::Kind::Token:
    break; // orders effects, which ops here keep anyway
  }
  graph.define(spec.arg.text, Value(), Subject(import, "input", spec.arg.text));
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

void ProgramImporter::addResult(Value value,
                                ArrayRef<NamedAttribute> attributes) {
  TorchBuilder b(builder, import.location);
  if (!torch::isTensor(value.getType()))
    value = b.create<torch::PrimNumToTensorScalarOp>(value);
  results.push_back(value);
  resultAttributes.push_back(builder.getDictionaryAttr(attributes));
}

void ProgramImporter::importOutput(const schema::OutputSpec &spec) {
  using Output = schema::OutputSpec::Kind;
  if (spec.kind == Output::Token)
    return;
  const schema::Argument &argument = spec.arg;
  bool isMutation = spec.kind == Output::BufferMutation ||
                    spec.kind == Output::ParameterMutation ||
                    spec.kind == Output::UserInputMutation;
  if (!isMutation)
    outputLeaves.push_back(describeLeaf(argument, results.size()));
  if (isConstant(argument.kind))
    return;
  TorchBuilder b(builder, import.location);
  Value value =
      graph.getValue(argument, b, Subject(import, "output", argument.text));
  if (!value)
    return;
  if (isMutation)
    addMutation(builder.getStringAttr(spec.target),
                builder.getStringAttr(argument.text), value);
  else
    addResult(value, describe(argument.text));
}

/// The value without conversions and copies that do not change it.
static Value stripCopies(Value value) {
  using namespace torch;
  while (auto *op = value.getDefiningOp()) {
    bool mayCopy = isa<AtenAliasOp, AtenCloneOp, AtenCopyOp, AtenDetachOp,
                       AtenToDeviceOp, AtenToDtypeLayoutOp, AtenToDtypeOp>(op);
    // aten.copy returns its second operand.
    Value source =
        mayCopy ? op->getOperand(isa<AtenCopyOp>(op) ? 1 : 0) : value;
    if (!mayCopy || source.getType() != value.getType())
      return value;
    value = source;
  }
  return value;
}

/// Checks that a mutated buffer shares its memory with no other tensor that the
/// program reads: that one would have to change as well.
void ProgramImporter::checkUnshared(StringRef target) {
  for (const auto &[other, literal] : literals)
    if (other != target && !literal->use_empty() &&
        weights.shareMemory(target, other)) {
      Subject(import, "buffer", target).error()
          << "expected memory of its own, as it is written to, got memory "
             "that it shares with '"
          << other << "'";
      return;
    }
}

/// Adds the final value of an input, parameter or buffer. One that receives its
/// own initial value, as by self.b = self.b.to(device), is not mutated. The
/// initial value of a buffer is marked, so that a pass can combine both into
/// state.
void ProgramImporter::addMutation(StringAttr target, StringAttr name,
                                  Value value) {
  auto literal = literals.find(target);
  if (literal != literals.end() &&
      stripCopies(value) == literal->second.getResult())
    return;
  checkUnshared(target);
  addResult(value,
            {named("isthmus.mutates", target), named("isthmus.name", name)});
  if (literal != literals.end())
    literal->second->setAttr("isthmus.buffer", target);
}

/// A program exported without decomposition mutates its inputs directly instead
/// of declaring it in its signature.
void ProgramImporter::addMutations() {
  for (auto [name, id] : writable) {
    if (values.isUnclear(id))
      GraphImporter::reportUnclear(name, Subject(import, "input", name));
    if (!values.isWritten(id))
      continue;
    StringAttr text = builder.getStringAttr(name);
    if (Value value = values.read(id, builder))
      addMutation(text, text, value);
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

DictionaryAttr ProgramImporter::getRanges() {
  SmallVector<NamedAttribute> ranges;
  for (const auto &[symbol, range] : program.ranges)
    ranges.push_back(
        named(symbol,
              builder.getI64ArrayAttr(
                  {range.min.value_or(std::numeric_limits<int64_t>::min()),
                   range.max.value_or(std::numeric_limits<int64_t>::max())})));
  return builder.getDictionaryAttr(ranges);
}

ArrayAttr ProgramImporter::getGuards() {
  SmallVector<Attribute> guards;
  for (StringRef guard : program.guards)
    if (std::optional<std::string> text = guardOfSymbols(guard, program.graph))
      guards.push_back(builder.getStringAttr(*text));
  return builder.getArrayAttr(guards);
}

void ProgramImporter::importProgram(ModuleOp module) {
  if (program.inputs.size() != program.graph.inputs.size()) {
    import.error() << "expected as many input_specs as inputs of the graph, "
                   << program.graph.inputs.size() << ", got "
                   << program.inputs.size();
    return;
  }
  if (failed(specialize(import, program)))
    return;
  builder.setInsertionPointToEnd(module.getBody());
  func = func::FuncOp::create(builder, import.location, "main",
                              builder.getFunctionType({}, {}));
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToStart(body);
  llvm::for_each(program.inputs,
                 [&](const schema::InputSpec &spec) { importInput(spec); });
  graph.importNodes();

  // The caller's own results come first, before all others.
  auto isOwn = [](const schema::OutputSpec &spec) {
    using Output = schema::OutputSpec::Kind;
    return spec.kind == Output::User || spec.kind == Output::Loss ||
           spec.kind == Output::Gradient;
  };
  for (const schema::OutputSpec &spec : program.outputs)
    if (isOwn(spec))
      importOutput(spec);
  for (const schema::OutputSpec &spec : program.outputs)
    if (!isOwn(spec))
      importOutput(spec);
  addMutations();
  if (import.failed())
    return;
  func::ReturnOp::create(builder, import.location, results);
  for (Operation &op : llvm::make_early_inc_range(*body))
    if (isa<torch::ValueTensorLiteralOp>(op) && op.use_empty() &&
        !op.hasAttr("isthmus.buffer"))
      op.erase();

  func.setType(builder.getFunctionType(body->getArgumentTypes(),
                                       TypeRange(ValueRange(results))));
  func.setAllArgAttrs(argumentAttributes);
  func.setAllResultAttrs(resultAttributes);
  func->setAttr("torch.inputs", builder.getArrayAttr(inputLeaves));
  func->setAttr("torch.outputs", builder.getArrayAttr(outputLeaves));
  if (!program.inSpec.empty())
    func->setAttr("torch.in_spec", builder.getStringAttr(program.inSpec));
  if (!program.outSpec.empty())
    func->setAttr("torch.out_spec", builder.getStringAttr(program.outSpec));
  if (!program.ranges.empty())
    func->setAttr("torch.ranges", getRanges());
  if (ArrayAttr guards = getGuards(); !guards.empty())
    func->setAttr("torch.guards", guards);
}
