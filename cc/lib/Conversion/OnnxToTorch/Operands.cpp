//===- Operands.cpp - Reading the inputs and attributes of a node ---------===//

#include "Operands.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;

bool onnx_to_torch::isPresent(Value operand) { return !torch::isNone(operand); }

SmallVector<int64_t> onnx_to_torch::intsOf(std::optional<ArrayAttr> attribute,
                                           ArrayRef<int64_t> otherwise) {
  if (!attribute)
    return SmallVector<int64_t>(otherwise);
  return llvm::map_to_vector(attribute->getAsRange<IntegerAttr>(),
                             [](IntegerAttr value) { return value.getInt(); });
}

SmallVector<double>
onnx_to_torch::floatsOf(std::optional<ArrayAttr> attribute) {
  if (!attribute)
    return {};
  return llvm::map_to_vector(
      attribute->getAsRange<FloatAttr>(),
      [](FloatAttr number) { return number.getValueAsDouble(); });
}

Type onnx_to_torch::int64Dtype(NodeBuilder &b) {
  return IntegerType::get(b.getContext(), 64, IntegerType::Signed);
}

Type onnx_to_torch::boolDtype(NodeBuilder &b) {
  return IntegerType::get(b.getContext(), 1);
}

Type onnx_to_torch::wideDtype(Type dtype) {
  return dtype.isF64() ? dtype : Float32Type::get(dtype.getContext());
}

FailureOr<int64_t> onnx_to_torch::axisOf(NodeBuilder &b, int64_t axis,
                                         int64_t rank) {
  if (axis < -rank || axis >= rank)
    return b.decline() << "expected an axis in [" << -rank << ", " << rank - 1
                       << "], got " << axis;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>>
onnx_to_torch::axesOf(NodeBuilder &b, ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t axis : axes) {
    FailureOr<int64_t> dim = axisOf(b, axis, rank);
    if (failed(dim))
      return failure();
    if (llvm::is_contained(dims, *dim))
      return b.decline() << "expected each axis once, got " << axis << " twice";
    dims.push_back(*dim);
  }
  return dims;
}

FailureOr<Value> onnx_to_torch::intOf(NodeBuilder &b, Value tensor,
                                      StringRef name) {
  FailureOr<SmallVector<Value>> elements = b.ints(tensor);
  if (failed(elements) || elements->size() != 1)
    return b.decline() << "expected " << name << " of one integer, got "
                       << tensor.getType();
  return elements->front();
}

LogicalResult onnx_to_torch::requireAtLeast(NodeBuilder &b, Value number,
                                            int64_t least, StringRef name) {
  if (auto known = torch::matchInt(number); known && *known < least)
    return b.decline() << "expected " << name << " of " << least
                       << " or more, got " << *known;
  b.check(b.fold<torch::AtenGeIntOp>(number, b.constant(least)),
          name + " of " + Twine(least) + " or more");
  return success();
}

FailureOr<SmallVector<int64_t>>
onnx_to_torch::knownInts(NodeBuilder &b, Value tensor, StringRef name) {
  std::optional<SmallVector<int64_t>> values = b.constantInts(tensor);
  if (!values)
    return b.decline()
           << "expected " << name
           << " to be known while compiling, got values known at run time only";
  return *values;
}

FailureOr<int64_t> onnx_to_torch::knownInt(NodeBuilder &b, Value tensor,
                                           StringRef name) {
  FailureOr<SmallVector<int64_t>> values = knownInts(b, tensor, name);
  if (failed(values))
    return failure();
  if (values->size() != 1)
    return b.decline() << "expected one " << name << ", got "
                       << tensor.getType();
  return values->front();
}

Value onnx_to_torch::number(NodeBuilder &b, double value, Type dtype) {
  return torch::isIntegral(dtype) ? b.constant(static_cast<int64_t>(value))
                                  : b.constantFloat(value);
}

