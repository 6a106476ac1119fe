//===- TorchToMhlo.cpp - The backend contract to MHLO ---------------------===//

#include "CustomOps.h"
#include "Families.h"
#include "MhloTypeConverter.h"
#include "isthmus/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus {
#define GEN_PASS_DEF_CONVERTTORCHTOMHLO
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

LogicalResult
HloPattern::matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                            ConversionPatternRewriter &rewriter) const {
  SizeOrigins &origins =
      static_cast<const MhloTypeConverter &>(types).getOrigins();
  HloBuilder b(rewriter, op->getLoc(), scopeOf(op, rewriter),
               types.getConstants(), origins);
  auto resultTypes = llvm::map_to_vector(
      op->getResultTypes(), [&](Type type) { return b.convertType(type); });
  if (areEmpty(resultTypes)) {
    rewriter.replaceOp(op, llvm::map_to_vector(resultTypes, [&](Type type) {
                         return b.empty(cast<RankedTensorType>(type));
                       }));
    return success();
  }
  FailureOr<LoweredResults> results = lower(op, operands, b);
  if (failed(results)) {
    origins.takeBack();
    return failure();
  }
  origins.keep();
  for (auto [value, type] : llvm::zip_equal(*results, resultTypes))
    if (value)
      value = b.cast(value, type);
  rewriter.replaceOp(op, *results);
  return success();
}

FailureOr<Sizes> torch_to_mhlo::sizesOfList(HloBuilder &b, Value list) {
  std::optional<SmallVector<Value>> elements = torch::matchList(list);
  if (!elements)
    return failure();
  Sizes sizes;
  for (Value element : *elements) {
    if (std::optional<int64_t> known = torch::matchInt(element)) {
      sizes.push_back(*known);
      continue;
    }
    Value converted = b.converted(element);
    if (!converted)
      return failure();
    sizes.push_back(converted);
  }
  return sizes;
}

Size torch_to_mhlo::sizeOfInt(Value original, Value converted) {
  if (std::optional<int64_t> known = torch::matchInt(original))
    return *known;
  return converted;
}

Value torch_to_mhlo::number(HloBuilder &b, Value original, Value converted,
                            Type elementType) {
  if (std::optional<int64_t> known = torch::matchInt(original))
    return b.scalar(*known, elementType);
  if (std::optional<double> known = torch::matchNumber(original))
    return b.scalar(*known, elementType);
  return b.convert(converted, elementType);
}

static Value buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return mhlo::ConstantOp::create(builder, loc, cast<ElementsAttr>(value));
}

/// Signless integers of MHLO represent signed ones, unsigned integers stay
/// unsigned.
static Type convertTensor(torch::ValueTensorType type) {
  if (!type.hasRank() || !type.getDtype())
    return {};
  Type element = type.getDtype();
  if (element.isSignedInteger())
    element =
        IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(type.getSizes(), element);
}

MhloTypeConverter::MhloTypeConverter()
    : TorchTypeConverter(Scalars::RankZeroTensors, buildConstant) {
  addConversion(convertTensor);
}

void isthmus::populateTorchToMhlo(const TorchTypeConverter &types,
                                  RewritePatternSet &patterns,
                                  UnsupportedOps &unsupported) {
  HloLowerings lowerings(types, patterns, unsupported);
#define FAMILY(NAME) populate##NAME(lowerings);
#include "Families.def"
#undef FAMILY
}

namespace {
struct ConvertTorchToMhlo
    : isthmus::impl::ConvertTorchToMhloBase<ConvertTorchToMhlo> {
  using ConvertTorchToMhloBase::ConvertTorchToMhloBase;

  void runOnOperation() override {
    MhloTypeConverter types;
    FailureOr<custom_ops::Request> carried = custom_ops::Request::parseFallback(
        getOperation(), customOps, customOpEncoding);
    if (failed(carried))
      return signalPassFailure();
    CustomOpWriter writer;
    UnsupportedOps unsupported;
    RewritePatternSet patterns(&getContext());
    populateTorchToMhlo(types, patterns, unsupported);
    custom_ops::populateCarry(types, patterns, unsupported, *carried, writer,
                              /*benefit=*/0);
    ConversionTarget legal(getContext());
    legal.addLegalDialect<mhlo::MhloDialect>();
    if (failed(lowerTorch(getOperation(), types, std::move(patterns), legal,
                          unsupported, target)))
      return signalPassFailure();
    composeOutlined(getOperation());
  }
};
} // namespace
