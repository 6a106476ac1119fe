//===- Carry.cpp - Torch ops to custom ops of a target --------------------===//

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

namespace {

class Carry final : public ConversionPattern {
public:
  Carry(const TypeConverter &types, MLIRContext *context,
        UnsupportedOps &unsupported, const Request &request,
        const Writer &writer, PatternBenefit benefit)
      : ConversionPattern(types, MatchAnyOpTypeTag(), benefit, context),
        unsupported(unsupported), request(request), writer(writer) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    if (!request.selection.contains(op))
      return failure();
    std::string why;
    std::optional<CustomOp> custom = encode(op, request.encoding, why);
    if (!custom)
      return unsupported.decline(op) << why;
    SmallVector<Type> types;
    for (Type type : custom->results) {
      if (why = writer.whyUnsupported(type); !why.empty())
        return unsupported.decline(op) << why;
      types.push_back(asTensor(getTypeConverter()->convertType(type)));
    }
    SmallVector<Value> operands;
    for (const Operand &operand : custom->operands) {
      if (operand.value)
        if (why = writer.whyUnsupported(operand.value.getType()); !why.empty())
          return unsupported.decline(op) << why;
      operands.push_back(convert(operand, op->getLoc(), rewriter));
      if (!operands.back())
        return unsupported.decline(op) << "expected a tensor or a number, got '"
                                       << operand.value.getType() << "'";
    }

    ValueRange values =
        writer.write(rewriter, op->getLoc(), *custom, operands, types);
    SmallVector<Value> results;
    for (auto [value, type] : llvm::zip_equal(values, custom->results))
      results.push_back(isa<torch::ValueTensorType>(type)
                            ? value
                            : writer.toNumber(rewriter, op->getLoc(), value));
    replace(op, results, rewriter);
    return success();
  }

private:
  static Type asTensor(Type type) {
    return isa<TensorType>(type) ? type : RankedTensorType::get({}, type);
  }

  Value convert(const Operand &operand, Location loc,
                ConversionPatternRewriter &rewriter) const {
    if (operand.constant)
      return writer.constant(rewriter, loc, operand.constant);
    if (!operand.value) {
      CustomOp none;
      none.domain = kTorchDomain;
      none.name = kNoneName;
      none.attributes = llvm::json::Object{{"version", kVersion}};
      Type type = RankedTensorType::get({}, rewriter.getI1Type());
      return writer.write(rewriter, loc, none, {}, type).front();
    }
    Value value = rewriter.getRemappedValue(operand.value);
    if (!value || isa<TensorType>(value.getType()))
      return value;
    return writer.toTensor(rewriter, loc, value);
  }

  /// A list result is replaced together with the op that unpacks it.
  static void replace(Operation *op, ArrayRef<Value> results,
                      ConversionPatternRewriter &rewriter) {
    SmallVector<Value> whole;
    for (auto [result, parts] :
         llvm::zip_equal(op->getResults(), *resultParts(op))) {
      ArrayRef<Value> own = results.take_front(parts.size());
      results = results.drop_front(parts.size());
      if (!isa<torch::ListType>(result.getType())) {
        whole.push_back(own.front());
        continue;
      }
      rewriter.replaceOp(*result.user_begin(), own);
      whole.push_back({});
    }
    if (llvm::is_contained(whole, Value()))
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, whole);
  }

  UnsupportedOps &unsupported;
  const Request &request;
  const Writer &writer;
};

} // namespace

static FailureOr<Request> parseRequest(Operation *root,
                                       ArrayRef<std::string> names,
                                       StringRef encodingName,
                                       StringRef everything, bool isLenient) {
  std::optional<Encoding> encoding = encodingOf(encodingName);
  if (!encoding)
    return emitError(root->getLoc())
           << "expected an encoding, 'attributes' or 'operands', got '"
           << encodingName << "'";
  if (llvm::is_contained(names, everything))
    return Request{Selection::all(), *encoding};
  FailureOr<Selection> selection = Selection::resolve(root, names, isLenient);
  if (failed(selection))
    return failure();
  return Request{std::move(*selection), *encoding};
}

FailureOr<Request> Request::parseFallback(Operation *root,
                                          ArrayRef<std::string> names,
                                          StringRef encoding) {
  return parseRequest(root, names, encoding, "unsupported",
                      /*isLenient=*/true);
}

void custom_ops::populateCarry(const TypeConverter &types,
                               RewritePatternSet &patterns,
                               UnsupportedOps &unsupported,
                               const Request &request, const Writer &writer,
                               PatternBenefit benefit) {
  patterns.add<Carry>(types, patterns.getContext(), unsupported, request,
                      writer, benefit);
}

LogicalResult custom_ops::carry(Operation *root, const TypeConverter &types,
                                ArrayRef<std::string> names, StringRef encoding,
                                const Writer &writer, StringRef form) {
  FailureOr<Request> request =
      parseRequest(root, names, encoding, "all", /*isLenient=*/false);
  if (failed(request))
    return failure();
  const Selection &selection = request->selection;
  UnsupportedOps unsupported;
  RewritePatternSet patterns(root->getContext());
  populateCarry(types, patterns, unsupported, *request, writer);
  ConversionTarget target(*root->getContext());
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) -> std::optional<bool> {
        // Neither legal nor illegal: ops left over are reported together.
        return selection.contains(op) ? std::nullopt : std::optional(true);
      });
  ConversionConfig config; // an op on constants must be carried like any other
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyPartialConversion(root, target, std::move(patterns), config)))
    return failure();
  bool complete = true;
  root->walk([&](Operation *op) {
    if (!selection.contains(op))
      return;
    unsupported.emitError(op, form);
    complete = false;
  });
  // Backwards, so that an op whose users are all dead is dead when it is
  // visited.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  return success(complete);
}
