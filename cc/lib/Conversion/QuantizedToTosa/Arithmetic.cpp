//===- Arithmetic.cpp - Layers on quantized numbers -----------------------===//
//
// Products of integers are accumulated in 32 bits; their scale is the product
// of the scales:
//
//   sum (a - za) sa (w - zw) sw = sa sw sum (a - za) (w - zw)
//
// Sums need one scale: a small part of the one that the sum is quantized by.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Rescale.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

/// Accumulators stay below this.
static constexpr double maxBound = 0x1p30;

static Type si32(torch::TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 32, IntegerType::Signed);
}

//===----------------------------------------------------------------------===//
// How a result is quantized
//===----------------------------------------------------------------------===//

static bool keepsOrder(Operation *op) {
  return isa<torch::AtenReluOp, torch::AtenRelu6Op, torch::AtenHardtanhOp,
             torch::AtenClampOp, torch::AtenClampMinOp, torch::AtenClampMaxOp,
             torch::AtenViewOp, torch::AtenReshapeOp,
             torch::AtenFlattenUsingIntsOp, torch::AtenPermuteOp,
             torch::AtenTransposeIntOp, torch::AtenMaxPool2dOp,
             torch::AtenDropoutOp, torch::AtenContiguousOp, torch::AtenCloneOp>(
      op);
}

/// The format in which `user`, or the last op of ONNX's formula that starts
/// there, quantizes `real`.
static std::optional<Format> formatOf(Value real, Operation *user) {
  constexpr int maxOps = 4; // divide, round, add, clamp
  for (int i = 0; i < maxOps && !matchQuantize(user) && user->hasOneUse(); ++i)
    user = *user->user_begin();
  auto quantization = matchQuantize(user);
  if (!quantization || quantization->x != real)
    return std::nullopt;
  return quantization->format;
}

/// The format in which a result is quantized, perhaps after ops that keep the
/// order of its numbers.
static std::optional<Format> findFormat(Value real) {
  constexpr int maxSteps = 8;
  for (int step = 0; step < maxSteps; ++step) {
    Operation *next = nullptr;
    for (Operation *user : real.getUsers()) {
      if (auto format = formatOf(real, user))
        return format;
      if (keepsOrder(user))
        next = user;
    }
    if (!next)
      return std::nullopt;
    real = next->getResult(0);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops that keep the numbers
//===----------------------------------------------------------------------===//

/// The number of an operand, or `otherwise` if it is none; nullopt if it is not
/// known.
static std::optional<double> numberOr(Value value, double otherwise) {
  return torch::isNone(value) ? std::optional(otherwise)
                              : torch::matchNumber(value);
}

std::optional<Quantized> Arithmetic::clamp(Operation *op) {
  const Quantized *x = find(op->getOperand(0));
  if (!x)
    return std::nullopt;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::optional<double> low = -infinity, high = infinity;
  if (isa<torch::AtenReluOp>(op)) {
    low = 0;
  } else if (isa<torch::AtenRelu6Op>(op)) {
    low = 0;
    high = 6;
  } else if (isa<torch::AtenClampMaxOp>(op)) {
    high = torch::matchNumber(op->getOperand(1));
  } else {
    low = numberOr(op->getOperand(1), -infinity);
    if (op->getNumOperands() > 2)
      high = numberOr(op->getOperand(2), infinity);
  }
  if (!low || !high || !(*low <= *high))
    return std::nullopt;
  Quantized y = *x;
  y.low = std::clamp(y.low, *low, *high);
  y.high = std::clamp(y.high, *low, *high);
  return y;
}

/// A product with, or quotient by, a known number or one for each channel.
std::optional<Quantized> Arithmetic::scale(Operation *op) {
  const Quantized *x = find(op->getOperand(0));
  auto numbers = readNumbers(op->getOperand(1));
  bool isQuotient = isa<torch::AtenDivTensorOp, torch::AtenDivScalarOp>(op);
  if (!x && !isQuotient) {
    x = find(op->getOperand(1));
    numbers = readNumbers(op->getOperand(0));
  }
  if (!x || !numbers || x->isClamped())
    return std::nullopt;
  int64_t rank = torch::tensorType(x->numbers).getRank();
  Quantized y = *x;
  if (numbers->values.size() > 1) {
    // The same channels, or the first time that there are any.
    int64_t known = torch::tensorType(op->getResult(0)).getRank();
    if (known != rank ||
        (!x->hasOneScale() && (x->axis != numbers->axis ||
                               x->scales.size() != numbers->values.size())))
      return std::nullopt;
    ArrayRef<int64_t> sizes = torch::tensorType(x->numbers).getSizes();
    if (sizes[numbers->axis] != static_cast<int64_t>(numbers->values.size()))
      return std::nullopt;
    y.axis = numbers->axis;
    y.scales.assign(numbers->values.size(), 1);
    for (auto [i, scale] : llvm::enumerate(y.scales))
      scale = x->scales[x->hasOneScale() ? 0 : i] * numbers->values[i];
    if (isQuotient)
      return std::nullopt;
  } else {
    for (double &scale : y.scales)
      scale =
          isQuotient ? scale / numbers->values[0] : scale * numbers->values[0];
  }
  if (!llvm::all_of(y.scales, [](double scale) {
        return std::isfinite(scale) && scale > 0;
      }))
    return std::nullopt;
  if (torch::tensorType(op->getResult(0)).getSizes() !=
      torch::tensorType(x->numbers).getSizes())
    return std::nullopt; // it broadcasts
  return y;
}

std::optional<Quantized> Arithmetic::view(Operation *op,
                                          torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0));
  if (!x)
    return std::nullopt;
  bool keepsShape =
      isa<torch::AtenDropoutOp, torch::AtenContiguousOp, torch::AtenCloneOp,
          torch::AtenDetachOp, torch::AtenAliasOp>(op);
  if (isa<torch::AtenDropoutOp>(op) &&
      torch::matchBool(op->getOperand(2)) != false)
    return std::nullopt;
  if (keepsShape)
    return *x;
  if (!x->hasOneScale())
    return std::nullopt;
  Quantized y = *x;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x->numbers;
  y.numbers = b.rebuild(op, operands);
  return y;
}

