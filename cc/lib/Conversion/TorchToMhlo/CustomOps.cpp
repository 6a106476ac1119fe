//===- CustomOps.cpp - Torch ops as mhlo.custom_call ----------------------===//

#include "CustomOps.h"
#include "Families.h"
#include "MhloTypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#define GEN_PASS_DEF_CONVERTTORCHBACKENDLEGALTOMHLOCUSTOMCALL
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

Value CustomOpWriter::constant(OpBuilder &builder, Location loc,
                               ElementsAttr value) const {
  return mhlo::ConstantOp::create(builder, loc, value);
}

/// The attributes of an op, as a dictionary.
static DictionaryAttr dictionaryOf(const llvm::json::Value &attributes,
                                   StringRef domain, Builder &builder) {
  MLIRContext *context = builder.getContext();
  NamedAttrList says(
      cast<DictionaryAttr>(custom_ops::toAttribute(attributes, context)));
  says.set("domain", builder.getStringAttr(domain));
  return says.getDictionary(context);
}

/// Version 4 is XLA's typed FFI, whose handlers read a dictionary.
ValueRange CustomOpWriter::write(OpBuilder &builder, Location loc,
                                 const custom_ops::CustomOp &op,
                                 ValueRange operands, TypeRange results) const {
  return mhlo::CustomCallOp::create(
             builder, loc, results, operands, builder.getStringAttr(op.name),
             op.hasEffects ? builder.getBoolAttr(true) : BoolAttr(),
             dictionaryOf(op.attributes, op.domain, builder),
             builder.getI32IntegerAttr(4))
      .getResults();
}

void torch_to_mhlo::composeOutlined(Operation *root) {
  SymbolTableCollection symbols;
  llvm::SetVector<func::FuncOp> bodies;
  root->walk([&](func::CallOp call) {
    auto body = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    std::optional<custom_ops::Identity> outlined = custom_ops::outlinedIn(body);
    if (!outlined)
      return;
    OpBuilder builder(call);
    auto composite = mhlo::CompositeOp::create(
        builder, call.getLoc(), call.getResultTypes(), call.getOperands(),
        builder.getStringAttr(outlined->name),
        dictionaryOf(outlined->attributes, outlined->domain, builder),
        call.getCalleeAttr().getAttr(), builder.getI32IntegerAttr(1));
    call.replaceAllUsesWith(composite.getResults());
    call.erase();
    bodies.insert(body);
  });
  for (func::FuncOp body : bodies)
    body->removeAttr(custom_ops::kFunctionAttr);
}

namespace {
struct ConvertTorchBackendLegalToMhloCustomCall
    : isthmus::impl::ConvertTorchBackendLegalToMhloCustomCallBase<
          ConvertTorchBackendLegalToMhloCustomCall> {
  using ConvertTorchBackendLegalToMhloCustomCallBase::
      ConvertTorchBackendLegalToMhloCustomCallBase;

  void runOnOperation() override {
    MhloTypeConverter types;
    if (failed(custom_ops::carry(getOperation(), types, ops, customOpEncoding,
                                 CustomOpWriter(), "mhlo.custom_call")))
      signalPassFailure();
  }
};
} // namespace
