//===- TosaBuilder.cpp - Straight-line TOSA -------------------------------===//

#include "TosaBuilder.h"

#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

/// A concat of level 8k takes at most this many operands.
static constexpr size_t maxConcatOperands = 64;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

Type torch_to_tosa::storageType(Type dtype) {
  if (dtype.isF32() || dtype.isF16() || dtype.isBF16() ||
      torch::isBoolean(dtype))
    return dtype;
  if (dtype.isF64())
    return Float32Type::get(dtype.getContext());
  if (!torch::isIntegral(dtype))
    return {};
  unsigned width = dtype.getIntOrFloatBitWidth();
  MLIRContext *context = dtype.getContext();
  if (!dtype.isUnsignedInteger())
    return IntegerType::get(context, std::min(width, 32u));
  // An unsigned value needs a wider signed one.
  return width < 32 ? IntegerType::get(context, 32) : Type();
}

Type torch_to_tosa::computeType(Type dtype) {
  Type storage = storageType(dtype);
  if (!storage || torch::isBoolean(dtype) || !torch::isIntegral(dtype))
    return storage;
  return IntegerType::get(dtype.getContext(), 32);
}

Value TosaBuilder::cast(Value x, Type element) {
  Type from = elementOf(x);
  if (from == element)
    return x;
  auto to = [&](Type type) -> Value {
    return tosa::CastOp::create(builder, loc, tensor(sizesOf(x), type), x);
  };
  if (element.isInteger(1) && !from.isInteger())
    return logicalNot(equal(x, splatLike(0, x)));
  if (from.isInteger(1) && !element.isInteger()) {
    SmallVector<int64_t> ones(rankOf(x), 1);
    return select(x, splat(1, element, ones), splat(0, element, ones));
  }
  // TOSA casts between f16 and bf16 only through f32.
  if ((from.isF16() && element.isBF16()) || (from.isBF16() && element.isF16()))
    return cast(to(f32()), element);
  return to(element);
}

Value TosaBuilder::convert(Value x, Type from, Type to) {
  Type element = computeType(to);
  if (torch::isFloatingPoint(from) && torch::isIntegral(to) &&
      !torch::isBoolean(to))
    x = trunc(x);
  bool widens = torch::isBoolean(from) || torch::isBoolean(to) || from == to ||
                !torch::isIntegral(to);
  x = cast(x, element);
  return widens ? x : cast(store(x, to), element);
}

Value TosaBuilder::store(Value x, Type dtype) {
  if (dtype.isUnsignedInteger()) {
    double mask = std::ldexp(1.0, dtype.getIntOrFloatBitWidth()) - 1;
    return binary<tosa::BitwiseAndOp>(x, splatLike(mask, x));
  }
  return cast(x, storageType(dtype));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value TosaBuilder::constant(ElementsAttr value) {
  constexpr int64_t maxShared = 16;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && (dense.isSplat() || dense.getNumElements() <= maxShared))
    return constantFrom<tosa::ConstOp>(constants, value, builder, loc,
                                       value.getShapedType(), value);
  return tosa::ConstOp::create(builder, loc, value.getShapedType(), value);
}

Value TosaBuilder::splat(double value, Type element, Sizes sizes) {
  Attribute scalar;
  if (isa<FloatType>(element))
    scalar = builder.getFloatAttr(element, value);
  else if (element.isInteger(1))
    scalar = builder.getBoolAttr(value != 0);
  else if (!(value >= INT32_MIN && value <= INT32_MAX))
    return fail(tensor(sizes, element),
                "TOSA 1.0 has integers of 32 bits, got " +
                    llvm::formatv("{0:f0}", value).str());
  else
    scalar = IntegerAttr::get(
        element, APInt(64, static_cast<int64_t>(value), /*isSigned=*/true)
                     .sextOrTrunc(element.getIntOrFloatBitWidth()));
  return constant(DenseElementsAttr::get(tensor(sizes, element), scalar));
}

Value TosaBuilder::splatLike(double value, Value like) {
  return splat(value, elementOf(like), SmallVector<int64_t>(rankOf(like), 1));
}