/// A permutation, of which the channels' dim is followed.
std::optional<Quantized> Arithmetic::permute(Operation *op,
                                             torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0));
  if (!x)
    return std::nullopt;
  int64_t rank = torch::tensorType(x->numbers).getRank();
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  if (isa<torch::AtenTOp>(op)) {
    if (rank == 2)
      std::swap(order[0], order[1]);
  } else if (isa<torch::AtenTransposeIntOp>(op)) {
    auto from = torch::matchInt(op->getOperand(1)),
         to = torch::matchInt(op->getOperand(2));
    if (!from || !to || rank == 0)
      return std::nullopt;
    std::swap(order[torch::normalDim(*from, rank)],
              order[torch::normalDim(*to, rank)]);
  } else {
    auto dims = torch::matchInts(op->getOperand(1));
    if (!dims || static_cast<int64_t>(dims->size()) != rank)
      return std::nullopt;
    for (auto [dim, from] : llvm::enumerate(*dims))
      order[dim] = torch::normalDim(from, rank);
  }
  Quantized y = *x;
  y.numbers = b.permute(x->numbers, order);
  y.axis = std::distance(order.begin(), llvm::find(order, x->axis));
  return y;
}

std::optional<Quantized> Arithmetic::maxPool(Operation *op,
                                             torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0));
  if (!x)
    return std::nullopt;
  std::optional<Quantized> y = *x;
  if (!x->isOfBytes() || !x->hasOneScale()) {
    // Rounding keeps the order: quantize before the maximum is taken.
    auto format = findFormat(op->getResult(0));
    y = format ? requantize(b, *x, *format) : std::nullopt;
    if (!y)
      return std::nullopt;
  }
  *y = asSigned(b, *y);
  SmallVector<Value> operands(op->getOperands());
  operands[0] = y->numbers;
  y->numbers = b.rebuild(op, operands);
  return y;
}

