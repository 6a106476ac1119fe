//===- HloBuilder.cpp - MHLO for static and dynamic sizes -----------------===//

#include "HloBuilder.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

/// The type of a tensor of these sizes.
static RankedTensorType tensorType(ArrayRef<Size> sizes, Type elementType) {
  return RankedTensorType::get(
      llvm::map_to_vector(sizes, [](Size size) { return size.getNumber(); }),
      elementType);
}

static SmallVector<int64_t> numbers(ArrayRef<Size> sizes) {
  return llvm::map_to_vector(sizes, [](Size size) { return size.getNumber(); });
}

Type HloBuilder::elementType(Type dtype) const {
  auto tensor = torch::ValueTensorType::get(dtype.getContext(), {}, dtype);
  return llvm::cast<RankedTensorType>(convertType(tensor)).getElementType();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Value scalarConstant(HloBuilder &b, Type elementType, Attribute value) {
  auto type = RankedTensorType::get({}, elementType);
  return b.constant(DenseElementsAttr::get(type, value));
}

Value HloBuilder::scalar(double number, Type elementType) {
  if (isa<FloatType>(elementType))
    return scalarConstant(*this, elementType,
                          FloatAttr::get(elementType, number));
  if (elementType.isInteger(1))
    return scalar(int64_t(number != 0), elementType);
  APSInt whole(64, /*isUnsigned=*/false); // the nearest one, out of range
  bool isExact;
  APFloat(number).convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  return scalar(whole.getSExtValue(), elementType);
}

Value HloBuilder::scalar(int64_t number, Type elementType) {
  if (isa<FloatType>(elementType))
    return scalar(static_cast<double>(number), elementType);
  unsigned width = elementType.getIntOrFloatBitWidth();
  APInt bits =
      width == 1 ? APInt(1, number != 0) : APInt(64, number).zextOrTrunc(width);
  return scalarConstant(*this, elementType,
                        IntegerAttr::get(elementType, bits));
}

Value HloBuilder::empty(RankedTensorType type) {
  return constant(DenseElementsAttr::get(type, ArrayRef<Attribute>()));
}

Value HloBuilder::lowest(Type elementType) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return scalarConstant(
        *this, type,
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(),
                                             /*Negative=*/true)));
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isSigned = width > 1 && !elementType.isUnsignedInteger();
  return scalarConstant(
      *this, elementType,
      IntegerAttr::get(elementType, isSigned ? APInt::getSignedMinValue(width)
                                             : APInt::getZero(width)));
}

Value HloBuilder::highest(Type elementType) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return scalarConstant(
        *this, type,
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics())));
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isSigned = width > 1 && !elementType.isUnsignedInteger();
  return scalarConstant(
      *this, elementType,
      IntegerAttr::get(elementType, isSigned ? APInt::getSignedMaxValue(width)
                                             : APInt::getAllOnes(width)));
}

