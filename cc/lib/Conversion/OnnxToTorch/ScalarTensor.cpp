//===- ScalarTensor.cpp - ONNX's shape arithmetic on scalars --------------===//
//
// Each case is the ONNX definition of an op for tensors of rank 0 and 1, and of
// rank 2 where they are only moved, element by element. A case that does not
// apply gives nullopt, and the node is lowered as an op on tensors.
//
//===----------------------------------------------------------------------===//

#include "ScalarTensor.h"
#include "Operands.h"
#include "isthmus/Conversion/OnnxToTorch.h"
#include "isthmus/Dialect/Onnx/Generator.h"
#include "isthmus/Dialect/Onnx/Logical.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Reduction.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

namespace {

using Result = std::optional<ScalarTensor>;
using Operands = ArrayRef<std::optional<ScalarTensor>>;
using Binary = llvm::function_ref<Value(Value, Value)>;

/// The ints of an operand that must be known while compiling.
std::optional<SmallVector<int64_t>>
known(const std::optional<ScalarTensor> &list) {
  if (!list)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Value element : list->elements) {
    std::optional<int64_t> value = torch::matchInt(element);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Whether a value is a size, or a sum, product, quotient or extremum of sizes.
/// Each value is visited once, as the operands of Add(n, n) are shared.
bool isNonNegative(Value value) {
  constexpr size_t enough = 1000; // longer formulas are not sizes
  SetVector<Value> pending;
  pending.insert(value);
  for (size_t i = 0; i < pending.size(); ++i) {
    if (pending.size() > enough)
      return false;
    std::optional<int64_t> constant = torch::matchInt(pending[i]);
    Operation *op = pending[i].getDefiningOp();
    if (constant
            ? *constant >= 0
            : isa_and_nonnull<torch::AtenSizeIntOp, torch::AtenIntBoolOp>(op))
      continue;
    if (constant ||
        !isa_and_nonnull<torch::AtenAddIntOp, torch::AtenMulIntOp,
                         torch::AtenFloordivIntOp, torch::PrimMinIntOp,
                         torch::PrimMaxIntOp>(op))
      return false;
    pending.insert_range(op->getOperands());
  }
  return true;
}

/// Applies `function` element by element, broadcasting a scalar or single
/// element to the other side.
Result broadcast(const ScalarTensor &a, const ScalarTensor &b, Type dtype,
                 Binary function) {
  if (a.isMatrix() || b.isMatrix())
    return std::nullopt;
  size_t length = std::max(a.elements.size(), b.elements.size());
  if (a.elements.empty() || b.elements.empty())
    length = 0;
  for (const ScalarTensor *side : {&a, &b})
    if (side->elements.size() != length && side->elements.size() != 1)
      return std::nullopt;
  ScalarTensor result{{}, {}, dtype};
  if (!a.isScalar() || !b.isScalar())
    result.sizes.push_back(length);
  for (size_t i = 0; i < length; ++i) {
    Value element = function(a.elements[a.elements.size() == 1 ? 0 : i],
                             b.elements[b.elements.size() == 1 ? 0 : i]);
    if (!element)
      return std::nullopt;
    result.elements.push_back(element);
  }
  return result;
}

class Evaluator {
public:
  Evaluator(Operation *node, Operands operands,
            llvm::function_ref<Value(unsigned)> tensors, NodeBuilder &b)
      : node(node), operands(operands), tensors(tensors), b(b) {}

  SmallVector<ScalarTensor> evaluate() {
    if (auto split = dyn_cast<onnx::SplitOp>(node))
      return pieces(split);
    Result result = evaluateOne();
    return result ? SmallVector<ScalarTensor>{std::move(*result)}
                  : SmallVector<ScalarTensor>();
  }

private:
  Result evaluateOne() {
    return llvm::TypeSwitch<Operation *, Result>(node)
        .Case<onnx::ShapeOp>([&](auto op) { return shape(op); })
        .Case<onnx::SizeOp>([&](auto) { return size(); })
        .Default([&](Operation *op) -> Result {
          // All other ops compute on tracked operands.
          if (operands.empty() || !operands.front())
            return std::nullopt;
          return operands.front()->isMatrix() ? moveElements(op)
                                              : evaluateElements(op);
        });
  }

  /// The ops that compute on a matrix.
  Result moveElements(Operation *op) {
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case<onnx::IdentityOp>([&](auto) { return operands[0]; })
        .Case<onnx::ReshapeOp>([&](auto) { return reshape(); })
        .Case<onnx::SliceOp>([&](auto) { return slice(); })
        .Case<onnx::TransposeOp>(
            [&](auto transpose) { return this->transpose(transpose); })
        .Default([](Operation *) { return std::nullopt; });
  }

  Result evaluateElements(Operation *op) {
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case<onnx::IdentityOp>([&](auto) { return operands[0]; })
        .Case<onnx::GatherOp>([&](auto gather) { return this->gather(gather); })
        .Case<onnx::ConcatOp>([&](auto) { return concat(); })
        .Case<onnx::SliceOp>([&](auto) { return slice(); })
        .Case<onnx::SqueezeOp>(
            [&](auto squeeze) { return rerank(!isAbsent(1), true); })
        .Case<onnx::UnsqueezeOp>([&](auto) { return rerank(true, false); })
        .Case<onnx::ReshapeOp>([&](auto) { return reshape(); })
        .Case<onnx::CastOp>([&](auto cast) { return convert(cast); })
        .Case<onnx::AddOp>([&](auto) {
          return binary([&](Value x, Value y) { return b.addInt(x, y); });
        })
        .Case<onnx::SubOp>([&](auto) {
          return binary([&](Value x, Value y) { return b.subInt(x, y); });
        })
        .Case<onnx::MulOp>([&](auto) {
          return binary([&](Value x, Value y) { return b.mulInt(x, y); });
        })
        .Case<onnx::DivOp>([&](auto) {
          return binary([&](Value x, Value y) { return divide(x, y); });
        })
        .Case<onnx::ModOp>([&](onnx::ModOp mod) -> Result {
          if (mod.getFmod())
            return std::nullopt;
          return binary([&](Value x, Value y) {
            return b.fold<torch::AtenRemainderIntOp>(x, y);
          });
        })
        .Case<onnx::MinOp>([&](auto) {
          return variadic([&](Value x, Value y) { return b.minInt(x, y); });
        })
        .Case<onnx::MaxOp>([&](auto) {
          return variadic([&](Value x, Value y) { return b.maxInt(x, y); });
        })
        .Case<onnx::NegOp>([&](auto) {
          return unary([&](Value x) { return b.fold<torch::AtenNegIntOp>(x); });
        })
        .Case<onnx::EqualOp>(
            [&](auto) { return compare<torch::AtenEqIntOp>(); })
        .Case<onnx::LessOp>([&](auto) { return compare<torch::AtenLtIntOp>(); })
        .Case<onnx::LessOrEqualOp>(
            [&](auto) { return compare<torch::AtenLeIntOp>(); })
        .Case<onnx::GreaterOp>(
            [&](auto) { return compare<torch::AtenGtIntOp>(); })
        .Case<onnx::GreaterOrEqualOp>(
            [&](auto) { return compare<torch::AtenGeIntOp>(); })
        .Case<onnx::AndOp>([&](auto) {
          return binary([&](Value x, Value y) { return b.mulInt(x, y); });
        })
        .Case<onnx::OrOp>([&](auto) {
          return binary([&](Value x, Value y) { return b.maxInt(x, y); });
        })
        .Case<onnx::NotOp>([&](auto) {
          return unary([&](Value x) { return b.subInt(b.constant(1), x); });
        })
        .Case<onnx::WhereOp>([&](auto) { return where(); })
        .Case<onnx::ReduceProdOp>([&](auto reduce) {
          return this->reduce(reduce, 1,
                              [&](Value x, Value y) { return b.mulInt(x, y); });
        })
        .Case<onnx::ReduceSumOp>([&](auto reduce) {
          return this->reduce(reduce, 0,
                              [&](Value x, Value y) { return b.addInt(x, y); });
        })
        .Case<onnx::ReduceMaxOp>([&](auto reduce) {
          return this->reduce(reduce, std::nullopt,
                              [&](Value x, Value y) { return b.maxInt(x, y); });
        })
        .Case<onnx::ReduceMinOp>([&](auto reduce) {
          return this->reduce(reduce, std::nullopt,
                              [&](Value x, Value y) { return b.minInt(x, y); });
        })
        .Case<onnx::RangeOp>([&](auto) { return range(); })
        .Case<onnx::ConstantOfShapeOp>(
            [&](auto op) { return constantOfShape(op); })
        .Case<onnx::ExpandOp>([&](auto) { return expand(); })
        .Default([](Operation *) { return std::nullopt; });
  }

  bool isAbsent(unsigned index) const {
    return index >= node->getNumOperands() ||
           onnx::isAbsent(node->getOperand(index));
  }
  bool isKnown(unsigned index) const {
    return index < operands.size() && operands[index];
  }

  Result shaped(SmallVector<Value> elements, ArrayRef<int64_t> sizes,
                Type dtype) {
    if (static_cast<int64_t>(elements.size()) > ScalarTensor::maxElements)
      return std::nullopt;
    return ScalarTensor{
        std::move(elements), {sizes.begin(), sizes.end()}, dtype};
  }
  Result list(SmallVector<Value> elements, bool isScalar, Type dtype) {
    SmallVector<int64_t, 2> sizes;
    if (!isScalar)
      sizes.push_back(elements.size());
    return shaped(std::move(elements), sizes, dtype);
  }

  Type int64() const {
    return IntegerType::get(node->getContext(), 64, IntegerType::Signed);
  }

  /// Shape-25: the sizes of dims [start, end), both counted from the end if
  /// negative.
  Result shape(onnx::ShapeOp op) {
    Value tensor = tensors(0);
    if (!tensor || !torch::tensorType(tensor).hasRank())
      return std::nullopt;
    int64_t rank = torch::tensorType(tensor).getRank();
    auto bound = [rank](int64_t value) {
      return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank);
    };
    int64_t start = bound(op.getStart());
    int64_t end = op.getEnd() ? bound(*op.getEnd()) : rank;
    SmallVector<Value> sizes;
    for (int64_t dim = start; dim < end; ++dim)
      sizes.push_back(b.size(tensor, dim));
    return list(std::move(sizes), false, int64());
  }

  /// Size-25: the number of elements.
  Result size() {
    Value tensor = tensors(0);
    if (!tensor || !torch::tensorType(tensor).hasRank())
      return std::nullopt;
    return list({b.product(b.sizes(tensor))}, true, int64());
  }

  Result gather(onnx::GatherOp op) {
    auto indices = isKnown(1) ? known(operands[1]) : std::nullopt;
    if (!indices || operands[0]->isScalar() || operands[1]->isMatrix())
      return std::nullopt;
    int64_t length = operands[0]->elements.size();
    SmallVector<Value> elements;
    for (int64_t index : *indices) {
      if (index < -length || index >= length)
        return std::nullopt; // the lowering on tensors reports the error
      elements.push_back(
          operands[0]->elements[index < 0 ? index + length : index]);
    }
    return list(std::move(elements), operands[1]->isScalar(),
                operands[0]->dtype);
  }

  Result concat() {
    SmallVector<Value> elements;
    for (const auto &operand : operands) {
      if (!operand || operand->sizes.size() != 1)
        return std::nullopt;
      llvm::append_range(elements, operand->elements);
    }
    return list(std::move(elements), false, operands[0]->dtype);
  }

  /// Slice-13 of a list, or of the rows of a matrix.
  Result slice() {
    auto starts = known(operands[1]), ends = known(operands[2]);
    auto steps = isAbsent(4) ? SmallVector<int64_t>{1} : known(operands[4]);
    if (!starts || !ends || !steps || starts->size() != 1 ||
        ends->size() != 1 || steps->size() != 1 || operands[0]->isScalar() ||
        (*steps)[0] == 0)
      return std::nullopt;
    ArrayRef<int64_t> sizes = operands[0]->sizes;
    if (sizes.size() == 2 && !isAbsent(3)) {
      auto axes = isKnown(3) ? known(operands[3]) : std::nullopt;
      if (!axes || axes->size() != 1 || ((*axes)[0] != 0 && (*axes)[0] != -2))
        return std::nullopt;
    }
    int64_t length = sizes.front(), step = (*steps)[0];
    // Bounds are clamped to [0, n], or [-1, n-1] when stepping back.
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
    auto bound = [&](int64_t value) {
      return std::clamp(value < 0 && value >= -length ? value + length
                        : value < -length             ? low
                                                      : value,
                        low, high);
    };
    SmallVector<Value> elements;
    SmallVector<int64_t, 2> left(sizes);
    left.front() = 0;
    ArrayRef<Value> rest = operands[0]->elements;
    size_t width = sizes.size() == 2 ? sizes.back() : 1;
    int64_t end = bound((*ends)[0]);
    // A step beyond the last element is equivalent to one to just behind it.
    step = std::clamp(step, -length - 1, length + 1);
    for (int64_t i = bound((*starts)[0]); step > 0 ? i < end : i > end;
         i += step, ++left.front())
      llvm::append_range(elements, rest.slice(i * width, width));
    return shaped(std::move(elements), left, operands[0]->dtype);
  }

  /// Split-18 of a list into pieces of given lengths.
  SmallVector<ScalarTensor> pieces(onnx::SplitOp op) {
    auto lengths = isKnown(1) ? known(operands[1]) : std::nullopt;
    if (!isKnown(0) || operands[0]->sizes.size() != 1 || !lengths ||
        lengths->size() != op->getNumResults() ||
        (op.getAxis() != 0 && op.getAxis() != -1))
      return {};
    ArrayRef<Value> rest = operands[0]->elements;
    SmallVector<ScalarTensor> results;
    for (int64_t length : *lengths) {
      if (length < 0 || length > static_cast<int64_t>(rest.size()))
        return {};
      results.push_back(*list(SmallVector<Value>(rest.take_front(length)),
                              false, operands[0]->dtype));
      rest = rest.drop_front(length);
    }
    return rest.empty() ? results : SmallVector<ScalarTensor>();
  }

  /// Squeeze and Unsqueeze between rank 0 and rank 1.
  Result rerank(bool axesGiven, bool toScalar) {
    if (axesGiven) {
      auto axes = isKnown(1) ? known(operands[1]) : std::nullopt;
      if (!axes || axes->size() != 1 || ((*axes)[0] != 0 && (*axes)[0] != -1))
        return std::nullopt;
    }
    if (operands[0]->elements.size() != 1 ||
        operands[0]->isScalar() == toScalar)
      return std::nullopt;
    return list(operands[0]->elements, toScalar, operands[0]->dtype);
  }

  /// Reshape-25 to rank 2 at most. A size of -1 stands for what the others
  /// leave.
  Result reshape() {
    auto sizes = isKnown(1) ? known(operands[1]) : std::nullopt;
    if (!sizes || sizes->size() > 2)
      return std::nullopt;
    int64_t length = operands[0]->elements.size(), product = 1;
    int64_t *open = nullptr;
    for (int64_t &size : *sizes) {
      if (size == -1 && !open)
        open = &size;
      else if (size < 1 || size > ScalarTensor::maxElements)
        return std::nullopt;
      else
        product *= size;
    }
    if (open)
      product *= *open = length / product;
    if (product != length)
      return std::nullopt;
    return shaped(operands[0]->elements, *sizes, operands[0]->dtype);
  }

  Result transpose(onnx::TransposeOp op) {
    ArrayRef<int64_t> sizes = operands[0]->sizes;
    if (onnx_to_torch::intsOf(op.getPerm(), {1, 0}) !=
        SmallVector<int64_t>{1, 0})
      return std::nullopt;
    SmallVector<Value> elements;
    for (int64_t column = 0; column < sizes[1]; ++column)
      for (int64_t row = 0; row < sizes[0]; ++row)
        elements.push_back(operands[0]->elements[row * sizes[1] + column]);
    return shaped(std::move(elements), {sizes[1], sizes[0]},
                  operands[0]->dtype);
  }

  Value toBool(Value element) {
    return b.fold<torch::AtenIntBoolOp>(
        b.fold<torch::AtenNeIntOp>(element, b.constant(0)));
  }

  Result convert(onnx::CastOp op) {
    Type dtype = b.declaredDtype(op.getOutput());
    if (!torch::isIntegral(dtype))
      return std::nullopt;
    if (torch::isBoolean(dtype) && !torch::isBoolean(operands[0]->dtype))
      return unary([&](Value x) { return toBool(x); }, dtype);
    return shaped(operands[0]->elements, operands[0]->sizes, dtype);
  }

  /// Div-14 on integers rounds towards zero; if both are known to be
  /// non-negative, that is rounding down. A quotient by a positive number is
  /// that of the positive part less that of the negative part.
  Value divide(Value x, Value y) {
    auto a = torch::matchInt(x), c = torch::matchInt(y);
    if (c && *c == 0)
      return {};
    if (a && c && !(*a == INT64_MIN && *c == -1))
      return b.constant(*a / *c);
    if (isNonNegative(x) && isNonNegative(y))
      return b.floorDivInt(x, y);
    if (!c || *c < 0)
      return {};
    Value zero = b.constant(0);
    Value above = b.maxInt(x, zero), below = b.subInt(above, x);
    return b.subInt(b.floorDivInt(above, y), b.floorDivInt(below, y));
  }

  Result unary(llvm::function_ref<Value(Value)> function, Type dtype = {}) {
    return shaped(llvm::map_to_vector(operands[0]->elements, function),
                  operands[0]->sizes, dtype ? dtype : operands[0]->dtype);
  }

  Result binary(Binary function, Type dtype = {}) {
    if (!isKnown(1))
      return std::nullopt;
    return broadcast(*operands[0], *operands[1],
                     dtype ? dtype : operands[0]->dtype, function);
  }

  template <typename Op>
  Result compare() {
    return binary(
        [&](Value x, Value y) {
          return b.fold<torch::AtenIntBoolOp>(b.fold<Op>(x, y));
        },
        IntegerType::get(node->getContext(), 1));
  }

  Result variadic(Binary function) {
    Result result = operands[0];
    for (const auto &operand : operands.drop_front()) {
      if (!operand || !result)
        return std::nullopt;
      result = broadcast(*result, *operand, result->dtype, function);
    }
    return result;
  }

  /// Where-16; with a condition known only at run time: y + condition * (x -
  /// y).
  Result where() {
    if (!isKnown(1) || !isKnown(2))
      return std::nullopt;
    auto scaled = broadcast(*operands[1], *operands[2], operands[1]->dtype,
                            [&](Value x, Value y) { return b.subInt(x, y); });
    if (!scaled)
      return std::nullopt;
    scaled = broadcast(*operands[0], *scaled, operands[1]->dtype,
                       [&](Value c, Value d) { return b.mulInt(c, d); });
    if (!scaled)
      return std::nullopt;
    return broadcast(*operands[2], *scaled, operands[1]->dtype,
                     [&](Value y, Value d) { return b.addInt(y, d); });
  }

  template <typename Op>
  Result reduce(Op op, std::optional<int64_t> identity, Binary function) {
    if (!isAbsent(1)) {
      auto axes = isKnown(1) ? known(operands[1]) : std::nullopt;
      if (!axes || axes->size() != 1)
        return std::nullopt;
    } else if (op.getNoopWithEmptyAxes()) {
      return operands[0];
    }
    if (operands[0]->elements.empty() && !identity)
      return std::nullopt;
    Value result =
        identity ? b.constant(*identity) : operands[0]->elements.front();
    for (Value element : operands[0]->elements)
      result = function(result, element);
    return list({result}, operands[0]->isScalar() || !op.getKeepdims(),
                operands[0]->dtype);
  }

  /// Range-11 with known bounds.
  Result range() {
    auto start = known(operands[0]), limit = known(operands[1]),
         delta = known(operands[2]);
    if (!start || !limit || !delta || start->size() != 1 ||
        limit->size() != 1 || delta->size() != 1 || (*delta)[0] == 0)
      return std::nullopt;
    SmallVector<Value> elements;
    int64_t step = (*delta)[0];
    for (int64_t value = (*start)[0];
         step > 0 ? value < (*limit)[0] : value > (*limit)[0];) {
      if (static_cast<int64_t>(elements.size()) == ScalarTensor::maxElements)
        return std::nullopt;
      elements.push_back(b.constant(value));
      // A value that overflows is beyond every limit.
      if (llvm::AddOverflow(value, step, value))
        break;
    }
    return list(std::move(elements), false, operands[0]->dtype);
  }

  /// The length that operand `index`, a shape, gives a tensor of rank 0 or 1.
  std::optional<int64_t> knownLength(unsigned index) {
    auto sizes = isKnown(index) ? known(operands[index]) : std::nullopt;
    if (!sizes || sizes->size() > 1)
      return std::nullopt;
    int64_t length = sizes->empty() ? 1 : (*sizes)[0];
    return length >= 0 && length <= ScalarTensor::maxElements
               ? std::optional(length)
               : std::nullopt;
  }

  Result constantOfShape(onnx::ConstantOfShapeOp op) {
    auto value = dyn_cast_or_null<DenseElementsAttr>(op.getValueAttr());
    std::optional<int64_t> length = knownLength(0);
    if (!value || !length || value.getNumElements() != 1 ||
        !isa<IntegerType>(value.getElementType()))
      return std::nullopt;
    Type dtype = torch::toTorchDtype(value.getElementType());
    if (!ScalarTensor::follows(dtype))
      return std::nullopt;
    Value element =
        b.constant(torch::integerOf(*value.value_begin<APInt>(), dtype));
    return list(SmallVector<Value>(*length, element),
                operands[0]->elements.empty(), dtype);
  }

  Result expand() {
    std::optional<int64_t> length = knownLength(1);
    if (!length || operands[0]->elements.size() != 1)
      return std::nullopt;
    return list(SmallVector<Value>(*length, operands[0]->elements.front()),
                operands[0]->isScalar() && operands[1]->elements.empty(),
                operands[0]->dtype);
  }

  Operation *node;
  Operands operands;
  llvm::function_ref<Value(unsigned)> tensors;
  NodeBuilder &b;
};

} // namespace

bool ScalarTensor::follows(Type dtype) {
  return dtype && (torch::isBoolean(dtype) || dtype.isSignedInteger(32) ||
                   dtype.isSignedInteger(64));
}

SmallVector<ScalarTensor> isthmus::evaluateOnScalars(
    Operation *node, ArrayRef<std::optional<ScalarTensor>> operands,
    llvm::function_ref<Value(unsigned)> tensors, NodeBuilder &b) {
  SmallVector<ScalarTensor> results =
      Evaluator(node, operands, tensors, b).evaluate();
  for (ScalarTensor &result : results) {
    if (!ScalarTensor::follows(result.dtype))
      return {};
    // The elements are 64-bit ints: known elements of si32 wrap around like
    // si32. The others come from sizes, which do not get that large.
    if (result.dtype.isInteger(32))
      for (Value &element : result.elements)
        if (std::optional<int64_t> value = torch::matchInt(element);
            value && !llvm::isInt<32>(*value))
          element = b.constant(static_cast<int32_t>(*value));
  }
  return results;
}
