//===- IndexedDims.cpp - A tensor indexed by tensors, as rows -------------===//

#include "IndexedDims.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

static Value withoutDerefine(Value value) {
  while (auto derefine = value.getDefiningOp<torch::DerefineOp>())
    value = derefine.getOperand();
  return value;
}

Value torch_to_tosa::repeatedIndices(Value indices, int64_t n, TosaBuilder &b) {
  int64_t count = product(TosaBuilder::sizesOf(indices));
  return b.tile(b.reshape(b.cast(indices, b.i32()), {1, count}), {n, count});
}

FailureOr<IndexedDims> torch_to_tosa::readIndices(ValueRange indices,
                                                  Value self, Value x,
                                                  TosaBuilder &b) {
  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(x);
  int64_t rank = sizes.size();
  SmallVector<int64_t> indexed;
  IndexedDims result;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value index = dim < static_cast<int64_t>(indices.size())
                      ? withoutDerefine(indices[dim])
                      : Value();
    if (!index || torch::isNone(index)) {
      result.order.push_back(dim);
      continue;
    }
    if (!isa<torch::ValueTensorType>(index.getType()))
      return b.decline() << "expected index tensors, got " << index.getType();
    if (torch::isBoolean(dtypeOf(index)))
      return b.decline()
             << "a bool index picks as many elements as are true, which "
                "TOSA cannot say";
    if (ShapedType::isDynamic(sizes[dim]))
      return b.decline() << "expected an indexed dim of known size, got dim "
                         << dim << " of " << self.getType()
                         << "; make sizes known with --specialize";
    indexed.push_back(dim);
    Value converted = b.converted(index);
    if (!converted)
      return b.decline() << "expected index tensors that are lowered already";
    // A negative index counts from the end.
    converted = b.cast(converted, b.i32());
    Value size = b.splatLike(sizes[dim], converted),
          zero = b.splatLike(0, converted);
    converted =
        b.select(b.less(converted, zero), b.add(converted, size), converted);
    result.linear = result.linear
                        ? b.add(b.mul(result.linear,
                                      b.splatLike(sizes[dim], result.linear)),
                                converted)
                        : converted;
  }
  if (indexed.empty())
    return result;

  // Adjacent dims stay at their position, others are moved to the front.
  bool adjacent = indexed.back() - indexed.front() + 1 ==
                  static_cast<int64_t>(indexed.size());
  int64_t place = adjacent ? indexed.front() : 0;
  result.order.insert(result.order.begin() + place, indexed.begin(),
                      indexed.end());
  ArrayRef<int64_t> index = TosaBuilder::sizesOf(result.linear);
  SmallVector<int64_t> ordered;
  for (int64_t dim : result.order) {
    ordered.push_back(sizes[dim]);
    if (!llvm::is_contained(indexed, dim))
      result.resultSizes.push_back(sizes[dim]);
  }
  result.n = product(ArrayRef(ordered).take_front(place));
  result.k = product(ArrayRef(ordered).slice(place, indexed.size()));
  result.c = product(ArrayRef(ordered).drop_front(place + indexed.size()));
  result.resultSizes.insert(result.resultSizes.begin() + place, index.begin(),
                            index.end());
  return result;
}
