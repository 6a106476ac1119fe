//===- SizeRanges.cpp - Ranges of sizes at run time -----------------------===//

#include "SizeRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

/// How many operations back a range is computed.
static constexpr unsigned kDepth = 6;

static ConstantIntRanges between(int64_t least, int64_t most) {
  auto number = [](int64_t value) { return APInt(64, value, true); };
  return ConstantIntRanges::fromSigned(number(least), number(most));
}
static ConstantIntRanges anySize() { return between(0, kMostElements); }
static int64_t leastOf(const ConstantIntRanges &range) {
  return range.smin().getSExtValue();
}
static int64_t mostOf(const ConstantIntRanges &range) {
  return range.smax().getSExtValue();
}

/// True if the code at the insertion point runs only after `op`. A conversion
/// proceeds forward: all converted ops in the current block and in the
/// enclosing blocks were built earlier. Asking MLIR for the order of two ops
/// would renumber the whole block after each insertion into its middle.
static bool isBehind(Operation *op, OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  if (op->getBlock() == block)
    return true;
  // The body being built may not have a parent op yet.
  Operation *parent = block->getParentOp();
  return parent && op->getBlock()->findAncestorOpInBlock(*parent);
}

/// How many users of a value are searched for assertions. A value may have as
/// many users as the program has ops.
static constexpr unsigned kUsers = 32;

/// The range of `value` implied by assertions before the insertion point.
static ConstantIntRanges assertedRange(Value value, OpBuilder &builder) {
  int64_t least = INT64_MIN, most = INT64_MAX;
  SmallVector<arith::CmpIOp, 2> asserted;
  unsigned asked = 0;
  for (Operation *user : value.getUsers()) {
    if (++asked > kUsers)
      break;
    auto comparison = dyn_cast<arith::CmpIOp>(user);
    if (!comparison || comparison.getLhs() != value)
      continue;
    std::optional<int64_t> limit = getConstantIntValue(comparison.getRhs());
    if (!limit || llvm::none_of(comparison->getUsers(), [&](Operation *use) {
          return isa<cf::AssertOp>(use) && isBehind(use, builder);
        }))
      continue;
    asserted.push_back(comparison);
    if (comparison.getPredicate() == arith::CmpIPredicate::sge)
      least = std::max(least, *limit);
    if (comparison.getPredicate() == arith::CmpIPredicate::sle)
      most = std::min(most, *limit);
  }
  // Setting a use moves it to the front of the use list, so it is found quickly
  // next time.
  for (arith::CmpIOp comparison : asserted)
    comparison->getOpOperand(0).set(value);
  // Code after contradictory assertions never runs.
  return between(std::min(least, most), most);
}

namespace {

/// Factors of a product: dims of tensors, and the product of the constants.
struct Factors {
  SmallVector<tensor::DimOp> dims;
  int64_t number = 1;

  /// Returns false for any other factor.
  bool add(Value value) {
    if (std::optional<int64_t> factor = getConstantIntValue(value))
      return *factor >= 0 && !llvm::MulOverflow(number, *factor, number);
    if (auto product = value.getDefiningOp<arith::MulIOp>())
      return add(product.getLhs()) && add(product.getRhs());
    auto dim = value.getDefiningOp<tensor::DimOp>();
    if (!dim || !dim.getConstantIndex())
      return false;
    dims.push_back(dim);
    return true;
  }

  /// True if the dims are distinct dims of one tensor: then their product is at
  /// most its number of elements.
  bool areOfOneTensor() {
    llvm::SmallDenseSet<int64_t> numbers;
    return llvm::all_of(dims, [&](tensor::DimOp dim) {
      return dim.getSource() == dims.front().getSource() &&
             numbers.insert(*dim.getConstantIndex()).second;
    });
  }
};

/// The ranges of values, computed up to kDepth operations back. Assertions are
/// optional, since searching them takes time: a size may have as many users as
/// the model has nodes.
class Ranges {
public:
  Ranges(OpBuilder &builder, bool heedsAssertions)
      : builder(builder), heedsAssertions(heedsAssertions) {}

