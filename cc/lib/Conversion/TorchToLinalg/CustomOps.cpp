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

CustomOpWriter::CustomOpWriter(ModuleOp module)
    : module(module), symbols(module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (auto says =
            func->getAttrOfType<DictionaryAttr>(custom_ops::kFunctionAttr))
      if (auto name = says.getAs<StringAttr>("name"))
        declared.try_emplace({name, says, func.getFunctionType()}, func);
}

func::FuncOp CustomOpWriter::declare(Location loc,
                                     const custom_ops::CustomOp &op,
                                     FunctionType type) const {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  StringAttr name = builder.getStringAttr(op.name);
  auto says = builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "attributes",
           builder.getStringAttr(custom_ops::toText(op.attributes))),
       builder.getNamedAttr("domain", builder.getStringAttr(op.domain)),
       builder.getNamedAttr("name", name)});
  func::FuncOp &func = declared[{name, says, type}];
  if (func)
    return func;
  int &number = numbers[op.name];
  auto symbol = [&] {
    return number ? op.name + "_" + std::to_string(number) : op.name;
  };
  while (symbols.lookup(symbol()))
    ++number;
  func = func::FuncOp::create(builder, loc, symbol(), type);
  func.setPrivate();
  func->setAttr(custom_ops::kFunctionAttr, says);
  symbols.insert(func);
  return func;
}

ValueRange CustomOpWriter::write(OpBuilder &builder, Location loc,
                                 const custom_ops::CustomOp &op,
                                 ValueRange operands, TypeRange results) const {
  auto type = builder.getFunctionType(operands.getTypes(), results);
  func::FuncOp function = declare(loc, op, type);
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
                                 CustomOpWriter(getOperation()), "a call")))
      signalPassFailure();
  }
};
} // namespace
