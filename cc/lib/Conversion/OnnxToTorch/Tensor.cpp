//===- Tensor.cpp - ONNX tensor ops to ATen -------------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Tensor.h"
#include "Families.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Cast-25: integers truncate, anything but zero is true.
FailureOr<Value> lowerCast(onnx::CastOp op, onnx::CastOp::Adaptor in, NodeBuilder &b) {
  Type dtype = b.declaredDtype(op.getOutput());
  if (!dtype)
    return b.decline() << "torch has no dtype for " << op.getTo();
  return b.convert(in.getInput(), dtype);
}

/// Reshape-25: a size of 0 keeps the input's dim (unless allowzero), -1 is what remains.
FailureOr<Value> lowerReshape(onnx::ReshapeOp op, onnx::ReshapeOp::Adaptor in, NodeBuilder &b) {
  FailureOr<SmallVector<Value>> sizes = b.ints(in.getShape());
  if (failed(sizes))
    return b.decline() << "expected a shape of known length, got " << in.getShape().getType();
  for (auto [dim, size] : llvm::enumerate(*sizes))
    if (!op.getAllowzero() && torch::matchInt(size) == 0) {
      if (static_cast<int64_t>(dim) >= torch::tensorType(in.getData()).getRank())
        return b.decline() << "expected a size of 0 for a dim of the input only, got it for dim "
                           << dim << " of " << in.getData().getType();
      size = b.size(in.getData(), dim);
    }
  return b.view(in.getData(), *sizes);
}

/// Transpose-25: perm defaults to the dims reversed.
FailureOr<Value> lowerTranspose(onnx::TransposeOp op, onnx::TransposeOp::Adaptor in, NodeBuilder &b) {
  int64_t rank = torch::tensorType(in.getData()).getRank();
  SmallVector<int64_t> order(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (op.getPerm())
    order = llvm::map_to_vector(op.getPerm()->getAsRange<IntegerAttr>(),
                                [](IntegerAttr dim) { return dim.getInt(); });
  return b.permute(in.getData(), order);
}

} // namespace

void onnx_to_torch::populateTensor(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCast);
  lowerings.add(lowerReshape);
  lowerings.add(lowerTranspose);
}
