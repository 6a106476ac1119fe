//===- TorchLowering.cpp - Common parts of the lowerings of torch ---------===//

#include "isthmus/Conversion/TorchLowering.h"
#include "SelectedRows.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "isthmus/Support/Prefetch.h"
#include "isthmus/Support/StandIns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace isthmus;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The attribute of a torch scalar constant, in the converted type.
static TypedAttr scalarAttribute(Attribute value, Type type) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr scalar;
  if (auto number = dyn_cast<FloatAttr>(value))
    scalar = FloatAttr::get(element, number.getValueAsDouble());
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    scalar = IntegerAttr::get(element, integer.getValue().zextOrTrunc(
                                           element.getIntOrFloatBitWidth()));
  if (!scalar || !isa<ShapedType>(type))
    return scalar;
  return DenseElementsAttr::get(cast<ShapedType>(type), Attribute(scalar));
}

/// The value of type `type` from which casts made `value`, if any.
static Value castFrom(Value value, Type type) {
  while (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>()) {
    if (cast.getNumOperands() != 1 || cast.getNumResults() != 1)
      return {};
    value = cast.getOperand(0);
    if (value.getType() == type)
      return value;
  }
  return {};
}

TorchTypeConverter::TorchTypeConverter(Scalars scalars,
                                       ConstantBuilder constant) {
  auto scalar = [scalars](Type type) -> Type {
    return scalars == Scalars::Builtin ? type : RankedTensorType::get({}, type);
  };
  addConversion([](Type type) { return type; });
  addConversion([](torch::ValueTensorType type) -> Type {
    return torch::toBuiltin(type);
  });
  addConversion([=](torch::IntType type) {
    return scalar(IntegerType::get(type.getContext(), 64));
  });
  addConversion([=](torch::FloatType type) {
    return scalar(Float64Type::get(type.getContext()));
  });
  addConversion([=](torch::BoolType type) {
    return scalar(IntegerType::get(type.getContext(), 1));
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(cast);
  // A constant that a pattern uses as a value becomes a constant of the
  // backend.
  addTargetMaterialization([constant](OpBuilder &builder, Type type,
                                      ValueRange inputs,
                                      Location loc) -> Value {
    Attribute value;
    if (inputs.size() == 1 && matchPattern(inputs.front(), m_Constant(&value)))
      if (TypedAttr attribute = scalarAttribute(value, type))
        return constant(builder, loc, attribute);
    // Returns an earlier converted value without a cast, so that patterns see
    // its defining op.
    if (inputs.size() == 1)
      if (Value before = castFrom(inputs.front(), type))
        return before;
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  });
}

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

/// The functions of a program; they are not nested.
static SmallVector<func::FuncOp> functionsOf(Operation *root) {
  SmallVector<func::FuncOp> functions;
  root->walk<WalkOrder::PreOrder>([&](func::FuncOp func) {
    functions.push_back(func);
    return WalkResult::skip();
  });
  return functions;
}

LogicalResult
isthmus::checkSignatures(Operation *root, StringRef backend,
                         llvm::function_ref<std::string(Type, bool)> why) {
  bool complete = true;
  for (func::FuncOp func : functionsOf(root)) {
    auto check = [&](TypeRange types, StringRef what, auto nameOf,
                     auto isUsed) {
      for (auto [index, type] : llvm::enumerate(types)) {
        std::string reason = why(type, isUsed(index));
        if (reason.empty())
          continue;
        // Not func.emitError, with which MLIR would print the whole function.
        InFlightDiagnostic error = emitError(func.getLoc());
        error << "no lowering to " << backend << " for " << what << " "
              << index;
        if (auto name =
                dyn_cast_if_present<StringAttr>(nameOf(index, "onnx.name")))
          error << " '" << name.getValue() << "'";
        error << ": " << reason;
        complete = false;
      }
    };
    check(
        func.getArgumentTypes(), "argument",
        [&](unsigned i, StringRef name) { return func.getArgAttr(i, name); },
        [&](unsigned i) {
          return func.isExternal() || !func.getArgument(i).use_empty();
        });
    check(
        func.getResultTypes(), "result",
        [&](unsigned i, StringRef name) { return func.getResultAttr(i, name); },
        [](unsigned) { return true; });
  }
  return success(complete);
}

/// The lowering of a tensor depends on its rank and dtype.
static std::string whyUnknown(Type type, bool) {
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  if (!tensor || (tensor.hasRank() && tensor.getDtype()))
    return {};
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected a tensor of known rank and dtype, got '" << type << "'";
  return text;
}

/// Constants and lists, which stay until they have no uses.
static bool isKeptWhileConverting(Operation *op) {
  return isa<torch::PrimListConstructOp, torch::ConstantIntOp,
             torch::ConstantFloatOp, torch::ConstantBoolOp,
             torch::ConstantStrOp, torch::ConstantNoneOp,
             torch::ConstantDeviceOp, torch::DerefineOp>(op);
}

/// Ops that accept an optional also accept the value itself; patterns expect
/// the value.
static void lookThrough(torch::DerefineOp derefine) {
  derefine.getResult().replaceUsesWithIf(
      derefine.getOperand(), [](OpOperand &use) {
        return isa<torch::PrimListConstructOp, torch::TypeInferenceOpInterface>(
            use.getOwner());
      });
}

/// True if the element type `converted` determines `dtype`. Signless builtin
/// integers are read as signed.
static bool saysDtype(Type converted, Type dtype) {
  if (converted == dtype)
    return true;
  auto own = dyn_cast<IntegerType>(converted),
       meant = dyn_cast<IntegerType>(dtype);
  return own && meant && own.isSignless() && meant.isSigned() &&
         own.getWidth() == meant.getWidth();
}

/// Records, for callers, the dtypes that the converted signature loses:
/// isthmus.dtype = ui8 on a tensor of i8.
static void noteDtypes(func::FuncOp func, const TypeConverter &types) {
  auto lost = [&](Type type) -> TypeAttr {
    auto tensor = dyn_cast<torch::ValueTensorType>(type);
    Type converted = tensor ? types.convertType(tensor) : Type();
    bool isLost =
        converted && tensor.getDtype() &&
        !saysDtype(getElementTypeOrSelf(converted), tensor.getDtype());
    return isLost ? TypeAttr::get(tensor.getDtype()) : TypeAttr();
  };
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (TypeAttr dtype = lost(type))
      func.setArgAttr(index, kDtypeAttr, dtype);
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (TypeAttr dtype = lost(type))
      func.setResultAttr(index, kDtypeAttr, dtype);
}

/// Converts the signature of a function. Casts connect its arguments to the
/// body, which is converted later, one stretch at a time.
static void convertSignature(func::FuncOp func, const TypeConverter &types) {
  SmallVector<Type> arguments, results;
  if (failed(types.convertTypes(func.getArgumentTypes(), arguments)) ||
      failed(types.convertTypes(func.getResultTypes(), results)))
    return; // reported by the ops that define and use such values
  func.setFunctionType(
      FunctionType::get(func.getContext(), arguments, results));
  if (func.isExternal())
    return;
  OpBuilder builder(func.getBody());
  for (auto [argument, type] :
       llvm::zip_equal(func.getArguments(), arguments)) {
    Type own = argument.getType();
    if (own == type)
      continue;
    argument.setType(type);
    auto cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(),
                                                   own, argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
  }
}

namespace {

/// Replaces a cast of a value from an earlier stretch by that value, so that
/// patterns see its defining op.
struct DropCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

/// Converts the ops of a block in stretches. MLIR's driver keeps its changes
/// and the ops to erase until the end of a conversion: for a stretch, all of
/// these stay in the processor's caches.
class Stretches {
public:
  Stretches(const TorchTypeConverter &types, RewritePatternSet &&patterns,
            ConversionTarget &target)
      : types(types), target(target) {
    patterns.add<DropCast>(types, patterns.getContext());
    target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
        [&](Operation *cast) { return !dropped.contains(cast); });
    this->patterns = std::move(patterns);
  }

  LogicalResult convert(Block &block) {
    const size_t size = stretchSize(512);
    types.forgetValues();
    for (auto next = block.begin(); next != block.end();) {
      SmallVector<Operation *> stretch;
      casts.clear();
      lists.clear();
      dropped.clear();
      types.getConstants().moveTo(&*next);
      for (; next != block.end() && stretch.size() < size; ++next) {
        prefetchNext(&*next);
        stretch.push_back(&*next);
        next->walk([&](Operation *op) { takeCasts(op, block); });
      }
      stretch.insert(stretch.begin(), dropped.begin(), dropped.end());
      if (failed(applyPartialConversion(stretch, target, patterns)))
        return failure();
    }
    return success();
  }

private:
  /// Makes an op use copies, local to the stretch, of its casts of converted
  /// values. The original cast may have uses in all later stretches, and
  /// replacing it takes time proportional to its uses.
  void takeCasts(Operation *op, Block &block) {
    if (auto derefine = dyn_cast<torch::DerefineOp>(op))
      lookThrough(derefine);
    for (OpOperand &operand : op->getOpOperands()) {
      if (takeList(operand, block))
        continue;
      Operation *cast = findCast(operand.get(), block);
      if (!cast)
        continue;
      Operation *&own = casts[cast];
      if (!own) {
        own = cast->clone();
        block.getOperations().insertAfter(cast->getIterator(), own);
        dropped.insert(own);
      }
      operand.set(own->getResult(0));
    }
  }

  /// The same for a list from an earlier stretch, which is not converted
  /// itself: patterns read its elements.
  bool takeList(OpOperand &operand, Block &block) {
    auto list = operand.get().getDefiningOp<torch::PrimListConstructOp>();
    if (!list || list->getBlock() != &block)
      return false;
    auto isOfBefore = [&](Value element) {
      Operation *cast = findCast(element, block);
      return cast && !dropped.contains(cast);
    };
    auto [known, isNew] = lists.try_emplace(list);
    if (isNew && llvm::any_of(list->getOperands(), isOfBefore)) {
      Operation *own = known->second = list->clone();
      block.getOperations().insertAfter(list->getIterator(), own);
      takeCasts(own, block);
    }
    Operation *own = lists.lookup(list);
    if (own)
      operand.set(own->getResult(0));
    return own;
  }

  /// The cast that defines a value, if it is in this block and casts a
  /// converted value.
  Operation *findCast(Value value, Block &block) const {
    auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
    bool isOne =
        cast && cast->getBlock() == &block && cast.getNumOperands() == 1 &&
        cast.getNumResults() == 1 &&
        types.convertType(cast.getType(0)) == cast.getOperand(0).getType();
    return isOne ? cast.getOperation() : nullptr;
  }

  const TorchTypeConverter &types;
  ConversionTarget &target;
  FrozenRewritePatternSet patterns;
  // Maps to the stretch's copies; a list is mapped to null if it needs none.
  llvm::DenseMap<Operation *, Operation *> casts, lists;
  llvm::SmallSetVector<Operation *, 8> dropped;
};

} // namespace

/// Erases unused ops and reports the remaining torch ops. Ops kept while
/// converting are reported only if no others remain.
static LogicalResult finish(Operation *root, const UnsupportedOps &unsupported,
                            StringRef backend) {
  SmallVector<Operation *> kept, others;
  // In reverse order, so that operands used only by a dead op are dead when
  // they are visited.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    prefetchPrevious(op);
    if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
      if (Value before = castFrom(cast.getResult(0), cast.getType(0)))
        cast.getResult(0).replaceAllUsesWith(before);
    if (isOpTriviallyDead(op))
      op->erase();
    else if (isa_and_nonnull<torch::TorchDialect>(op->getDialect()))
      (isKeptWhileConverting(op) ? kept : others).push_back(op);
  });
  for (Operation *op : llvm::reverse(others.empty() ? kept : others))
    unsupported.emitError(op, backend);
  return success(kept.empty() && others.empty());
}

