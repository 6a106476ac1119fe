//===- Complex.h - Complex tensors as pairs of real ones --------*- C++ -*-===//
//
// No target computes on complex numbers: every op on them becomes ops on their
// parts. aten.complex puts the parts of a result together, and whoever takes
// it apart again takes the parts themselves, so that complex tensors are left
// where a program takes or gives some, or hands them to an op that was kept.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H

#include "Decompositions.h"
#include "Tensor.h"
#include <optional>

namespace isthmus::decompose_torch {

/// The parts of complex numbers; no imaginary part is 0. Parts broadcast.
struct Complex {
  Tensor real;
  std::optional<Tensor> imaginary;
};

/// The parts of a tensor, which may hold real numbers.
Complex partsOf(torch::TorchBuilder &b, mlir::Value tensor);
/// One tensor of both parts.
mlir::Value joined(Complex x);

Complex operator+(Complex x, Complex y);
Complex operator-(Complex x, Complex y);
Complex operator*(Complex x, Complex y);
Complex operator/(Complex x, Complex y);
Complex conj(Complex x);
/// The modulus.
Tensor abs(Complex x);

/// `function` of each part.
template <typename Function>
Complex eachPart(Complex x, Function function) {
  Complex result{function(x.real), std::nullopt};
  if (x.imaginary)
    result.imaginary = function(*x.imaginary);
  return result;
}

/// Whether an operand or a result holds complex numbers.
bool hasComplex(mlir::Operation *op);
/// Whether a core op is still to be written on parts.
bool isOnComplex(mlir::Operation *op);
/// Whether what a composite op is made of is the same op on complex numbers.
bool holdsForComplex(mlir::Operation *op);
/// What core ops are on parts.
const Decompositions &complexForms();

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H
