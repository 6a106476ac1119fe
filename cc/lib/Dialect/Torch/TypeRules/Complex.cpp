//===- Complex.cpp - Type rules of complex numbers ------------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// aten.complex(real, imag), aten.polar(abs, angle): the parts broadcast.
LogicalResult complex(TypeInference &op) {
  ValueTensorType real = op.tensor(0), imaginary = op.tensor(1);
  Type part = real.getDtype();
  if (part && !isFloatingPoint(part))
    return op.fail("expected parts that are floating-point numbers");
  if (part && imaginary.getDtype() && part != imaginary.getDtype())
    return op.fail("expected parts of one dtype");
  Type dtype = part ? ComplexType::get(part) : Type();
  if (!real.hasRank() || !imaginary.hasRank())
    return op.giveUnranked(dtype);
  auto sizes = broadcastShapes(real.getSizes(), imaginary.getSizes());
  if (!sizes)
    return op.fail("expected shapes that broadcast, got " +
                   shapeText(real.getSizes()) + " and " +
                   shapeText(imaginary.getSizes()));
  return op.give(*sizes, dtype);
}

/// aten.real(self), aten.imag(self), aten.abs(self): the dtype of a part.
LogicalResult part(TypeInference &op) {
  return op.giveLike(op.tensor(0), partDtype(op.dtype(0)));
}

/// aten.angle(self): the angle of an integer is a floating-point number too.
LogicalResult angle(TypeInference &op) {
  Type dtype = op.dtype(0);
  return op.giveLike(op.tensor(0), isIntegral(dtype)
                                       ? Type(Float32Type::get(op.getContext()))
                                       : partDtype(dtype));
}

/// aten.view_as_complex(self [...,2]): pairs of parts become complex numbers.
LogicalResult view_as_complex(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  Type part = type.getDtype();
  if (part && !isFloatingPoint(part))
    return op.fail("expected parts that are floating-point numbers");
  Type dtype = part ? ComplexType::get(part) : Type();
  if (!type.hasRank())
    return op.giveUnranked(dtype);
  if (type.getRank() == 0 || (!ShapedType::isDynamic(type.getSizes().back()) &&
                              type.getSizes().back() != 2))
    return op.fail("expected a last dim of size 2, got " +
                   shapeText(type.getSizes()));
  return op.give(type.getSizes().drop_back(), dtype);
}

/// aten.view_as_real(self): complex numbers become pairs of parts in a new last
/// dim.
LogicalResult view_as_real(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.getDtype() && !isComplex(type.getDtype()))
    return op.fail("expected complex numbers");
  if (!type.hasRank())
    return op.giveUnranked(partDtype(type.getDtype()));
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.push_back(2);
  return op.give(sizes, partDtype(type.getDtype()));
}

} // namespace isthmus::torch::rules
