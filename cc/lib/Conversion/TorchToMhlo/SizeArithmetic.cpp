//===- SizeArithmetic.cpp - Sizes as numbers and as values ----------------===//

#include "HloBuilder.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

SmallVector<int64_t> torch_to_mhlo::dimsUpTo(int64_t n) {
  return llvm::to_vector(llvm::seq<int64_t>(0, n));
}

bool torch_to_mhlo::areKnown(ArrayRef<Size> sizes) {
  return llvm::all_of(sizes, [](Size size) { return size.isKnown(); });
}

//===----------------------------------------------------------------------===//
// Origins of sizes
//===----------------------------------------------------------------------===//

/// The rank-0 tensor that element `index` of a shape was reshaped from; null if
/// it is something else.
static Value elementOf(Value shape, int64_t index) {
  if (auto reshape = shape.getDefiningOp<mhlo::ReshapeOp>())
    return HloBuilder::rank(reshape.getOperand()) == 0 ? reshape.getOperand()
                                                       : Value();
  auto concat = shape.getDefiningOp<mhlo::ConcatenateOp>();
  if (!concat)
    return {};
  for (Value input : concat.getInputs()) {
    int64_t size = HloBuilder::type(input).getDimSize(0);
    if (index < size)
      return elementOf(input, index);
    index -= size;
  }
  return {};
}

/// The place that determines the size of `place`, if its op preserves that
/// size.
static std::optional<Place> previous(Place place) {
  Operation *op = place.tensor.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (op->hasTrait<OpTrait::Elementwise>())
    return Place{op->getOperand(0), place.dim};
  if (auto select = dyn_cast<mhlo::SelectOp>(op))
    return Place{select.getOnTrue(), place.dim};
  if (auto transpose = dyn_cast<mhlo::TransposeOp>(op))
    return Place{transpose.getOperand(), transpose.getPermutation()[place.dim]};
  if (auto reduce = dyn_cast<mhlo::ReduceOp>(op)) {
    int64_t dim = 0;
    for (int64_t kept = -1;; ++dim)
      if (!llvm::is_contained(reduce.getDimensions(), dim) &&
          ++kept == place.dim)
        return Place{reduce.getInputs().front(), dim};
  }
  if (auto dot = dyn_cast<mhlo::DotGeneralOp>(op)) {
    // Result dims: batch dims, then the remaining dims of lhs, then of rhs.
    auto numbers = dot.getDotDimensionNumbers();
    ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions();
    int64_t index = place.dim, batchRank = batch.size();
    if (index < batchRank)
      return Place{dot.getLhs(), batch[index]};
    index -= batchRank;
    for (auto [operand, batching, contracting] :
         {std::tuple<Value, ArrayRef<int64_t>, ArrayRef<int64_t>>(
              dot.getLhs(), batch, numbers.getLhsContractingDimensions()),
          std::tuple<Value, ArrayRef<int64_t>, ArrayRef<int64_t>>(
              dot.getRhs(), numbers.getRhsBatchingDimensions(),
              numbers.getRhsContractingDimensions())})
      for (int64_t dim = 0; dim < HloBuilder::rank(operand); ++dim)
        if (!llvm::is_contained(batching, dim) &&
            !llvm::is_contained(contracting, dim) && index-- == 0)
          return Place{operand, dim};
  }
  return std::nullopt;
}

/// The run-time shape operand that determines a tensor's sizes, if there is
/// one.
static Value shapeOperand(Value tensor) {
  if (auto op = tensor.getDefiningOp<mhlo::DynamicBroadcastInDimOp>())
    return op.getOutputDimensions();
  if (auto op = tensor.getDefiningOp<mhlo::DynamicReshapeOp>())
    return op.getOutputShape();
  if (auto op = tensor.getDefiningOp<mhlo::DynamicIotaOp>())
    return op.getOutputShape();
  return {};
}

