//===- Kernels.cpp - C++ calls of a kernel library as a target ------------===//
//
//   %0 = torch.aten.mm %x, %w   ─▶   %0 = emitc.call_opaque "kernels::mm"(%x,
//   %w)
//                                           {template_args = [tensor<2x4xf32>]}
//
// mlir-translate --mlir-to-cpp prints the result as C++, which calls kernels.h.
// A kernel has the type of its result as its first template argument, and dims
// as those after it.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace isthmus;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Value buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return emitc::ConstantOp::create(builder, loc, value.getType(), value);
}

namespace {
/// Numbers are tensors of rank 0; C++'s integers have a sign unless they say
/// otherwise, as builtin ones.
struct KernelTypes : TorchTypeConverter {
  KernelTypes() : TorchTypeConverter(Scalars::RankZeroTensors, buildConstant) {
    addConversion([](torch::ValueTensorType type) -> std::optional<Type> {
      if (!type.hasRank() || !type.getDtype())
        return std::nullopt;
      Type element = type.getDtype();
      if (element.isSignedInteger())
        element = IntegerType::get(type.getContext(),
                                   element.getIntOrFloatBitWidth());
      return RankedTensorType::get(type.getSizes(), element);
    });
  }
};
} // namespace

/// Why no kernel takes a type; empty if kernels do.
static std::string whyUnsupported(Type type) {
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  if (!tensor || !tensor.hasRank() || !tensor.getDtype())
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::is_contained(tensor.getSizes(), ShapedType::kDynamic))
    os << "a C++ type has all sizes, got '" << type << "'";
  else if (!emitc::isSupportedEmitCType(KernelTypes().convertType(type)))
    os << "C++ has no elements of type '" << tensor.getDtype() << "'";
  return text;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

/// Builds calls of kernels.
class KernelBuilder : public LoweringScope {
public:
  KernelBuilder(OpBuilder &builder, Location loc, LoweringScope scope)
      : LoweringScope(scope), builder(builder), loc(loc) {}

  /// A call of a kernel that computes the first result of the op.
  Value call(const Twine &kernel, ValueRange operands,
             ArrayRef<int64_t> dims = {}) {
    SmallVector<Attribute> arguments{TypeAttr::get(resultType())};
    for (int64_t dim : dims)
      arguments.push_back(builder.getI32IntegerAttr(dim));
    return emitc::CallOpaqueOp::create(
               builder, loc, resultType(), ("kernels::" + kernel).str(),
               operands, /*args=*/ArrayAttr(), builder.getArrayAttr(arguments))
        .getResult(0);
  }
  Value constant(TypedAttr value) { return buildConstant(builder, loc, value); }

private:
  OpBuilder &builder;
  Location loc;
};

struct KernelPattern final : LoweringPattern<KernelBuilder> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    KernelBuilder b(rewriter, op->getLoc(), scopeOf(op, rewriter));
    FailureOr<LoweredResults> results = lower(op, operands, b);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// An addition or a subtraction of `alpha * other`.
template <typename SourceOp>
FailureOr<Value> lowerSum(SourceOp op, typename SourceOp::Adaptor in,
                          KernelBuilder &b) {
  if (torch::matchNumber(op.getAlpha()) != 1.0)
    return b.decline() << "expected an alpha of 1";
  bool isAdd = std::is_same_v<SourceOp, torch::AtenAddTensorOp>;
  return b.call(isAdd ? "add" : "sub", {in.getSelf(), in.getOther()});
}

/// A reduction of some dims.
template <typename SourceOp>
FailureOr<Value> lowerReduction(SourceOp op, typename SourceOp::Adaptor in,
                                KernelBuilder &b) {
  auto type = cast<torch::ValueTensorType>(op.getSelf().getType());
  auto dims = torch::matchDims(op.getDim(), type.getRank());
  if (!dims)
    return b.decline() << "expected constant dims";
  StringRef kernel = std::is_same_v<SourceOp, torch::AtenAmaxOp>   ? "amax"
                     : std::is_same_v<SourceOp, torch::AtenAminOp> ? "amin"
                                                                   : "sum";
  return b.call(kernel, in.getSelf(), *dims);
}

