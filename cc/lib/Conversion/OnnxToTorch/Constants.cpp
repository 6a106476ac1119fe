//===- Constants.cpp - ONNX constants to torch literals -------------------===//

#include "Families.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Integers of 2 or 4 bits, each extended to a byte.
DenseElementsAttr widened(DenseElementsAttr value, IntegerType narrow,
                          IntegerType wide) {
  return value.mapValues(wide, [&](const APInt &number) {
    return narrow.isUnsigned() ? number.zext(wide.getWidth())
                               : number.sext(wide.getWidth());
  });
}

/// Integers of 2 or 4 bits, which torch lacks: a literal of the packed bytes of
/// the file, and ops that unpack them.
Value unpacked(NodeBuilder &b, DenseResourceElementsAttr value,
               IntegerType narrow) {
  int64_t bits = narrow.getWidth(), inByte = 8 / bits;
  int64_t count = value.getType().getNumElements();
  auto i8 = IntegerType::get(b.getContext(), 8);
  int64_t bytes = llvm::divideCeil(count, inByte);
  Value packed = b.literal(DenseResourceElementsAttr::get(
      RankedTensorType::get({bytes}, i8), value.getRawHandle()));
  Value each = unpackBits(b, packed, bits, !narrow.isUnsigned());
  if (count < bytes * inByte)
    each = b.slice(each, 0, b.constant(0), b.constant(count));
  SmallVector<Value> sizes =
      llvm::map_to_vector(value.getType().getShape(),
                          [&](int64_t size) { return b.constant(size); });
  return b.view(each, sizes);
}

/// Constant-25
FailureOr<Value> lowerConstant(onnx::ConstantOp op, onnx::ConstantOp::Adaptor,
                               NodeBuilder &b) {
  ElementsAttr value = op.getElements();
  auto narrow = dyn_cast<IntegerType>(value.getElementType());
  if (narrow && !torch::toTorchDtype(narrow)) {
    auto wide = IntegerType::get(b.getContext(), 8,
                                 narrow.isUnsigned() ? IntegerType::Unsigned
                                                     : IntegerType::Signless);
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      return b.literal(widened(dense, narrow, wide));
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      return b.convert(unpacked(b, resource, narrow),
                       torch::toTorchDtype(wide));
  }
  if (!torch::toTorchDtype(value.getElementType()))
    return b.decline() << "torch has no dtype for " << value.getElementType();
  return b.literal(value);
}

} // namespace

void onnx_to_torch::populateConstants(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerConstant);
}