std::optional<Quantized> Arithmetic::concat(Operation *op,
                                            torch::TorchBuilder &b) {
  auto parts = torch::matchList(op->getOperand(0));
  auto dim = torch::matchInt(op->getOperand(1));
  if (!parts || parts->empty() || !dim)
    return std::nullopt;
  auto format = findFormat(op->getResult(0));
  SmallVector<Quantized> read;
  for (Value part : *parts) {
    const Quantized *x = find(part);
    if (!x)
      return std::nullopt;
    read.push_back(*x);
  }
  bool areAlike = llvm::all_of(read, [&](const Quantized &x) {
    return x.isOfBytes() && x.hasOneScale() && !x.isClamped() &&
           x.scales == read[0].scales && x.zeroPoint == read[0].zeroPoint &&
           torch::tensorType(x.numbers).getDtype() ==
               torch::tensorType(read[0].numbers).getDtype();
  });
  if (!areAlike && !format)
    return std::nullopt;
  Quantized y = read[0];
  SmallVector<Value> numbers;
  for (const Quantized &x : read) {
    if (areAlike) {
      numbers.push_back(x.numbers);
      continue;
    }
    auto part = requantize(b, x, *format);
    if (!part)
      return std::nullopt;
    y = *part;
    numbers.push_back(part->numbers);
  }
  y.numbers = b.cat(numbers, *dim);
  return y;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Means over dims of known sizes.
std::optional<Quantized> Arithmetic::mean(Operation *op,
                                          torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0));
  if (!x || !x->hasOneScale() || x->isClamped())
    return std::nullopt;
  torch::ValueTensorType type = torch::tensorType(x->numbers);
  int64_t rank = type.getRank();
  SmallVector<int64_t> dims;
  bool keepdim = true;
  if (isa<torch::AtenAdaptiveAvgPool2dOp, torch::Aten_AdaptiveAvgPool2dOp>(
          op)) {
    auto sizes = torch::matchIntsPerDim(op->getOperand(1), 2);
    if (!sizes || llvm::any_of(*sizes, [](int64_t size) { return size != 1; }))
      return std::nullopt;
    dims = {rank - 2, rank - 1};
  } else {
    auto given = torch::matchDims(op->getOperand(1), rank);
    auto keeps = torch::matchBool(op->getOperand(2));
    if (!given || !keeps)
      return std::nullopt;
    dims = *given;
    keepdim = *keeps;
  }
  double count = 1;
  for (int64_t dim : dims) {
    if (type.getSizes()[dim] < 1)
      return std::nullopt;
    count *= type.getSizes()[dim];
  }
  if (x->bound * count >= maxBound)
    return std::nullopt;
  Quantized y = *x;
  y.numbers = b.create<torch::AtenSumDimIntListOp>(
      centred(b, *x), b.ints(dims), b.constantBool(keepdim), b.dtype(si32(b)));
  y.zeroPoint = 0;
  y.scales[0] /= count;
  y.bound *= count;
  return y;
}

/// x plus numbers that are known.
std::optional<Quantized> Arithmetic::addKnown(const Quantized &x, Value known,
                                              Operation *op,
                                              torch::TorchBuilder &b) {
  auto numbers = readNumbers(known);
  torch::ValueTensorType type = torch::tensorType(x.numbers),
                         result = torch::tensorType(op->getResult(0));
  if (!numbers || x.isClamped() || type.getSizes() != result.getSizes())
    return std::nullopt;
  int64_t rank = type.getRank(), axis = x.axis;
  if (numbers->values.size() > 1) {
    axis = numbers->axis + rank - torch::tensorType(known).getRank();
    if (!x.hasOneScale() && axis != x.axis)
      return std::nullopt;
  }
  size_t count = std::max(numbers->values.size(), x.scales.size());
  SmallVector<double> scales = x.scales, each = numbers->values;
  if (scales.size() == 1)
    scales.assign(count, x.scales[0]);
  if (each.size() == 1)
    each.assign(count, numbers->values[0]);
  if (scales.size() != each.size())
    return std::nullopt;
  SmallVector<int32_t> units;
  double most = 0;
  for (auto [number, scale] : llvm::zip_equal(each, scales)) {
    double unit = std::nearbyint(number / scale);
    if (!(std::abs(unit) < maxBound))
      return std::nullopt;
    most = std::max(most, std::abs(unit));
    units.push_back(static_cast<int32_t>(unit));
  }
  if (x.isOfBytes() || x.bound + most >= maxBound)
    return std::nullopt; // units of bytes are too coarse
  SmallVector<int64_t> sizes(rank, 1);
  if (count > 1)
    sizes[axis] = count;
  Value literal = b.literal(DenseElementsAttr::get(
      RankedTensorType::get(sizes, si32(b)), ArrayRef(units)));
  Quantized y = x;
  y.numbers = b.add(centred(b, x), literal);
  y.zeroPoint = 0;
  y.bound += most;
  return y;
}