LogicalResult
isthmus::lowerTorch(Operation *root, const TorchTypeConverter &types,
                    RewritePatternSet &&patterns, ConversionTarget &target,
                    UnsupportedOps &unsupported, StringRef backend) {
  if (failed(checkSignatures(root, backend, whyUnknown)))
    return failure();
  if (isa<ShapedType>(
          types.convertType(torch::IntType::get(root->getContext()))))
    selectRowsByIndex(root);
  SmallVector<func::FuncOp> functions = functionsOf(root);
  for (func::FuncOp func : functions) {
    if (func.isPublic())
      noteDtypes(func, types);
    convertSignature(func, types);
  }
  populateReturnOpTypeConversionPattern(patterns, types);
  populateCallOpTypeConversionPattern(patterns, types);
  target.addDynamicallyLegalOp<func::ReturnOp, func::CallOp>(
      [&](Operation *op) { return types.isLegal(op); });
  // A torch op is neither legal nor illegal: the conversion leaves it in place
  // if no pattern applies, so that all remaining ones are reported together.
  target.markUnknownOpDynamicallyLegal([](Operation *op)
                                           -> std::optional<bool> {
    bool isTorch =
        isa_and_nonnull<torch::TorchDialect, torch_c::TorchConversionDialect>(
            op->getDialect());
    return isTorch && !isKeptWhileConverting(op) ? std::nullopt
                                                 : std::optional(true);
  });
  Stretches stretches(types, std::move(patterns), target);
  bool converted = true;
  for (func::FuncOp func : functions)
    for (Block &block : func.getBody())
      converted &= succeeded(stretches.convert(block));
  return success(succeeded(finish(root, unsupported, backend)) && converted);
}
