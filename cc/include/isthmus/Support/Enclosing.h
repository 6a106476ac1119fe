//===- Enclosing.h - The modules and functions around a node ----*- C++ -*-===//
//
// A node may belong to a PyTorch module, or to an inlined function of an ONNX
// model. Its location records this:
// FusedLoc<[["torch.nn.modules.normalization.LayerNorm", "encoder.norm",
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
  /// Distinguishes the call from others: "encoder.layer.0.norm".
  mlir::StringAttr instance;
  /// The attributes of the node that calls a function.
  mlir::DictionaryAttr attributes;
};

/// The location of a node inside these, outermost first.
mlir::Location enclose(mlir::Location node, llvm::ArrayRef<Enclosing> in);

/// The modules or functions around a node, outermost first.
llvm::SmallVector<Enclosing> enclosingOf(mlir::Location node);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_ENCLOSING_H