Value HloBuilder::iota(ArrayRef<Size> shape, int64_t dim, Type type) {
  RankedTensorType resultType = tensorType(shape, type);
  if (areKnown(shape))
    return create<mhlo::IotaOp>(resultType, dim);
  return create<mhlo::DynamicIotaOp>(resultType, sizes.materialize(shape), dim);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value HloBuilder::compare(hlo::ComparisonDirection direction, Value lhs,
                          Value rhs) {
  Type element = elementType(lhs);
  auto kind = isa<FloatType, ComplexType>(element) ? hlo::ComparisonType::FLOAT
              : element.isInteger(1) || element.isUnsignedInteger()
                  ? hlo::ComparisonType::UNSIGNED
                  : hlo::ComparisonType::SIGNED;
  MLIRContext *context = builder.getContext();
  return create<mhlo::CompareOp>(
      lhs, rhs, mhlo::ComparisonDirectionAttr::get(context, direction),
      mhlo::ComparisonTypeAttr::get(context, kind));
}

Value HloBuilder::select(Value pred, Value onTrue, Value onFalse) {
  return create<mhlo::SelectOp>(onTrue.getType(), pred, onTrue,
                                cast(onFalse, onTrue.getType()));
}

Value HloBuilder::convert(Value value, Type target) {
  if (elementType(value) == target)
    return value;
  return create<mhlo::ConvertOp>(type(value).clone(target), value);
}

Value HloBuilder::isNan(Value value) {
  if (!isa<FloatType>(elementType(value)))
    return full(int64_t(0), sizes.sizesOf(value), builder.getI1Type());
  return compare(hlo::ComparisonDirection::NE, value, value);
}

/// True where both are nonzero and have different signs.
static Value haveOppositeSigns(HloBuilder &b, Value x, Value y) {
  Value zero = b.fullLike(int64_t(0), x);
  auto compare = [&](hlo::ComparisonDirection direction, Value value) {
    return b.compare(direction, value, zero);
  };
  Value nonzero = compare(hlo::ComparisonDirection::NE, x);
  Value differ = b.compare(hlo::ComparisonDirection::NE,
                           compare(hlo::ComparisonDirection::LT, x),
                           compare(hlo::ComparisonDirection::LT, y));
  return b.create<mhlo::AndOp>(nonzero, differ);
}

Value HloBuilder::floorRemainder(Value x, Value y) {
  // mhlo.remainder has the sign of x.
  Value rest = create<mhlo::RemOp>(x, y);
  if (elementType(x).isUnsignedInteger())
    return rest;
  return select(haveOppositeSigns(*this, rest, y), create<mhlo::AddOp>(rest, y),
                rest);
}

Value HloBuilder::floorDivide(Value x, Value y) {
  Type element = elementType(x);
  if (element.isUnsignedInteger())
    return create<mhlo::DivOp>(x, y);
  Value rest = create<mhlo::RemOp>(x, y);
  // x - remainder is a multiple of y, except for an error that rounding to
  // nearest removes (c10::div_floor_floating). Quotients of integers are
  // rounded towards zero.
  bool isFloat = isa<FloatType>(element);
  Value towardsZero =
      isFloat ? create<mhlo::RoundNearestEvenOp>(
                    create<mhlo::DivOp>(create<mhlo::SubtractOp>(x, rest), y))
              : create<mhlo::DivOp>(x, y);
  Value whole =
      select(haveOppositeSigns(*this, rest, y),
             create<mhlo::SubtractOp>(towardsZero, fullLike(int64_t(1), x)),
             towardsZero);
  if (!isFloat)
    return whole;
  Value byZero = compare(hlo::ComparisonDirection::EQ, y, fullLike(0.0, y));
  return select(byZero, create<mhlo::DivOp>(x, y), whole);
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

Value HloBuilder::reshape(Value value, ArrayRef<Size> shape) {
  RankedTensorType resultType = tensorType(shape, elementType(value));
  if (resultType == value.getType() && resultType.hasStaticShape())
    return value;
  if (areKnown(shape))
    return create<mhlo::ReshapeOp>(resultType, value);
  return create<mhlo::DynamicReshapeOp>(resultType, value,
                                        sizes.materialize(shape));
}

Value HloBuilder::broadcast(Value value, ArrayRef<Size> shape, Dims dims) {
  RankedTensorType resultType = tensorType(shape, elementType(value));
  bool isIdentity =
      dims.size() == shape.size() && llvm::equal(dims, dimsUpTo(shape.size()));
  if (isIdentity) {
    bool same = true;
    for (auto [dim, size] : llvm::enumerate(shape))
      same &= areSame(sizes.sizeOf(value, dim), size);
    if (same)
      return value;
  }
  if (areKnown(shape)) {
    SplatElementsAttr scalar;
    if (dims.empty() && matchPattern(value, m_Constant(&scalar)))
      return constant(scalar.resizeSplat(resultType));
    return create<mhlo::BroadcastInDimOp>(resultType, value, dimsAttr(dims));
  }
  return create<mhlo::DynamicBroadcastInDimOp>(
      resultType, value, sizes.materialize(shape), dimsAttr(dims),
      /*known_expanding_dimensions=*/nullptr,
      /*known_nonexpanding_dimensions=*/nullptr);
}

Value HloBuilder::broadcastTo(Value value, ArrayRef<Size> shape) {
  int64_t lead = shape.size() - rank(value);
  return broadcast(value, shape,
                   llvm::map_to_vector(dimsUpTo(rank(value)), [&](int64_t dim) {
                     return dim + lead;
                   }));
}

Sizes HloBuilder::commonShape(ValueRange values) {
  int64_t commonRank = 0;
  for (Value value : values)
    commonRank = std::max(commonRank, rank(value));
  Sizes common(commonRank, 1);
  for (Value value : values) {
    int64_t lead = commonRank - rank(value);
    for (int64_t dim : dimsUpTo(rank(value)))
      common[lead + dim] =
          sizes.broadcast(common[lead + dim], sizes.sizeOf(value, dim));
  }
  return common;
}

Value HloBuilder::transpose(Value value, Dims permutation) {
  if (llvm::equal(permutation, dimsUpTo(permutation.size())))
    return value;
  return create<mhlo::TransposeOp>(value, dimsAttr(permutation));
}

/// True if the bounds are inside a tensor, as far as its sizes are known.
static bool areInside(RankedTensorType type, ArrayRef<Size> starts,
                      ArrayRef<Size> limits) {
  for (auto [size, start, limit] :
       llvm::zip_equal(type.getShape(), starts, limits))
    if (start.getNumber() < 0 || start.getNumber() > limit.getNumber() ||
        (!ShapedType::isDynamic(size) && limit.getNumber() > size))
      return false;
  return true;
}

Value HloBuilder::slice(Value value, ArrayRef<Size> starts,
                        ArrayRef<Size> limits, Dims strides) {
  // Invalid bounds become run-time errors.
  if (areKnown(starts) && areKnown(limits) &&
      areInside(type(value), starts, limits))
    return create<mhlo::SliceOp>(value, dimsAttr(numbers(starts)),
                                 dimsAttr(numbers(limits)), dimsAttr(strides));
  Sizes strideSizes(strides.begin(), strides.end()), shape;
  for (auto [start, limit, stride] : llvm::zip_equal(starts, limits, strides)) {
    Size length = sizes.sub(limit, start);
    shape.push_back(length.isKnown() ? sizes.ceilDiv(length, stride)
                                     : length.getValue());
  }
  return create<mhlo::RealDynamicSliceOp>(
      tensorType(shape, elementType(value)), value, sizes.materialize(starts),
      sizes.materialize(limits), sizes.materialize(strideSizes));
}

Value HloBuilder::sliceDim(Value value, int64_t dim, Size start, Size limit,
                           int64_t stride) {
  Sizes starts(rank(value), 0), limits = sizes.sizesOf(value);
  SmallVector<int64_t> strides(rank(value), 1);
  if (start.isNumber(0) && stride == 1 && areSame(limit, limits[dim]))
    return value;
  starts[dim] = start;
  limits[dim] = limit;
  strides[dim] = stride;
  return slice(value, starts, limits, strides);
}

Value HloBuilder::pad(Value value, Value padding, ArrayRef<Size> low,
                      ArrayRef<Size> high) {
  SmallVector<int64_t> none(rank(value), 0);
  auto isZero = [](Size size) { return size.isNumber(0); };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return value;
  if (areKnown(low) && areKnown(high))
    return create<mhlo::PadOp>(value, padding, dimsAttr(numbers(low)),
                               dimsAttr(numbers(high)), dimsAttr(none));
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type(value).getShape()))
    shape.push_back(ShapedType::isDynamic(size) || !low[dim].isKnown() ||
                            !high[dim].isKnown()
                        ? ShapedType::kDynamic
                        : size + low[dim].getNumber() + high[dim].getNumber());
  return create<mhlo::DynamicPadOp>(
      RankedTensorType::get(shape, elementType(value)), value, padding,
      sizes.materialize(low), sizes.materialize(high),
      constant(builder.getI64TensorAttr(none)));
}

