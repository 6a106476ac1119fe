//===- Operators.cpp - Nodes that call an operator ------------------------===//

#include "Aliases.h"
#include "Graph.h"
#include "Strides.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Signatures.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
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

/// "aten.add.Tensor" of "aten.add_.Tensor".
static std::string getFunctionalName(StringRef op) {
  size_t end = op.find('.', op.find('.') + 1);
  end = std::min(end, op.size());
  return (op.take_front(end - 1) + op.drop_front(end)).str();
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

/// An argument by name or, if it was given by position, by position.
static const schema::Argument *findArgument(const schema::Node &node,
                                            StringRef name) {
  for (const schema::NamedArgument &input : node.inputs)
    if (input.name == name)
      return &input.arg;
  return nullptr;
}

static bool isTrue(const schema::Argument *argument) {
  return argument && argument->kind == Kind::Bool && argument->integer;
}

static bool isZero(const schema::Argument *argument) {
  return argument &&
         ((argument->kind == Kind::Float && argument->number == 0) ||
          (argument->kind == Kind::Int && argument->integer == 0));
}

/// In training, a norm writes to its running statistics. The schemas of
/// batch_norm and instance_norm do not declare it.
static bool updatesStatistics(const schema::Node &node, StringRef op) {
  StringRef flag =
      llvm::StringSwitch<StringRef>(op)
          .Cases({"aten._native_batch_norm_legit", "aten.batch_norm"},
                 "training")
          .Case("aten.instance_norm", "use_input_stats")
          .Default("");
  const schema::Argument *mean = findArgument(node, "running_mean"),
                         *variance = findArgument(node, "running_var");
  return isTrue(findArgument(node, flag)) && mean && variance &&
         mean->kind == Kind::Tensor && variance->kind == Kind::Tensor;
}

/// instance_norm(x [N,C,...], weight [C], ...) in training, with the updated
/// running statistics. It is batch_norm of x as [1,N*C,...]: the statistics are
/// updated by those of each image, and the results averaged.
static SmallVector<Value> instanceNorm(TorchBuilder &b,
                                       ArrayRef<Value> operands) {
  Value input = operands[0];
  SmallVector<Value> sizes = b.sizes(input), joined = sizes;
  Value images = sizes[0], channels = sizes[1];
  joined[0] = b.constant(1);
  joined[1] = b.mulInt(images, channels);
  auto perImage = [&](Value parameter) -> Value {
    return torch::isNone(parameter)
               ? parameter
               : b.create<torch::AtenRepeatOp>(parameter,
                                               b.ints(ValueRange(images)));
  };
  auto norm = b.create<torch::Aten_NativeBatchNormLegitFunctionalOp>(
      b.view(input, joined), perImage(operands[1]), perImage(operands[2]),
      perImage(operands[3]), perImage(operands[4]), operands[5], operands[6],
      operands[7]);
  auto average = [&](unsigned result) -> Value {
    return b.create<torch::AtenMeanDimOp>(
        b.view(norm->getResult(result), {images, channels}),
        b.ints(ArrayRef<int64_t>{0}), b.constantBool(false), b.none());
  };
  return {b.view(norm->getResult(0), sizes), average(3), average(4)};
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
    return importStridedView(context);
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
    return from.dtype == to.dtype && !isTrue(findArgument(node, "copy"));
  if (op.ends_with("dropout"))
    return !isTrue(findArgument(node, "train")) ||
           isZero(findArgument(node, "p"));
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

LogicalResult GraphImporter::importTrainingNorm(NodeContext &context) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  StringRef op = getOp(node.target);
  FailureOr<Operands> operands = getOperands(context, *findSignature(op));
  if (failed(operands))
    return failure();
  SmallVector<Value> results;
  if (op == "aten.instance_norm") {
    if (torch::tensorType(operands->front()).getRank() < 2)
      return subject.fail("expected images of channels");
    results = instanceNorm(context.builder, *operands);
  } else {
    if (op == "aten.batch_norm")
      operands->pop_back(); // the choice to use a library of NVIDIA's
    FailureOr<Operation *> built = buildInferred(
        context, "aten._native_batch_norm_legit_functional", *operands);
    if (failed(built))
      return failure();
    results = (*built)->getResults();
    if (op == "aten.batch_norm")
      results.erase(results.begin() + 1, results.begin() + 3);
  }
  // The last two are the running statistics.
  if (node.outputs.size() + 2 != results.size())
    return subject.fail("expected " + Twine(results.size() - 2) +
                        " outputs, got " + Twine(node.outputs.size()));
  for (auto [output, result] : llvm::zip(node.outputs, results)) {
    if (output.kind == Kind::None)
      continue;
    FailureOr<Value> value = declare(context, result, output);
    if (failed(value))
      return failure();
    define(output.text, *value, subject);
  }
  for (auto [name, result] :
       {std::pair("running_mean", results[results.size() - 2]),
        std::pair("running_var", results.back())}) {
    std::optional<Values::Id> id =
        find(findArgument(node, name)->text, subject);
    Operation *obstacle = nullptr;
    if (!id || failed(values.write(*id, result, builder, obstacle)))
      return subject.fail("expected running statistics that are no views");
  }
  return success();
}

/// A number, or the expression of a symbolic number.
schema::SymInt GraphImporter::getSize(const schema::Argument &argument) {
  if (argument.kind == Kind::Int)
    return {argument.integer, ""};
  auto symbol = graph.symInts.find(argument.text);
  return symbol == graph.symInts.end() ? schema::SymInt() : symbol->second;
}

/// The sizes in an argument, a list; no sizes if it is absent.
std::vector<schema::SymInt>
GraphImporter::getSizes(const schema::Argument *argument) {
  std::vector<schema::SymInt> sizes;
  if (argument)
    for (const schema::Argument &element : argument->elements)
      sizes.push_back(getSize(element));
  return sizes;
}

/// aten.as_strided(self, size, stride, storage_offset) selects elements of the
/// storage of self. The dialect's op selects elements of self in row-major
/// order: here, self is brought to the order of its storage.
LogicalResult GraphImporter::importStridedView(NodeContext &context) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  StringRef op = "aten.as_strided";
  FailureOr<Operands> operands = getOperands(context, *findSignature(op));
  if (failed(operands))
    return failure();
  auto self = graph.tensors.find(node.inputs.front().arg.text);
  if (self == graph.tensors.end())
    return subject.fail("expected a tensor with sizes and strides");
  const schema::TensorMeta &base = self->second;

  if (isContiguous(base) != true) {
    auto order = getStorageOrder(base);
    if (!order)
      return subject.fail("expected a tensor without gaps between its elements "
                          "in memory: call contiguous() before as_strided()");
    operands->front() = context.builder.permute(operands->front(), *order);
  }

  StridedView view = {getSizes(findArgument(node, "size")),
                      getSizes(findArgument(node, "stride")),
                      /*offset=*/{0, ""}};
  Value &offset = operands->back();
  if (!torch::isNone(offset) && base.storageOffset.value != 0) {
    std::optional<int64_t> own = base.storageOffset.value,
                           given = torch::matchInt(offset);
    int64_t within = 0;
    if (!own || !given || llvm::SubOverflow(*given, *own, within))
      return subject.fail("expected storage offsets that are known");
    offset = context.builder.constant(within);
    view.offset.value = within;
  } else if (!torch::isNone(offset)) {
    view.offset = getSize(*findArgument(node, "storage_offset"));
  }
  std::optional<bool> isWithin = isInside(view, base);
  if (!isWithin)
    return subject.fail("expected sizes and strides that can be computed");
  if (!*isWithin)
    return subject.fail("expected a view inside of the elements of its "
                        "argument, which are all that the program has of its "
                        "storage");
  FailureOr<Operation *> built = buildInferred(context, op, *operands);
  if (failed(built))
    return failure();
  return bindResults(context, *built, getSharedBy(context, op));
}

