//===- PackedWeights.cpp - Weights of a few bits each to ATen -------------===//
//
// One function per op of onnxruntime's. The comment beside it is its definition
// (https://onnxruntime.ai, ContribOperators). A weight keeps its packed bytes;
// the program unpacks them at each use.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// (q - zero point) * scale as [..., blocks * size], of integers [..., blocks,
/// size] and scales and zero points [..., blocks]; `otherwise` replaces a null
/// zero point.
Value dequantizeBlocks(NodeBuilder &b, Value q, Value scale, Value zeroPoint,
                       double otherwise) {
  Type dtype = dtypeOf(scale);
  int64_t last = rankOf(scale);
  Value shift = zeroPoint ? b.unsqueeze(b.convert(zeroPoint, dtype), last)
                          : b.scalarTensor(otherwise, dtype);
  Value y = b.mul(b.sub(b.convert(q, dtype), shift), b.unsqueeze(scale, last));
  SmallVector<Value> sizes = b.sizes(scale);
  sizes.back() = b.mulInt(sizes.back(), b.size(q, last));
  return b.view(y, sizes);
}

/// The default zero point of unsigned integers.
double middleOf(int64_t bits) { return std::ldexp(1.0, bits - 1); }

LogicalResult checkBits(NodeBuilder &b, int64_t bits) {
  if (bits == 2 || bits == 4 || bits == 8)
    return success();
  return b.decline() << "expected bits to be 2, 4 or 8, got " << bits;
}

/// MatMulNBits: A * W^T + bias. Each of the N rows of W is in ceil(K /
/// block_size) blocks of unsigned integers, of which the last may be longer
/// than the row; zero points are packed like them, or floats. g_idx gives the
/// block whose scale applies to each column.
FailureOr<Value> lowerMatMulNBits(onnx::MicrosoftMatMulNBitsOp op,
                                  onnx::MicrosoftMatMulNBitsOp::Adaptor in,
                                  NodeBuilder &b) {
  int64_t n = op.getN(), k = op.getK(), bits = op.getBits(),
          size = op.getBlockSize();
  if (failed(checkBits(b, bits)))
    return failure();
  for (int64_t number : {n, k, size})
    if (number < 1 || !llvm::isInt<32>(number))
      return b.decline() << "expected N, K and block_size of 1 or more that 32 "
                            "bits hold, got "
                         << n << ", " << k << " and " << size;
  if (op.getWeightPrepacked())
    return b.decline() << "expected a weight that is not prepacked, got "
                          "weight_prepacked "
                       << op.getWeightPrepacked();
  bool hasIndex = isPresent(in.getGIdx());
  // The definition does not explain zero points with g_idx, and onnxruntime
  // ignores them.
  if (hasIndex && isPresent(in.getZeroPoints()))
    return b.decline() << "expected g_idx without zero_points, got both";
  int64_t blocks = llvm::divideCeil(k, size);
  auto reshaped = [&](Value x, ArrayRef<int64_t> sizes) {
    return b.view(x, llvm::map_to_vector(sizes, [&](int64_t size) {
                    return b.constant(size);
                  }));
  };
  Value scale = reshaped(in.getScales(), {n, blocks}), zeroPoint;
  if (isPresent(in.getZeroPoints())) {
    zeroPoint = reshaped(in.getZeroPoints(), {n, -1});
    if (torch::isIntegral(dtypeOf(zeroPoint)))
      zeroPoint = b.slice(unpackBits(b, zeroPoint, bits, /*isSigned=*/false), 1,
                          b.constant(0), b.constant(blocks));
  }
  Value q = unpackBits(b, in.getB(), bits, /*isSigned=*/false);
  if (hasIndex) { // a separate block for each column
    q = b.slice(reshaped(q, {n, blocks * size}), 1, b.constant(0),
                b.constant(k));
    q = b.unsqueeze(q, 2);
    scale = take(b, scale, in.getGIdx(), 1);
  } else {
    q = reshaped(q, {n, blocks, size});
  }
  if (b.hasFailed())
    return failure();
  Value weight = dequantizeBlocks(b, q, scale, zeroPoint, middleOf(bits));
  if (!hasIndex && blocks * size != k)
    weight = b.slice(weight, 1, b.constant(0), b.constant(k));
  return Value(b.create<torch::AtenLinearOp>(
      in.getA(), weight, isPresent(in.getBias()) ? in.getBias() : b.none()));
}

/// GatherBlockQuantized: the rows of a table that is in blocks along its last
/// dim, dequantized. Bytes hold unsigned integers of `bits`.
FailureOr<Value>
lowerGatherBlockQuantized(onnx::MicrosoftGatherBlockQuantizedOp op,
                          onnx::MicrosoftGatherBlockQuantizedOp::Adaptor in,
                          NodeBuilder &b) {
  Value table = in.getData();
  int64_t last = rankOf(table) - 1, bits = op.getBits(),
          size = op.getBlockSize();
  FailureOr<int64_t> gather = axisOf(b, op.getGatherAxis(), last + 1),
                     along = axisOf(b, op.getQuantizeAxis(), last + 1);
  if (failed(gather) || failed(along) || failed(checkBits(b, bits)))
    return failure();
  if (*gather != 0 || *along != last || last == 0)
    return b.decline() << "expected rows to be gathered of a table in blocks "
                          "along its last dim, got gather_axis "
                       << *gather << " and quantize_axis " << *along << " of "
                       << table.getType();
  if (!torch::isIntegral(dtypeOf(table)))
    return b.decline() << "expected a table of integers, got "
                       << table.getType();
  // Integers of narrower dtypes are already unpacked.
  bool isByte = cast<TensorType>(op.getData().getType())
                    .getElementType()
                    .isUnsignedInteger(8);
  bool isPacked = isByte && bits < 8;
  auto rows = [&](Value x) { return take(b, x, in.getIndices(), 0); };
  auto unpacked = [&](Value x) {
    return isPacked ? unpackBits(b, x, bits, /*isSigned=*/false) : x;
  };
  Value q = unpacked(rows(table)), scale = rows(in.getScales()), zeroPoint;
  int64_t width = sizeOf(q, rankOf(q) - 1),
          blocks = sizeOf(scale, rankOf(scale) - 1);
  if (size < 1 || width != blocks * size)
    return b.decline() << "expected whole blocks of block_size, got "
                       << q.getType() << " with scales "
                       << in.getScales().getType();
  if (isPresent(in.getZeroPoints()))
    zeroPoint = b.slice(unpacked(rows(in.getZeroPoints())), rankOf(scale) - 1,
                        b.constant(0), b.constant(blocks));
  SmallVector<Value> split = b.sizes(scale);
  split.push_back(b.constant(size));
  return dequantizeBlocks(b, b.view(q, split), scale, zeroPoint,
                          isByte ? middleOf(bits) : 0);
}

} // namespace

void onnx_to_torch::populatePackedWeights(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerGatherBlockQuantized);
  lowerings.add(lowerMatMulNBits);
}
