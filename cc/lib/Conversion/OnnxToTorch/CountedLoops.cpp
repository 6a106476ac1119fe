//===- CountedLoops.cpp - While loops that count --------------------------===//

#include "CountedLoops.h"
#include "isthmus/Dialect/Onnx/ControlFlow.h"
#include "isthmus/Dialect/Onnx/Logical.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APSInt.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

Value onnx_to_torch::withoutIdentity(Value value) {
  while (auto identity = value.getDefiningOp<onnx::IdentityOp>())
    value = identity.getInput();
  return value;
}

namespace {

/// The number that all elements of an integer constant are.
std::optional<int64_t> constantOf(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(withoutIdentity(value), m_Constant(&elements)) ||
      !elements.isSplat() ||
      elements.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  return elements.getSplatValue<APInt>().getSExtValue();
}

/// The same of a constant of integers or floats.
std::optional<int64_t> wholeNumberOf(Value value) {
  DenseFPElementsAttr floats;
  if (!matchPattern(withoutIdentity(value), m_Constant(&floats)))
    return constantOf(value);
  if (!floats.isSplat())
    return std::nullopt;
  APSInt whole(64, /*isUnsigned=*/false);
  bool isExact;
  floats.getSplatValue<APFloat>().convertToInteger(whole, APFloat::rmTowardZero,
                                                   &isExact);
  return isExact ? std::optional(whole.getExtValue()) : std::nullopt;
}

/// An integer tensor, and up to which number its conversions were exact.
struct Exact {
  Value value;
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// What was converted to a wider integer or to a float.
Exact withoutCasts(Value value) {
  Exact result{withoutIdentity(value)};
  while (auto cast = result.value.getDefiningOp<onnx::CastOp>()) {
    Type to = getElementTypeOrSelf(cast.getType()),
         from = getElementTypeOrSelf(cast.getInput().getType());
    if (auto floats = dyn_cast<FloatType>(to))
      result.most =
          std::min(result.most, int64_t(1) << floats.getFPMantissaWidth());
    else if (!from.isInteger(32) || !to.isInteger(64))
      break;
    result.value = withoutIdentity(cast.getInput());
  }
  return result;
}

bool isSigned(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isSignlessInteger(32) || element.isSignlessInteger(64);
}

/// x < y
struct Comparison {
  Exact x, y;
};

/// The comparisons of integers that are all true if a condition is; none if it
/// is of another form.
SmallVector<Comparison> comparisonsIn(Value condition) {
  constexpr size_t most = 8; // more than any loop has
  SmallVector<Comparison> found;
  SmallVector<Value> pending = {condition};
  while (!pending.empty()) {
    Value next = withoutIdentity(pending.pop_back_val());
    Comparison comparison;
    if (auto both = next.getDefiningOp<onnx::AndOp>()) {
      llvm::append_range(pending, both->getOperands());
    } else if (auto less = next.getDefiningOp<onnx::LessOp>()) {
      comparison = {withoutCasts(less.getA()), withoutCasts(less.getB())};
    } else if (auto greater = next.getDefiningOp<onnx::GreaterOp>()) {
      comparison = {withoutCasts(greater.getB()), withoutCasts(greater.getA())};
    } else {
      return {};
    }
    if (pending.size() + found.size() > most)
      return {};
    if (!comparison.x.value)
      continue;
    // A constant may be a float, as tf2onnx folds its conversion.
    if (!isSigned(comparison.y.value))
      return {};
    found.push_back(comparison);
  }
  return found;
}

/// Rewrites one loop.
class LoopCounter {
public:
  explicit LoopCounter(onnx::LoopOp loop)
      : loop(loop), body(loop.getBody().front()), yielded(body.getTerminator()),
        builder(loop) {}

