//===- TorchBuilder.cpp - Builds torch ops with inferred types ------------===//

#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "WholeNumber.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Shapes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

ValueTensorType torch::tensorType(Value value) {
  if (auto type = dyn_cast<ValueTensorType>(value.getType()))
    return type;
  return ValueTensorType::getUnknown(value.getContext());
}

Value TorchBuilder::fail(const Twine &message) {
  if (firstError.empty())
    firstError = message.str();
  return {};
}

Operation *TorchBuilder::createInferred(OperationName name, ValueRange operands,
                                        TypeRule rule, unsigned numResults) {
  TypeInference inference(getContext(), operands);
  std::optional<std::string> wrong = findWrongShape(name, operands);
  if (!wrong && failed(rule(inference)))
    wrong = inference.error;
  if (wrong) {
    fail(*wrong);
    inference.results.assign(numResults,
                             ValueTensorType::getUnknown(getContext()));
  }
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(inference.results);
  return builder.create(state);
}

Value TorchBuilder::rebuild(Operation *op, ValueRange operands) {
  auto rule = cast<TypeInferenceOpInterface>(op);
  return createInferred(
             op->getName(), operands,
             [&](TypeInference &inference) {
               return rule.inferTypes(inference);
             },
             1)
      ->getResult(0);
}

Value TorchBuilder::foldOrKeep(Operation *op) {
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(folded)) || folded.size() != 1)
    return op->getResult(0);
  Type type = op->getResult(0).getType();
  if (auto value = dyn_cast<Value>(folded.front())) {
    op->erase();
    return value;
  }
  auto attribute = cast<Attribute>(folded.front());
  Dialect *dialect = op->getDialect();
  auto make = [&](OpBuilder &at) -> Value {
    return dialect->materializeConstant(at, attribute, type, loc)->getResult(0);
  };
  Value constant =
      constants ? constants->get(attribute, builder, make) : make(builder);
  op->erase();
  return constant;
}

//===----------------------------------------------------------------------===//
// Constants and lists
//===----------------------------------------------------------------------===//

Value TorchBuilder::constant(int64_t value) {
  return constantFrom<ConstantIntOp>(
      constants, builder.getI64IntegerAttr(value), builder, loc, value);
}
Value TorchBuilder::constantFloat(double value) {
  return constantFrom<ConstantFloatOp>(
      constants, builder.getF64FloatAttr(value), builder, loc, value);
}
Value TorchBuilder::constantBool(bool value) {
  return constantFrom<ConstantBoolOp>(constants, builder.getBoolAttr(value),
                                      builder, loc, value);
}
Value TorchBuilder::constantStr(StringRef value) {
  return constantFrom<ConstantStrOp>(constants, builder.getStringAttr(value),
                                     builder, loc, value);
}
Value TorchBuilder::none() {
  return constantFrom<ConstantNoneOp>(constants, builder.getUnitAttr(), builder,
                                      loc);
}

Value TorchBuilder::dtype(Type dtype) {
  std::optional<int64_t> code = codeOfDtype(dtype);
  if (!code && firstError.empty()) {
    llvm::raw_string_ostream(firstError)
        << "expected a dtype that PyTorch has, got " << dtype;
    return constant(0);
  }
  return constant(code.value_or(0));
}

Value TorchBuilder::literal(ElementsAttr value) {
  return ValueTensorLiteralOp::create(builder, loc, value);
}

Value TorchBuilder::scalarTensor(Attribute element, Type builtinElementType) {
  auto type = RankedTensorType::get({}, builtinElementType);
  ElementsAttr value = toTorchElements(
      DenseElementsAttr::get(type, ArrayRef<Attribute>(element)));
  return constantFrom<ValueTensorLiteralOp>(constants, value, builder, loc,
                                            fromBuiltin(type), value);
}

Value TorchBuilder::scalarTensor(double value, Type dtype) {
  // After a rejected op the dtype is unknown; the caller reports the rejection.
  if (!dtype)
    dtype = builder.getF32Type();
  if (auto integer = dyn_cast<IntegerType>(dtype)) {
    if (isBoolean(dtype))
      return scalarTensor(int64_t(value != 0), dtype);
    std::optional<int64_t> whole = wholeNumber(value);
    if (!whole)
      fail("expected an integer that 64 bits hold, got " +
           std::to_string(value));
    return scalarTensor(whole.value_or(0), dtype);
  }
  if (auto complex = dyn_cast<ComplexType>(dtype)) {
    Type part = complex.getElementType();
    auto parts = builder.getArrayAttr(
        {builder.getFloatAttr(part, value), builder.getFloatAttr(part, 0.0)});
    return scalarTensor(parts, dtype);
  }
  return scalarTensor(builder.getFloatAttr(dtype, value), dtype);
}

Value TorchBuilder::scalarTensor(int64_t value, Type dtype) {
  auto integer = dyn_cast_or_null<IntegerType>(dtype);
  if (!integer)
    return scalarTensor(static_cast<double>(value), dtype);
  if (isBoolean(dtype))
    value = value != 0;
  // Signed dtypes are signless as builtin element types.
  Type element =
      integer.isUnsigned() ? dtype : builder.getIntegerType(integer.getWidth());
  return scalarTensor(builder.getIntegerAttr(element, APInt(integer.getWidth(),
                                                            value, true, true)),
                      element);
}

static Value makeList(TorchBuilder &b, ValueRange elements, Type elementType) {
  return PrimListConstructOp::create(b.getBuilder(), b.getLoc(),
                                     ListType::get(b.getContext(), elementType),
                                     elements);
}