//===----------------------------------------------------------------------===//
// Complex numbers as arguments
//===----------------------------------------------------------------------===//

// The dialect has no complex numbers, only tensors of them.

static bool isComplexNumber(const schema::NamedArgument &input) {
  return input.arg.kind == Kind::Complex;
}

/// The overload that takes tensors in place of numbers.
static StringRef getTensorOverload(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Case("aten.eq.Scalar", "aten.eq.Tensor")
      .Case("aten.fill.Scalar", "aten.fill.Tensor")
      .Case("aten.float_power.Scalar", "aten.float_power.Tensor_Tensor")
      .Case("aten.float_power.Tensor_Scalar", "aten.float_power.Tensor_Tensor")
      .Case("aten.index_fill.int_Scalar", "aten.index_fill.int_Tensor")
      .Case("aten.lerp.Scalar", "aten.lerp.Tensor")
      .Case("aten.linspace", "aten.linspace.Tensor_Tensor")
      .Case("aten.logspace", "aten.logspace.Tensor_Tensor")
      .Case("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
      .Case("aten.ne.Scalar", "aten.ne.Tensor")
      .Case("aten.pow.Scalar", "aten.pow.Tensor_Tensor")
      .Case("aten.pow.Tensor_Scalar", "aten.pow.Tensor_Tensor")
      .Case("aten.rsub.Scalar", "aten.rsub.Tensor")
      .Cases({"aten.where.Scalar", "aten.where.ScalarOther",
              "aten.where.ScalarSelf"},
             "aten.where.self")
      .Default(op);
}

/// Ops that make a tensor of one number.
static bool isFill(StringRef op) {
  return op == "aten.full" || op == "aten.full_like" || op == "aten.new_full";
}

namespace {

/// A number that multiplies one of an op's tensors.
struct Factor {
  StringLiteral op, number, tensor;
};

} // namespace

static constexpr Factor factors[] = {
    {"aten.add.Tensor", "alpha", "other"},
    {"aten.addbmm", "alpha", "batch1"},
    {"aten.addbmm", "beta", "self"},
    {"aten.addcdiv", "value", "tensor1"},
    {"aten.addcmul", "value", "tensor1"},
    {"aten.addmm", "alpha", "mat1"},
    {"aten.addmm", "beta", "self"},
    {"aten.addmv", "alpha", "vec"},
    {"aten.addmv", "beta", "self"},
    {"aten.addr", "alpha", "vec1"},
    {"aten.addr", "beta", "self"},
    {"aten.baddbmm", "alpha", "batch1"},
    {"aten.baddbmm", "beta", "self"},
    {"aten.index_add", "alpha", "source"},
    {"aten.rsub.Tensor", "alpha", "self"},
    {"aten.sub.Tensor", "alpha", "other"},
};

static schema::Argument realNumber(double number) {
  schema::Argument argument;
  argument.kind = Kind::Float;
  argument.number = number;
  return argument;
}

/// The complex tensor of two that `fill` makes, from nodes that have a part of
/// the complex number.
static FailureOr<Operation *>
fillParts(const schema::Node &node, TorchBuilder &b,
          llvm::function_ref<FailureOr<Value>(const schema::Node &)> fill) {
  Value parts[2];
  for (bool isImaginary : {false, true}) {
    schema::Node real = node;
    for (schema::NamedArgument &input : real.inputs)
      if (isComplexNumber(input))
        input.arg =
            realNumber(isImaginary ? input.arg.imaginary : input.arg.number);
    FailureOr<Value> part = fill(real);
    if (failed(part))
      return failure();
    parts[isImaginary] = *part;
  }
  return b.create<torch::AtenComplexOp>(parts[0], parts[1]).getOperation();
}

static size_t indexOf(StringRef name, ArrayRef<FormalArgument> formals) {
  return llvm::find_if(formals,
                       [&](const FormalArgument &formal) {
                         return formal.name == name;
                       }) -
         formals.begin();
}

/// Takes the complex numbers that multiply tensors out of a node, and gives
/// each with the position of its tensor. 1, or the number if it is real, takes
/// its place: tensors are ignored if their factor is 0.
static SmallVector<std::pair<size_t, schema::Argument>>
takeFactors(schema::Node &node, StringRef op,
            ArrayRef<FormalArgument> formals) {
  SmallVector<std::pair<size_t, schema::Argument>> taken;
  for (schema::NamedArgument &input : node.inputs) {
    if (!isComplexNumber(input))
      continue;
    const auto *factor = llvm::find_if(factors, [&](const Factor &each) {
      return each.op == op && each.number == input.name;
    });
    if (factor == std::end(factors))
      continue;
    bool isReal = input.arg.imaginary == 0;
    schema::Argument rest = realNumber(isReal ? input.arg.number : 1);
    std::swap(input.arg, rest);
    if (!isReal)
      taken.push_back({indexOf(factor->tensor, formals), std::move(rest)});
  }
  return taken;
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

FailureOr<Operation *> GraphImporter::build(NodeContext &context,
                                            StringRef op) {
  const auto &inputs = context.node.inputs;
  // Its tensor has the number of pieces, or their ends.
  if (op == "aten.tensor_split.tensor_indices_or_sections" &&
      inputs.size() > 1 && inputs[1].arg.kind == Kind::Tensor) {
    Value tensor = getValue(inputs[1].arg, context.builder, context.subject);
    if (!tensor)
      return failure();
    if (auto known = knownInts(tensor)) {
      auto &[ints, rank] = *known;
      schema::Node node = context.node;
      NodeContext split = {node, context.subject, context.builder};
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
  }
  // A file represents x + 2 as aten.add.Tensor(x, 2).
  std::string scalarOverload = getScalarOverload(op);
  if (inputs.size() > 1 && isScalar(inputs[1].arg.kind) &&
      inputs[0].arg.kind == Kind::Tensor && findSignature(scalarOverload))
    op = scalarOverload;
  bool hasComplex = llvm::any_of(inputs, isComplexNumber);
  if (hasComplex)
    op = getTensorOverload(op);
  auto signature = findSignature(op);
  if (!signature)
    return buildUnregistered(context, op);
  if (!hasComplex) {
    FailureOr<Operands> operands = getOperands(context, *signature);
    return failed(operands) ? FailureOr<Operation *>(failure())
                            : buildInferred(context, op, *operands);
  }

  TorchBuilder &b = context.builder;
  auto operandsOf = [&](const schema::Node &node) {
    NodeContext own = {node, context.subject, b};
    return getOperands(own, *signature);
  };
  if (isFill(op) && context.node.outputs.size() == 1 &&
      context.node.outputs.front().kind == Kind::Tensor) {
    Type type = getDeclaredType(context.node.outputs.front(), context.subject);
    if (!type)
      return failure();
    Type part = torch::partDtype(cast<torch::ValueTensorType>(type).getDtype());
    auto filled = [&](const schema::Node &node) -> FailureOr<Value> {
      FailureOr<Operands> operands = operandsOf(node);
      if (failed(operands))
        return failure();
      (*operands)[indexOf("dtype", *signature)] = b.dtype(part);
      FailureOr<Operation *> built = buildInferred(context, op, *operands);
      return failed(built) ? FailureOr<Value>(failure())
                           : FailureOr<Value>((*built)->getResult(0));
    };
    return fillParts(context.node, b, filled);
  }
  schema::Node node = context.node;
  auto taken = takeFactors(node, op, *signature);
  FailureOr<Operands> operands = operandsOf(node);
  if (failed(operands))
    return failure();
  for (auto &[index, number] : taken) {
    FailureOr<Value> factor = getScalarTensor(context, number);
    if (failed(factor))
      return failure();
    (*operands)[index] = b.mul((*operands)[index], *factor);
  }
  return buildInferred(context, op, *operands);
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

/// x.add_(y) is x + y, in the dtype and shape of x, which it replaces.
LogicalResult GraphImporter::importInPlace(NodeContext &context, StringRef op) {
  const auto &inputs = context.node.inputs;
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  if (inputs.empty() || inputs.front().arg.kind != Kind::Tensor ||
      context.node.outputs.size() != 1)
    return subject.fail("expected a tensor to write to, and it as output");
  std::string named = getFunctionalName(op);
  // aten.normal_ has no twin of its own name.
  if (!findSignature(named) && findSignature(named + "_functional"))
    named += "_functional";
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
  } else if (op == "aten.copy_") {
    FailureOr<Value> source =
        inputs.size() > 1
            ? getOperand(context, inputs[1].arg, {"Tensor"})
            : FailureOr<Value>(subject.fail("expected a source, got none"));
    if (failed(source))
      return failure();
    after = *source;
  } else if (op == "aten.zero_") {
    after = b.scalarTensor(int64_t(0), type.getDtype());
  } else if (op == "aten.fill_.Scalar" || op == "aten.fill_.Tensor") {
    FailureOr<Value> value =
        inputs.size() > 1
            ? getOperand(context, inputs[1].arg, {"Tensor"})
            : FailureOr<Value>(subject.fail("expected a value, got none"));
    if (failed(value))
      return failure();
    after = *value;
  } else {
    FailureOr<Operation *> built = build(context, functional);
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