  /// After step t >= 0, a condition counter + added < bound holds while start +
  /// t + added < bound. So there are max(1, bound - start - added + 1) steps,
  /// or none if the loop's own condition is false.
  void count() {
    SmallVector<Comparison> comparisons = comparisonsIn(yielded->getOperand(0));
    if (comparisons.empty())
      return;
    Value steps;
    for (const Comparison &comparison : comparisons) {
      Value own = stepsFor(comparison);
      if (!own)
        return;
      steps = steps ? make<onnx::MinOp>({steps, own}) : own;
    }
    steps = make<onnx::MaxOp>({steps, number(1)});
    if (!onnx::isAbsent(loop.getCond()))
      steps =
          make<onnx::WhereOp>({onIntegers(loop.getCond()), steps, number(0)});
    if (!onnx::isAbsent(loop.getM()) &&
        constantOf(loop.getM()) != std::numeric_limits<int64_t>::max())
      steps = make<onnx::MinOp>({loop.getM(), steps});
    loop.getMMutable().assign(steps);
    loop.getCondMutable().assign(onnx::NoValueOp::create(
        builder, loop.getLoc(), builder.getNoneType(), ValueRange()));
    yielded->setOperand(0, body.getArgument(1)); // which is true in each step
    if (most < std::numeric_limits<int64_t>::max())
      loop->setAttr(mostSteps, builder.getI64IntegerAttr(most));
  }

private:
  template <typename Op>
  Value make(ValueRange operands, Type element = {}) {
    OperationState state(loop.getLoc(), Op::getOperationName());
    state.addOperands(operands);
    state.addTypes(
        UnrankedTensorType::get(element ? element : builder.getI64Type()));
    if constexpr (std::is_same_v<Op, onnx::CastOp>)
      state.addAttribute("to", TypeAttr::get(builder.getI64Type()));
    return builder.create(state)->getResult(0);
  }

  Value number(int64_t value) {
    auto type = RankedTensorType::get({}, builder.getI64Type());
    return onnx::ConstantOp::create(builder, loop.getLoc(),
                                    DenseElementsAttr::get(type, value));
  }

  Value wide(Value integers) {
    bool isWide = getElementTypeOrSelf(integers.getType()).isInteger(64);
    return isWide ? integers : make<onnx::CastOp>(integers);
  }

  /// A state of the loop, and what is added to it.
  struct Sum {
    unsigned state;
    int64_t added;
  };

  std::optional<unsigned> stateOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(withoutIdentity(value));
    if (!argument || argument.getOwner() != &body ||
        argument.getArgNumber() < 2)
      return std::nullopt;
    return argument.getArgNumber() - 2;
  }

  std::optional<Sum> sumOf(Value value) {
    value = withoutIdentity(value);
    if (std::optional<unsigned> state = stateOf(value))
      return Sum{*state, 0};
    auto add = value.getDefiningOp<onnx::AddOp>();
    if (!add)
      return std::nullopt;
    for (auto [x, y] :
         {std::pair(add.getA(), add.getB()), std::pair(add.getB(), add.getA())})
      if (std::optional<unsigned> state = stateOf(x))
        if (std::optional<int64_t> added = constantOf(y))
          return Sum{*state, *added};
    return std::nullopt;
  }

  Value nextOf(unsigned state) { return yielded->getOperand(state + 1); }

  /// The value in each step of one that no step changes, from outside the loop.
  Value outside(Value value) {
    if (std::optional<unsigned> state = stateOf(value))
      return stateOf(nextOf(*state)) == state ? loop.getVInitial()[*state]
                                              : Value();
    return loop.getBody().isAncestor(value.getParentRegion()) ? Value() : value;
  }

  Value stepsFor(const Comparison &comparison) {
    std::optional<Sum> counter = sumOf(comparison.x.value);
    Value bound = outside(comparison.y.value);
    if (!counter || !bound || !isSigned(bound))
      return {};
    std::optional<Sum> next = sumOf(nextOf(counter->state));
    if (!next || next->state != counter->state || next->added != 1)
      return {};
    // A bound minus these does not overflow.
    constexpr int64_t largest = std::numeric_limits<int32_t>::max();
    auto start = constantOf(loop.getVInitial()[counter->state]);
    if (!start || *start < 0 || *start > largest || counter->added < 0 ||
        counter->added > 1 || *start + counter->added < 1)
      return {};
    most = std::min(most, std::min(comparison.x.most, comparison.y.most) -
                              *start - counter->added);
    return make<onnx::SubOp>({make<onnx::MaxOp>({wide(bound), number(0)}),
                              number(*start + counter->added - 1)});
  }

  /// A condition as one on integers that are not converted to floats, if it has
  /// an equal one.
  Value onIntegers(Value condition) {
    Type boolean = builder.getI1Type();
    Value all;
    for (const Comparison &comparison : comparisonsIn(condition)) {
      std::optional<int64_t> x = wholeNumberOf(comparison.x.value);
      if (!x || *x < 0 || *x >= comparison.y.most)
        return condition;
      Value own =
          make<onnx::LessOp>({number(*x), wide(comparison.y.value)}, boolean);
      all = all ? make<onnx::AndOp>({all, own}, boolean) : own;
    }
    return all ? all : condition;
  }

  onnx::LoopOp loop;
  Block &body;
  Operation *yielded;
  OpBuilder builder;
  int64_t most = std::numeric_limits<int64_t>::max();
};

} // namespace

void onnx_to_torch::countLoops(Block &graph) {
  graph.walk([](onnx::LoopOp loop) { LoopCounter(loop).count(); });
}
