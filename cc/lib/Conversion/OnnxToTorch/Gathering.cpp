//===- Gathering.cpp - The outputs of a loop's steps as one tensor --------===//

#include "Gathering.h"
#include "Loops.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

/// The sizes of `output`; unknown ones are 0.
static Values knownSizes(NodeBuilder &b, torch::ValueTensorType output) {
  Values sizes;
  for (int64_t size : output.getSizes())
    sizes.push_back(b.constant(ShapedType::isDynamic(size) ? 0 : size));
  return sizes;
}

/// Slots for `count` outputs of these sizes and this dtype, along a new dim 0.
static Value places(NodeBuilder &b, Value count, ValueRange sizes, Type dtype) {
  Values all = {count};
  llvm::append_range(all, sizes);
  return filled(b, all, number(b, 0, dtype), dtype);
}

/// No slots, for outputs of a type.
static Value noPlaces(NodeBuilder &b, torch::ValueTensorType output) {
  return places(b, b.constant(0), knownSizes(b, output), output.getDtype());
}

/// Dim 0 as dim `axis`.
static FailureOr<Value> moveFirstTo(NodeBuilder &b, Value tensor,
                                    int64_t axis) {
  FailureOr<int64_t> dim = axisOf(b, axis, rankOf(tensor));
  if (failed(dim))
    return failure();
  if (*dim == 0)
    return tensor;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(1, rankOf(tensor)));
  order.insert(order.begin() + *dim, 0);
  return b.permute(tensor, order);
}

FailureOr<Value> Gathering::stack(NodeBuilder &b, ValueRange outputs,
                                  torch::ValueTensorType output) const {
  if (outputs.empty())
    return moveFirstTo(b, noPlaces(b, output), axis);
  FailureOr<int64_t> dim = axisOf(b, axis, output.getRank() + 1);
  if (failed(dim))
    return failure();
  Values slices;
  for (Value each : outputs)
    slices.push_back(b.unsqueeze(each, *dim));
  if (backwards)
    std::reverse(slices.begin(), slices.end());
  return slices.size() == 1 ? slices.front() : b.cat(slices, *dim);
}

FailureOr<Value> onnx_to_torch::stackRows(NodeBuilder &b, ValueRange rows) {
  return Gathering().stack(b, rows, torch::tensorType(rows.front()));
}

GatheringRoom::GatheringRoom(NodeBuilder &b, const Gathering &gathering,
                             torch::ValueTensorType output, Value steps)
    : b(b), gathering(gathering), output(output), steps(steps),
      isWhole(steps && (output.hasStaticShape() || !gathering.sizes.empty())) {}

Value GatheringRoom::start() const {
  if (isWhole) {
    Values sizes =
        gathering.sizes.empty() ? knownSizes(b, output) : gathering.sizes;
    return places(b, b.maxInt(steps, b.constant(0)), sizes, output.getDtype());
  }
  Value room = noPlaces(b, output);
  SmallVector<int64_t> sizes = {ShapedType::kDynamic};
  llvm::append_range(sizes, output.getSizes());
  Type type =
      torch::ValueTensorType::get(b.getContext(), sizes, output.getDtype());
  return torch::TensorStaticInfoCastOp::create(b.getBuilder(), b.getLoc(), type,
                                               room);
}

Value GatheringRoom::extend(Value room) const {
  Value count = b.maxInt(b.size(room, 0), b.constant(4));
  Values sizes = b.sizes(room);
  Value more =
      places(b, count, ArrayRef(sizes).drop_front(), output.getDtype());
  return b.cat({room, more}, 0);
}

FailureOr<Value> GatheringRoom::putGrowing(Value room, Value output,
                                           Value number) const {
  if (isWhole)
    return put(room, output, number);
  Type dtype = this->output.getDtype();
  auto keep = [&]() -> FailureOr<Values> { return Values{room}; };
  // The first buffer is created in the loop: sizes that its type leaves open
  // are unknown before.
  auto begin = [&]() -> FailureOr<Values> {
    return Values{
        places(b, steps ? steps : b.constant(4), b.sizes(output), dtype)};
  };
  auto grow = [&]() -> FailureOr<Values> { return Values{extend(room)}; };
  auto beginOrGrow = [&] {
    return buildIf(b, b.eqInt(number, b.constant(0)), begin, grow);
  };
  FailureOr<Values> grown =
      buildIf(b, b.eqInt(number, b.size(room, 0)), beginOrGrow, keep);
  if (failed(grown))
    return failure();
  return put(grown->front(), output, number);
}

Value GatheringRoom::put(Value room, Value output, Value number) const {
  if (gathering.sizes.empty())
    for (int64_t dim = 0; dim < rankOf(output); ++dim)
      if (ShapedType::isDynamic(sizeOf(output, dim)))
        b.check(b.eqInt(b.size(output, dim), b.size(room, dim + 1)),
                "outputs of one shape from all steps of a loop");
  Value place = number;
  if (gathering.backwards)
    place = b.subInt(b.subInt(steps, b.constant(1)), number);
  Value index = b.unsqueeze(b.create<torch::PrimNumToTensorScalarOp>(place), 0);
  return b.create<torch::AtenIndexPutOp>(room, b.optionalTensors(index),
                                         b.unsqueeze(output, 0),
                                         b.constantBool(false));
}

FailureOr<Value> GatheringRoom::finish(Value room, Value count) const {
  if (count)
    room = b.slice(room, 0, b.constant(0), count);
  return moveFirstTo(b, room, gathering.axis);
}