  ConstantIntRanges of(Value value, unsigned depth = kDepth) {
    if (APInt number; matchPattern(value, m_ConstantInt(&number)))
      return ConstantIntRanges::constant(number);
    // Many sizes are computed from the same few sizes.
    auto known = ranges.find({value, depth});
    if (known == ranges.end())
      known = ranges.insert({{value, depth}, find(value, depth)}).first;
    return known->second;
  }

  /// The range of a product; nothing if it may overflow.
  std::optional<ConstantIntRanges> ofProduct(Value a, Value b,
                                             unsigned depth = kDepth) {
    Factors factors;
    int64_t most;
    if (factors.add(a) && factors.add(b) && factors.areOfOneTensor() &&
        !llvm::MulOverflow(kMostElements, factors.number, most))
      return between(0, most);
    ConstantIntRanges left = of(a, depth), right = of(b, depth);
    std::array<int64_t, 4> corners;
    auto *corner = corners.begin();
    for (int64_t x : {leastOf(left), mostOf(left)})
      for (int64_t y : {leastOf(right), mostOf(right)})
        if (llvm::MulOverflow(x, y, *corner++))
          return std::nullopt;
    return between(*llvm::min_element(corners), *llvm::max_element(corners));
  }

private:
  ConstantIntRanges find(Value value, unsigned depth) {
    Operation *op = value.getDefiningOp();
    ConstantIntRanges range = isa_and_nonnull<tensor::DimOp>(op) ? anySize()
                              : op && depth ? computed(op, depth)
                                            : anyOf(value);
    return heedsAssertions && value.getType().isIndex()
               ? range.intersection(assertedRange(value, builder))
               : range;
  }

  static ConstantIntRanges anyOf(Value value) {
    return ConstantIntRanges::maxRange(
        ConstantIntRanges::getStorageBitwidth(value.getType()));
  }

  ConstantIntRanges computed(Operation *op, unsigned depth) {
    if (auto product = dyn_cast<arith::MulIOp>(op))
      if (product.getType().isIndex())
        if (auto range =
                ofProduct(product.getLhs(), product.getRhs(), depth - 1))
          return *range;
    ConstantIntRanges range = anyOf(op->getResult(0));
    auto inferrable = dyn_cast<InferIntRangeInterface>(op);
    if (!inferrable || op->getNumResults() != 1)
      return range;
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return of(operand, depth - 1);
    });
    inferrable.inferResultRanges(
        operands,
        [&](Value, const ConstantIntRanges &result) { range = result; });
    return range;
  }

  OpBuilder &builder;
  bool heedsAssertions;
  llvm::SmallDenseMap<std::pair<Value, unsigned>, ConstantIntRanges> ranges;
};

} // namespace

/// True if `holds` succeeds on ranges without, or else with, assertions.
static bool surely(OpBuilder &builder,
                   llvm::function_ref<bool(Ranges &)> holds) {
  for (bool heedsAssertions : {false, true})
    if (Ranges ranges(builder, heedsAssertions); holds(ranges))
      return true;
  return false;
}

bool torch_to_linalg::isWithin(Value index, int64_t least, int64_t most,
                               OpBuilder &builder) {
  return surely(builder, [&](Ranges &ranges) {
    ConstantIntRanges range = ranges.of(index);
    return least <= leastOf(range) && mostOf(range) <= most;
  });
}

bool torch_to_linalg::isSumExact(Value a, Value b, OpBuilder &builder) {
  return surely(builder, [&](Ranges &ranges) {
    ConstantIntRanges left = ranges.of(a), right = ranges.of(b);
    int64_t sum;
    return !llvm::AddOverflow(leastOf(left), leastOf(right), sum) &&
           !llvm::AddOverflow(mostOf(left), mostOf(right), sum);
  });
}

bool torch_to_linalg::isDifferenceExact(Value a, Value b, OpBuilder &builder) {
  return surely(builder, [&](Ranges &ranges) {
    ConstantIntRanges left = ranges.of(a), right = ranges.of(b);
    int64_t difference;
    return !llvm::SubOverflow(leastOf(left), mostOf(right), difference) &&
           !llvm::SubOverflow(mostOf(left), leastOf(right), difference);
  });
}

bool torch_to_linalg::isProductExact(Value a, Value b, OpBuilder &builder) {
  return surely(builder, [&](Ranges &ranges) {
    return ranges.ofProduct(a, b).has_value();
  });
}