Value onnx_to_torch::numberOf(NodeBuilder &b, Value tensor) {
  if (auto floats = b.constantFloats(tensor); floats && floats->size() == 1)
    return b.constantFloat(floats->front());
  if (auto ints = b.constantInts(tensor); ints && ints->size() == 1)
    return b.constant(ints->front());
  if (rankOf(tensor) > 0)
    tensor = b.view(tensor, {});
  if (torch::isIntegral(dtypeOf(tensor)))
    return b.create<torch::AtenIntTensorOp>(tensor);
  return b.create<torch::AtenFloatTensorOp>(tensor);
}

Value onnx_to_torch::wrapIndices(NodeBuilder &b, Value indices, Value size) {
  if (auto known = b.constantInts(indices);
      known && llvm::all_of(*known, [](int64_t index) { return index >= 0; }))
    return indices;
  Value isNegative = b.create<torch::AtenLtScalarOp>(indices, b.constant(0));
  Value wrapped =
      b.create<torch::AtenAddScalarOp>(indices, size, b.constant(1));
  return b.where(isNegative, wrapped, indices);
}

Value onnx_to_torch::take(NodeBuilder &b, Value data, Value indices,
                          int64_t axis) {
  SmallVector<Value> perDim(axis, b.none());
  perDim.push_back(indices);
  return b.create<torch::AtenIndexTensorOp>(data, b.optionalTensors(perDim));
}

Value onnx_to_torch::channelsFirst(NodeBuilder &b, Value x) {
  SmallVector<int64_t> order = {0, rankOf(x) - 1};
  llvm::append_range(order, llvm::seq<int64_t>(1, rankOf(x) - 1));
  return b.permute(x, order);
}

Value onnx_to_torch::channelsLast(NodeBuilder &b, Value x) {
  SmallVector<int64_t> order = {0};
  llvm::append_range(order, llvm::seq<int64_t>(2, rankOf(x)));
  order.push_back(1);
  return b.permute(x, order);
}

Value onnx_to_torch::softmaxFrom(NodeBuilder &b, Value x, int64_t axis) {
  if (b.hasFailed())
    return x;
  auto softmax = [&](Value x) -> Value {
    return b.create<torch::AtenSoftmaxIntOp>(x, b.constant(axis), b.none());
  };
  if (axis == rankOf(x) - 1)
    return softmax(x);
  SmallVector<Value> sizes = b.sizes(x),
                     rows(sizes.begin(), sizes.begin() + axis);
  rows.push_back(b.product(ArrayRef(sizes).drop_front(axis)));
  return b.view(softmax(b.view(x, rows)), sizes);
}

Value onnx_to_torch::addNumber(NodeBuilder &b, Value x, double number) {
  return b.create<torch::AtenAddScalarOp>(x, b.constantFloat(number),
                                          b.constant(1));
}

Value onnx_to_torch::scaled(NodeBuilder &b, Value x, double factor) {
  return b.create<torch::AtenMulScalarOp>(x, b.constantFloat(factor));
}

Value onnx_to_torch::iota(NodeBuilder &b, Value start, Value end) {
  Value none = b.none();
  return b.create<torch::AtenArangeStartStepOp>(
      start, end, b.constant(1), b.dtype(int64Dtype(b)), none, none, none);
}

Value onnx_to_torch::alongAxis(NodeBuilder &b, Value vector, int64_t axis,
                               int64_t rank) {
  SmallVector<Value> sizes(rank, b.constant(1));
  sizes[axis] = b.size(vector, 0);
  return b.view(vector, sizes);
}

Value onnx_to_torch::filled(NodeBuilder &b, ValueRange sizes, Value number,
                            Type dtype) {
  Value none = b.none();
  return b.create<torch::AtenFullOp>(b.ints(sizes), number, b.dtype(dtype),
                                     none, none, none);
}

Value onnx_to_torch::softplus(NodeBuilder &b, Value x) {
  // Above the threshold PyTorch returns x, which is the same number in f64.
  return b.create<torch::AtenSoftplusOp>(x, b.constantFloat(1),
                                         b.constantFloat(40));
}