FailureOr<Value> lowerPermute(torch::AtenPermuteOp op,
                              torch::AtenPermuteOp::Adaptor in,
                              KernelBuilder &b) {
  std::optional<SmallVector<int64_t>> dims = torch::matchInts(op.getDims());
  if (!dims)
    return b.decline() << "expected constant dims";
  for (int64_t &dim : *dims)
    dim = torch::normalDim(dim, dims->size());
  return b.call("permute", in.getSelf(), *dims);
}

FailureOr<Value> lowerLiteral(torch::ValueTensorLiteralOp op,
                              torch::ValueTensorLiteralOp::Adaptor,
                              KernelBuilder &b) {
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!value)
    return b.decline() << "expected a constant whose elements are at hand";
  auto type = cast<RankedTensorType>(b.resultType());
  return b.constant(value.bitcast(type.getElementType()));
}

} // namespace

static void populate(const TorchTypeConverter &types,
                     RewritePatternSet &patterns, UnsupportedOps &unsupported) {
  using namespace torch;
  LoweringFunctions<KernelPattern> lowerings(types, patterns, unsupported);
  // An op whose operands and result are tensors, which the kernel takes as they
  // are.
  auto kernel = [&](StringRef opName, StringRef name) {
    lowerings.add(opName, [name](Operation *op, ArrayRef<Value> operands,
                                 KernelBuilder &b) {
      SmallVector<Value> tensors;
      for (auto [operand, converted] :
           llvm::zip_equal(op->getOperands(), operands))
        if (isa<ValueTensorType>(operand.getType()))
          tensors.push_back(converted);
      return LoweredResults{b.call(name, tensors)};
    });
  };
#define KERNEL(OP, NAME) kernel(OP::getOperationName(), NAME);
  KERNEL(AtenAbsOp, "abs")
  KERNEL(AtenAtanOp, "atan")
  KERNEL(AtenBmmOp, "mm")
  KERNEL(AtenCeilOp, "ceil")
  KERNEL(AtenCosOp, "cos")
  KERNEL(AtenDivTensorOp, "div")
  KERNEL(AtenEqTensorOp, "eq")
  KERNEL(AtenErfOp, "erf")
  KERNEL(AtenExpOp, "exp")
  KERNEL(AtenExpandOp, "expand")
  KERNEL(AtenFloorOp, "floor")
  KERNEL(AtenGeTensorOp, "ge")
  KERNEL(AtenGtTensorOp, "gt")
  KERNEL(AtenLeTensorOp, "le")
  KERNEL(AtenLogOp, "log")
  KERNEL(AtenLtTensorOp, "lt")
  KERNEL(AtenMaximumOp, "maximum")
  KERNEL(AtenMinimumOp, "minimum")
  KERNEL(AtenMmOp, "mm")
  KERNEL(AtenMulTensorOp, "mul")
  KERNEL(AtenNeTensorOp, "ne")
  KERNEL(AtenNegOp, "neg")
  KERNEL(AtenPowTensorTensorOp, "pow")
  KERNEL(AtenReciprocalOp, "reciprocal")
  KERNEL(AtenRsqrtOp, "rsqrt")
  KERNEL(AtenSigmoidOp, "sigmoid")
  KERNEL(AtenSinOp, "sin")
  KERNEL(AtenSqrtOp, "sqrt")
  KERNEL(AtenTanhOp, "tanh")
  KERNEL(AtenUnsqueezeOp, "reshape")
  KERNEL(AtenViewOp, "reshape")
  KERNEL(AtenWhereSelfOp, "where")
  KERNEL(PrimsConvertElementTypeOp, "convert")
  KERNEL(PrimsSqueezeOp, "reshape")
#undef KERNEL
  lowerings.add(lowerLiteral, lowerPermute, lowerReduction<AtenAmaxOp>,
                lowerReduction<AtenAminOp>, lowerReduction<AtenSumDimIntListOp>,
                lowerSum<AtenAddTensorOp>, lowerSum<AtenSubTensorOp>);
  lowerings.addUnsupported<AtenSortStableOp>("the library has no sort");
}

//===----------------------------------------------------------------------===//
// Custom ops
//===----------------------------------------------------------------------===//

namespace {
/// A custom op is a call of a function of its name, which kernels.h leaves to
/// the user. What else it says is an attribute, which is not printed.
struct CallWriter final : custom_ops::Writer {
  Value constant(OpBuilder &builder, Location loc,
                 ElementsAttr value) const override {
    return buildConstant(builder, loc, cast<TypedAttr>(value));
  }

