//===- CustomOps.cpp - Torch ops as mhlo.custom_call ----------------------===//

#include "CustomOps.h"
#include "Families.h"
#include "MhloTypeConverter.h"

#define GEN_PASS_DEF_CONVERTTORCHBACKENDLEGALTOMHLOCUSTOMCALL
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

Value CustomOpWriter::constant(OpBuilder &builder, Location loc,
                               ElementsAttr value) const {
  return mhlo::ConstantOp::create(builder, loc, value);
}

/// Version 4 is XLA's typed FFI, whose handlers read a dictionary.
ValueRange CustomOpWriter::write(OpBuilder &builder, Location loc,
                                 const custom_ops::CustomOp &op,
                                 ValueRange operands, TypeRange results) const {
  auto says = cast<DictionaryAttr>(
      custom_ops::toAttribute(op.attributes, builder.getContext()));
  NamedAttrList config(says);
  config.set("domain", builder.getStringAttr(op.domain));
  return mhlo::CustomCallOp::create(
             builder, loc, results, operands, builder.getStringAttr(op.name),
             op.hasEffects ? builder.getBoolAttr(true) : BoolAttr(),
             config.getDictionary(builder.getContext()),
             builder.getI32IntegerAttr(4))
      .getResults();
}

namespace {
struct ConvertTorchBackendLegalToMhloCustomCall
    : isthmus::impl::ConvertTorchBackendLegalToMhloCustomCallBase<
          ConvertTorchBackendLegalToMhloCustomCall> {
  using ConvertTorchBackendLegalToMhloCustomCallBase::
      ConvertTorchBackendLegalToMhloCustomCallBase;

  void runOnOperation() override {
    MhloTypeConverter types;
    if (failed(custom_ops::carry(getOperation(), types, ops, encoding,
                                 CustomOpWriter(), "mhlo.custom_call")))
      signalPassFailure();
  }
};
} // namespace