Value TosaBuilder::ints(ArrayRef<int32_t> values, Sizes sizes) {
  return constant(DenseElementsAttr::get(tensor(sizes, i32()), values));
}

Value TosaBuilder::iota(int64_t count, int64_t dim, int64_t rank) {
  SmallVector<int64_t> sizes(rank, 1);
  sizes[dim] = count;
  if (count > maxRange)
    return fail(tensor(sizes, i32()), "expected to count at most " +
                                          Twine(maxRange) + " elements, got " +
                                          Twine(count));
  return ints(llvm::to_vector_of<int32_t>(llvm::seq<int64_t>(0, count)), sizes);
}

Value TosaBuilder::shape(Sizes sizes) {
  auto type = tosa::shapeType::get(getContext(), sizes.size());
  auto value = builder.getIndexTensorAttr(sizes);
  return constantFrom<tosa::ConstShapeOp>(constants, value, builder, loc, type,
                                          value);
}

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

Value TosaBuilder::fail(Type type, const Twine &reason) {
  if (firstError.empty())
    firstError = reason.str();
  return UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
      .getResult(0);
}

Type TosaBuilder::broadcast(ArrayRef<Value *> operands, Type element) {
  SmallVector<int64_t> common;
  for (Value *operand : operands) {
    auto both = torch::broadcastShapes(common, sizesOf(*operand));
    // Type inference has checked the shapes of the op that is being lowered.
    if (!both)
      return fail(operand->getType(), "expected shapes that broadcast"), Type();
    common = *both;
  }
  for (Value *operand : operands) {
    SmallVector<int64_t> sizes(sizesOf(*operand));
    if (sizes.size() == common.size())
      continue;
    sizes.insert(sizes.begin(), common.size() - sizes.size(), 1);
    *operand = reshape(*operand, sizes);
  }
  return tensor(common, element);
}

Value TosaBuilder::mul(Value a, Value b) {
  // A fold of tosa.mul takes the product of infinity or NaN and 0 to be 0.
  auto isZero = [](Value x) { return matchPattern(x, m_AnyZeroFloat()); };
  if (isZero(a) != isZero(b)) {
    Value other = isZero(a) ? b : a;
    return add(sub(other, other), isZero(a) ? a : b);
  }
  Type type = broadcast({&a, &b}, elementOf(a));
  return type ? tosa::MulOp::create(builder, loc, type, a, b,
                                    splat(0, builder.getI8Type(), {1}))
              : a;
}

Value TosaBuilder::neg(Value x) {
  // Lowerings of tosa.negate saturate at the least number, which is its own
  // negative in i32.
  if (elementOf(x).isInteger(32))
    return sub(splatLike(0, x), x);
  Value zero = zeroPoint(elementOf(x));
  return tosa::NegateOp::create(builder, loc, x.getType(), x, zero, zero);
}

Value TosaBuilder::rightShift(Value a, Value b) {
  Type type = broadcast({&a, &b}, elementOf(a));
  return type ? tosa::ArithmeticRightShiftOp::create(builder, loc, type, a, b,
                                                     /*round=*/false)
              : a;
}

Value TosaBuilder::floorDivide(Value a, Value b) {
  // One less than tosa.intdiv if there is a remainder and the signs differ.
  Value quotient = binary<tosa::IntDivOp>(a, b);
  Value left = sub(a, mul(quotient, b)), zero = splatLike(0, left);
  Value differ = logicalXor(less(left, zero), less(b, zero));
  Value further = logicalAnd(differ, logicalNot(equal(left, zero)));
  return sub(quotient, cast(further, i32()));
}

Value TosaBuilder::trunc(Value x) {
  return select(less(x, splatLike(0, x)), unary<tosa::CeilOp>(x), floor(x));
}

Value TosaBuilder::select(Value condition, Value a, Value b) {
  Type type = broadcast({&condition, &a, &b}, elementOf(a));
  return type ? tosa::SelectOp::create(builder, loc, type, condition, a, b)
                    .getResult()
              : a;
}

