//===- Creation.cpp - Constants and tensors made from scalars to TOSA -----===//

#include "Families.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// The elements of a blob, which may lie at any address in a model's file.
template <typename T>
auto elementsOf(const AsmResourceBlob &blob) {
  ArrayRef<char> bytes = blob.getData();
  return llvm::map_range(
      llvm::seq<size_t>(0, bytes.size() / sizeof(T)), [bytes](size_t i) {
        return llvm::support::endian::read<T, llvm::endianness::native>(
            bytes.data() + i * sizeof(T));
      });
}

/// The elements as i32; the first that does not fit is returned in
/// `outOfRange`.
template <typename Int>
DenseElementsAttr narrowed(const AsmResourceBlob &blob, RankedTensorType type,
                           std::optional<Int> &outOfRange) {
  SmallVector<int32_t> narrow;
  narrow.reserve(blob.getData().size() / sizeof(Int));
  for (Int value : elementsOf<Int>(blob)) {
    if (static_cast<int64_t>(value) != static_cast<int32_t>(value)) {
      outOfRange = value;
      return {};
    }
    narrow.push_back(static_cast<int32_t>(value));
  }
  return DenseElementsAttr::get(type, ArrayRef(narrow));
}

UnsupportedOps::Reason declineRange(TosaBuilder &b, int64_t value) {
  return b.decline() << "TOSA 1.0 has integers of 32 bits, got the constant "
                     << value;
}

/// Converts integers and f64; reads the elements from the blob in place.
FailureOr<Value> fromResource(torch::ValueTensorLiteralOp op,
                              DenseResourceElementsAttr resource,
                              RankedTensorType type, TosaBuilder &b) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return b.decline() << "expected a constant whose elements are at hand";
  Type dtype = dtypeOf(op.getResult());
  if (dtype.isUnsignedInteger(8)) {
    // Keeps the bytes, and zero-extends them at run time: the constant takes
    // a quarter of the memory.
    auto bytes = DenseResourceElementsAttr::get(
        type.clone(IntegerType::get(op.getContext(), 8)),
        resource.getRawHandle());
    return b.store(b.cast(b.constant(bytes), b.i32()), dtype);
  }
  DenseElementsAttr narrow;
  if (dtype.isInteger(64)) {
    std::optional<int64_t> outOfRange;
    narrow = narrowed(*blob, type, outOfRange);
    if (outOfRange)
      return declineRange(b, *outOfRange);
  } else if (dtype.isUnsignedInteger(16)) {
    std::optional<uint16_t> outOfRange;
    narrow = narrowed(*blob, type, outOfRange);
  } else {
    std::vector<float> values;
    for (double value : elementsOf<double>(*blob))
      values.push_back(static_cast<float>(value));
    narrow = DenseElementsAttr::get(type, ArrayRef<float>(values));
  }
  return b.constant(narrow);
}

FailureOr<Value> lowerLiteral(torch::ValueTensorLiteralOp op,
                              torch::ValueTensorLiteralOp::Adaptor,
                              TosaBuilder &b) {
  auto type = cast<RankedTensorType>(b.convertType(op.getType()));
  ElementsAttr value = torch::toBuiltinElements(op.getValue());
  if (value.getElementType() == type.getElementType())
    return b.constant(value);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return fromResource(op, resource, type, b);
  auto dense = cast<DenseElementsAttr>(value);
  if (isa<FloatType>(type.getElementType())) // f64, see narrow-f64
    return b.constant(
        dense.mapValues(type.getElementType(), [](const APFloat &number) {
          return APFloat(static_cast<float>(number.convertToDouble()))
              .bitcastToAPInt();
        }));
  Type dtype = dtypeOf(op.getResult());
  std::optional<int64_t> outOfRange;
  DenseElementsAttr narrow =
      dense.mapValues(type.getElementType(), [&](const APInt &number) {
        int64_t wide = torch::integerOf(number, dtype);
        if (!llvm::isInt<32>(wide) && !outOfRange)
          outOfRange = wide;
        return APInt(64, wide, /*isSigned=*/true).trunc(32);
      });
  if (outOfRange)
    return declineRange(b, *outOfRange);
  return b.constant(narrow);
}

/// full(size, fill_value, ...)
FailureOr<Value> lowerFull(torch::AtenFullOp op, torch::AtenFullOp::Adaptor in,
                           TosaBuilder &b) {
  auto type = cast<torch::ValueTensorType>(op.getType());
  Type storage = storageType(type.getDtype());
  if (!type.hasStaticShape())
    return b.decline() << "expected sizes that are known while compiling, got "
                       << op.getType()
                       << "; make sizes known with --specialize";
  if (std::optional<int64_t> fill = torch::matchInt(op.getFillValue());
      fill && storage.isInteger(32) && !llvm::isInt<32>(*fill))
    return b.decline()
           << "TOSA 1.0 has integers of 32 bits, got a fill value of " << *fill;
  if (std::optional<double> fill = torch::matchNumber(op.getFillValue()))
    return b.splat(storage.isInteger(1) ? *fill != 0 : *fill, storage,
                   type.getSizes());
  Value fill = b.cast(in.getFillValue(), storage);
  SmallVector<int64_t> ones(type.getRank(), 1);
  return b.tile(b.reshape(fill, ones), type.getSizes());
}

/// arange(start, end, step): start + i * step for all i before end. TOSA has no
/// iota op, so these are constants.
FailureOr<Value> lowerArange(torch::AtenArangeStartStepOp op,
                             torch::AtenArangeStartStepOp::Adaptor,
                             TosaBuilder &b) {
  auto type = cast<torch::ValueTensorType>(op.getType());
  std::optional<double> start = torch::matchNumber(op.getStart());
  std::optional<double> step = torch::matchNumber(op.getStep());
  if (!type.hasStaticShape() || !start || !step)
    return b.decline() << "expected bounds that are known while compiling; "
                          "make sizes known with --specialize";
  int64_t count = type.getSizes()[0];
  if (count > maxRange)
    return b.decline() << "TOSA has no op that counts; expected a range of "
                          "at most "
                       << maxRange << " numbers, got " << count;
  Type element = computeType(type.getDtype());
  if (isa<FloatType>(element)) {
    SmallVector<float> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<float>(*start + i * *step));
    auto all =
        DenseElementsAttr::get(b.tensor({count}, b.f32()), ArrayRef(values));
    return b.cast(b.constant(all), element);
  }
  start = std::trunc(*start); // integer aranges use whole numbers
  step = std::trunc(*step);
  double last = *start + (count - 1) * *step;
  if (!(std::abs(last) < 0x1p31 && std::abs(*start) < 0x1p31))
    return b.decline() << llvm::formatv(
                              "TOSA 1.0 has integers of 32 bits, got a range "
                              "from {0:f0} to {1:f0}",
                              *start, last)
                              .str();
  SmallVector<int32_t> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<int32_t>(*start + i * *step));
  return b.store(b.ints(values, {count}), type.getDtype());
}

} // namespace

void torch_to_tosa::populateCreation(TosaLowerings &lowerings) {
  lowerings.add(lowerArange, lowerFull, lowerLiteral);
}
