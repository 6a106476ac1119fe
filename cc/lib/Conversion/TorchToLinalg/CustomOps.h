//===- CustomOps.h - Torch ops as calls -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H

#include "isthmus/Conversion/CustomOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

namespace isthmus::torch_to_linalg {

/// Writes the ops of one module, which nothing else adds functions to.
class CustomOpWriter final : public custom_ops::Writer {
public:
  explicit CustomOpWriter(mlir::ModuleOp module);
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ElementsAttr value) const override;
  mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                         const custom_ops::CustomOp &op,
                         mlir::ValueRange operands,
                         mlir::TypeRange results) const override;
  mlir::Value toTensor(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value number) const override;
  mlir::Value toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor) const override;

private:
  /// Declares one function per custom op, its attributes and its type: equal
  /// calls share one.
  mlir::func::FuncOp declare(mlir::Location loc, const custom_ops::CustomOp &op,
                             mlir::FunctionType type) const;

  mutable mlir::ModuleOp module;
  mutable mlir::SymbolTable symbols;
  mutable llvm::DenseMap<
      std::tuple<mlir::StringAttr, mlir::DictionaryAttr, mlir::FunctionType>,
      mlir::func::FuncOp>
      declared;
  /// The number of the last function of a name.
  mutable llvm::StringMap<int> numbers;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H
