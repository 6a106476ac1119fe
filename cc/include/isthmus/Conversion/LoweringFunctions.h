//===- LoweringFunctions.h - Lowerings to a target as functions -*- C++ -*-===//
//
// A lowering is a function from an op and its converted operands to the values
// of its results, as in OnnxToTorch.h:
//
//   FailureOr<Value> lowerSquare(AtenSquareOp op, AtenSquareOp::Adaptor in,
//                                HloBuilder &b) {
//     Value x = in.getSelf();
//     return b.create<mhlo::MulOp>(x, x);
//   }
//
// It returns FailureOr<Value> for one result, and FailureOr<LoweredResults> for
// any other number. `return b.decline() << "expected ...";` refuses the op. The
// target's builder derives from LoweringScope. The target's pattern derives
// from LoweringPattern: it makes the builder, runs the function and replaces
// the op by its values, which it casts to the declared types where the target
// needs that.
//
// Ops with regions and terminators are patterns of their own (Lowering.h).
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_LOWERINGFUNCTIONS_H
#define ISTHMUS_CONVERSION_LOWERINGFUNCTIONS_H

#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Support/Lowering.h"
#include <functional>
#include <type_traits>

namespace isthmus {

/// The surroundings of the op that a lowering function lowers. A builder that
/// is made without a scope, for a region or in a pattern of its own, must not
/// call these functions.
class LoweringScope {
public:
  LoweringScope() = default;
  LoweringScope(mlir::Operation *op, const TorchTypeConverter &types,
                mlir::ConversionPatternRewriter &rewriter,
                UnsupportedOps &unsupported)
      : op(op), types(&types), rewriter(&rewriter), unsupported(&unsupported) {}

  /// `return b.decline() << "expected a scalar bound, got " << type;`
  UnsupportedOps::Reason decline() const {
    assert(op && "only a lowering function declines");
    return unsupported->decline(op);
  }

  /// The converted type of a result of the op.
  mlir::Type resultType(unsigned index = 0) const {
    assert(op && "only a lowering function has results");
    return convertType(op->getResult(index).getType());
  }
  mlir::Type convertType(mlir::Type type) const {
    assert(types && "only a lowering function converts types");
    return types->convertType(type);
  }
  /// The converted value of an original one that is not an operand of the op,
  /// but an element of a list; null if it was not converted.
  mlir::Value converted(mlir::Value original) const;
  /// The elements of a list operand of the original op, in the converted types.
  /// Fails if torch.prim.ListConstruct did not make the list.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  convertedElements(mlir::Value list) const;

private:
  mlir::Operation *op = nullptr;
  const TorchTypeConverter *types = nullptr;
  mlir::ConversionPatternRewriter *rewriter = nullptr;
  UnsupportedOps *unsupported = nullptr;
};

/// The values of an op's results. An unused result may be null.
using LoweredResults = llvm::SmallVector<mlir::Value>;

/// A pattern that runs the lowering function of one op. A target derives one
/// class from it, with `matchAndRewrite`.
template <typename BuilderT>
class LoweringPattern : public mlir::ConversionPattern {
public:
  using Builder = BuilderT;
  using Function = std::function<mlir::FailureOr<LoweredResults>(
      mlir::Operation *, llvm::ArrayRef<mlir::Value>, Builder &)>;

  LoweringPattern(llvm::StringRef opName, Function lower,
                  const TorchTypeConverter &types, mlir::MLIRContext *context,
                  UnsupportedOps &unsupported)
      : ConversionPattern(types, opName, /*benefit=*/1, context),
        lower(std::move(lower)), types(types), unsupported(unsupported) {
    setDebugName(getRootKind()->getStringRef());
  }

protected:
  LoweringScope scopeOf(mlir::Operation *op,
                        mlir::ConversionPatternRewriter &rewriter) const {
    return {op, types, rewriter, unsupported};
  }

  Function lower;
  const TorchTypeConverter &types;
  UnsupportedOps &unsupported;
};

/// Adds the lowerings of a target to its patterns. `Pattern` is the class that
/// the target derives from LoweringPattern.
template <typename Pattern>
class LoweringFunctions {
public:
  using Builder = typename Pattern::Builder;
  using Function = typename Pattern::Function;

  LoweringFunctions(const TorchTypeConverter &types,
                    mlir::RewritePatternSet &patterns,
                    UnsupportedOps &unsupported)
      : types(types), patterns(patterns), unsupported(unsupported) {}

  /// `lowerings.add(lowerSquare, lowerSum)`
  template <typename... Results, typename... Ops>
  void add(mlir::FailureOr<Results> (*...lower)(Ops, typename Ops::Adaptor,
                                                Builder &)) {
    (add(Ops::getOperationName(), functionOf(lower)), ...);
  }
  void add(llvm::StringRef opName, Function lower) {
    patterns.add<Pattern>(opName, std::move(lower), types,
                          patterns.getContext(), unsupported);
  }

  /// Adds patterns that derive from Lowering.
  template <typename... Patterns>
  void addPatterns() {
    patterns.add<Patterns...>(types, patterns.getContext(), unsupported);
  }

  /// Declines ops because of a limit of the target; `reason` is a literal.
  template <typename... Ops>
  void addUnsupported(const char *reason) {
    patterns.add<NoLowering<Ops>...>(types, patterns.getContext(), unsupported,
                                     reason);
  }

  /// The lowering function behind the signature that all ops share.
  template <typename Result, typename Op>
  static Function functionOf(
      mlir::FailureOr<Result> (*lower)(Op, typename Op::Adaptor, Builder &)) {
    return [lower](mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                   Builder &b) -> mlir::FailureOr<LoweredResults> {
      auto source = llvm::cast<Op>(op);
      mlir::FailureOr<Result> result =
          lower(source, typename Op::Adaptor(operands, source), b);
      if constexpr (std::is_same_v<Result, LoweredResults>) {
        return result;
      } else {
        if (mlir::failed(result))
          return mlir::failure();
        return LoweredResults{*result};
      }
    };
  }

private:
  const TorchTypeConverter &types;
  mlir::RewritePatternSet &patterns;
  UnsupportedOps &unsupported;
};

/// Lowers an op that changes only the type of its operand.
template <typename Op, typename Builder>
mlir::FailureOr<mlir::Value> lowerForward(Op, typename Op::Adaptor in,
                                          Builder &) {
  return in.getOperands().front();
}

/// Drops an assertion, for a target that cannot end a program.
template <typename Op, typename Builder>
mlir::FailureOr<LoweredResults> dropAssertion(Op, typename Op::Adaptor,
                                              Builder &) {
  return LoweredResults();
}

/// Whether an op has results, and none of them can have elements: nothing needs
/// to be computed, and ops of other dialects may not support sizes of 0.
bool areEmpty(mlir::TypeRange types);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_LOWERINGFUNCTIONS_H
