//===- Scalars.cpp - Type rules of scalar ops -----------------------------===//
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

LogicalResult int_scalar(TypeInference &op) {
  return op.give(torch::IntType::get(op.getContext()));
}

/// aten.size.int(self, dim)
LogicalResult size(TypeInference &op) {
  if (failed(op.expectDims(1)))
    return failure();
  return int_scalar(op);
}

LogicalResult float_scalar(TypeInference &op) {
  return op.give(torch::FloatType::get(op.getContext()));
}

LogicalResult bool_scalar(TypeInference &op) {
  return op.give(torch::BoolType::get(op.getContext()));
}

/// A rank-0 tensor that holds the number: int gives si64, float f64, bool i1.
LogicalResult num_to_tensor(TypeInference &op) {
  Type dtype = isFloat(op.getOperands()[0].getType())
                   ? Float64Type::get(op.getContext())
                   : resultDtype(op.getOperands());
  return op.give(ArrayRef<int64_t>(), dtype);
}

} // namespace isthmus::torch::rules
