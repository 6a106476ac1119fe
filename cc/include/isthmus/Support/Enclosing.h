//===- Enclosing.h - What a node of a model stands in -----------*- C++ -*-===//
//
// A node may stand in something that the model's author named: a module of
// PyTorch, or a function of an ONNX model that was inlined. Its location says
// so: FusedLoc<[["torch.nn.modules.normalization.LayerNorm", "encoder.norm",
// {}]]>(NameLoc(node, file)).
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_ENCLOSING_H
#define ISTHMUS_SUPPORT_ENCLOSING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace isthmus {

struct Enclosing {
  /// The class of a module or the full name of a function:
  /// "torch.nn.modules.normalization.LayerNorm", "com.acme.FancyNorm".
  mlir::StringAttr name;
  /// What tells one call from others: "encoder.layer.0.norm".
  mlir::StringAttr instance;
  /// Of the node that calls a function.
  mlir::DictionaryAttr attributes;
};

/// The location of a node that stands in these, outermost first.
mlir::Location enclose(mlir::Location node, llvm::ArrayRef<Enclosing> in);

/// What a node stands in, outermost first.
llvm::SmallVector<Enclosing> enclosingOf(mlir::Location node);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_ENCLOSING_H
