//===- ComplexNumbers.cpp - Complex numbers as arguments ------------------===//
//
// The dialect has no complex numbers, only tensors of them. So a node with such
// a number becomes the overload for tensors, or a product with a tensor, or two
// nodes: one for the real part and one for the imaginary part.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

static bool isComplexNumber(const schema::NamedArgument &input) {
  return input.arg.kind == Kind::Complex;
}

bool pt2::hasComplexNumber(const schema::Node &node) {
  return llvm::any_of(node.inputs, isComplexNumber);
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

FailureOr<Operation *>
GraphImporter::buildWithComplexNumbers(NodeContext &context, StringRef op) {
  op = getTensorOverload(op);
  auto signature = findSignature(op);
  if (!signature)
    return buildUnregistered(context, op);
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