/// The get_dimension_size whose value, converted to i64, is a size.
static mhlo::GetDimensionSizeOp dimensionSize(Value value) {
  if (auto convert = value.getDefiningOp<mhlo::ConvertOp>())
    return convert.getOperand().getDefiningOp<mhlo::GetDimensionSizeOp>();
  return {};
}

bool torch_to_mhlo::areSame(Size a, Size b) {
  if (a.isKnown() || b.isKnown())
    return a.isKnown() && b.isKnown() && a.getNumber() == b.getNumber();
  if (a.getValue() == b.getValue())
    return true;
  auto placeA = dimensionSize(a.getValue());
  auto placeB = dimensionSize(b.getValue());
  return placeA && placeB && placeA.getOperand() == placeB.getOperand() &&
         placeA.getDimension() == placeB.getDimension();
}

using Origin = SizeOrigins::Origin;

/// The origin of the size of a place, if its type or its op gives it.
static std::optional<Origin> originAt(Place place) {
  if (!ShapedType::isDynamic(place.size()))
    return Origin{Value(), place.size()};
  if (Value shape = shapeOperand(place.tensor))
    if (Value element = elementOf(shape, place.dim))
      return Origin{element, Origin::isSize};
  return std::nullopt;
}

Size SizeArithmetic::sizeOf(Value tensor, int64_t dim) const {
  SmallVector<Place> passed;
  Place place{tensor, dim};
  std::optional<Origin> origin;
  while (!(origin = originAt(place)) &&
         !(origins && (origin = origins->find(place)))) {
    std::optional<Place> next = previous(place);
    if (!next) {
      origin = Origin{place.tensor, place.dim};
      break;
    }
    passed.push_back(place);
    place = *next;
  }
  if (origins)
    origins->note(passed, *origin);
  if (!origin->value)
    return origin->number;
  if (origin->number == Origin::isSize)
    return origin->value;
  Value size = mhlo::GetDimensionSizeOp::create(builder, loc, origin->value,
                                                origin->number);
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return Value(mhlo::ConvertOp::create(builder, loc, type, size));
}

