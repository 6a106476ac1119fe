//===- MlValues.cpp - Numbers of a model as tensors -----------------------===//

#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;

Type onnx_to_torch::float32Dtype(NodeBuilder &b) {
  return Float32Type::get(b.getContext());
}

Value onnx_to_torch::table(NodeBuilder &b, ArrayRef<double> numbers,
                           ArrayRef<int64_t> shape, Type dtype) {
  if (dtype.isF64())
    return b.literal(
        DenseElementsAttr::get(RankedTensorType::get(shape, dtype), numbers));
  SmallVector<float> rounded(numbers.begin(), numbers.end());
  Type f32 = float32Dtype(b);
  Value literal = b.literal(DenseElementsAttr::get(
      RankedTensorType::get(shape, f32), ArrayRef(rounded)));
  return b.convert(literal, dtype);
}

Value onnx_to_torch::table(NodeBuilder &b, ArrayRef<int64_t> numbers,
                           ArrayRef<int64_t> shape, Type dtype) {
  unsigned width = cast<IntegerType>(dtype).getWidth();
  auto type =
      RankedTensorType::get(shape, IntegerType::get(b.getContext(), width));
  if (width == 64)
    return b.literal(DenseElementsAttr::get(type, numbers));
  return b.literal(DenseElementsAttr::get(
      type, llvm::map_to_vector(numbers, [&](int64_t number) {
        return APInt(width, number, /*isSigned=*/true, /*implicitTrunc=*/true);
      })));
}

Value onnx_to_torch::rowsOf(NodeBuilder &b, Value x, Type dtype) {
  x = b.convert(x, dtype);
  return rankOf(x) == 1 ? b.unsqueeze(x, 0) : x;
}

Value onnx_to_torch::productWith(NodeBuilder &b, Value rows,
                                 ArrayRef<double> matrix, int64_t columns) {
  int64_t features = matrix.size() / columns;
  SmallVector<double> transposed;
  for (int64_t feature = 0; feature < features; ++feature)
    for (int64_t column = 0; column < columns; ++column)
      transposed.push_back(matrix[column * features + feature]);
  return b.create<torch::AtenMatmulOp>(
      rows, table(b, transposed, {features, columns}, dtypeOf(rows)));
}

DenseElementsAttr onnx_to_torch::denseOf(ElementsAttr attribute) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return dyn_cast<DenseElementsAttr>(attribute);
  const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
    return nullptr;
  return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                             blob->getData());
}

FailureOr<SmallVector<double>>
onnx_to_torch::numbersOf(NodeBuilder &b, std::optional<ElementsAttr> attribute,
                         StringRef name) {
  if (!attribute)
    return SmallVector<double>();
  DenseElementsAttr elements = denseOf(*attribute);
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return b.decline() << "expected " << name << " of floats, got "
                       << attribute->getType();
  return llvm::map_to_vector(elements.getValues<APFloat>(), [](APFloat number) {
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.convertToDouble();
  });
}

LogicalResult onnx_to_torch::checkColumns(NodeBuilder &b, Value x,
                                          int64_t count) {
  int64_t last = rankOf(x) - 1, columns = sizeOf(x, last);
  if (ShapedType::isDynamic(columns)) {
    b.check(b.eqInt(b.size(x, last), b.constant(count)),
            "rows of " + Twine(count) + " features");
    return success();
  }
  if (columns != count)
    return b.decline() << "expected rows of " << count << " features, got "
                       << columns;
  return success();
}