std::optional<Quantized> Arithmetic::sum(Operation *op,
                                         torch::TorchBuilder &b) {
  if (torch::matchNumber(op->getOperand(2)) != 1.0)
    return std::nullopt;
  bool isSum = isa<torch::AtenAddTensorOp>(op);
  const Quantized *x = find(op->getOperand(0)), *y = find(op->getOperand(1));
  if (isSum && x && !y)
    return addKnown(*x, op->getOperand(1), op, b);
  if (isSum && y && !x)
    return addKnown(*y, op->getOperand(0), op, b);
  auto format = findFormat(op->getResult(0));
  if (!x || !y || !format)
    return std::nullopt;
  // The finest scale of which both fit 32 bits.
  for (int bits = 20; bits >= 4; --bits) {
    double scale = std::ldexp(format->scale, -bits), total = 0;
    bool fits = true;
    for (const Quantized *part : {x, y}) {
      auto ratios = llvm::map_to_vector(
          part->scales, [&](double each) { return each / scale; });
      fits &= canRescale(part->bound, ratios);
      total += part->bound * *llvm::max_element(ratios);
    }
    if (!fits || total >= INT32_MAX)
      continue;
    Quantized left = rescaleWide(b, *x, scale),
              right = rescaleWide(b, *y, scale);
    left.numbers = isSum ? b.add(left.numbers, right.numbers)
                         : b.sub(left.numbers, right.numbers);
    left.bound += right.bound;
    return left;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

std::optional<Quantized> Arithmetic::multiply(Operation *op,
                                              torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0)), *y = find(op->getOperand(1));
  if (!x || !y)
    return scale(op);
  if (!x->isOfBytes() || !y->isOfBytes() || !x->hasOneScale() ||
      !y->hasOneScale() || x->isClamped() || y->isClamped())
    return std::nullopt;
  Quantized product;
  product.numbers = b.mul(centred(b, *x), centred(b, *y));
  product.scales = {x->scales[0] * y->scales[0]};
  product.bound = x->bound * y->bound;
  return product;
}

Value Arithmetic::bias(Value given, ArrayRef<double> scales,
                       torch::TorchBuilder &b) {
  if (torch::isNone(given))
    return given;
  int64_t count = torch::tensorType(given).getSizes()[0];
  SmallVector<double> numbers;
  if (auto known = readNumbers(given)) {
    numbers = known->values;
  } else if (const Quantized *x = find(given)) {
    // 32-bit integers that are quantized by the same scales.
    auto integers = readNumbers(x->numbers);
    if (!integers)
      return {};
    for (auto [i, integer] : llvm::enumerate(integers->values))
      numbers.push_back((integer - x->zeroPoint) *
                        x->scales[x->hasOneScale() ? 0 : i]);
  }
  if (static_cast<int64_t>(numbers.size()) != count)
    return {};
  SmallVector<int32_t> units;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    double unit = std::nearbyint(number / scales[scales.size() == 1 ? 0 : i]);
    if (!(std::abs(unit) < maxBound / 2))
      return {};
    units.push_back(static_cast<int32_t>(unit));
  }
  return b.literal(DenseElementsAttr::get(
      RankedTensorType::get({count}, si32(b)), ArrayRef(units)));
}

