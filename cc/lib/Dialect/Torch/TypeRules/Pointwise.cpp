//===- Pointwise.cpp - Type rules of pointwise ops ------------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "Dtypes.h"
#include "Rules.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"

using namespace mlir;

namespace isthmus::torch::rules {

static Type boolDtype(TypeInference &op) {
  return IntegerType::get(op.getContext(), 1);
}

/// The broadcast of the tensors among the operands `indices`, with the given
/// dtype.
static LogicalResult broadcastAs(TypeInference &op, ArrayRef<unsigned> indices,
                                 Type dtype) {
  SmallVector<int64_t> sizes;
  for (unsigned index : indices) {
    if (torch::isScalar(op[index].getType()))
      continue;
    ValueTensorType type = op.tensor(index);
    if (!type.hasRank())
      return op.giveUnranked(dtype);
    auto common = broadcastShapes(sizes, type.getSizes());
    if (!common)
      return op.fail("expected shapes that broadcast, got " + shapeText(sizes) +
                     " and " + shapeText(type.getSizes()));
    sizes = *common;
  }
  return op.give(sizes, dtype);
}

LogicalResult same(TypeInference &op) { return op.give(op.tensor(0)); }

/// aten.flip(self, dims), aten.scatter.src(self, dim, index, src),
/// aten.select_scatter(self, src, dim, index)
LogicalResult same_along(TypeInference &op) {
  bool hasSource = isTensor(op[1].getType());
  if (failed(op.expectDims(hasSource ? 2 : 1)))
    return failure();
  return op.give(op.tensor(0));
}

/// aten.square(self) is pow(self, 2): integers of 64 bits for bools.
LogicalResult squared(TypeInference &op) {
  Type own = op.dtype(0);
  bool isBool = own && own.isInteger(1);
  return op.giveLike(op.tensor(0), isBool ? signedDtype(op, 64) : own);
}

LogicalResult boolean(TypeInference &op) {
  return op.giveLike(op.tensor(0), boolDtype(op));
}

LogicalResult floating(TypeInference &op) {
  return op.giveLike(op.tensor(0), toFloating(op.dtype(0)));
}

/// aten.polygamma(n, self)
LogicalResult polygamma(TypeInference &op) {
  return op.giveLike(op.tensor(1), toFloating(op.dtype(1)));
}

/// aten.float_power(self, exponent) computes in the most precise dtype.
LogicalResult float_power(TypeInference &op) {
  Type dtype = resultDtype(op.getOperands().take_front(2));
  Type precise = Float64Type::get(op.getContext());
  if (dtype && isComplex(dtype))
    precise = ComplexType::get(precise);
  return broadcastAs(op, {0, 1}, precise);
}

/// aten.frexp(self): mantissas, and exponents of si32.
LogicalResult frexp(TypeInference &op) {
  Type exponent = signedDtype(op, 32);
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(op.giveLike(op.tensor(0), exponent)));
}

LogicalResult promote(TypeInference &op) {
  return broadcastAs(op, {0, 1}, resultDtype(op.getOperands().take_front(2)));
}

/// All operands that are tensors broadcast; numbers do not change the dtype.
LogicalResult promote_all(TypeInference &op) {
  return broadcastAs(op, {0, 1, 2},
                     resultDtype(op.getOperands().take_front(3)));
}

LogicalResult promote_floating(TypeInference &op) {
  return broadcastAs(op, {0, 1},
                     toFloating(resultDtype(op.getOperands().take_front(2))));
}

LogicalResult promote_scalar(TypeInference &op) {
  return op.giveLike(op.tensor(0), resultDtype(op.getOperands().take_front(2)));
}

LogicalResult promote_scalar_floating(TypeInference &op) {
  return op.giveLike(op.tensor(0),
                     toFloating(resultDtype(op.getOperands().take_front(2))));
}

LogicalResult compare(TypeInference &op) {
  return broadcastAs(op, {0, 1}, boolDtype(op));
}

LogicalResult compare_scalar(TypeInference &op) {
  return op.giveLike(op.tensor(0), boolDtype(op));
}

/// aten.div: a rounding_mode of none is true division; "floor" and "trunc" keep
/// integer dtypes.
LogicalResult div_mode(TypeInference &op) {
  Type dtype = resultDtype(op.getOperands().take_front(2));
  return broadcastAs(op, {0, 1}, op.isNone(2) ? toFloating(dtype) : dtype);
}

/// aten.clamp: a bound may be none, a number, or a tensor that broadcasts.
LogicalResult clamp(TypeInference &op) {
  SmallVector<unsigned> shaped = {0};
  SmallVector<Value> present = {op[0]};
  for (unsigned bound : {1u, 2u}) {
    if (op.isNone(bound))
      continue;
    present.push_back(op[bound]);
    if (isTensor(op[bound].getType()))
      shaped.push_back(bound);
  }
  return broadcastAs(op, shaped, resultDtype(present));
}

LogicalResult where(TypeInference &op) {
  return broadcastAs(op, {0, 1, 2},
                     resultDtype(op.getOperands().drop_front(1)));
}

LogicalResult masked_fill(TypeInference &op) {
  return broadcastAs(op, {0, 1}, op.dtype(0));
}

LogicalResult convert(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(1, {}));
}

/// aten.to.device(self, device, dtype, ...)
LogicalResult to_device(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(2, op.dtype(0)));
}

/// aten.to.dtype(self, dtype, ...), aten._to_copy(self, dtype, ...): none keeps
/// the dtype.
LogicalResult to_dtype(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(1, op.dtype(0)));
}

/// aten.type_as(self, other)
LogicalResult to_dtype_of(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtype(1));
}

/// aten.native_dropout(input, p, train): the result and the mask of kept
/// elements.
LogicalResult dropout_with_mask(TypeInference &op) {
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(op.giveLike(op.tensor(0), boolDtype(op))));
}

/// aten.log_sigmoid_forward(self): the result, and what the gradient uses.
LogicalResult log_sigmoid_with_buffer(TypeInference &op) {
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(op.give(op.tensor(0))));
}

/// aten.rrelu_with_noise_functional(self, noise, ...): the result and the
/// noise.
LogicalResult rrelu_with_noise(TypeInference &op) {
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(op.give(op.tensor(1))));
}

/// aten.glu(self, dim): one half of the dim gates the other half, so the size
/// is halved.
LogicalResult glu(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> dim = op.integer(1);
  if (!type.hasRank() || !dim)
    return op.giveUnranked(type.getDtype());
  FailureOr<int64_t> normal = dimOfRow(op, *dim);
  if (failed(normal))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  sizes[*normal] = StaticSizes().floorDiv(sizes[*normal], 2);
  return op.give(sizes, type.getDtype());
}

/// An op that only asserts has no results.
LogicalResult nothing(TypeInference &) { return success(); }

/// aten.normal.float_Tensor(mean, std): the sizes and dtype of operand 1.
LogicalResult like_second(TypeInference &op) { return op.give(op.tensor(1)); }

} // namespace isthmus::torch::rules