Value HloBuilder::concatenate(ValueRange values, int64_t dim) {
  return values.size() == 1 ? values.front()
                            : create<mhlo::ConcatenateOp>(values, dim);
}

Value HloBuilder::cast(Value value, Type target) {
  if (value.getType() == target)
    return value;
  return create<mhlo::ConvertOp>(target, value);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void HloBuilder::fillBody(Region &region, TypeRange elementTypes, Body body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types =
      llvm::map_to_vector(elementTypes, [](Type type) -> Type {
        return RankedTensorType::get({}, type);
      });
  Block *block = builder.createBlock(&region, region.end(), types,
                                     SmallVector<Location>(types.size(), loc));
  // The computations of XLA's reductions can use only their arguments.
  HloBuilder inner(builder, loc);
  mhlo::ReturnOp::create(builder, loc, body(inner, block->getArguments()));
}

/// The element types of the running results and of the next elements.
static SmallVector<Type> bodyTypes(ValueRange inputs) {
  SmallVector<Type> types = llvm::map_to_vector(
      inputs, [](Value input) { return HloBuilder::elementType(input); });
  types.append(types.begin(), types.end());
  return types;
}

ResultRange HloBuilder::reduce(ValueRange inputs, ValueRange inits, Dims dims,
                               Body body) {
  auto op = mhlo::ReduceOp::create(builder, loc, inputs, inits, dimsAttr(dims));
  fillBody(op.getBody(), bodyTypes(inputs), body);
  return op->getResults();
}

ResultRange HloBuilder::reduceWindow(ValueRange inputs, ValueRange inits,
                                     Dims window, Dims strides, Dims dilations,
                                     Dims low, Dims high, Body body) {
  SmallVector<int64_t> padding;
  for (auto [l, h] : llvm::zip_equal(low, high))
    padding.append({l, h});
  int64_t windowRank = window.size();
  auto paddingType =
      RankedTensorType::get({windowRank, 2}, builder.getI64Type());
  auto op = mhlo::ReduceWindowOp::create(
      builder, loc, inputs, inits, dimsAttr(window), dimsAttr(strides),
      /*base_dilations=*/nullptr, dimsAttr(dilations),
      DenseIntElementsAttr::get(paddingType, padding));
  fillBody(op.getBody(), bodyTypes(inputs), body);
  return op->getResults();
}
