//===- Creation.cpp - Type rules of ops that create tensors ----------------===//
//
// One function per rule that a registry line names. Sizes are ints, with
// ShapedType::kDynamic for those known at run time only.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

static LogicalResult sizedBy(TypeInference &op, unsigned index, Type dtype) {
  auto sizes = op.integers(index);
  return sizes ? op.give(*sizes, dtype) : op.giveUnranked(dtype);
}

/// aten.full(size, fill_value, dtype, ...)
LogicalResult rules::full(TypeInference &op) {
  return sizedBy(op, 0, op.dtypeArgument(2, resultDtype(op[1])));
}

/// aten.zeros(size, dtype, ...): f32 unless a dtype is asked for.
LogicalResult rules::filled(TypeInference &op) {
  return sizedBy(op, 0, op.dtypeArgument(1, Float32Type::get(op.getContext())));
}

/// aten.zeros_like(self, dtype, ...), aten.full_like(self, fill_value, dtype, ...)
LogicalResult rules::full_like(TypeInference &op) {
  unsigned dtypeIndex = isScalar(op[1].getType()) && op.getOperands().size() == 7 ? 2 : 1;
  return op.giveLike(op.tensor(0), op.dtypeArgument(dtypeIndex, op.dtype(0)));
}

/// aten.arange.start_step(start, end, step, dtype, ...): ceil((end - start) / step) elements.
LogicalResult rules::arange(TypeInference &op) {
  Type dtype = op.dtypeArgument(3, resultDtype(op.getOperands().take_front(3)));
  std::optional<int64_t> start = op.integer(0), end = op.integer(1), step = op.integer(2);
  if (step && *step == 0)
    return op.fail("expected a step other than 0, got 0");
  if (start && end && step) {
    StaticSizes a;
    return op.give({std::max<int64_t>(a.ceilDiv(*end - *start, *step), 0)}, dtype);
  }
  std::optional<double> first = matchNumber(op[0]), last = matchNumber(op[1]), by = matchNumber(op[2]);
  if (!first || !last || !by || *by == 0.0)
    return op.give({ShapedType::kDynamic}, dtype);
  double count = std::ceil((*last - *first) / *by);
  if (!(count < 0x1p62))
    return op.fail("expected a range of fewer than 2^62 elements");
  return op.give({std::max<int64_t>(static_cast<int64_t>(count), 0)}, dtype);
}
