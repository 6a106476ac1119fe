//===- CustomOps.cpp - Torch ops as calls of declared functions -----------===//

#include "CustomOps.h"
#include "LinalgTypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#define GEN_PASS_DEF_CONVERTTORCHBACKENDLEGALTOLINALGCALL
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

Value CustomOpWriter::constant(OpBuilder &builder, Location loc,
                               ElementsAttr value) const {
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}

/// Declares one function per custom op, its attributes and its type: equal
/// calls share one.
static func::FuncOp declare(OpBuilder &builder, Location loc,
                            const custom_ops::CustomOp &op, FunctionType type) {
  auto attribute = builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "attributes",
           builder.getStringAttr(custom_ops::toText(op.attributes))),
       builder.getNamedAttr("domain", builder.getStringAttr(op.domain)),
       builder.getNamedAttr("name", builder.getStringAttr(op.name))});
  Block *here = builder.getInsertionBlock();
  auto module = here->getParentOp()->getParentOfType<ModuleOp>();
  std::string symbol = op.name;
  for (int number = 1; Operation *taken = module.lookupSymbol(symbol);
       symbol = op.name + "_" + std::to_string(number++))
    if (auto func = dyn_cast<func::FuncOp>(taken);
        func && func.getFunctionType() == type &&
        func->getAttr(custom_ops::kFunctionAttr) == attribute)
      return func;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto func = func::FuncOp::create(builder, loc, symbol, type);
  func.setPrivate();
  func->setAttr(custom_ops::kFunctionAttr, attribute);
  return func;
}

ValueRange CustomOpWriter::write(OpBuilder &builder, Location loc,
                                 const custom_ops::CustomOp &op,
                                 ValueRange operands, TypeRange results) const {
  auto type = builder.getFunctionType(operands.getTypes(), results);
  func::FuncOp function = declare(builder, loc, op, type);
  return func::CallOp::create(builder, loc, function, operands).getResults();
}

Value CustomOpWriter::toTensor(OpBuilder &builder, Location loc,
                               Value number) const {
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, number.getType()), number);
}

Value CustomOpWriter::toNumber(OpBuilder &builder, Location loc,
                               Value tensor) const {
  return tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
}

namespace {
struct ConvertTorchBackendLegalToLinalgCall
    : isthmus::impl::ConvertTorchBackendLegalToLinalgCallBase<
          ConvertTorchBackendLegalToLinalgCall> {
  using ConvertTorchBackendLegalToLinalgCallBase::
      ConvertTorchBackendLegalToLinalgCallBase;

  void runOnOperation() override {
    LinalgTypeConverter types;
    if (failed(custom_ops::carry(getOperation(), types, ops, customOpEncoding,
                                 CustomOpWriter(), "a call")))
      signalPassFailure();
  }
};
} // namespace
