//===- Symbols.cpp - Scalars, and assertions about them -------------------===//
//
// Sizes, and computations on them, are calls of Python's own functions:
// _operator.mul, torch.sym_max, math.ceil, builtins.round.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

static Value toFloat(TorchBuilder &b, Value value) {
  return torch::isFloat(value.getType())
             ? value
             : b.fold<torch::AtenFloatScalarOp>(value);
}

/// f(x) or f(x, y) of scalars; null if there is no op for it.
using Function = Value (*)(TorchBuilder &b, ValueRange values);

static bool areInts(ValueRange values) {
  return llvm::all_of(values.getTypes(), torch::isInt);
}
static bool areBools(ValueRange values) {
  return llvm::all_of(values.getTypes(), torch::isBool);
}
static bool areNumbers(ValueRange values) {
  return llvm::all_of(values.getTypes(), [](Type type) {
    return torch::isInt(type) || torch::isFloat(type);
  });
}

template <typename Op>
static Value ofInts(TorchBuilder &b, ValueRange values) {
  return areInts(values) ? b.fold<Op>(values[0], values[1]) : Value();
}
template <typename Op>
static Value ofBools(TorchBuilder &b, ValueRange values) {
  return areBools(values) ? b.fold<Op>(values[0], values[1]) : Value();
}
template <typename IntOp, typename FloatOp>
static Value ofNumbers(TorchBuilder &b, ValueRange values) {
  if (areInts(values))
    return b.fold<IntOp>(values[0], values[1]);
  if (!areNumbers(values))
    return {};
  return b.fold<FloatOp>(toFloat(b, values[0]), toFloat(b, values[1]));
}

/// A function of floats that has no op for scalars: computed here if they are
/// known, else by an op on f64 tensors of rank 0.
template <typename Op, typename Result, typename... Floats, size_t... places>
static Value ofFloats(TorchBuilder &b, ValueRange values,
                      Result (*compute)(Floats...),
                      std::index_sequence<places...>) {
  constexpr bool isBool = std::is_same_v<Result, bool>;
  using ResultOp = std::conditional_t<isBool, torch::AtenBoolTensorOp,
                                      torch::AtenFloatTensorOp>;
  if (!areNumbers(values))
    return {};
  auto known = llvm::map_to_vector(values, torch::matchNumber);
  if ((known[places] && ...)) {
    Result result = compute(*known[places]...);
    if constexpr (isBool)
      return b.constantBool(result);
    else
      return b.constantFloat(result);
  }
  SmallVector<Value> tensors = llvm::map_to_vector(values, [&](Value value) {
    return Value(b.create<torch::PrimNumToTensorScalarOp>(toFloat(b, value)));
  });
  return b.create<ResultOp>(b.create<Op>(tensors[places]...));
}
template <typename Op, typename Result, typename... Floats>
static Value ofFloats(TorchBuilder &b, ValueRange values,
                      Result (*compute)(Floats...)) {
  return ofFloats<Op>(b, values, compute, std::index_sequence_for<Floats...>());
}

static Value power(TorchBuilder &b, ValueRange values) {
  constexpr int64_t largest = 64;
  std::optional<int64_t> exponent = torch::matchInt(values[1]);
  if (areInts(values)) {
    if (!exponent || *exponent < 0 || *exponent > largest)
      return {};
    Value result = b.constant(1);
    for (int64_t i = 0; i < *exponent; ++i)
      result = b.mulInt(result, values[0]);
    return result;
  }
  return ofFloats<torch::AtenPowTensorTensorOp>(
      b, values, +[](double x, double y) { return std::pow(x, y); });
}

/// x << n and x >> n, which are x * 2^n and floor(x / 2^n).
template <typename Op>
static Value shifted(TorchBuilder &b, ValueRange values) {
  constexpr int64_t largest = 62; // 2^62 is the last that int64 holds
  std::optional<int64_t> bits = torch::matchInt(values[1]);
  if (!areInts(values) || !bits || *bits < 0 || *bits > largest)
    return {};
  return b.fold<Op>(values[0], b.constant(int64_t(1) << *bits));
}

static Value sum(TorchBuilder &b, ValueRange values) {
  if (!areInts(values))
    return {};
  Value total = b.constant(0);
  for (Value term : values)
    total = b.addInt(total, term);
  return total;
}

