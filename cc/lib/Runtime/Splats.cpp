//===- Splats.cpp - Splat constants ---------------------------------------===//
//
// As memory of the program, such a constant takes its full size. A buffer that
// is filled at run time exists only while it is used.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace isthmus;

/// True if the tensor is read only for its sizes, as loop bounds.
static bool isReadForSizes(OpOperand &use) {
  auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
  return op && !op.payloadUsesValueFromOperand(&use);
}

void isthmus::fillSplats(ModuleOp module) {
  SmallVector<std::pair<arith::ConstantOp, SplatElementsAttr>> splats;
  module.walk([&](arith::ConstantOp op) {
    auto value = dyn_cast<SplatElementsAttr>(op.getValue());
    if (value && isa<RankedTensorType>(op.getType()) &&
        value.getNumElements() > kSmallConstant)
      splats.emplace_back(op, value);
  });
  for (auto [op, value] : splats) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    op.getResult().replaceUsesWithIf(empty, isReadForSizes);
    if (!op->use_empty()) {
      auto element = value.getSplatValue<Attribute>();
      Value scalar;
      if (auto parts = dyn_cast<ArrayAttr>(element))
        scalar = complex::ConstantOp::create(builder, loc,
                                             type.getElementType(), parts);
      else
        scalar =
            arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
      op->replaceAllUsesWith(
          linalg::FillOp::create(builder, loc, scalar, empty)->getResults());
    }
    op.erase();
  }
}
