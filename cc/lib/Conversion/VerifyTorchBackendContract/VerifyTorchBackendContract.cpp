//===- VerifyTorchBackendContract.cpp - The contract of lowerings ---------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace isthmus {
#define GEN_PASS_DEF_VERIFYTORCHBACKENDCONTRACT
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace {

/// Why a type violates the contract; empty if it does not.
std::string objection(Type type) {
  return TypeSwitch<Type, std::string>(type)
      .Case([](ValueTensorType tensor) {
        return !tensor.hasRank()    ? "expected a tensor of known rank"
               : !tensor.getDtype() ? "expected a tensor of known dtype"
                                    : "";
      })
      .Case([](NonValueTensorType) {
        return "expected a value tensor, which nothing aliases or mutates";
      })
      .Case([](OptionalType optional) {
        // The argument's own type is checked; it is more precise than the
        // optional type.
        Type contained = optional.getContainedType();
        return isa<ValueTensorType>(contained) ? "" : objection(contained);
      })
      .Case([](ListType list) {
        // The types of the list elements are checked themselves.
        Type contained = list.getContainedType();
        if (auto optional = dyn_cast<OptionalType>(contained))
          contained = optional.getContainedType();
        return isa<ValueTensorType>(contained) ? "" : objection(contained);
      })
      .Case([](torch::TupleType tuple) {
        for (Type element : tuple.getContainedTypes())
          if (std::string text = objection(element); !text.empty())
            return text;
        return std::string();
      })
      .Case<torch::IntType, torch::FloatType, torch::BoolType,
            torch::StringType, torch::NoneType, DeviceType, GeneratorType>(
          [](Type) { return ""; })
      .Default([](Type) {
        return "expected a tensor, a scalar, none, or a list or tuple of them";
      });
}

/// True for aten.add_.Tensor, aten::relu_ and so on: the op's own name ends
/// with a single underscore.
bool isInPlace(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  return parts.size() > 1 && parts[1].ends_with("_") &&
         !parts[1].ends_with("__");
}

struct VerifyTorchBackendContract
    : isthmus::impl::VerifyTorchBackendContractBase<
          VerifyTorchBackendContract> {
  void runOnOperation() override {
    for (Operation &op : getOperation().getBody()->getOperations())
      if (!isa<func::FuncOp, sdy::MeshOp>(op) &&
          op.getName().getDialectNamespace() != "ml_program")
        reject(&op) << "expected functions only in the module";
    getOperation().walk([&](Operation *op) { check(op); });
  }

private:
  InFlightDiagnostic reject(Operation *op) {
    signalPassFailure();
    return op->emitError() << "'" << op->getName()
                           << "' breaks the torch backend contract: ";
  }

  void checkType(Operation *op, Type type, StringRef what, unsigned index) {
    if (std::string text = objection(type); !text.empty())
      reject(op) << text << ", got " << type << " as " << what << " #" << index;
  }

  void check(Operation *op) {
    if (auto func = dyn_cast<func::FuncOp>(op)) {
      for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
        checkType(op, type, "argument", index);
      for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
        checkType(op, type, "result", index);
      return;
    }
    if (isa<ModuleOp, func::ReturnOp, sdy::MeshOp>(op) ||
        isa_and_nonnull<torch_c::TorchConversionDialect>(op->getDialect()))
      return;
    if (isa<func::CallOp, func::CallIndirectOp>(op)) {
      reject(op) << "expected one function without calls";
      return;
    }
    if (!isa_and_nonnull<TorchDialect>(op->getDialect())) {
      reject(op) << "expected an op of the torch dialect";
      return;
    }
    if (isa<OverwriteTensorContentsOp, CopyToNonValueTensorOp,
            CopyToValueTensorOp>(op)) {
      reject(op) << "expected no op on mutable tensors";
      return;
    }
    if (auto custom = dyn_cast<OperatorOp>(op);
        custom && isInPlace(custom.getName())) {
      reject(op) << "expected no op that works in place, got "
                 << custom.getNameAttr();
      return;
    }
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      checkType(op, type, "result", index);
  }
};

} // namespace
