//===- NamedActivation.h - Activations that an attribute names --*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NAMEDACTIVATION_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NAMEDACTIVATION_H

#include "isthmus/Conversion/OnnxToTorch.h"

namespace isthmus::onnx_to_torch {

/// An activation function, and the default values of its parameters; it has no
/// others.
struct ActivationKind {
  llvm::StringRef name; // in lower case
  std::optional<double> alpha, beta;
  mlir::Value (*apply)(NodeBuilder &b, mlir::Value x, double alpha,
                       double beta);
};

/// The function of a name in any case; declines the node if ONNX has none.
mlir::FailureOr<const ActivationKind *> findActivation(NodeBuilder &b,
                                                       llvm::StringRef name);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NAMEDACTIVATION_H