//===----------------------------------------------------------------------===//
// Arrangement
//===----------------------------------------------------------------------===//

Value TosaBuilder::reshape(Value x, Sizes sizes) {
  if (sizesOf(x) == sizes)
    return x;
  // tosa.const_shape supports one placeholder, -1, for an inferred size.
  RankedTensorType type = tensor(sizes, elementOf(x));
  if (llvm::count(sizes, ShapedType::kDynamic) > 1)
    return fail(
        type,
        "TOSA 1.0 reshapes to one size that is known at run time only, got " +
            torch::shapeText(sizes) + "; make sizes known with --specialize");
  SmallVector<int64_t> values(sizes);
  llvm::replace(values, ShapedType::kDynamic, int64_t(-1));
  return tosa::ReshapeOp::create(builder, loc, type, x, shape(values));
}

Value TosaBuilder::transpose(Value x, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return x;
  SmallVector<int64_t> sizes;
  for (int64_t dim : order)
    sizes.push_back(sizesOf(x)[dim]);
  return tosa::TransposeOp::create(builder, loc, tensor(sizes, elementOf(x)), x,
                                   llvm::to_vector_of<int32_t>(order));
}

Value TosaBuilder::slice(Value x, int64_t dim, int64_t start, int64_t size) {
  SmallVector<int64_t> sizes(sizesOf(x)), starts(rankOf(x), 0);
  starts[dim] = start;
  sizes[dim] = size;
  return slice(x, starts, sizes);
}

Value TosaBuilder::slice(Value x, Sizes starts, Sizes sizes) {
  bool fromTheStart =
      llvm::all_of(starts, [](int64_t start) { return start == 0; });
  if (sizesOf(x) == sizes && fromTheStart)
    return x;
  // -1 means all remaining elements, which is the meaning of an unknown size
  // here.
  SmallVector<int64_t> values(sizes);
  llvm::replace(values, ShapedType::kDynamic, int64_t(-1));
  return tosa::SliceOp::create(builder, loc, tensor(sizes, elementOf(x)), x,
                               shape(starts), shape(values));
}

Value TosaBuilder::stridedSlice(Value x, int64_t dim, int64_t start,
                                int64_t count, int64_t step) {
  if (step == 1 || count == 1)
    return slice(x, dim, start, count);
  // Rows of `step` elements, of which the first is taken:
  //   [start, start + count * step) -> [count, step] -> [count, 1] -> [count].
  SmallVector<int64_t> sizes(sizesOf(x)), none(rankOf(x), 0),
      after(rankOf(x), 0);
  after[dim] = std::max<int64_t>(start + count * step - sizes[dim], 0);
  if (after[dim])
    x = pad(x, none, after, splat(0, elementOf(x), {1}));
  x = slice(x, dim, start, count * step);
  sizes[dim] = count;
  SmallVector<int64_t> rows(sizes);
  rows.insert(rows.begin() + dim + 1, step);
  return reshape(slice(reshape(x, rows), dim + 1, 0, 1), sizes);
}