/// x % y, which has the sign of y.
static double remainderOf(double x, double y) {
  double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// ceil and floor of ints are the ints themselves.
template <typename Op>
static Value roundedTo(TorchBuilder &b, ValueRange values) {
  if (areInts(values))
    return values[0];
  return areNumbers(values) ? b.fold<Op>(values[0]) : Value();
}

/// round(x), of halves to the even neighbour; null if it asks for digits.
static Value rounded(TorchBuilder &b, ValueRange values) {
  if (!torch::isNone(values[1]) || !areNumbers(values[0]))
    return {};
  if (torch::isInt(values[0].getType()))
    return values[0];
  return b.fold<torch::AtenIntScalarOp>(ofFloats<torch::AtenRoundOp>(
      b, values[0], +[](double x) { return std::nearbyint(x); }));
}

static bool eq(double x, double y) { return x == y; }
static bool ne(double x, double y) { return x != y; }
static bool lt(double x, double y) { return x < y; }
static bool le(double x, double y) { return x <= y; }
static bool gt(double x, double y) { return x > y; }
static bool ge(double x, double y) { return x >= y; }

static double larger(double x, double y) { return std::max(x, y); }
static double smaller(double x, double y) { return std::min(x, y); }

/// A function of two ints, or of two floats that have no op for scalars.
template <typename IntOp, typename TensorOp, auto compute>
static Value ofIntsOrFloats(TorchBuilder &b, ValueRange values) {
  return areInts(values) ? b.fold<IntOp>(values[0], values[1])
                         : ofFloats<TensorOp>(b, values, compute);
}

static Value negated(TorchBuilder &b, ValueRange values) {
  if (areInts(values))
    return b.fold<torch::AtenNegIntOp>(values[0]);
  if (!areNumbers(values))
    return {};
  return b.fold<torch::AtenMulFloatOp>(values[0], b.constantFloat(-1));
}

static Value magnitude(TorchBuilder &b, ValueRange values) {
  if (areInts(values))
    return b.fold<torch::PrimMaxIntOp>(values[0], negated(b, values));
  return ofFloats<torch::AtenAbsOp>(
      b, values, +[](double x) { return std::abs(x); });
}

static Value squareRoot(TorchBuilder &b, ValueRange values) {
  return ofFloats<torch::AtenSqrtOp>(
      b, values, +[](double x) { return std::sqrt(x); });
}

/// A scalar function by its name in Python, with its number of arguments.
struct NamedFunction {
  unsigned arity;
  Function function;
};

static NamedFunction findFunction(StringRef name) {
  using namespace torch;
  using V = ValueRange;
  using B = TorchBuilder;
  return llvm::StringSwitch<NamedFunction>(name)
      .Case("add", {2, ofNumbers<AtenAddIntOp, AtenAddFloatOp>})
      .Case("sub", {2, ofNumbers<AtenSubIntOp, AtenSubFloatOp>})
      .Case("mul", {2, ofNumbers<AtenMulIntOp, AtenMulFloatOp>})
      .Case("floordiv", {2, ofInts<AtenFloordivIntOp>})
      .Case("mod", {2, ofIntsOrFloats<AtenRemainderIntOp, AtenRemainderTensorOp,
                                      remainderOf>})
      .Case("lshift", {2, shifted<AtenMulIntOp>})
      .Case("rshift", {2, shifted<AtenFloordivIntOp>})
      .Case("sym_sum", {1, sum})
      .Case("pow", {2, power})
      .Case("_sym_sqrt", {1, squareRoot})
      .Case("eq", {2, ofIntsOrFloats<AtenEqIntOp, AtenEqTensorOp, eq>})
      .Case("ne", {2, ofIntsOrFloats<AtenNeIntOp, AtenNeTensorOp, ne>})
      .Case("lt", {2, ofIntsOrFloats<AtenLtIntOp, AtenLtTensorOp, lt>})
      .Case("le", {2, ofIntsOrFloats<AtenLeIntOp, AtenLeTensorOp, le>})
      .Case("gt", {2, ofIntsOrFloats<AtenGtIntOp, AtenGtTensorOp, gt>})
      .Case("ge", {2, ofIntsOrFloats<AtenGeIntOp, AtenGeTensorOp, ge>})
      .Case("and_", {2, ofBools<Aten__And__BoolOp>})
      .Case("or_", {2, ofBools<Aten__Or__BoolOp>})
      .Case("sym_max", {2, ofIntsOrFloats<PrimMaxIntOp, AtenMaximumOp, larger>})
      .Case("sym_min",
            {2, ofIntsOrFloats<PrimMinIntOp, AtenMinimumOp, smaller>})
      .Case("truediv", {2,
                        [](B &b, V values) -> Value {
                          if (!areNumbers(values))
                            return {};
                          return b.fold<AtenDivFloatOp>(toFloat(b, values[0]),
                                                        toFloat(b, values[1]));
                        }})
      .Case("neg", {1, negated})
      .Case("abs", {1, magnitude})
      .Case("ceil", {1, roundedTo<AtenCeilFloatOp>})
      .Case("floor", {1, roundedTo<AtenFloorFloatOp>})
      .Case("round", {2, rounded})
      .Case("pos", {1, [](B &, V values) -> Value { return values[0]; }})
      .Case("sym_not", {1,
                        [](B &b, V values) -> Value {
                          return areBools(values)
                                     ? b.fold<Aten__Not__Op>(values[0])
                                     : Value();
                        }})
      .Case("sym_float",
            {1, [](B &b, V values) -> Value { return toFloat(b, values[0]); }})
      .Cases({"sym_int", "trunc"},
             {1,
              [](B &b, V values) -> Value {
                return areInts(values) ? values[0]
                                       : b.fold<AtenIntScalarOp>(values[0]);
              }})
      // condition * (x - y) + y
      .Case("sym_ite",
            {3,
             [](B &b, V values) -> Value {
               if (!areBools(values.take_front()) ||
                   !areInts(values.drop_front()))
                 return {};
               Value chosen = b.fold<AtenIntBoolOp>(values[0]);
               return b.addInt(b.mulInt(chosen, b.subInt(values[1], values[2])),
                               values[2]);
             }})
      .Default({0, nullptr});
}

LogicalResult GraphImporter::importSymbolic(NodeContext &context,
                                            StringRef name) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  NamedFunction found = findFunction(name);
  if (!found.function)
    return subject.fail("expected a function of scalars that is known, got '" +
                        name + "'");
  if (node.inputs.size() != found.arity || node.outputs.size() != 1)
    return subject.fail(
        "expected " + Twine(found.arity) + " arguments and one output, got " +
        Twine(node.inputs.size()) + " and " + Twine(node.outputs.size()));
  SmallVector<Value> operands;
  bool failed = false;
  for (const schema::NamedArgument &input : node.inputs) {
    // The one argument of a sum is the list of its terms.
    if (name == "sym_sum" && !input.arg.elements.empty()) {
      for (const schema::Argument &term : input.arg.elements)
        operands.push_back(getValue(term, context.builder, subject));
      failed |= llvm::is_contained(operands, Value());
      continue;
    }
    // All sizes are on the same side of a larger int and of the last int64.
    using Limits = std::numeric_limits<int64_t>;
    if (input.arg.kind == Kind::LargeInt && (name == "le" || name == "ge"))
      operands.push_back(context.builder.constant(
          input.arg.number < 0 ? Limits::min() : Limits::max()));
    else
      operands.push_back(getValue(input.arg, context.builder, subject));
    failed |= !operands.back();
  }
  if (failed)
    return failure();
  Value result = found.function(context.builder, operands);
  if (!result) {
    InFlightDiagnostic error = subject.error();
    error << "expected scalars that '" << name << "' is known for, got ";
    llvm::interleaveComma(ValueRange(operands).getTypes(), error);
    return error;
  }
  FailureOr<Value> declared = declare(context, result, node.outputs.front());
  if (mlir::failed(declared))
    return failure();
  define(node.outputs.front().text, *declared, subject);
  return success();
}

