//===- LinalgLowering.cpp - Base of the patterns of TorchToLinalg ---------===//

#include "LinalgLowering.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

Type torch_to_linalg::dtypeOf(Value tensor) {
  return torch::tensorType(tensor).getDtype();
}

/// The first type among the operands and results for which `holds` is true.
static Type findType(Operation *op, llvm::function_ref<bool(Type)> holds) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (holds(type))
      return type;
  return {};
}

Type torch_to_linalg::findUnknownTensor(Operation *op) {
  return findType(op, [](Type type) {
    auto tensor = dyn_cast<torch::ValueTensorType>(type);
    return isa<torch::NonValueTensorType>(type) ||
           (tensor && (!tensor.hasRank() || !tensor.getDtype()));
  });
}

Type torch_to_linalg::findComplex(Operation *op) {
  auto tensor =
      dyn_cast_or_null<torch::ValueTensorType>(findType(op, [](Type type) {
        auto tensor = dyn_cast<torch::ValueTensorType>(type);
        return tensor && torch::isComplex(tensor.getDtype());
      }));
  return tensor ? tensor.getDtype() : Type();
}

void torch_to_linalg::replaceWith(Operation *op, ArrayRef<Value> values,
                                  const TypeConverter &types,
                                  ConversionPatternRewriter &rewriter) {
  LinalgBuilder b(rewriter, op->getLoc());
  SmallVector<Value> results;
  for (auto [value, type] : llvm::zip_equal(values, op->getResultTypes()))
    results.push_back(b.cast(value, types.convertType(type)));
  rewriter.replaceOp(op, results);
}

LogicalResult
torch_to_linalg::replaceEmpty(Operation *op, const TypeConverter &types,
                              ConversionPatternRewriter &rewriter) {
  SmallVector<Value> results;
  for (Type result : op->getResultTypes()) {
    auto type = dyn_cast<RankedTensorType>(types.convertType(result));
    if (!type || !type.hasStaticShape() || type.getNumElements() != 0)
      return failure();
    results.push_back(tensor::EmptyOp::create(
        rewriter, op->getLoc(), type.getShape(), type.getElementType()));
  }
  rewriter.replaceOp(op, results);
  return success();
}

std::optional<Sizes> torch_to_linalg::sizeList(Value list,
                                               const TypeConverter &types,
                                               LinalgBuilder &b) {
  std::optional<SmallVector<Value>> elements = torch::matchList(list);
  if (!elements)
    return std::nullopt;
  auto &rewriter = static_cast<ConversionPatternRewriter &>(b.getBuilder());
  Sizes sizes;
  for (Value element : *elements) {
    if (std::optional<int64_t> number = torch::matchInt(element)) {
      sizes.push_back(b.sizes.constant(*number));
      continue;
    }
    Value converted = rewriter.getRemappedValue(element);
    if (!converted)
      return std::nullopt;
    if (!converted.getType().isInteger(64))
      converted = types.materializeTargetConversion(
          rewriter, b.getLoc(), rewriter.getI64Type(), converted);
    sizes.push_back(b.sizes.fromInt(converted));
  }
  return sizes;
}

void torch_to_linalg::refine(Sizes &sizes, Value result, LinalgBuilder &b) {
  ArrayRef<int64_t> known = torch::tensorType(result).getSizes();
  if (known.size() != sizes.size())
    return;
  for (auto [dim, size, number] : llvm::enumerate(sizes, known)) {
    if (ShapedType::isDynamic(number))
      continue;
    if (size)
      b.checkSame(size, b.sizes.constant(number),
                  "dim " + Twine(dim) + " to be of size " + Twine(number));
    size = b.sizes.constant(number);
  }
}

Size torch_to_linalg::sizeOperand(Value original, Value converted,
                                  LinalgBuilder &b) {
  std::optional<int64_t> number = torch::matchInt(original);
  return number ? b.sizes.constant(*number) : b.sizes.fromInt(converted);
}

Value torch_to_linalg::scalarOperand(Value original, Value converted,
                                     Elements elements) {
  if (std::optional<int64_t> number = torch::matchInt(original))
    return elements.integer(*number);
  if (std::optional<double> number = torch::matchNumber(original))
    return elements.constant(*number);
  Type own = converted.getType();
  if (own.isInteger(64)) // an int is signed
    own = IntegerType::get(own.getContext(), 64, IntegerType::Signed);
  return elements.convert(converted, own);
}