/// The scales of a product of a tensor of one scale and a weight.
static SmallVector<double> productOf(const Quantized &x, const Quantized &w) {
  return llvm::map_to_vector(w.scales,
                             [&](double scale) { return scale * x.scales[0]; });
}

static bool isFactor(const Quantized *x) {
  return x && x->isOfBytes() && !x->isClamped();
}

std::optional<Quantized> Arithmetic::convolve(Operation *op,
                                              torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0)), *w = find(op->getOperand(1));
  if (!isFactor(x) || !isFactor(w) || !x->hasOneScale())
    return std::nullopt;
  ArrayRef<int64_t> filter = torch::tensorType(w->numbers).getSizes();
  bool isCore = isa<torch::AtenConvolutionOp>(op);
  auto groups = torch::matchInt(op->getOperand(isCore ? 8 : 6));
  bool isTransposed =
      isCore
          ? torch::matchBool(op->getOperand(6)) != false
          : isa<torch::AtenConvTranspose1dOp, torch::AtenConvTranspose2dInputOp,
                torch::AtenConvTranspose3dInputOp>(op);
  if (!groups || filter.size() < 3 ||
      llvm::is_contained(filter, ShapedType::kDynamic))
    return std::nullopt;
  // The dim of the weight that has the result's channels.
  int64_t channels = isTransposed ? 1 : 0;
  if (!w->hasOneScale() &&
      (w->axis != channels || (isTransposed && *groups != 1)))
    return std::nullopt;
  Quantized y;
  y.scales = productOf(*x, *w);
  Value units = bias(op->getOperand(2), y.scales, b);
  double count = 1;
  for (int64_t size : filter.drop_front())
    count *= size;
  if (isTransposed)
    count *= filter[0];
  y.bound = count * x->bound * w->bound;
  if (!units || y.bound >= maxBound)
    return std::nullopt;
  y.bound += maxBound / 2;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = centred(b, *x);
  operands[1] = centred(b, *w);
  operands[2] = units;
  y.numbers = b.rebuild(op, operands);
  int64_t rank = torch::tensorType(op->getResult(0)).getRank();
  y.axis = rank == static_cast<int64_t>(filter.size()) ? 1 : 0;
  return y;
}

