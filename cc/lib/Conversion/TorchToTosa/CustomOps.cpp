//===- CustomOps.cpp - Torch ops as tosa.custom ---------------------------===//

#include "CustomOps.h"
#include "TosaLowerings.h"
#include "TosaTypeConverter.h"

#define GEN_PASS_DEF_CONVERTTORCHBACKENDLEGALTOTOSACUSTOM
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

Value CustomOpWriter::constant(OpBuilder &builder, Location loc,
                               ElementsAttr value) const {
  return tosa::ConstOp::create(builder, loc, value.getShapedType(), value);
}

ValueRange CustomOpWriter::write(OpBuilder &builder, Location loc,
                                 const custom_ops::CustomOp &op,
                                 ValueRange operands, TypeRange results) const {
  return tosa::CustomOp::create(builder, loc, results, op.name, op.domain,
                                custom_ops::toText(op.attributes), operands)
      .getResults();
}

std::string CustomOpWriter::whyUnsupported(Type type) const {
  return torch_to_tosa::whyUnsupported(type, types);
}

namespace {
struct ConvertTorchBackendLegalToTosaCustom
    : isthmus::impl::ConvertTorchBackendLegalToTosaCustomBase<
          ConvertTorchBackendLegalToTosaCustom> {
  using ConvertTorchBackendLegalToTosaCustomBase::
      ConvertTorchBackendLegalToTosaCustomBase;

  void runOnOperation() override {
    TosaTypeConverter types(narrowF64);
    if (failed(custom_ops::carry(getOperation(), types, ops, customOpEncoding,
                                 CustomOpWriter(types), "tosa.custom")))
      signalPassFailure();
  }
};
} // namespace