Sizes SizeArithmetic::sizesOf(Value tensor) const {
  Sizes sizes;
  for (int64_t dim : dimsUpTo(HloBuilder::rank(tensor)))
    sizes.push_back(sizeOf(tensor, dim));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value SizeArithmetic::materialize(Size size) const {
  if (!size.isKnown())
    return size.getValue();
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return constantOf(DenseElementsAttr::get(type, size.getNumber()));
}

Value SizeArithmetic::materialize(ArrayRef<Size> sizes) const {
  auto vector = RankedTensorType::get({1}, builder.getI64Type());
  SmallVector<Value> parts;
  if (sizes.empty())
    parts.push_back(constantOf(builder.getI64TensorAttr({})));
  while (!sizes.empty()) {
    // Adjacent numbers become one constant.
    ArrayRef<Size> known =
        sizes.take_while([](Size size) { return size.isKnown(); });
    if (known.empty()) {
      parts.push_back(mhlo::ReshapeOp::create(builder, loc, vector,
                                              sizes.front().getValue()));
      sizes = sizes.drop_front();
      continue;
    }
    auto numbers =
        llvm::map_to_vector(known, [](Size size) { return size.getNumber(); });
    parts.push_back(constantOf(builder.getI64TensorAttr(numbers)));
    sizes = sizes.drop_front(known.size());
  }
  return parts.size() == 1 ? parts.front()
                           : Value(mhlo::ConcatenateOp::create(
                                 builder, loc, parts, uint64_t(0)));
}

/// The folded result if both are known, unless it exceeds 64 bits.
static std::optional<Size>
known(Size a, Size b,
      int64_t (torch::StaticSizes::*fold)(int64_t, int64_t) const) {
  if (!a.isKnown() || !b.isKnown())
    return std::nullopt;
  int64_t result = (torch::StaticSizes().*fold)(a.getNumber(), b.getNumber());
  return ShapedType::isDynamic(result) ? std::nullopt
                                       : std::optional<Size>(result);
}

Size SizeArithmetic::add(Size a, Size b) const {
  if (auto sum = known(a, b, &torch::StaticSizes::add))
    return *sum;
  if (a.isNumber(0))
    return b;
  if (b.isNumber(0))
    return a;
  return Value(
      mhlo::AddOp::create(builder, loc, materialize(a), materialize(b)));
}

Size SizeArithmetic::sub(Size a, Size b) const {
  if (areSame(a, b))
    return 0;
  if (b.isKnown())
    return add(a, -b.getNumber());
  return Value(
      mhlo::SubtractOp::create(builder, loc, materialize(a), materialize(b)));
}

Size SizeArithmetic::mul(Size a, Size b) const {
  if (auto product = known(a, b, &torch::StaticSizes::mul))
    return *product;
  if (a.isNumber(1))
    return b;
  if (b.isNumber(1))
    return a;
  if (a.isNumber(0) || b.isNumber(0))
    return 0;
  return Value(
      mhlo::MulOp::create(builder, loc, materialize(a), materialize(b)));
}

/// (a - floorMod(a, b)) / b: mhlo.divide rounds towards zero.
Size SizeArithmetic::floorDiv(Size a, Size b) const {
  if (auto quotient = known(a, b, &torch::StaticSizes::floorDiv))
    return *quotient;
  if (b.isNumber(1))
    return a;
  Value multiple = materialize(sub(a, floorMod(a, b)));
  return Value(mhlo::DivOp::create(builder, loc, multiple, materialize(b)));
}

/// ceil(a / b) = -floor(-a / b).
Size SizeArithmetic::ceilDiv(Size a, Size b) const {
  return sub(0, floorDiv(sub(0, a), b));
}

/// remainder(remainder(a, b) + b, b): mhlo.remainder has the sign of a.
Size SizeArithmetic::floorMod(Size a, Size b) const {
  if (a.isKnown() && b.isKnown() && !b.isNumber(0)) {
    int64_t rest = a.getNumber() % b.getNumber();
    return rest != 0 && (rest < 0) != (b.getNumber() < 0) ? rest + b.getNumber()
                                                          : rest;
  }
  if (b.isNumber(1))
    return 0;
  Value divisor = materialize(b);
  Value rest = mhlo::RemOp::create(builder, loc, materialize(a), divisor);
  Value shifted = mhlo::AddOp::create(builder, loc, rest, divisor);
  return Value(mhlo::RemOp::create(builder, loc, shifted, divisor));
}

Size SizeArithmetic::min(Size a, Size b) const {
  if (areSame(a, b))
    return a;
  if (auto smaller = known(a, b, &torch::StaticSizes::min))
    return *smaller;
  return Value(
      mhlo::MinOp::create(builder, loc, materialize(a), materialize(b)));
}

Size SizeArithmetic::max(Size a, Size b) const {
  if (areSame(a, b))
    return a;
  if (auto larger = known(a, b, &torch::StaticSizes::max))
    return *larger;
  return Value(
      mhlo::MaxOp::create(builder, loc, materialize(a), materialize(b)));
}

Size SizeArithmetic::product(ArrayRef<Size> sizes) const {
  Size product = 1;
  for (Size size : sizes)
    product = mul(product, size);
  return product;
}

Size SizeArithmetic::broadcast(Size a, Size b) const {
  if (areSame(a, b) || b.isNumber(1))
    return a;
  if (a.isNumber(1) || b.isKnown())
    return b;
  if (a.isKnown())
    return a;
  MLIRContext *context = builder.getContext();
  Value isOne = mhlo::CompareOp::create(
      builder, loc, a.getValue(), materialize(Size(1)),
      mhlo::ComparisonDirectionAttr::get(context, hlo::ComparisonDirection::EQ),
      mhlo::ComparisonTypeAttr::get(context, hlo::ComparisonType::SIGNED));
  return Value(mhlo::SelectOp::create(builder, loc, a.getValue().getType(),
                                      isOne, b.getValue(), a.getValue()));
}
