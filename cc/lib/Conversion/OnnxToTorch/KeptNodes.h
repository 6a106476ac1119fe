//===- KeptNodes.h - Nodes that stay whole as torch.operator ----*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_KEPTNODES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_KEPTNODES_H

#include "isthmus/Conversion/OnnxToTorch.h"
#include "llvm/ADT/StringSet.h"

namespace isthmus {

/// The nodes that a backend receives as custom ops, and their form in the torch
/// dialect:
///
///   torch.operator "onnx.Einsum"(%x, %y) {torch.onnx.equation = "ij,jk->ik"}
///   torch.operator "com.acme.FancyAttention"(%x) {onnx.domain = "com.acme"}
class KeptNodes {
public:
  /// Names: "Einsum", "onnx.Einsum", "com.acme.FancyAttention", "unsupported".
  /// Other names, which may be ops of torch, match no node.
  explicit KeptNodes(llvm::ArrayRef<std::string> names);

  bool contains(mlir::Operation *node) const;
  /// Whether nodes without a lowering are kept.
  bool keepsUnsupported() const { return unsupported; }

  /// The full name: "onnx.Einsum", "com.acme.FancyAttention".
  static std::string nameOf(mlir::Operation *node);
  static llvm::SmallVector<mlir::Value> build(mlir::Operation *node,
                                              mlir::ValueRange operands,
                                              mlir::TypeRange results,
                                              NodeBuilder &b);

private:
  llvm::StringSet<> names;
  bool unsupported = false;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_KEPTNODES_H