/// aten.item: the scalar in a tensor of one element.
LogicalResult GraphImporter::importScalarOf(NodeContext &context) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  if (node.inputs.size() != 1 || node.outputs.size() != 1 ||
      node.inputs[0].arg.kind != Kind::Tensor)
    return subject.fail("expected one tensor, and one scalar as output");
  Value tensor = getValue(node.inputs[0].arg, b, subject);
  Type type = getDeclaredType(node.outputs[0], subject);
  if (!tensor || !type)
    return failure();
  Value scalar;
  if (torch::isInt(type))
    scalar = b.create<torch::AtenIntTensorOp>(tensor);
  else if (torch::isFloat(type))
    scalar = b.create<torch::AtenFloatTensorOp>(tensor);
  else if (torch::isBool(type))
    scalar = b.create<torch::AtenBoolTensorOp>(tensor);
  else
    return subject.error() << "expected a scalar as output, got " << type;
  define(node.outputs[0].text, scalar, subject);
  return success();
}

LogicalResult GraphImporter::importNumel(NodeContext &context) {
  const schema::Node &node = context.node;
  TorchBuilder &b = context.builder;
  if (node.inputs.size() != 1 || node.outputs.size() != 1)
    return context.subject.fail("expected one tensor, and one int as output");
  Value tensor = getValue(node.inputs[0].arg, b, context.subject);
  if (!tensor)
    return failure();
  Value count = b.constant(1);
  for (Value size : b.sizes(tensor))
    count = b.mulInt(count, size);
  define(node.outputs[0].text, count, context.subject);
  return success();
}

FailureOr<Value> GraphImporter::toBool(NodeContext &context, Value value) {
  if (torch::isTensor(value.getType()))
    return context.builder.create<torch::AtenBoolTensorOp>(value).getResult();
  if (torch::isInt(value.getType()))
    return context.builder.fold<torch::AtenBoolIntOp>(value);
  if (torch::isBool(value.getType()))
    return value;
  return context.subject.error()
         << "expected a condition, got " << value.getType();
}

/// The declared types already contain assertions about types and ranges; a
/// condition is checked when the program runs.
LogicalResult GraphImporter::importAssertion(NodeContext &context,
                                             StringRef op) {
  if (op != "aten._assert_scalar" && !op.starts_with("aten._assert_async"))
    return success();
  const auto &inputs = context.node.inputs;
  if (inputs.empty())
    return context.subject.fail("expected a condition, got none");
  Value value = getValue(inputs[0].arg, context.builder, context.subject);
  if (!value)
    return failure();
  FailureOr<Value> condition = toBool(context, value);
  if (failed(condition))
    return failure();
  std::string message = "assertion failed";
  if (inputs.size() > 1 && inputs[1].arg.kind == Kind::String)
    message = inputs[1].arg.text;
  if (torch::matchBool(*condition) == true)
    return success();
  torch::RuntimeAssertOp::create(builder, context.builder.getLoc(), *condition,
                                 message);
  return success();
}
