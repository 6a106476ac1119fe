//===- LinalgLowerings.cpp - Lowering functions of TorchToLinalg ----------===//

#include "LinalgLowerings.h"
#include "LinalgTypeConverter.h"
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

/// The type of the first tensor among the operands and results of `op` whose
/// rank or dtype is unknown; null if there is none.
static Type findUnknownTensor(Operation *op) {
  return findType(op, [](Type type) {
    auto tensor = dyn_cast<torch::ValueTensorType>(type);
    return isa<torch::NonValueTensorType>(type) ||
           (tensor && (!tensor.hasRank() || !tensor.getDtype()));
  });
}

/// The first complex dtype among them; null if there is none.
static Type findComplex(Operation *op) {
  auto tensor =
      dyn_cast_or_null<torch::ValueTensorType>(findType(op, [](Type type) {
        auto tensor = dyn_cast<torch::ValueTensorType>(type);
        return tensor && torch::isComplex(tensor.getDtype());
      }));
  return tensor ? tensor.getDtype() : Type();
}

LogicalResult
LinalgPattern::matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                               ConversionPatternRewriter &rewriter) const {
  if (Type unknown = findUnknownTensor(op))
    return unsupported.decline(op)
           << "expected tensors of known rank and dtype, got " << unknown;
  SmallVector<Type> resultTypes = llvm::map_to_vector(
      op->getResultTypes(), [&](Type type) { return types.convertType(type); });
  if (areEmpty(resultTypes)) {
    rewriter.replaceOp(
        op, llvm::map_to_vector(resultTypes, [&](Type type) -> Value {
          auto tensor = cast<RankedTensorType>(type);
          return tensor::EmptyOp::create(rewriter, op->getLoc(),
                                         tensor.getShape(),
                                         tensor.getElementType());
        }));
    return success();
  }
  LinalgBuilder b(
      rewriter, op->getLoc(), scopeOf(op, rewriter), types.getConstants(),
      static_cast<const LinalgTypeConverter &>(types).getConsumer());
  FailureOr<LoweredResults> results = lower(op, operands, b);
  if (failed(results))
    return failure();
  for (auto [value, type] : llvm::zip_equal(*results, resultTypes))
    if (value)
      value = b.cast(value, type);
  rewriter.replaceOp(op, *results);
  return success();
}

void LinalgLowerings::addReal(StringRef opName, Function lower) {
  add(opName,
      [lower =
           std::move(lower)](Operation *op, ArrayRef<Value> operands,
                             LinalgBuilder &b) -> FailureOr<LoweredResults> {
        if (Type complex = findComplex(op))
          return b.decline() << "expected real numbers, got " << complex;
        return lower(op, operands, b);
      });
}

std::optional<Sizes> torch_to_linalg::sizeList(Value list, LinalgBuilder &b) {
  std::optional<SmallVector<Value>> elements = torch::matchList(list);
  if (!elements)
    return std::nullopt;
  Sizes sizes;
  for (Value element : *elements) {
    if (std::optional<int64_t> number = torch::matchInt(element)) {
      sizes.push_back(b.sizes.constant(*number));
      continue;
    }
    Value converted = b.converted(element);
    if (!converted)
      return std::nullopt;
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
