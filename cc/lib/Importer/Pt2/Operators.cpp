//===- Operators.cpp - Nodes that call an operator ------------------------===//

#include "Aliases.h"
#include "Graph.h"
#include "Strides.h"
#include "isthmus/Dialect/Torch/CreationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Signatures.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

//===----------------------------------------------------------------------===//
// The op for a node
//===----------------------------------------------------------------------===//

/// The PyTorch op that computes the same from the same arguments as an op of
/// another package.
static StringRef getSynonym(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Case("transformers.grouped_mm_fallback", "aten._grouped_mm")
      .Default("");
}

/// Whether the result of an op shares its memory with the first operand.
enum class Sharing { Never, Perhaps, Always };

static Sharing getSharing(StringRef op) {
  // Writes to the results of these reach the operand.
  static constexpr StringLiteral views[] = {
      "aten.alias",         "aten.atleast_1d",   "aten.atleast_2d",
      "aten.atleast_3d",    "aten.chunk",        "aten.detach",
      "aten.expand",        "aten.permute",      "aten.select.int",
      "aten.slice.Tensor",  "aten.split.Tensor", "aten.split_with_sizes",
      "aten.squeeze.dim",   "aten.squeeze.dims", "aten.t",
      "aten.transpose.int", "aten.unbind.int",   "aten.unsqueeze",
      "aten.view"};
  if (llvm::binary_search(views, op))
    return Sharing::Always;
  // These may return their operand, though their schemas do not declare it.
  static constexpr StringLiteral others[] = {
      "aten.alpha_dropout",   "aten.conj_physical",
      "aten.dropout",         "aten.feature_alpha_dropout",
      "aten.feature_dropout", "aten.sum_to_size",
      "aten.type_as"};
  return torch::isView(op) || llvm::binary_search(others, op) ? Sharing::Perhaps
                                                              : Sharing::Never;
}

/// aten.add_.Tensor, but not aten.__and__.Scalar.
static bool isInPlace(StringRef op) {
  StringRef name = op.split('.').second.split('.').first;
  return name.ends_with("_") && !name.ends_with("__");
}

/// Whether the results of an op may share their memory with the `count` tensors
/// that it takes as a list.
static bool sharesWithList(StringRef op, size_t count) {
  if (op == "aten.cartesian_prod" || op == "aten.einsum")
    return count == 1; // several are multiplied or put together
  static constexpr StringLiteral others[] = {"aten.atleast_1d.Sequence",
                                             "aten.atleast_2d.Sequence",
                                             "aten.atleast_3d.Sequence",
                                             "aten.broadcast_tensors",
                                             "aten.meshgrid",
                                             "aten.meshgrid.indexing"};
  return llvm::binary_search(others, op);
}

/// The op that returns what `op` writes: "aten.add.Tensor" of
/// "aten.add_.Tensor".
static std::string getFunctionalName(StringRef op) {
  size_t end = op.find('.', op.find('.') + 1);
  end = std::min(end, op.size());
  StringRef name = op.take_front(end - 1);
  StringRef overload = op.drop_front(std::min(end + 1, op.size()));
  std::string same = (name + op.drop_front(end)).str();
  auto takesTensor = [](StringRef candidate) {
    auto signature = findSignature(candidate);
    return signature && !signature->empty() &&
           signature->front().type == "Tensor";
  };
  // A few twins have another overload, and what aten.pow_.Scalar writes is
  // not what aten.pow.Scalar returns, whose first argument is the scalar.
  if (takesTensor(same))
    return same;
  for (const std::string &other :
       {(name + ".Tensor_" + overload).str(), (name + "_functional").str(),
        (name + ".Tensor").str(), name.str()})
    if (takesTensor(other))
      return other;
  return same;
}

/// The scalar overload of an overload for tensors.
static std::string getScalarOverload(StringRef op) {
  auto [name, overload] = op.rsplit('.');
  StringRef scalar = llvm::StringSwitch<StringRef>(overload)
                         .Case("Tensor", "Scalar")
                         .Case("Tensor_Tensor", "Tensor_Scalar")
                         .Case("Tensor_mode", "Scalar_mode")
                         .Default("");
  return scalar.empty() ? "" : (name + "." + scalar).str();
}