  ValueRange write(OpBuilder &builder, Location loc,
                   const custom_ops::CustomOp &op, ValueRange operands,
                   TypeRange results) const override {
    std::string function = op.name;
    llvm::replace(function, '.', '_');
    auto call =
        emitc::CallOpaqueOp::create(builder, loc, results, function, operands);
    call->setAttr(custom_ops::kFunctionAttr,
                  builder.getStrArrayAttr(
                      {op.domain, op.name, custom_ops::toText(op.attributes)}));
    return call.getResults();
  }

  std::string whyUnsupported(Type type) const override {
    return ::whyUnsupported(type);
  }
};

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

struct CarryAsCalls : PassWrapper<CarryAsCalls, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CarryAsCalls)

  CarryAsCalls(ArrayRef<std::string> ops, StringRef encoding)
      : ops(ops), encoding(encoding) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect>();
  }

  void runOnOperation() override {
    if (failed(custom_ops::carry(getOperation(), KernelTypes(), ops, encoding,
                                 CallWriter(), "a call")))
      signalPassFailure();
  }

private:
  std::vector<std::string> ops;
  std::string encoding;
};

struct ConvertTorchToKernels
    : PassWrapper<ConvertTorchToKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertTorchToKernels)

  ConvertTorchToKernels(ArrayRef<std::string> customOps, StringRef encoding)
      : customOps(customOps), encoding(encoding) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto why = [](Type type, bool /*isUsed*/) { return whyUnsupported(type); };
    if (failed(checkSignatures(module, "kernels", why)))
      return signalPassFailure();
    auto carried =
        custom_ops::Request::parseFallback(module, customOps, encoding);
    if (failed(carried))
      return signalPassFailure();
    KernelTypes types;
    CallWriter writer;
    UnsupportedOps unsupported;
    RewritePatternSet patterns(&getContext());
    populate(types, patterns, unsupported);
    custom_ops::populateCarry(types, patterns, unsupported, *carried, writer,
                              /*benefit=*/0);
    ConversionTarget target(getContext());
    target.addLegalDialect<emitc::EmitCDialect>();
    if (failed(lowerTorch(module, types, std::move(patterns), target,
                          unsupported, "kernels")))
      signalPassFailure();
  }

private:
  std::vector<std::string> customOps;
  std::string encoding;
};

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

struct KernelTarget final : Target {
  StringRef getName() const override { return "kernels"; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOthers<emitc::EmitCDialect>();
  }

  void populatePatterns(const TorchTypeConverter &types,
                        RewritePatternSet &patterns,
                        UnsupportedOps &unsupported) const override {
    populate(types, patterns, unsupported);
  }

  void addCarrying(OpPassManager &manager, ArrayRef<std::string> ops,
                   const TargetPipelineOptions &options) const override {
    manager.addPass(
        std::make_unique<CarryAsCalls>(ops, options.customOpEncoding));
  }

  void addLowering(OpPassManager &manager, ArrayRef<std::string> customOps,
                   const TargetPipelineOptions &options) const override {
    manager.addPass(std::make_unique<ConvertTorchToKernels>(
        customOps, options.customOpEncoding));
  }

  ConstantForm getConstantForm() const override {
    return {"emitc.constant", "value"};
  }
  /// A C++ file has its constants in itself.
  bool readsGlobals() const override { return false; }

  std::optional<FailureOr<custom_ops::Identity>>
  identify(Operation *op) const override {
    auto call = dyn_cast<emitc::CallOpaqueOp>(op);
    auto says = call ? call->getAttrOfType<ArrayAttr>(custom_ops::kFunctionAttr)
                     : ArrayAttr();
    if (!says)
      return std::nullopt;
    SmallVector<StringRef> texts;
    for (Attribute text : says)
      if (auto string = dyn_cast<StringAttr>(text))
        texts.push_back(string);
    if (texts.size() != 3)
      return FailureOr<custom_ops::Identity>(
          custom_ops::mistake(op, call.getCallee())
          << "expected a domain, a name and attributes");
    return custom_ops::readIdentity(op, texts[0], texts[1], texts[2],
                                    /*hasScalars=*/false);
  }
};

RegisterTarget<KernelTarget> registered;

} // namespace
