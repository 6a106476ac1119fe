//===- TorchToTosa.cpp - Core ATen ops to TOSA ----------------------------===//
//
// TOSA 1.0 has neither 64-bit numbers nor unsigned integers. Tensors of si64,
// ui8 and ui16 are tensors of i32 throughout, including in function signatures;
// a constant that does not fit is declined. f64 is declined unless the user
// asks to use f32 instead.
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"
#include "Families.h"
#include "TosaTypeConverter.h"
#include "isthmus/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace isthmus {
#define GEN_PASS_DEF_CONVERTTORCHTOTOSA
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

/// Tensors of higher rank exceed level 8k.
static constexpr int64_t maxRank = 6;
static constexpr int64_t maxSize = INT32_MAX;

std::string torch_to_tosa::whyUnsupported(Type type,
                                          const TypeConverter &types) {
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  if (!tensor)
    return {};
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!tensor.hasRank() || !tensor.getDtype())
    out << "expected a tensor of known rank and dtype, got '" << type << "'";
  else if (llvm::is_contained(tensor.getSizes(), 0))
    out << "TOSA has no tensors without elements, got '" << type << "'";
  else if (llvm::any_of(tensor.getSizes(),
                        [](int64_t size) { return size > maxSize; }))
    out << "TOSA has sizes of 32 bits, got '" << type << "'";
  else if (tensor.getRank() > maxRank)
    out << "TOSA's level 8k has tensors of rank " << maxRank
        << " at most, got '" << type << "'";
  else if (tensor.getDtype().isF64() && types.convertType(type) &&
           getElementTypeOrSelf(types.convertType(type)).isF64())
    out << "TOSA has no f64; pass narrow-f64 to compute in f32";
  else if (!storageType(tensor.getDtype()))
    out << "TOSA has no tensors of '" << tensor.getDtype() << "'";
  return text;
}

LogicalResult
TosaPattern::matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                             ConversionPatternRewriter &rewriter) const {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (std::string why = whyUnsupported(type, types); !why.empty())
      return unsupported.decline(op) << why;
  TosaBuilder b(rewriter, op->getLoc(), scopeOf(op, rewriter),
                types.getConstants());
  FailureOr<LoweredResults> results = lower(op, operands, b);
  if (failed(results))
    return failure();
  for (auto [value, type] : llvm::zip_equal(*results, op->getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(b.convertType(type));
    if (value && tensor)
      value = b.reshape(value, tensor.getShape());
  }
  if (!b.error().empty())
    return b.decline() << b.error();
  rewriter.replaceOp(op, *results);
  return success();
}

void isthmus::populateTorchToTosa(const TorchTypeConverter &types,
                                  RewritePatternSet &patterns,
                                  UnsupportedOps &unsupported) {
  TosaLowerings lowerings(types, patterns, unsupported);
#define FAMILY(NAME) populate##NAME(lowerings);
#include "Families.def"
#undef FAMILY
}

static Value buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return TosaBuilder(builder, loc).constant(cast<ElementsAttr>(value));
}

TosaTypeConverter::TosaTypeConverter(bool narrowF64)
    : TorchTypeConverter(Scalars::RankZeroTensors, buildConstant) {
  addConversion(
      [narrowF64](torch::ValueTensorType type) -> std::optional<Type> {
        if (!type.hasRank() || !type.getDtype())
          return std::nullopt;
        Type storage = storageType(type.getDtype());
        if (type.getDtype().isF64() && !narrowF64)
          storage = {};
        if (!storage)
          return std::nullopt; // whyUnsupported reports it
        return RankedTensorType::get(type.getSizes(), storage);
      });
  addConversion([](torch::IntType type) -> Type {
    return RankedTensorType::get({}, IntegerType::get(type.getContext(), 32));
  });
  addConversion([](torch::FloatType type) -> Type {
    return RankedTensorType::get({}, Float32Type::get(type.getContext()));
  });
}

namespace {

struct ConvertTorchToTosa
    : isthmus::impl::ConvertTorchToTosaBase<ConvertTorchToTosa> {
  using ConvertTorchToTosaBase::ConvertTorchToTosaBase;

  void runOnOperation() override {
    TosaTypeConverter types(narrowF64);
    auto whyDeclined = [&](Type type, bool isUsed) {
      // TOSA's rules are about the operands of its ops.
      return isUsed ? whyUnsupported(type, types) : "";
    };
    if (failed(checkSignatures(getOperation(), "tosa", whyDeclined)))
      return signalPassFailure();
    FailureOr<custom_ops::Request> carried = custom_ops::Request::parseFallback(
        getOperation(), customOps, customOpEncoding);
    if (failed(carried))
      return signalPassFailure();
    CustomOpWriter writer(types);
    UnsupportedOps unsupported;
    RewritePatternSet patterns(&getContext());
    populateTorchToTosa(types, patterns, unsupported);
    custom_ops::populateCarry(types, patterns, unsupported, *carried, writer,
                              /*benefit=*/0);
    ConversionTarget target(getContext());
    target.addLegalDialect<tosa::TosaDialect>();
    if (failed(lowerTorch(getOperation(), types, std::move(patterns), target,
                          unsupported, "tosa")))
      return signalPassFailure();
    isolateRegions(getOperation());
  }
};

} // namespace