Value TorchBuilder::ints(ValueRange values) {
  return makeList(*this, values, torch::IntType::get(getContext()));
}

Value TorchBuilder::ints(ArrayRef<int64_t> values) {
  return ints(llvm::map_to_vector(
      values, [&](int64_t value) { return constant(value); }));
}

Value TorchBuilder::tensors(ValueRange values) {
  return makeList(*this, values, ValueTensorType::getUnknown(getContext()));
}

Value TorchBuilder::optionalTensors(ValueRange values) {
  return makeList(*this, values,
                  OptionalType::get(getContext(),
                                    ValueTensorType::getUnknown(getContext())));
}

//===----------------------------------------------------------------------===//
// Ints and bools
//===----------------------------------------------------------------------===//

Value TorchBuilder::size(Value tensor, int64_t dim) {
  return fold<AtenSizeIntOp>(tensor, constant(dim));
}

SmallVector<Value> TorchBuilder::sizes(Value tensor) {
  return llvm::map_to_vector(
      llvm::seq<int64_t>(0, tensorType(tensor).getRank()),
      [&](int64_t dim) { return size(tensor, dim); });
}

Value TorchBuilder::addInt(Value a, Value b) {
  return fold<AtenAddIntOp>(a, b);
}
Value TorchBuilder::subInt(Value a, Value b) {
  return fold<AtenSubIntOp>(a, b);
}
Value TorchBuilder::mulInt(Value a, Value b) {
  return fold<AtenMulIntOp>(a, b);
}
Value TorchBuilder::product(ValueRange ints) {
  Value all = constant(1);
  for (Value each : ints)
    all = mulInt(all, each);
  return all;
}
Value TorchBuilder::floorDivInt(Value a, Value b) {
  return fold<AtenFloordivIntOp>(a, b);
}
Value TorchBuilder::minInt(Value a, Value b) {
  return fold<PrimMinIntOp>(a, b);
}
Value TorchBuilder::maxInt(Value a, Value b) {
  return fold<PrimMaxIntOp>(a, b);
}
Value TorchBuilder::eqInt(Value a, Value b) { return fold<AtenEqIntOp>(a, b); }

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value TorchBuilder::add(Value a, Value b) {
  return create<AtenAddTensorOp>(a, b, constant(1));
}
Value TorchBuilder::sub(Value a, Value b) {
  return create<AtenSubTensorOp>(a, b, constant(1));
}
Value TorchBuilder::mul(Value a, Value b) {
  return create<AtenMulTensorOp>(a, b);
}
Value TorchBuilder::div(Value a, Value b) {
  return create<AtenDivTensorOp>(a, b);
}

Value TorchBuilder::where(Value condition, Value a, Value b) {
  return create<AtenWhereSelfOp>(condition, a, b);
}

Value TorchBuilder::permute(Value tensor, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return tensor;
  return create<AtenPermuteOp>(tensor, ints(order));
}

Value TorchBuilder::moveDim(Value tensor, int64_t from, int64_t to) {
  if (!error().empty())
    return tensor;
  return permute(tensor, *movedDims(tensorType(tensor).getRank(), from, to));
}

Value TorchBuilder::view(Value tensor, ValueRange sizes) {
  return create<AtenViewOp>(tensor, ints(sizes));
}

Value TorchBuilder::unsqueeze(Value tensor, int64_t dim) {
  return create<AtenUnsqueezeOp>(tensor, constant(dim));
}

Value TorchBuilder::squeeze(Value tensor, ArrayRef<int64_t> dims) {
  return dims.empty() ? tensor
                      : create<PrimsSqueezeOp>(tensor, ints(dims)).getResult();
}

Value TorchBuilder::expand(Value tensor, ValueRange sizes) {
  return create<AtenExpandOp>(tensor, ints(sizes), constantBool(false));
}

Value TorchBuilder::slice(Value tensor, int64_t dim, Value start, Value end,
                          int64_t step) {
  return create<AtenSliceTensorOp>(tensor, constant(dim), start,
                                   end ? end : none(), constant(step));
}

Value TorchBuilder::cat(ValueRange values, int64_t dim) {
  return create<AtenCatOp>(tensors(values), constant(dim));
}

SmallVector<Value> TorchBuilder::split(Value tensor, int64_t dim,
                                       ValueRange sizes) {
  Value start = constant(0);
  return llvm::map_to_vector(sizes, [&](Value size) {
    Value end = addInt(start, size);
    return slice(tensor, dim, std::exchange(start, end), end);
  });
}

std::optional<SmallVector<Value>> TorchBuilder::splitEvenly(Value tensor,
                                                            int64_t dim,
                                                            int64_t total,
                                                            int64_t size) {
  if (int64_t count = llvm::divideCeilSigned(total, size); count > maxPieces) {
    fail("expected at most " + Twine(maxPieces) + " pieces, got " +
         Twine(count));
    return std::nullopt;
  }
  SmallVector<Value> sizes;
  for (int64_t rest = total; rest > 0; rest -= size)
    sizes.push_back(constant(std::min(size, rest)));
  return split(tensor, dim, sizes);
}

Value TorchBuilder::sum(Value tensor, ArrayRef<int64_t> dims, bool keepdim) {
  return create<AtenSumDimIntListOp>(tensor, ints(dims), constantBool(keepdim),
                                     none());
}

Value TorchBuilder::convert(Value tensor, Type to) {
  return tensorType(tensor).getDtype() == to
             ? tensor
             : create<PrimsConvertElementTypeOp>(tensor, dtype(to)).getResult();
}