static bool isScalar(Kind kind) {
  return kind == Kind::Int || kind == Kind::Float || kind == Kind::Bool ||
         kind == Kind::Symbol;
}

/// Ops that compute nothing: the condition holds, or the program stops.
static bool isAssertion(StringRef op) {
  return op.starts_with("aten._assert_") ||
         op.starts_with("aten.sym_constrain_range");
}

static bool isZero(const schema::Argument *argument) {
  return argument &&
         ((argument->kind == Kind::Float && argument->number == 0) ||
          (argument->kind == Kind::Int && argument->integer == 0));
}

LogicalResult GraphImporter::importOperator(NodeContext &context,
                                            StringRef op) {
  if (isAssertion(op))
    return importAssertion(context, op);
  if (op == "aten.item" || op == "aten._local_scalar_dense")
    return importScalarOf(context);
  if (op == "aten.sym_numel")
    return importNumel(context);
  if (StringRef synonym = getSynonym(op); !synonym.empty())
    return importSynonym(context, synonym);
  PlainOp plain = getPlain(op);
  op = plain.name;
  if (context.node.outputs.empty() && !context.node.hasEffects &&
      !findSignature(op))
    return context.subject.fail(
        "expected results, as an operator without any writes to its arguments, "
        "though a file does not say to which: export the program with "
        "run_decompositions()");
  if (isInPlace(op))
    return importInPlace(context, op);
  if (op == "aten.as_strided")
    return importStridedView(context, plain.isCopy);
  if (op == "aten.as_strided_scatter" || op == "prims.as_strided_scatter")
    return importStridedScatter(context);
  if (updatesStatistics(context.node, op))
    return importTrainingNorm(context);
  FailureOr<Operation *> built = build(context, op);
  if (failed(built))
    return failure();
  return bindResults(context, *built,
                     plain.isCopy ? std::nullopt : getSharedBy(context, op));
}

/// Whether a result is its operand, or the same elements in another shape, as
/// far as dtypes, strides and arguments determine it.
static std::optional<bool> isSame(StringRef op, const schema::Node &node,
                                  const schema::TensorMeta &from,
                                  const schema::TensorMeta &to) {
  if (op.starts_with("aten.to.") || op == "aten.type_as")
    return from.dtype == to.dtype && !node.isTrue("copy");
  if (op.ends_with("dropout"))
    return !node.isTrue("train") || isZero(node.find("p"));
  if (op != "aten.contiguous" && op != "aten.reshape" &&
      op != "aten.flatten.using_ints")
    return std::nullopt;
  // A copy is contiguous.
  std::optional<bool> before = isContiguous(from), after = isContiguous(to);
  if (before == true || after == false)
    return true;
  return before && after ? std::optional(false) : std::nullopt;
}

std::optional<GraphImporter::SharedMemory>
GraphImporter::getSharedBy(NodeContext &context, StringRef op) {
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  ArrayRef<schema::Argument> outputs = context.node.outputs;
  for (const schema::NamedArgument &input : inputs)
    if (input.arg.kind == Kind::List &&
        sharesWithList(op, input.arg.elements.size())) {
      SharedMemory shared = {{}, /*isCertain=*/false};
      for (const schema::Argument &each : input.arg.elements)
        if (auto id = scope.find(each.text); id != scope.end())
          shared.with.push_back(id->second);
      return shared;
    }
  if (inputs.empty() || inputs[0].arg.kind != Kind::Tensor || outputs.empty())
    return std::nullopt;
  StringRef name = inputs[0].arg.text;
  auto from = graph.tensors.find(name);
  auto to = graph.tensors.find(outputs[0].text);
  bool hasBoth = from != graph.tensors.end() && to != graph.tensors.end();
  Sharing sharing = getSharing(op);
  if (hasBoth && sharing == Sharing::Perhaps)
    if (auto same = isSame(op, context.node, from->second, to->second))
      sharing = *same ? Sharing::Always : Sharing::Never;
  if (sharing == Sharing::Never)
    return std::nullopt;
  return SharedMemory{{scope.lookup(name)}, sharing == Sharing::Always};
}

