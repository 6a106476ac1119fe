//===- Creation.cpp - Tensors made from sizes and scalars -----------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Support/ResourceBytes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// full(size, fill_value): every element is fill_value.
FailureOr<Value> lowerFull(torch::AtenFullOp op, torch::AtenFullOp::Adaptor in,
                           HloBuilder &b) {
  FailureOr<Sizes> shape = sizesOfList(b, op.getSize());
  if (failed(shape))
    return b.decline() << torch::kListOfSizes;
  Value fill = number(b, op.getFillValue(), in.getFillValue(),
                      b.resultType().getElementType());
  return b.broadcastScalar(fill, *shape);
}

/// A number that is whole, though it may be a float: 2 and 2.0.
static std::optional<Size> wholeNumber(Value original, Value converted) {
  if (torch::isInt(original.getType()))
    return sizeOfInt(original, converted);
  std::optional<double> known = torch::matchNumber(original);
  constexpr double most = 0x1p53;
  if (!known || std::abs(*known) > most || *known != std::trunc(*known))
    return std::nullopt;
  return Size(static_cast<int64_t>(*known));
}

/// arange(start, end, step): start + i * step for i < (end - start) / step,
/// rounded up. Floating-point elements are computed in f64, integers in i64, as
/// in PyTorch.
FailureOr<Value> lowerArange(torch::AtenArangeStartStepOp op,
                             torch::AtenArangeStartStepOp::Adaptor in,
                             HloBuilder &b) {
  RankedTensorType type = b.resultType();
  bool isWhole =
      llvm::all_of(ArrayRef<Value>{op.getStart(), op.getEnd(), op.getStep()},
                   [](Value value) { return torch::isInt(value.getType()); });
  auto first = torch::matchNumber(op.getStart());
  auto last = torch::matchNumber(op.getEnd());
  auto stride = torch::matchNumber(op.getStep());
  Size length = 0;
  if (type.hasStaticShape()) {
    length = type.getDimSize(0);
  } else if (first && last && stride) {
    double count = std::ceil((*last - *first) / *stride);
    if (!(count >= 0 && count < 0x1p63))
      return b.decline() << "expected bounds a countable number of steps "
                            "apart, got steps of "
                         << *stride;
    length = static_cast<int64_t>(count);
  } else if (llvm::any_of(op->getOperands().take_front(3),
                          torch::isOfElements)) {
    return b.decline() << kDependsOnData;
  } else {
    std::optional<Size> start = wholeNumber(op.getStart(), in.getStart());
    std::optional<Size> end = wholeNumber(op.getEnd(), in.getEnd());
    std::optional<Size> step = wholeNumber(op.getStep(), in.getStep());
    if (!start || !end || !step)
      return b.decline() << "expected integer bounds, or bounds known while "
                            "compiling, got a result of type "
                         << op.getType();
    length = b.sizes.max(b.sizes.ceilDiv(b.sizes.sub(*end, *start), *step), 0);
  }
  Type computed = isWhole || !isa<FloatType>(type.getElementType())
                      ? Type(b.getBuilder().getI64Type())
                      : Type(b.getBuilder().getF64Type());
  Value start = number(b, op.getStart(), in.getStart(), computed);
  Value step = number(b, op.getStep(), in.getStep(), computed);
  Value count = b.iota({length}, 0, computed);
  Value steps =
      stride == 1.0
          ? count
          : b.create<mhlo::MulOp>(count, b.broadcastScalar(step, {length}));
  if (first != 0.0)
    steps = b.create<mhlo::AddOp>(b.broadcastScalar(start, {length}), steps);
  return b.convert(steps, type.getElementType());
}

/// The bools as elements of the byte type; null if they are not available. A
/// resource with one byte per bool is not copied.
ElementsAttr flagsAsBytes(ElementsAttr flags, RankedTensorType type) {
  SmallVector<int8_t> bytes;
  if (auto dense = dyn_cast<DenseIntElementsAttr>(flags)) {
    llvm::append_range(bytes, dense.getValues<bool>());
    return DenseElementsAttr::get(type, ArrayRef(bytes));
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(flags);
  ArrayRef<char> data = resource ? bytesOf(resource) : ArrayRef<char>();
  int64_t count = type.getNumElements();
  if (static_cast<int64_t>(data.size()) == count)
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (static_cast<int64_t>(data.size()) != llvm::divideCeil(count, 8))
    return {};
  for (int64_t i = 0; i < count; ++i)
    bytes.push_back((data[i / 8] >> (i % 8)) & 1);
  return DenseElementsAttr::get(type, ArrayRef(bytes));
}

/// A literal keeps its storage; signed integers become signless. Non-splat
/// bools are stored as bytes: MLIR versions differ in the width of a bool in a
/// hex string, and jaxlib's version differs from the one used here.
FailureOr<Value> lowerLiteral(torch::ValueTensorLiteralOp op,
                              torch::ValueTensorLiteralOp::Adaptor,
                              HloBuilder &b) {
  RankedTensorType type = b.resultType();
  ElementsAttr value = op.getValue();
  if (type.getElementType().isInteger(1) && !value.isSplat()) {
    ElementsAttr bytes =
        flagsAsBytes(value, type.clone(b.getBuilder().getI8Type()));
    if (!bytes)
      return b.decline() << "expected a constant whose elements are at hand";
    return b.convert(b.create<mhlo::ConstantOp>(bytes), type.getElementType());
  }
  if (value.getType() != type) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      value = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    else
      value = DenseElementsAttr::getFromRawBuffer(
          type, cast<DenseElementsAttr>(value).getRawData());
  }
  return b.create<mhlo::ConstantOp>(value);
}

} // namespace

void torch_to_mhlo::populateCreation(HloLowerings &lowerings) {
  lowerings.add(lowerArange, lowerFull, lowerLiteral);
}