Value TosaBuilder::pad(Value x, Sizes before, Sizes after, Value value) {
  for (int64_t width : llvm::concat<const int64_t>(before, after))
    if (!llvm::isInt<32>(width))
      return fail(x.getType(), "TOSA has sizes of 32 bits, got a padding of " +
                                   Twine(width));
  // MLIR 22 limits the list of paddings, two per dim, to level 8k's largest
  // rank, 6. So dims without padding are merged; if more than three dims
  // remain, they are padded one at a time.
  SmallVector<int64_t> sizes(sizesOf(x)), merged, padding;
  bool extend = false;
  std::optional<int64_t> first;
  for (auto [dim, low, high] : llvm::enumerate(before, after)) {
    bool needsNone = low == 0 && high == 0;
    if (needsNone && extend) {
      bool known = !ShapedType::isDynamic(merged.back()) &&
                   !ShapedType::isDynamic(sizes[dim]);
      merged.back() = known ? merged.back() * sizes[dim] : ShapedType::kDynamic;
    } else if (!needsNone || sizes[dim] != 1) {
      merged.push_back(sizes[dim]);
      padding.append({low, high});
    }
    extend = needsNone && (extend || sizes[dim] != 1);
    if (!needsNone && !first)
      first = dim;
    if (!ShapedType::isDynamic(sizes[dim]))
      sizes[dim] += low + high;
  }
  if (!first)
    return x;
  auto padAs = [&](Value y) -> Value {
    SmallVector<int64_t> result(sizesOf(y));
    for (auto [dim, size] : llvm::enumerate(result))
      if (!ShapedType::isDynamic(size))
        size += padding[2 * dim] + padding[2 * dim + 1];
    return tosa::PadOp::create(builder, loc, tensor(result, elementOf(y)), y,
                               shape(padding), value);
  };
  if (rankOf(x) <= 3) {
    padding.clear();
    for (auto [low, high] : llvm::zip_equal(before, after))
      padding.append({low, high});
    return padAs(x);
  }
  if (merged.size() <= 3)
    return reshape(padAs(reshape(x, merged)), sizes);
  SmallVector<int64_t> none(rankOf(x), 0), low(none), high(none),
      restLow(before), restHigh(after);
  std::swap(low[*first], restLow[*first]);
  std::swap(high[*first], restHigh[*first]);
  return pad(pad(x, low, high, value), restLow, restHigh, value);
}

Value TosaBuilder::concat(ArrayRef<Value> parts, int64_t dim) {
  if (parts.size() == 1)
    return parts.front();
  if (parts.size() > maxConcatOperands) {
    SmallVector<Value> groups;
    for (; !parts.empty();
         parts = parts.drop_front(std::min(parts.size(), maxConcatOperands)))
      groups.push_back(concat(parts.take_front(maxConcatOperands), dim));
    return concat(groups, dim);
  }
  SmallVector<int64_t> sizes(sizesOf(parts.front()));
  for (Value part : parts.drop_front())
    for (auto [at, size] : llvm::enumerate(sizesOf(part))) {
      bool known =
          !ShapedType::isDynamic(size) && !ShapedType::isDynamic(sizes[at]);
      if (static_cast<int64_t>(at) == dim)
        sizes[at] = known ? sizes[at] + size : ShapedType::kDynamic;
      else if (ShapedType::isDynamic(sizes[at]))
        sizes[at] = size;
    }
  return tosa::ConcatOp::create(builder, loc,
                                tensor(sizes, elementOf(parts.front())), parts,
                                builder.getI32IntegerAttr(dim));
}

Value TosaBuilder::tile(Value x, Sizes sizes) {
  SmallVector<int64_t> multiples;
  RankedTensorType type = tensor(sizes, elementOf(x));
  for (auto [own, size] : llvm::zip_equal(sizesOf(x), sizes)) {
    if (own == 1 && ShapedType::isDynamic(size))
      return fail(type, "TOSA 1.0 repeats a known number of times only, got " +
                            torch::shapeText(sizes) +
                            "; make sizes known with --specialize");
    multiples.push_back(own == 1 ? size : 1);
  }
  if (llvm::all_of(multiples, [](int64_t each) { return each == 1; }))
    return x;
  return tosa::TileOp::create(builder, loc, type, x, shape(multiples));
}

Value TosaBuilder::reduceProduct(Value x, int64_t dim) {
  if (isa<FloatType>(elementOf(x)))
    return reduce<tosa::ReduceProductOp>(x, dim);
  while (sizesOf(x)[dim] > 1) {
    int64_t size = sizesOf(x)[dim], half = size / 2;
    Value product = mul(slice(x, dim, 0, half), slice(x, dim, half, half));
    x = size % 2 ? concat({product, slice(x, dim, size - 1, 1)}, dim) : product;
  }
  return x;
}

Value TosaBuilder::gather(Value values, Value indices) {
  return tosa::GatherOp::create(
      builder, loc,
      tensor({sizesOf(values)[0], sizesOf(indices)[1], sizesOf(values)[2]},
             elementOf(values)),
      values, indices);
}
