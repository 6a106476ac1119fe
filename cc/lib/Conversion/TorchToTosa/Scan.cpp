//===- Scan.cpp - ATen running sums and products to TOSA ------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

Value plus(Value x, Value y, TosaBuilder &b) { return b.add(x, y); }
Value times(Value x, Value y, TosaBuilder &b) { return b.mul(x, y); }

/// cumsum, cumprod in log2(n) steps: step s combines every element with the
/// element s positions before it, for s = 1, 2, 4 ... Integers stay exact,
/// which a product with a triangular matrix would not guarantee.
template <typename SourceOp, Value (*combine)(Value, Value, TosaBuilder &)>
FailureOr<Value> lowerScan(SourceOp op, typename SourceOp::Adaptor in,
                           TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  int64_t rank = TosaBuilder::rankOf(x);
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (!dim || torch::isBoolean(dtype))
    return b.decline()
           << "expected numbers and a dim that is known while compiling";
  if (rank == 0)
    return b.store(x, dtype);
  int64_t axis = torch::normalDim(*dim, rank),
          count = TosaBuilder::sizesOf(x)[axis];
  if (ShapedType::isDynamic(count))
    return b.decline() << "expected a dim of known size; make sizes known with "
                          "--specialize";
  if (isa<FloatType>(TosaBuilder::elementOf(x)))
    x = b.cast(x, b.f32());
  for (int64_t distance = 1; distance < count; distance *= 2) {
    Value head = b.slice(x, axis, 0, distance);
    Value earlier = b.slice(x, axis, 0, count - distance);
    Value later = b.slice(x, axis, distance, count - distance);
    x = b.concat({head, combine(later, earlier, b)}, axis);
  }
  return b.store(b.cast(x, computeType(dtype)), dtype);
}

} // namespace

void torch_to_tosa::populateScan(TosaLowerings &lowerings) {
  lowerings.add(lowerScan<torch::AtenCumprodOp, times>,
                lowerScan<torch::AtenCumsumOp, plus>);
}
