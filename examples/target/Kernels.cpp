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

#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "isthmus/Support/Lowering.h"
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

static emitc::CallOpaqueOp call(OpBuilder &builder, Location loc,
                                const Twine &kernel, Type result,
                                ValueRange operands,
                                ArrayRef<int64_t> dims = {}) {
  SmallVector<Attribute> arguments{TypeAttr::get(result)};
  for (int64_t dim : dims)
    arguments.push_back(builder.getI32IntegerAttr(dim));
  return emitc::CallOpaqueOp::create(
      builder, loc, result, ("kernels::" + kernel).str(), operands,
      /*args=*/ArrayAttr(), builder.getArrayAttr(arguments));
}

namespace {

/// An op whose operands and result are tensors, which the kernel takes as they
/// are.
template <typename SourceOp>
struct CallKernel : Lowering<SourceOp> {
  CallKernel(const TypeConverter &types, MLIRContext *context,
             UnsupportedOps &unsupported, StringRef kernel)
      : Lowering<SourceOp>(types, context, unsupported), kernel(kernel) {}

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    std::string why;
    std::optional<SmallVector<int64_t>> dims = readDims(op, why);
    if (!dims)
      return this->decline(op) << why;
    SmallVector<Value> tensors;
    for (auto [operand, converted] :
         llvm::zip_equal(op->getOperands(), adaptor.getOperands()))
      if (isa<torch::ValueTensorType>(operand.getType()))
        tensors.push_back(converted);
    Type result = this->getTypeConverter()->convertType(op.getType());
    rewriter.replaceOp(
        op, call(rewriter, op.getLoc(), kernel, result, tensors, *dims));
    return success();
  }

protected:
  /// The dims that the kernel takes; nullopt, with the reason in `why`, for an
  /// op that it cannot compute.
  virtual std::optional<SmallVector<int64_t>> readDims(SourceOp op,
                                                       std::string &why) const {
    return SmallVector<int64_t>();
  }

private:
  StringRef kernel;
};

/// An addition or a subtraction of `alpha * other`.
template <typename SourceOp>
struct CallSum final : CallKernel<SourceOp> {
  using CallKernel<SourceOp>::CallKernel;

  std::optional<SmallVector<int64_t>> readDims(SourceOp op,
                                               std::string &why) const final {
    if (torch::matchNumber(op.getAlpha()) == 1.0)
      return SmallVector<int64_t>();
    why = "expected an alpha of 1";
    return std::nullopt;
  }
};

/// A reduction of some dims.
template <typename SourceOp>
struct CallReduction final : CallKernel<SourceOp> {
  using CallKernel<SourceOp>::CallKernel;

  std::optional<SmallVector<int64_t>> readDims(SourceOp op,
                                               std::string &why) const final {
    auto type = cast<torch::ValueTensorType>(op->getOperand(0).getType());
    auto dims = torch::matchDims(op.getDim(), type.getRank());
    if (!dims)
      why = "expected constant dims";
    return dims;
  }
};

struct CallPermute final : CallKernel<torch::AtenPermuteOp> {
  using CallKernel::CallKernel;

  std::optional<SmallVector<int64_t>> readDims(torch::AtenPermuteOp op,
                                               std::string &why) const final {
    std::optional<SmallVector<int64_t>> dims = torch::matchInts(op.getDims());
    if (!dims) {
      why = "expected constant dims";
      return std::nullopt;
    }
    for (int64_t &dim : *dims)
      dim = torch::normalDim(dim, dims->size());
    return dims;
  }
};

struct WriteLiteral final : Lowering<torch::ValueTensorLiteralOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(torch::ValueTensorLiteralOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    if (!value)
      return decline(op) << "expected a constant whose elements are at hand";
    rewriter.replaceOpWithNewOp<emitc::ConstantOp>(
        op, type, value.bitcast(type.getElementType()));
    return success();
  }
};

} // namespace

static void populate(const TypeConverter &types, RewritePatternSet &patterns,
                     UnsupportedOps &unsupported) {
  MLIRContext *context = patterns.getContext();
  using namespace torch;
#define KERNEL(PATTERN, OP, NAME)                                              \
  patterns.add<PATTERN<OP>>(types, context, unsupported, NAME);
  KERNEL(CallKernel, AtenAbsOp, "abs")
  KERNEL(CallKernel, AtenAtanOp, "atan")
  KERNEL(CallKernel, AtenBmmOp, "mm")
  KERNEL(CallKernel, AtenCeilOp, "ceil")
  KERNEL(CallKernel, AtenCosOp, "cos")
  KERNEL(CallKernel, AtenDivTensorOp, "div")
  KERNEL(CallKernel, AtenEqTensorOp, "eq")
  KERNEL(CallKernel, AtenErfOp, "erf")
  KERNEL(CallKernel, AtenExpOp, "exp")
  KERNEL(CallKernel, AtenExpandOp, "expand")
  KERNEL(CallKernel, AtenFloorOp, "floor")
  KERNEL(CallKernel, AtenGeTensorOp, "ge")
  KERNEL(CallKernel, AtenGtTensorOp, "gt")
  KERNEL(CallKernel, AtenLeTensorOp, "le")
  KERNEL(CallKernel, AtenLogOp, "log")
  KERNEL(CallKernel, AtenLtTensorOp, "lt")
  KERNEL(CallKernel, AtenMaximumOp, "maximum")
  KERNEL(CallKernel, AtenMinimumOp, "minimum")
  KERNEL(CallKernel, AtenMmOp, "mm")
  KERNEL(CallKernel, AtenMulTensorOp, "mul")
  KERNEL(CallKernel, AtenNeTensorOp, "ne")
  KERNEL(CallKernel, AtenNegOp, "neg")
  KERNEL(CallKernel, AtenPowTensorTensorOp, "pow")
  KERNEL(CallKernel, AtenReciprocalOp, "reciprocal")
  KERNEL(CallKernel, AtenRsqrtOp, "rsqrt")
  KERNEL(CallKernel, AtenSigmoidOp, "sigmoid")
  KERNEL(CallKernel, AtenSinOp, "sin")
  KERNEL(CallKernel, AtenSqrtOp, "sqrt")
  KERNEL(CallKernel, AtenTanhOp, "tanh")
  KERNEL(CallKernel, AtenUnsqueezeOp, "reshape")
  KERNEL(CallKernel, AtenViewOp, "reshape")
  KERNEL(CallKernel, AtenWhereSelfOp, "where")
  KERNEL(CallKernel, PrimsConvertElementTypeOp, "convert")
  KERNEL(CallKernel, PrimsSqueezeOp, "reshape")
  KERNEL(CallReduction, AtenAmaxOp, "amax")
  KERNEL(CallReduction, AtenAminOp, "amin")
  KERNEL(CallReduction, AtenSumDimIntListOp, "sum")
  KERNEL(CallSum, AtenAddTensorOp, "add")
  KERNEL(CallSum, AtenSubTensorOp, "sub")
#undef KERNEL
  patterns.add<CallPermute>(types, context, unsupported, "permute");
  patterns.add<WriteLiteral>(types, context, unsupported);
  patterns.add<NoLowering<AtenSortStableOp>>(types, context, unsupported,
                                             "the library has no sort");
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
    if (failed(checkSignatures(module, "kernels", whyUnsupported)))
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
