//===- Complex.h - Complex tensors as pairs of real ones --------*- C++ -*-===//
//
// No target computes on complex numbers: every op on them becomes ops on their
// real and imaginary parts. aten.complex combines the parts of a result, and
// ops that split it again use the parts directly, so that complex tensors
// remain only as arguments and results of a program and at ops that are kept.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <optional>

namespace isthmus::decompose_torch {

/// The parts of complex numbers; a null imaginary part means 0. Parts
/// broadcast.
struct Complex {
  Tensor real;
  std::optional<Tensor> imaginary;
};

/// The parts of a tensor, which may hold real numbers.
Complex partsOf(torch::TorchBuilder &b, mlir::Value tensor);
/// The imaginary part, or zeros.
Tensor imaginaryOf(Complex x);
/// Combines both parts into one tensor.
mlir::Value joined(Complex x);

Complex operator+(Complex x, Complex y);
Complex operator-(Complex x, Complex y);
Complex operator*(Complex x, Complex y);
Complex operator/(Complex x, Complex y);
Complex conj(Complex x);
/// log(exp(x) + exp(y)), without overflow.
Complex logAddExp(Complex x, Complex y);
/// The modulus.
Tensor abs(Complex x);
/// The complex conjugate; a real tensor is unchanged.
Tensor conj(Tensor x);
/// The real part; a real tensor is unchanged.
Tensor realPartOf(Tensor x);

/// Applies `function` to each part.
template <typename Function>
Complex eachPart(Complex x, Function function) {
  Complex result{function(x.real), std::nullopt};
  if (x.imaginary)
    result.imaginary = function(*x.imaginary);
  return result;
}

/// True for a tensor of complex numbers.
inline bool isComplexTensor(mlir::Value value) {
  return torch::isComplex(torch::tensorType(value).getDtype());
}
/// True if an operand or a result is complex.
bool hasComplex(mlir::Operation *op);
/// True if a core op still has to be rewritten to parts.
bool isOnComplex(mlir::Operation *op);
/// True if the decomposition of a composite op is also valid for complex
/// numbers.
bool holdsForComplex(mlir::Operation *op);
/// The rewrites to parts of core ops, and of composite ops whose decomposition
/// is for real numbers only.
const Decompositions &complexForms();
/// Those of the elementary functions.
void addComplexFunctions(Decompositions &forms);
/// Those of scans, and of the product along a dim.
void addComplexScans(Decompositions &forms);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_COMPLEX_H
