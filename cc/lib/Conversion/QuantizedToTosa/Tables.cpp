//===- Tables.cpp - Elementwise functions of bytes ------------------------===//

#include "Tables.h"
#include "Formats.h"
#include "KnownNumbers.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

/// Tables of 2 kB each.
static constexpr size_t maxTables = 1 << 14;

Table quantized_to_tosa::tabulate(const Quantized &x) {
  Table table{x.numbers, {}};
  for (auto [i, real] : llvm::enumerate(table.reals)) {
    double number = static_cast<double>(i) - 128 - x.zeroPoint;
    real = static_cast<float>(number * x.scales[0]);
    real = std::clamp(real, x.low, x.high);
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

using Function = std::function<double(double)>;

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
static double hardsigmoid(double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }

static Function gelu(StringRef approximate) {
  if (approximate == "tanh")
    return [](double x) {
      double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
      return x / 2 * (1 + std::tanh(inner));
    };
  return [](double x) { return x / 2 * (1 + std::erf(x * M_SQRT1_2)); };
}

/// The function of an op whose only argument is its tensor; null for others.
static Function functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case(
          [](torch::AtenAbsOp) { return [](double x) { return std::abs(x); }; })
      .Case(
          [](torch::AtenErfOp) { return [](double x) { return std::erf(x); }; })
      .Case(
          [](torch::AtenExpOp) { return [](double x) { return std::exp(x); }; })
      .Case([](torch::AtenHardsigmoidOp) { return hardsigmoid; })
      .Case([](torch::AtenHardswishOp) {
        return [](double x) { return x * hardsigmoid(x); };
      })
      .Case(
          [](torch::AtenLogOp) { return [](double x) { return std::log(x); }; })
      .Case([](torch::AtenLogSigmoidOp) {
        return [](double x) { return -softplus(-x); };
      })
      .Case([](torch::AtenMishOp) {
        return [](double x) { return x * std::tanh(softplus(x)); };
      })
      .Case([](torch::AtenNegOp) { return [](double x) { return -x; }; })
      .Case([](torch::AtenReciprocalOp) {
        return [](double x) { return 1 / x; };
      })
      .Case([](torch::AtenRsqrtOp) {
        return [](double x) { return 1 / std::sqrt(x); };
      })
      .Case([](torch::AtenSigmoidOp) { return sigmoid; })
      .Case([](torch::AtenSiluOp) {
        return [](double x) { return x * sigmoid(x); };
      })
      .Case([](torch::AtenSqrtOp) {
        return [](double x) { return std::sqrt(x); };
      })
      .Case([](torch::AtenSquareOp) { return [](double x) { return x * x; }; })
      .Case([](torch::AtenTanhOp) {
        return [](double x) { return std::tanh(x); };
      })
      .Default([](Operation *) { return Function(); });
}

/// The function of an op with more arguments, if they are known.
static Function functionWithArguments(Operation *op) {
  if (isClamp(op)) {
    auto limits = readLimits(op);
    if (!limits)
      return {};
    return [limits = *limits](double x) {
      return std::clamp(x, limits.first, limits.second);
    };
  }
  if (auto activation = dyn_cast<torch::AtenGeluOp>(op)) {
    auto approximate = torch::matchStr(activation.getApproximate());
    return approximate ? gelu(*approximate) : Function();
  }
  SmallVector<double> numbers;
  for (Value argument : op->getOperands().drop_front())
    if (auto number = torch::matchNumber(argument))
      numbers.push_back(*number);
  if (numbers.size() != op->getNumOperands() - 1)
    return {};
  if (isa<torch::AtenLeakyReluOp>(op))
    return [slope = numbers[0]](double x) { return x > 0 ? x : slope * x; };
  if (isa<torch::AtenEluOp>(op))
    return [n = numbers](double x) { // alpha, scale, input_scale
      return n[1] * (x > 0 ? x : n[0] * std::expm1(n[2] * x));
    };
  if (isa<torch::AtenSoftplusOp>(op))
    return [beta = numbers[0], threshold = numbers[1]](double x) {
      return beta * x > threshold ? x : softplus(beta * x) / beta;
    };
  if (isa<torch::AtenPowTensorScalarOp>(op))
    return [exponent = numbers[0]](double x) { return std::pow(x, exponent); };
  return {};
}

/// An op on two operands, of which one is multiplied by alpha if it has a
/// third; nullopt for others.
static std::optional<double> combine(Operation *op, double a, double b) {
  auto alpha = op->getNumOperands() < 3 ? std::optional(1.0)
                                        : torch::matchNumber(op->getOperand(2));
  if (!alpha)
    return std::nullopt;
  if (isa<torch::AtenAddTensorOp, torch::AtenAddScalarOp>(op))
    return a + *alpha * b;
  if (isa<torch::AtenSubTensorOp, torch::AtenSubScalarOp>(op))
    return a - *alpha * b;
  if (isa<torch::AtenRsubScalarOp>(op))
    return b - *alpha * a;
  if (isa<torch::AtenMulTensorOp, torch::AtenMulScalarOp>(op))
    return a * b;
  if (isa<torch::AtenDivTensorOp, torch::AtenDivScalarOp>(op))
    return a / b;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

const Table *Tables::find(Value real) const {
  auto found = tables.find(real);
  return found == tables.end() ? nullptr : found->second.get();
}

std::optional<Table> Tables::ofUnary(Operation *op, TableOf tableOf) {
  Function function = functionOf(op);
  if (!function)
    function = functionWithArguments(op);
  auto table = function ? tableOf(op->getOperand(0)) : std::nullopt;
  if (table)
    for (double &real : table->reals)
      real = function(real);
  return table;
}

/// Both operands are tables of the same numbers, or one is a known number.
std::optional<Table> Tables::ofBinary(Operation *op, TableOf tableOf) {
  auto left = tableOf(op->getOperand(0)), right = tableOf(op->getOperand(1));
  if (left && right ? left->numbers != right->numbers : !left && !right)
    return std::nullopt;
  std::optional<double> known;
  if (!left || !right) {
    known = readNumber(op->getOperand(left ? 1 : 0));
    if (!known)
      return std::nullopt;
  }
  Table table = left ? *left : *right;
  for (auto [i, real] : llvm::enumerate(table.reals))
    real = *combine(op, left ? left->reals[i] : *known,
                    right ? right->reals[i] : *known);
  return table;
}

void Tables::visit(Operation *op,
                   llvm::function_ref<const Quantized *(Value)> bytesOf) {
  if (tables.size() >= maxTables)
    return;
  auto tableOf = [&](Value real) -> std::optional<Table> {
    if (const Table *known = find(real))
      return *known;
    const Quantized *x = bytesOf(real);
    if (x && x->isOfBytes() && x->scales.isOne())
      return tabulate(*x);
    return std::nullopt;
  };
  bool isBinary = combine(op, 1, 1).has_value();
  auto table = isBinary ? ofBinary(op, tableOf) : ofUnary(op, tableOf);
  torch::ValueTensorType type = torch::tensorType(op->getResult(0));
  if (!table || torch::tensorType(table->numbers).getSizes() != type.getSizes())
    return;
  // As in the program, with infinity and the lost digits of large numbers.
  if (type.getDtype().isF32())
    for (double &real : table->reals)
      real = static_cast<float>(real);
  tables[op->getResult(0)] = std::make_unique<Table>(*table);
}

std::optional<std::array<int8_t, 256>>
quantized_to_tosa::quantized(const Table &table, const Format &format) {
  std::array<int8_t, 256> entries;
  for (auto [entry, real] : llvm::zip_equal(entries, table.reals)) {
    double number = std::nearbyint(real / format.scale) + format.zeroPoint;
    if (std::isnan(number))
      return std::nullopt;
    number = std::clamp<double>(number, format.low, format.high);
    entry = static_cast<int8_t>(number - signedOffset(format.dtype));
  }
  return entries;
}