LogicalResult GraphImporter::importSynonym(NodeContext &context, StringRef op) {
  schema::Node node = context.node;
  node.target = op.str();
  nameArguments(node);
  NodeContext named = {node, context.subject, context.builder};
  FailureOr<Operation *> built = build(named, op);
  if (failed(built))
    return failure();
  return bindResults(context, *built, /*shared=*/std::nullopt);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// The ints of a tensor of rank 0 or 1 that is known, with its rank.
static std::optional<std::pair<SmallVector<schema::Argument>, int64_t>>
knownInts(Value tensor) {
  while (auto clone = tensor.getDefiningOp<torch::AtenCloneOp>())
    tensor = clone.getSelf();
  auto literal = tensor.getDefiningOp<torch::ValueTensorLiteralOp>();
  auto elements =
      literal ? dyn_cast<DenseElementsAttr>(literal.getValue()) : nullptr;
  if (!elements || !elements.getElementType().isInteger(64) ||
      elements.getType().getRank() > 1 ||
      elements.getNumElements() > torch::maxPieces)
    return std::nullopt;
  SmallVector<schema::Argument> ints;
  for (const APInt &number : elements.getValues<APInt>()) {
    schema::Argument &argument = ints.emplace_back();
    argument.kind = Kind::Int;
    argument.integer = number.getSExtValue();
  }
  return std::pair(ints, elements.getType().getRank());
}

/// tensor_split by a tensor, which has the number of the pieces, or their ends.
/// Known ones are constants of the op.
FailureOr<Operation *> GraphImporter::buildTensorSplit(NodeContext &context,
                                                       StringRef op) {
  schema::Node node = context.node;
  NodeContext split = {node, context.subject, context.builder};
  FailureOr<Operands> operands = getOperands(context, *findSignature(op));
  if (failed(operands))
    return failure();
  auto known = knownInts((*operands)[1]);
  if (!known)
    return buildInferred(context, op, *operands);
  auto &[ints, rank] = *known;
  if (rank == 0) {
    node.inputs[1] = {"sections", ints.front()};
    return build(split, "aten.tensor_split.sections");
  }
  schema::Argument list;
  list.kind = Kind::List;
  list.elements.assign(ints.begin(), ints.end());
  node.inputs[1] = {"indices", list};
  return build(split, "aten.tensor_split.indices");
}

FailureOr<Operation *> GraphImporter::build(NodeContext &context,
                                            StringRef op) {
  const auto &inputs = context.node.inputs;
  bool hasTwo = inputs.size() > 1 && inputs[0].arg.kind == Kind::Tensor;
  if (op == "aten.tensor_split.tensor_indices_or_sections" && hasTwo &&
      inputs[1].arg.kind == Kind::Tensor)
    return buildTensorSplit(context, op);
  if (hasComplexNumber(context.node))
    return buildWithComplexNumbers(context, op);

  // A file represents x + 2 as aten.add.Tensor(x, 2).
  std::string scalarOverload = getScalarOverload(op);
  if (hasTwo && isScalar(inputs[1].arg.kind) && findSignature(scalarOverload))
    op = scalarOverload;
  auto signature = findSignature(op);
  if (!signature)
    return buildUnregistered(context, op);
  FailureOr<Operands> operands = getOperands(context, *signature);
  return failed(operands) ? FailureOr<Operation *>(failure())
                          : buildInferred(context, op, *operands);
}

FailureOr<Operation *> GraphImporter::buildInferred(NodeContext &context,
                                                    StringRef op,
                                                    ArrayRef<Value> operands) {
  TorchBuilder &b = context.builder;
  OperationName name(("torch." + op).str(), import.context);
  torch::TypeInference inference(import.context, operands);
  auto *interface = name.getInterface<torch::TypeInferenceOpInterface>();
  if (failed(interface->inferTypes(inference)))
    return context.subject.fail(inference.error);
  OperationState state(b.getLoc(), name);
  state.addOperands(operands);
  state.addTypes(inference.results);
  return builder.create(state);
}

/// Keeps an operator for which the dialect has no class by its name. The
/// arguments are those given; `keywords` holds the names of the keyword
/// arguments.
FailureOr<Operation *> GraphImporter::buildUnregistered(NodeContext &context,
                                                        StringRef op) {
  Operands operands;
  SmallVector<StringRef> keywords;
  bool failed = false;
  for (const schema::NamedArgument &input : context.node.inputs) {
    FailureOr<Value> operand = getUntyped(context, input.arg);
    failed |= mlir::failed(operand);
    operands.push_back(operand.value_or(Value()));
    if (input.isKeyword)
      keywords.push_back(input.name);
  }
  SmallVector<Type> types;
  for (const schema::Argument &output : context.node.outputs) {
    types.push_back(getDeclaredType(output, context.subject));
    failed |= !types.back();
  }
  if (failed)
    return failure();
  auto created = torch::OperatorOp::create(builder, context.builder.getLoc(),
                                           types, builder.getStringAttr(op),
                                           operands, /*regionsCount=*/0);
  if (!keywords.empty())
    created->setAttr(torch::kKeywordsAttr, builder.getStrArrayAttr(keywords));
  return created.getOperation();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The result with its declared type: merges the declared and the inferred
/// type.
FailureOr<Value> GraphImporter::declare(NodeContext &context, Value result,
                                        const schema::Argument &output) {
  Type type = getDeclaredType(output, context.subject);
  if (!type)
    return failure();
  auto declared = dyn_cast<torch::ValueTensorType>(type);
  auto inferred = dyn_cast<torch::ValueTensorType>(result.getType());
  if (!declared || !inferred) {
    if (type != result.getType() && !isa<torch::NumberType>(result.getType()))
      return context.subject.error()
             << "expected a result of type " << result.getType()
             << ", got a declaration of " << type;
    return result;
  }
  SmallVector<int64_t> sizes(declared.getSizes());
  bool agrees =
      !inferred.getDtype() || inferred.getDtype() == declared.getDtype();
  if (inferred.hasRank()) {
    agrees &= succeeded(verifyCompatibleShape(sizes, inferred.getSizes()));
    for (auto [size, known] : llvm::zip(sizes, inferred.getSizes()))
      if (ShapedType::isDynamic(size))
        size = known;
  }
  if (!agrees)
    return context.subject.error() << "expected a result of type " << inferred
                                   << ", got a declaration of " << declared;
  result.setType(
      torch::ValueTensorType::get(import.context, sizes, declared.getDtype()));
  return result;
}

LogicalResult GraphImporter::bindResults(NodeContext &context, Operation *op,
                                         std::optional<SharedMemory> shared) {
  const Subject &subject = context.subject;
  ArrayRef<schema::Argument> outputs = context.node.outputs;
  if (outputs.size() != op->getNumResults())
    return subject.fail("expected " + Twine(op->getNumResults()) +
                        " outputs, got " + Twine(outputs.size()));
  auto bind = [&](const schema::Argument &output, OpResult result,
                  ArrayRef<Operation *> steps) -> LogicalResult {
    FailureOr<Value> value = declare(context, result, output);
    if (failed(value))
      return failure();
    if (!shared)
      define(output.text, *value, subject);
    else if (shared->isCertain)
      define(output.text, values.addView(shared->with.front(), steps, result),
             subject);
    else
      define(output.text, values.addPerhapsView(shared->with, *value), subject);
    return success();
  };
  for (auto [output, result] : llvm::zip_equal(outputs, op->getResults())) {
    if (output.kind == Kind::None)
      continue;
    if (output.kind != Kind::List) {
      if (failed(bind(output, result, op)))
        return failure();
      continue;
    }
    if (!isa<torch::ListType>(result.getType()))
      return subject.fail("expected one tensor as output, got a list");
    SmallVector<Type> types(output.elements.size(),
                            torch::ValueTensorType::getUnknown(import.context));
    auto unpacked = torch::PrimListUnpackOp::create(
        builder, context.builder.getLoc(), types, result);
    for (auto [element, value] :
         llvm::zip_equal(output.elements, unpacked.getResults()))
      if (failed(bind(element, value, {op, unpacked})))
        return failure();
  }
  SmallVector<std::string> objections = objectionsTo(op);
  for (StringRef objection : objections)
    subject.error() << objection;
  return success(objections.empty());
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Gives the tensor that is written its name in the op without effects:
/// aten.dropout calls "input" what aten.dropout_ calls "self".
static void nameTarget(schema::Node &node, StringRef functional) {
  auto signature = findSignature(functional);
  std::string &name = node.inputs.front().name;
  if (signature && llvm::none_of(*signature, [&](const FormalArgument &formal) {
        return formal.name == name;
      }))
    name = signature->front().name.str();
}

/// fill_diagonal_(x, value, wrap), which has no twin without effects.
static FailureOr<Value> fillDiagonal(NodeContext &context, Value x, Value value,
                                     Type boolean) {
  const auto &inputs = context.node.inputs;
  TorchBuilder &b = context.builder;
  auto type = torch::tensorType(x);
  if (!type.hasRank() || type.getRank() != 2)
    return context.subject.fail("expected a matrix to fill the diagonal of");
  if (inputs.size() > 2 && inputs[2].arg.integer != 0)
    return context.subject.fail("expected wrap to be False, got True");
  Value isDiagonal =
      b.create<torch::AtenEyeMOp>(b.size(x, 0), b.size(x, 1), b.dtype(boolean),
                                  b.none(), b.none(), b.none());
  return b.where(isDiagonal, b.convert(value, type.getDtype()), x);
}

/// x.add_(y) is x + y, in the dtype and shape of x, which it replaces.
LogicalResult GraphImporter::importInPlace(NodeContext &context, StringRef op) {
  const auto &inputs = context.node.inputs;
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  if (inputs.empty() || inputs.front().arg.kind != Kind::Tensor ||
      context.node.outputs.size() != 1)
    return subject.fail("expected a tensor to write to, and it as output");
  std::string named = getFunctionalName(op);
  StringRef functional = getPlain(named).name;
  // aten.transpose_ has no overload, but aten.transpose.int has.
  bool isView = torch::isView(functional) || torch::isView(named + ".int");
  if (op != "aten.detach_" && isView)
    return subject.fail("expected " + Twine(named) + ", got " + op +
                        ", which changes the sizes or strides of its "
                        "argument: export the program with "
                        "run_decompositions()");
  const schema::Argument &target = inputs.front().arg;
  std::optional<Values::Id> id = find(target.text, subject);
  if (!id)
    return failure();
  Value before = values.read(*id, builder);
  if (!before)
    return failure();
  auto type = torch::tensorType(before);

  Value after;
  if (op == "aten.detach_") {
    after = before;
  } else if (op == "aten.copy_" || op == "aten.fill_.Scalar" ||
             op == "aten.fill_.Tensor" || op == "aten.fill_diagonal_") {
    FailureOr<Value> source =
        inputs.size() > 1
            ? getOperand(context, inputs[1].arg, {"Tensor"})
            : FailureOr<Value>(subject.fail(
                  op == "aten.copy_" ? "expected a source, got none"
                                     : "expected a value, got none"));
    if (succeeded(source) && op == "aten.fill_diagonal_")
      source = fillDiagonal(context, before, *source, builder.getI1Type());
    if (failed(source))
      return failure();
    after = *source;
  } else if (op == "aten.zero_") {
    after = b.scalarTensor(int64_t(0), type.getDtype());
  } else {
    schema::Node node = context.node;
    NodeContext renamed = {node, subject, b};
    nameTarget(node, functional);
    FailureOr<Operation *> built = build(renamed, functional);
    if (failed(built))
      return failure();
    after = (*built)->getResult(0);
  }
  after = b.convert(after, type.getDtype());
  if (torch::tensorType(after).getSizes() != type.getSizes())
    after = b.expand(after, b.sizes(before));

  Operation *obstacle = nullptr;
  if (after != before && failed(values.write(*id, after, builder, obstacle)))
    return subject.fail("expected no write to a view by '" +
                        obstacle->getName().getStringRef() +
                        "': export the program with run_decompositions()");
  define(context.node.outputs.front().text, *id, subject);
  return success();
}