/// aten.linear, and products of matrices of which the second may have a scale
/// for each column.
std::optional<Quantized> Arithmetic::multiplyMatrices(Operation *op,
                                                      torch::TorchBuilder &b) {
  const Quantized *x = find(op->getOperand(0)), *w = find(op->getOperand(1));
  if (!isFactor(x) || !isFactor(w) || !x->hasOneScale())
    return std::nullopt;
  bool isLinear = isa<torch::AtenLinearOp>(op);
  torch::ValueTensorType weight = torch::tensorType(w->numbers),
                         result = torch::tensorType(op->getResult(0));
  int64_t rank = weight.getRank();
  if (rank < 2 || result.getRank() < 1 ||
      (!w->hasOneScale() && w->axis != (isLinear ? 0 : rank - 1)))
    return std::nullopt;
  int64_t count = weight.getSizes()[isLinear ? 1 : rank - 2];
  Quantized y;
  y.scales = productOf(*x, *w);
  y.axis = result.getRank() - 1;
  y.bound = count * x->bound * w->bound;
  if (count < 0 || y.bound >= maxBound)
    return std::nullopt;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = centred(b, *x);
  operands[1] = centred(b, *w);
  if (isLinear) {
    operands[2] = bias(op->getOperand(2), y.scales, b);
    if (!operands[2])
      return std::nullopt;
    y.bound += maxBound / 2;
  }
  y.numbers = b.rebuild(op, operands);
  return y;
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

const Quantized *Arithmetic::find(Value real) const {
  auto found = reals.find(real);
  return found == reals.end() ? nullptr : &found->second;
}

std::optional<Quantized> Arithmetic::dequantize(Operation *op) {
  auto x = matchDequantize(op);
  if (!x)
    return std::nullopt;
  auto signedNumbers = bytes.find(x->numbers);
  if (signedNumbers != bytes.end()) {
    Type dtype = torch::tensorType(x->numbers).getDtype();
    x->numbers = signedNumbers->second.numbers;
    x->zeroPoint -= dtype.isUnsignedInteger() ? 128 : 0;
  }
  return x;
}

std::optional<Quantized> Arithmetic::compute(Operation *op,
                                             torch::TorchBuilder &b) {
  if (auto x = dequantize(op))
    return x;
  if (isa<torch::AtenReluOp, torch::AtenRelu6Op, torch::AtenHardtanhOp,
          torch::AtenClampOp, torch::AtenClampMinOp, torch::AtenClampMaxOp>(op))
    return clamp(op);
  if (isa<torch::AtenViewOp, torch::AtenReshapeOp,
          torch::AtenFlattenUsingIntsOp, torch::AtenSqueezeDimOp,
          torch::AtenSqueezeDimsOp, torch::AtenUnsqueezeOp, torch::AtenExpandOp,
          torch::AtenSliceTensorOp, torch::AtenSelectIntOp,
          torch::AtenContiguousOp, torch::AtenCloneOp, torch::AtenDetachOp,
          torch::AtenAliasOp, torch::AtenDropoutOp>(op))
    return view(op, b);
  if (isa<torch::AtenTOp, torch::AtenTransposeIntOp, torch::AtenPermuteOp>(op))
    return permute(op, b);
  if (isa<torch::AtenMaxPool2dOp>(op))
    return maxPool(op, b);
  if (isa<torch::AtenMeanDimOp, torch::AtenAdaptiveAvgPool2dOp,
          torch::Aten_AdaptiveAvgPool2dOp>(op))
    return mean(op, b);
  if (isa<torch::AtenCatOp>(op))
    return concat(op, b);
  if (isa<torch::AtenAddTensorOp, torch::AtenSubTensorOp>(op))
    return sum(op, b);
  if (isa<torch::AtenMulTensorOp, torch::AtenMulScalarOp>(op))
    return multiply(op, b);
  if (isa<torch::AtenDivTensorOp, torch::AtenDivScalarOp>(op))
    return scale(op);
  std::optional<Quantized> product;
  if (isa<torch::AtenConv1dOp, torch::AtenConv2dOp, torch::AtenConv3dOp,
          torch::AtenConvTranspose1dOp, torch::AtenConvTranspose2dInputOp,
          torch::AtenConvTranspose3dInputOp, torch::AtenConvolutionOp>(op))
    product = convolve(op, b);
  else if (isa<torch::AtenLinearOp, torch::AtenMatmulOp, torch::AtenMmOp,
               torch::AtenBmmOp>(op))
    product = multiplyMatrices(op, b);
  if (product)
    products.push_back(op->getResult(0));
  return product;
}

void Arithmetic::quantize(const Quantization &quantization, Operation *op,
                          torch::TorchBuilder &b) {
  const Quantized *x = find(quantization.x);
  auto y = x ? requantize(b, *x, quantization.format) : std::nullopt;
  if (!y)
    return;
  Value numbers = y->numbers;
  if (int64_t offset = quantization.format.offset())
    numbers = b.convert(
        b.add(b.convert(numbers, si32(b)), b.scalarTensor(offset, si32(b))),
        quantization.format.dtype);
  op->getResult(0).replaceAllUsesWith(numbers);
  bytes[numbers] = *y;
}

void Arithmetic::visit(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  torch::TorchBuilder b(builder, op->getLoc());
  if (auto quantization = matchQuantize(op))
    return quantize(*quantization, op, b);
  auto type = dyn_cast<torch::ValueTensorType>(op->getResult(0).getType());
  if (!type || !type.hasRank() || !type.getDtype() ||
      !torch::isFloatingPoint(type.getDtype()))
    return;
  auto computed = compute(op, b);
  if (computed && b.error().empty() &&
      torch::tensorType(computed->numbers).getSizes() == type.getSizes())
    reals.try_emplace(op->getResult(0), std::move(*computed));
}
