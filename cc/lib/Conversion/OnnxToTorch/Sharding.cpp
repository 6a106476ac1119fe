//===- Sharding.cpp - How tensors lie on devices --------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Sdy/Sdy.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// A sharding of the device configuration that was chosen, or the same tensor.
FailureOr<Value> lowerSharding(onnx::ShardingOp op,
                               onnx::ShardingOp::Adaptor in, NodeBuilder &b) {
  Value input = in.getInput();
  if (!op.getMesh())
    return input;
  int64_t rank = rankOf(input);
  OpBuilder &builder = b.getBuilder();
  SmallVector<ArrayAttr> dims(rank, builder.getArrayAttr({}));
  for (auto [axis, names] : llvm::zip_equal(
           op.getAxes(), op.getMeshAxes()->getAsRange<ArrayAttr>())) {
    int64_t dim = axis < 0 ? axis + rank : axis;
    if (dim < 0 || dim >= rank)
      return b.decline() << "sharding of '" << op.getTensor()
                         << "': expected an axis from " << -rank << " to "
                         << rank - 1 << ", got " << axis;
    if (!dims[dim].empty())
      return b.decline() << "sharding of '" << op.getTensor()
                         << "': expected axis " << axis
                         << " once, got it twice";
    dims[dim] = names;
  }
  auto sharding =
      sdy::TensorShardingAttr::get(op.getContext(), op.getMeshAttr(), dims);
  return torch::ShardingConstraintOp::create(builder, op.getLoc(),
                                             input.getType(), input, sharding)
      .getResult();
}

} // namespace

void onnx_to_torch::populateSharding(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerSharding);
}
