//===- Linear.cpp - ATen matrix products to TOSA --------------------------===//

#include "Bytes.h"
#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// [n,h,c] x [n,c,w] by tosa.matmul.
Value product(Value x, int64_t xZero, Value y, int64_t yZero, Type accumulator,
              TosaBuilder &b) {
  ArrayRef<int64_t> left = TosaBuilder::sizesOf(x),
                    right = TosaBuilder::sizesOf(y);
  Type element = TosaBuilder::elementOf(x);
  return tosa::MatMulOp::create(
      b.getBuilder(), b.getLoc(),
      b.tensor({left[0], left[1], right[2]}, accumulator), x, y,
      b.zeroPoint(element, xZero), b.zeroPoint(element, yZero));
}

/// The product of floats, where 16-bit ones are accumulated in f32 as in
/// PyTorch, or of integers: as i8 if their range is known to be small enough.
Value matmul(Value x, Value y, TosaBuilder &b) {
  Type element = TosaBuilder::elementOf(x);
  if (isa<FloatType>(element))
    return b.cast(product(x, 0, y, 0, b.f32(), b), element);
  SmallVector<Bytes, 2> lefts = asBytes(b, x), rights = asBytes(b, y);
  Value sum;
  for (const Bytes &left : lefts)
    for (const Bytes &right : rights) {
      Value part =
          product(left.x, left.zeroPoint, right.x, right.zeroPoint, b.i32(), b);
      sum = sum ? b.add(sum, part) : part;
    }
  if (sum)
    return sum;
  // sum over c of x[n,h,c,1] * y[n,1,c,w]
  ArrayRef<int64_t> left = TosaBuilder::sizesOf(x),
                    right = TosaBuilder::sizesOf(y);
  Value products = b.mul(b.reshape(x, {left[0], left[1], left[2], 1}),
                         b.reshape(y, {right[0], 1, right[1], right[2]}));
  return b.reshape(b.reduce<tosa::ReduceSumOp>(products, 2),
                   {left[0], left[1], right[2]});
}

FailureOr<Value> lowerBmm(torch::AtenBmmOp op, torch::AtenBmmOp::Adaptor in,
                          TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (torch::isBoolean(dtype))
    return b.decline() << "expected numbers, got bool";
  return b.store(matmul(promoted(b, op.getSelf(), in.getSelf(), dtype),
                        promoted(b, op.getMat2(), in.getMat2(), dtype), b),
                 dtype);
}

Value batched(Value x, TosaBuilder &b) {
  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(x);
  return b.reshape(x, {1, sizes[0], sizes[1]});
}

FailureOr<Value> lowerMm(torch::AtenMmOp op, torch::AtenMmOp::Adaptor in,
                         TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (torch::isBoolean(dtype))
    return b.decline() << "expected numbers, got bool";
  return b.store(
      matmul(batched(promoted(b, op.getSelf(), in.getSelf(), dtype), b),
             batched(promoted(b, op.getMat2(), in.getMat2(), dtype), b), b),
      dtype);
}

} // namespace

void torch_to_tosa::populateLinear(TosaLowerings &lowerings) {
  lowerings.add(lowerBmm, lowerMm);
}
