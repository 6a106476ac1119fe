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
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// A weight [N, K] in blocks: no product of its sizes overflows.
LogicalResult checkMatrix(NodeBuilder &b, int64_t n, int64_t k, int64_t size) {
  for (int64_t number : {n, k, size})
    if (number < 1 || !llvm::isInt<32>(number))
      return b.decline() << "expected N, K and block_size of 1 or more that 32 "
                            "bits hold, got "
                         << n << ", " << k << " and " << size;
  return success();
}

Value viewAs(NodeBuilder &b, Value x, ArrayRef<int64_t> sizes) {
  return b.view(x, llvm::map_to_vector(
                       sizes, [&](int64_t size) { return b.constant(size); }));
}

/// The numbers of 4 bits in bytes, the upper and the lower ones.
std::pair<Value, Value> nibblesOf(NodeBuilder &b, Value bytes) {
  Type dtype = dtypeOf(bytes);
  Value upper = b.create<torch::AtenBitwiseRightShiftTensorOp>(
      bytes, b.scalarTensor(int64_t(4), dtype));
  Value lower = b.create<torch::AtenBitwiseAndTensorOp>(
      bytes, b.scalarTensor(int64_t(15), dtype));
  return {upper, lower};
}

/// The numbers of bitsandbytes' 4-bit dtypes, by their codes: FP4, which has a
/// sign, an exponent and a fraction, and NF4, the quantiles of the normal
/// distribution (https://arxiv.org/abs/2305.14314).
constexpr float fp4Numbers[16] = {
    0.0f,         0.0052083333f,  0.66666667f,  1.0f,
    0.33333333f,  0.5f,           0.16666667f,  0.25f,
    -0.0f,        -0.0052083333f, -0.66666667f, -1.0f,
    -0.33333333f, -0.5f,          -0.16666667f, -0.25f};
constexpr float nf4Numbers[16] = {
    -1.0f,        -0.69619280f, -0.52507305f,  -0.39491749f,
    -0.28444138f, -0.18477343f, -0.091050036f, 0.0f,
    0.079580300f, 0.16093020f,  0.24611230f,   0.33791524f,
    0.44070983f,  0.56261700f,  0.72295684f,   1.0f};

/// MatMulBnb4: A * W^T, where W [N, K] in row-major order is in blocks of
/// block_size codes, two in a byte, the upper bits first, times the block's
/// absmax.
FailureOr<Value> lowerMatMulBnb4(onnx::MicrosoftMatMulBnb4Op op,
                                 onnx::MicrosoftMatMulBnb4Op::Adaptor in,
                                 NodeBuilder &b) {
  int64_t n = op.getN(), k = op.getK(), size = op.getBlockSize();
  if (failed(checkMatrix(b, n, k, size)))
    return failure();
  if (!op.getTransB() || op.getQuantType() < 0 || op.getQuantType() > 1)
    return b.decline() << "expected transB 1 and quant_type 0 or 1, got "
                       << op.getTransB() << " and " << op.getQuantType();
  Type dtype = dtypeOf(in.getAbsmax());
  auto tableType = RankedTensorType::get({16}, b.getBuilder().getF32Type());
  Value table = b.convert(
      b.literal(DenseElementsAttr::get(
          tableType, ArrayRef(op.getQuantType() ? nf4Numbers : fp4Numbers))),
      dtype);
  Value end = b.constant(n * k), first = b.constant(0);
  auto [upper, lower] = nibblesOf(b, in.getB());
  Value codes = b.cat({b.unsqueeze(upper, 1), b.unsqueeze(lower, 1)}, 1);
  codes = b.slice(viewAs(b, codes, {-1}), 0, first, end);
  int64_t blocks = llvm::divideCeil(n * k, size);
  Value scale = b.expand(viewAs(b, in.getAbsmax(), {blocks, 1}),
                         {b.constant(blocks), b.constant(size)});
  scale = b.slice(viewAs(b, scale, {-1}), 0, first, end);
  Value weight =
      b.mul(take(b, table, b.convert(codes, int64Dtype(b)), 0), scale);
  return Value(b.create<torch::AtenLinearOp>(
      in.getA(), viewAs(b, weight, {n, k}), b.none()));
}

/// MatMulFpQ4: A * B, where B [K, N] is a sequence of blocks of 32 elements of
/// a column, the columns one after the other: a scale of 4 bytes, under
/// blk_quant_type 1 a zero point of one byte, else 8, and 16 bytes, of which
/// byte i has the elements i in the lower and i + 16 in the upper bits.
FailureOr<Value> lowerMatMulFpQ4(onnx::MicrosoftMatMulFpQ4Op op,
                                 onnx::MicrosoftMatMulFpQ4Op::Adaptor in,
                                 NodeBuilder &b) {
  constexpr int64_t size = 32, scaleBytes = 4;
  FailureOr<SmallVector<int64_t>> shape =
      knownInts(b, in.getBShape(), "B_shape");
  if (failed(shape))
    return failure();
  if (shape->size() != 2 || op.getBlkQuantType() < 0 ||
      op.getBlkQuantType() > 1)
    return b.decline() << "expected two sizes in B_shape and blk_quant_type 0 "
                          "or 1, got "
                       << shape->size() << " and " << op.getBlkQuantType();
  int64_t k = shape->front(), n = shape->back();
  if (failed(checkMatrix(b, n, k, size)))
    return failure();
  bool hasZeroPoint = op.getBlkQuantType() == 1;
  int64_t blocks = llvm::divideCeil(k, size),
          header = scaleBytes + hasZeroPoint;
  Value bytes = viewAs(b, in.getB(), {n, blocks, header + size / 2});
  auto part = [&](int64_t begin, int64_t end) {
    return b.slice(bytes, 2, b.constant(begin), b.constant(end));
  };
  Value scale = b.create<torch::AtenViewDtypeOp>(
      part(0, scaleBytes), b.dtype(Float32Type::get(b.getContext())));
  Value zeroPoint;
  if (hasZeroPoint)
    zeroPoint = b.squeeze(part(scaleBytes, header), {2});
  auto [upper, lower] = nibblesOf(b, part(header, header + size / 2));
  Value q = b.cat({lower, upper}, 2);
  if (b.hasFailed())
    return failure();
  Value weight =
      dequantizeBlocks(b, q, b.squeeze(scale, {2}), zeroPoint, middleOf(4));
  return Value(b.create<torch::AtenLinearOp>(
      in.getA(), b.slice(weight, 1, b.constant(0), b.constant(k)), b.none()));
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
  if (failed(checkMatrix(b, n, k, size)))
    return failure();
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
  Value scale = viewAs(b, in.getScales(), {n, blocks}), zeroPoint;
  if (isPresent(in.getZeroPoints())) {
    zeroPoint = viewAs(b, in.getZeroPoints(), {n, -1});
    if (torch::isIntegral(dtypeOf(zeroPoint)))
      zeroPoint = b.slice(unpackBits(b, zeroPoint, bits, /*isSigned=*/false), 1,
                          b.constant(0), b.constant(blocks));
  }
  Value q = unpackBits(b, in.getB(), bits, /*isSigned=*/false);
  if (hasIndex) { // a separate block for each column
    q = b.slice(viewAs(b, q, {n, blocks * size}), 1, b.constant(0),
                b.constant(k));
    q = b.unsqueeze(q, 2);
    scale = take(b, scale, in.getGIdx(), 1);
  } else {
    q = viewAs(b, q, {n, blocks, size});
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
  lowerings.add(lowerMatMulBnb4);
  lowerings.add(lowerMatMulFpQ4);
  lowerings.add(lowerMatMulNBits);
}
