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
#include "Formats.h"
#include "KnownNumbers.h"
#include "Rescale.h"
#include "TosaOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

/// A number that is added to an accumulator is rounded to this part of a step
/// of the quantized result, or less.
static constexpr double coarsest = 1.0 / 8;

static ArrayRef<int64_t> sizesOf(Value tensor) {
  return torch::tensorType(tensor).getSizes();
}

static int64_t rankOf(Value tensor) {
  return torch::tensorType(tensor).getRank();
}

/// The op on other first operands.
static Value rebuild(torch::TorchBuilder &b, Operation *op, ValueRange first) {
  SmallVector<Value> operands(first);
  llvm::append_range(operands, op->getOperands().drop_front(first.size()));
  return b.rebuild(op, operands);
}

//===----------------------------------------------------------------------===//
// Ops that keep the numbers
//===----------------------------------------------------------------------===//

Arithmetic::Result Arithmetic::clamp(Operation *op) {
  const Quantized *x = findOperand(op, 0);
  auto limits = x ? readLimits(op) : std::nullopt;
  if (!limits)
    return std::nullopt;
  Quantized y = *x;
  y.low = std::clamp(y.low, limits->first, limits->second);
  y.high = std::clamp(y.high, limits->first, limits->second);
  return y;
}

/// x times known numbers: one, or one for each channel if x has one scale.
static std::optional<Quantized> scaled(const Quantized &x,
                                       const KnownNumbers &numbers) {
  Quantized y = x;
  int64_t axis = rankOf(x.numbers) - numbers.fromEnd;
  if (numbers.size != 1 &&
      (axis < 0 || sizesOf(x.numbers)[axis] != numbers.size))
    return std::nullopt; // x broadcasts
  if (numbers.isOne()) {
    y.scales = x.scales.times(numbers[0]);
  } else if (x.scales.isOne()) {
    y.scales = Scales(numbers.values).times(x.scales[0]);
    y.axis = axis;
  } else {
    return std::nullopt;
  }
  return y.scales.areValid() ? std::optional(y) : std::nullopt;
}

/// A product with known numbers, or the quotient by one.
Arithmetic::Result Arithmetic::scale(Operation *op) {
  bool isQuotient = isa<torch::AtenDivTensorOp, torch::AtenDivScalarOp>(op);
  unsigned index = findOperand(op, 0) || isQuotient ? 0 : 1;
  const Quantized *x = findOperand(op, index);
  if (!x || x->isClamped())
    return std::nullopt;
  auto numbers = readNumbers(op->getOperand(1 - index));
  if (!numbers || (isQuotient && !numbers->isOne()))
    return std::nullopt;
  if (isQuotient)
    numbers->values[0] = 1 / numbers->values[0];
  if (!spend(numbers->values.size()))
    return std::nullopt;
  return scaled(*x, *numbers);
}

Arithmetic::Result Arithmetic::oneScale(const Quantized &x, Operation *op,
                                        Builder &b) {
  if (x.scales.isOne())
    return x;
  auto format = formatOfAll(op->getResult(0));
  return format ? requantized(x, *format, b) : std::nullopt;
}

Arithmetic::Result Arithmetic::view(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0);
  if (!x)
    return std::nullopt;
  if (isIdentity(op))
    return *x;
  auto y = oneScale(*x, op, b);
  if (y)
    y->numbers = rebuild(b, op, y->numbers);
  return y;
}

/// The dims of the operand in the order of the result's.
static std::optional<SmallVector<int64_t>> readOrder(Operation *op,
                                                     int64_t rank) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  if (isa<torch::AtenTOp>(op)) {
    if (rank == 2)
      std::swap(order[0], order[1]);
    return order;
  }
  if (auto transpose = dyn_cast<torch::AtenTransposeIntOp>(op)) {
    auto from = torch::matchInt(transpose.getDim0()),
         to = torch::matchInt(transpose.getDim1());
    if (!from || !to || rank == 0)
      return std::nullopt;
    std::swap(order[torch::normalDim(*from, rank)],
              order[torch::normalDim(*to, rank)]);
    return order;
  }
  auto dims = torch::matchInts(op->getOperand(1));
  if (!dims || static_cast<int64_t>(dims->size()) != rank)
    return std::nullopt;
  for (auto [dim, from] : llvm::enumerate(*dims))
    order[dim] = torch::normalDim(from, rank);
  return order;
}

/// A permutation, of which the channels' dim is followed.
Arithmetic::Result Arithmetic::permute(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0);
  auto order = x ? readOrder(op, rankOf(x->numbers)) : std::nullopt;
  if (!order)
    return std::nullopt;
  Quantized y = *x;
  y.numbers = b.permute(x->numbers, *order);
  y.axis = std::distance(order->begin(), llvm::find(*order, x->axis));
  return y;
}

/// TOSA takes the maximum of bytes.
Arithmetic::Result Arithmetic::maxPool(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0);
  if (!x)
    return std::nullopt;
  Result y;
  if (x->isOfBytes()) {
    y = oneScale(*x, op, b);
  } else if (auto format = formatOfAll(op->getResult(0))) {
    y = requantized(*x, *format, b);
  }
  if (y)
    y->numbers = rebuild(b, op, y->numbers);
  return y;
}

Arithmetic::Result Arithmetic::concat(Operation *op, Builder &b) {
  auto parts = torch::matchList(op->getOperand(0));
  auto dim = torch::matchInt(op->getOperand(1));
  if (!parts || parts->empty() || !dim)
    return std::nullopt;
  SmallVector<const Quantized *> read;
  for (Value part : *parts)
    read.push_back(find(part));
  if (llvm::is_contained(read, nullptr))
    return std::nullopt;
  bool areAlike = llvm::all_of(read, [&](const Quantized *x) {
    return x->isOfBytes() && x->scales.isOne() && !x->isClamped() &&
           x->scales[0] == read[0]->scales[0] &&
           x->zeroPoint == read[0]->zeroPoint;
  });
  auto format = areAlike ? std::nullopt : formatOfAll(op->getResult(0));
  if (!areAlike && !format)
    return std::nullopt;
  Quantized y = *read[0];
  SmallVector<Value> numbers;
  for (const Quantized *x : read) {
    auto part = areAlike ? *x : requantized(*x, *format, b);
    if (!part)
      return std::nullopt;
    numbers.push_back(part->numbers);
    y = *part;
  }
  y.numbers = b.cat(numbers, *dim);
  return y;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The arguments of a mean, which may be one over whole planes; nullopt if they
/// are not known.
static std::optional<torch::ReductionArguments> readMean(Operation *op,
                                                         int64_t rank) {
  if (auto mean = dyn_cast<torch::AtenMeanDimOp>(op))
    return torch::ReductionArguments::read(mean);
  auto sizes = torch::matchIntsPerDim(op->getOperand(1), 2);
  if (!sizes || rank < 2 ||
      llvm::any_of(*sizes, [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return torch::ReductionArguments{{rank - 2, rank - 1}, /*keepdim=*/true};
}

/// A mean over dims of known sizes: a sum with a scale that is as much smaller.
Arithmetic::Result Arithmetic::mean(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0);
  if (!x || !x->scales.isOne() || x->isClamped())
    return std::nullopt;
  auto arguments = readMean(op, rankOf(x->numbers));
  if (!arguments)
    return std::nullopt;
  double count = 1;
  for (int64_t dim : arguments->dims) {
    int64_t size = sizesOf(x->numbers)[dim];
    if (size < 1)
      return std::nullopt;
    count *= size;
  }
  Quantized y;
  y.bound = x->bound * count;
  y.scales = x->scales.times(1 / count);
  if (y.bound >= maxBound || !y.scales.areValid())
    return std::nullopt;
  y.numbers = b.create<torch::AtenSumDimIntListOp>(
      centred(b, *x), b.ints(arguments->dims),
      b.constantBool(arguments->keepdim), b.dtype(si32(b)));
  return y;
}

/// Known numbers in whole units of scales, and the largest magnitude.
struct Units {
  SmallVector<int32_t> values;
  double bound = 0;
};

/// Nullopt if they are not whole units, and units or the digits of floats are
/// coarser than `least` allows: the least scale by which the sum is quantized,
/// if that is known.
static std::optional<Units> toUnits(const KnownNumbers &numbers,
                                    const Scales &scales,
                                    std::optional<double> least) {
  size_t count = std::max(numbers.values.size(), scales.size());
  if ((!numbers.isOne() && numbers.values.size() != count) ||
      (!scales.isOne() && scales.size() != count))
    return std::nullopt;
  double allowed = least ? *least * coarsest : 0;
  Units units;
  for (size_t i = 0; i < count; ++i) {
    double exact = numbers[i] / scales[i], unit = std::nearbyint(exact);
    // Biases of ONNX are whole units, computed in f32.
    double error = std::abs(exact - unit);
    bool isWhole = error <= std::min(1e-6 * std::abs(unit), 1.0 / 64);
    bool isFine =
        scales[i] <= allowed && std::abs(numbers[i]) * 0x1p-24 <= allowed;
    if (!(std::abs(unit) < maxBound) || !(isFine || isWhole))
      return std::nullopt;
    units.bound = std::max(units.bound, std::abs(unit));
    units.values.push_back(static_cast<int32_t>(unit));
  }
  return units;
}

Arithmetic::Result Arithmetic::addKnown(const Quantized &x, Value known,
                                        double sign, Operation *op,
                                        Builder &b) {
  auto numbers = readNumbers(known);
  int64_t rank = rankOf(x.numbers);
  if (!numbers || x.isOfBytes() || x.isClamped())
    return std::nullopt;
  int64_t axis = numbers->isOne() ? x.axis : rank - numbers->fromEnd;
  if (axis < 0 || (!x.scales.isOne() && axis != x.axis))
    return std::nullopt;
  if (numbers->size != 1) {
    int64_t dim = rank - numbers->fromEnd;
    if (dim < 0 || sizesOf(x.numbers)[dim] != numbers->size)
      return std::nullopt; // x broadcasts
  }
  for (double &number : numbers->values)
    number *= sign;
  auto units = toUnits(*numbers, x.scales, leastScale(op->getResult(0)));
  if (!units || x.bound + units->bound >= maxBound ||
      !spend(units->values.size()))
    return std::nullopt;
  SmallVector<int64_t> sizes(rank, 1);
  if (units->values.size() > 1)
    sizes[axis] = units->values.size();
  Quantized y = x;
  y.bound += units->bound;
  y.numbers = b.add(x.numbers, b.literal(DenseElementsAttr::get(
                                   RankedTensorType::get(sizes, si32(b)),
                                   ArrayRef(units->values))));
  return y;
}

Arithmetic::Result Arithmetic::sum(Operation *op, Builder &b) {
  bool isAddition = isa<torch::AtenAddTensorOp, torch::AtenAddScalarOp>(op);
  const Quantized *x = findOperand(op, 0), *y = findOperand(op, 1);
  if (x && !y)
    return addKnown(*x, op->getOperand(1), isAddition ? 1 : -1, op, b);
  if (isAddition && y && !x)
    return addKnown(*y, op->getOperand(0), 1, op, b);
  auto least = x && y ? leastScale(op->getResult(0)) : std::nullopt;
  if (!least)
    return std::nullopt;
  // The finest scale of which both fit.
  constexpr int mostBits = 20, leastBits = 4;
  for (int bits = mostBits; bits >= leastBits; --bits) {
    double scale = std::ldexp(*least, -bits);
    if (!wideBound(*x, scale) || !wideBound(*y, scale))
      continue;
    if (!spend(x->scales.size()) || !spend(y->scales.size()))
      return std::nullopt;
    Quantized left = rescaleWide(b, *x, scale),
              right = rescaleWide(b, *y, scale);
    left.numbers = isAddition ? b.add(left.numbers, right.numbers)
                              : b.sub(left.numbers, right.numbers);
    left.bound += right.bound;
    return left;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool isFactor(const Quantized *x) {
  return x && x->isOfBytes() && !x->isClamped();
}

Arithmetic::Result Arithmetic::multiply(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0), *y = findOperand(op, 1);
  if (!x || !y)
    return scale(op);
  if (!isFactor(x) || !isFactor(y) || !x->scales.isOne() || !y->scales.isOne())
    return std::nullopt;
  Quantized product;
  product.scales = x->scales.times(y->scales[0]);
  if (!product.scales.areValid())
    return std::nullopt;
  product.numbers = b.mul(centred(b, *x), centred(b, *y));
  product.bound = x->bound * y->bound;
  return product;
}

/// A vector of known numbers.
static std::optional<KnownNumbers> readVector(Value vector, int64_t size) {
  if (rankOf(vector) != 1 || sizesOf(vector)[0] != size)
    return std::nullopt;
  return readNumbers(vector);
}

std::optional<KnownNumbers> Arithmetic::readBias(Value bias, int64_t channels) {
  if (auto numbers = readVector(bias, channels))
    return numbers;
  // A dequantized bias is known if its integers and scales are.
  const Quantized *x = find(bias);
  if (!x || x->isClamped())
    return std::nullopt;
  auto numbers = readVector(x->numbers, channels);
  if (!numbers)
    return std::nullopt;
  if (!x->scales.isOne())
    numbers->values.resize(x->scales.size(), numbers->values[0]);
  for (auto [i, value] : llvm::enumerate(numbers->values))
    value = (value - x->zeroPoint) * x->scales[i];
  return numbers;
}

std::optional<Arithmetic::Bias>
Arithmetic::biasInUnits(Value bias, Value real, const Quantized &product,
                        Builder &b) {
  auto numbers = readBias(bias, sizesOf(real)[product.axis]);
  auto units = numbers ? toUnits(*numbers, product.scales, leastScale(real))
                       : std::nullopt;
  if (!units || product.bound + units->bound >= maxBound ||
      !spend(sizesOf(bias)[0]))
    return std::nullopt;
  units->values.resize(sizesOf(bias)[0], units->values[0]);
  Value literal = b.literal(DenseElementsAttr::get(
      RankedTensorType::get(sizesOf(bias), si32(b)), ArrayRef(units->values)));
  return Bias{literal, units->bound};
}

void Arithmetic::addProduct(Operation *op, Quantized product, Builder &b) {
  Value real = op->getResult(0), bias;
  SmallVector<Value> operands = {centred(b, *findOperand(op, 0)),
                                 centred(b, *findOperand(op, 1))};
  if (op->getNumOperands() > 2 && !torch::isNone(op->getOperand(2))) {
    bias = op->getOperand(2);
    auto inUnits = biasInUnits(bias, real, product, b);
    operands.push_back(inUnits ? inUnits->units : b.none());
    if (inUnits) {
      product.bound += inUnits->bound;
      bias = {};
    }
  }
  product.numbers = rebuild(b, op, operands);
  if (!b.error().empty() || sizesOf(product.numbers) != sizesOf(real))
    return;
  products.push_back({op, product, bias});
  if (!bias)
    reals.try_emplace(real, product);
}

void Arithmetic::convolve(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0), *w = findOperand(op, 1);
  if (!isFactor(x) || !isFactor(w) || !x->scales.isOne())
    return;
  bool isCore = isa<torch::AtenConvolutionOp>(op);
  auto groups = torch::matchInt(op->getOperand(isCore ? 8 : 6));
  ArrayRef<int64_t> filter = sizesOf(w->numbers);
  if (!groups || filter.size() < 3 ||
      llvm::is_contained(filter, ShapedType::kDynamic))
    return;
  // The dim of the weight that has the result's channels.
  int64_t channels = isTransposed(op) ? 1 : 0;
  if (!w->scales.isOne() &&
      (w->axis != channels || (isTransposed(op) && *groups != 1)))
    return;
  bool isBatched =
      rankOf(op->getResult(0)) == static_cast<int64_t>(filter.size());
  multiplyFactors(op, *x, *w, /*axis=*/isBatched ? 1 : 0, b);
}

/// aten.linear, and products of matrices of which the second may have a scale
/// for each column.
void Arithmetic::multiplyMatrices(Operation *op, Builder &b) {
  const Quantized *x = findOperand(op, 0), *w = findOperand(op, 1);
  if (!isFactor(x) || !isFactor(w) || !x->scales.isOne())
    return;
  bool isLinear = isa<torch::AtenLinearOp>(op);
  int64_t rank = rankOf(w->numbers), results = rankOf(op->getResult(0));
  if (rank < 2 || results < 1 ||
      (!w->scales.isOne() && w->axis != (isLinear ? 0 : rank - 1)))
    return;
  multiplyFactors(op, *x, *w, /*axis=*/results - 1, b);
}

void Arithmetic::multiplyFactors(Operation *op, const Quantized &x,
                                 const Quantized &w, int64_t axis, Builder &b) {
  auto count = countProducts(op);
  Quantized product;
  product.scales = w.scales.times(x.scales[0]);
  product.axis = axis;
  product.bound = count.value_or(maxBound) * x.bound * w.bound;
  if (product.bound < maxBound && product.scales.areValid())
    addProduct(op, product, b);
}

/// The reals of accumulators as a tensor of `dtype`.
static Value dequantized(torch::TorchBuilder &b, const Quantized &x,
                         Type dtype) {
  SmallVector<int64_t> sizes(rankOf(x.numbers), 1);
  if (!x.scales.isOne())
    sizes[x.axis] = x.scales.size();
  SmallVector<float> scales;
  for (size_t i = 0; i < x.scales.size(); ++i)
    scales.push_back(x.scales[i]);
  Value scale = b.literal(DenseElementsAttr::get(
      RankedTensorType::get(sizes, Float32Type::get(b.getContext())),
      ArrayRef(scales)));
  return b.mul(b.convert(x.numbers, dtype), b.convert(scale, dtype));
}

void Arithmetic::replaceProducts() {
  // The last first: its bias may be the result of another.
  for (const auto &[op, integers, bias] : llvm::reverse(products)) {
    Value real = op->getResult(0);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(integers.numbers.getDefiningOp());
    Builder b(builder, op->getLoc());
    Value result = dequantized(b, integers, torch::tensorType(real).getDtype());
    if (bias) {
      SmallVector<Value> sizes(rankOf(real) - integers.axis, b.constant(1));
      sizes[0] = b.constant(-1);
      result = b.add(result, b.view(bias, sizes));
    }
    if (b.error().empty() && result.getType() == real.getType())
      real.replaceAllUsesWith(result);
  }
}

//===----------------------------------------------------------------------===//
// A program
//===----------------------------------------------------------------------===//

const Quantized *Arithmetic::find(Value real) const {
  auto found = reals.find(real);
  return found == reals.end() ? nullptr : &found->second;
}

bool Arithmetic::spend(size_t channels) {
  if (channels <= 1)
    return true;
  if (channels > channelsLeft)
    return false;
  channelsLeft -= channels;
  return true;
}

Arithmetic::Result Arithmetic::requantized(const Quantized &x,
                                           const Format &format, Builder &b) {
  return spend(x.scales.size()) ? requantize(b, x, format) : std::nullopt;
}

Value Arithmetic::signedNumbers(Value numbers, Builder &b) {
  if (Value known = bytes.lookup(numbers))
    return known;
  Value made = asSigned(b, numbers);
  // Later uses are after it, unless it is in a region that they are not in.
  if (b.getBuilder().getInsertionBlock() == numbers.getParentBlock())
    bytes[numbers] = made;
  return made;
}

static bool isMatrixProduct(Operation *op) {
  return isa<torch::AtenBmmOp, torch::AtenLinearOp, torch::AtenMatmulOp,
             torch::AtenMmOp>(op);
}

static bool isIntegerProduct(Operation *op) {
  if (!isMatrixProduct(op) && !isa<torch::AtenConvolutionOp>(op))
    return false;
  Type dtype = torch::tensorType(op->getResult(0)).getDtype();
  return dtype && dtype.isSignedInteger(32);
}

bool Arithmetic::mayBeQuantized(Operation *op) {
  return isIntegerProduct(op) || matchDequantize(op);
}

void Arithmetic::signFactors(Operation *op) {
  OpBuilder builder(op);
  Builder b(builder, op->getLoc());
  for (unsigned i : {0, 1}) {
    Value factor = op->getOperand(i);
    auto x = readIntegers(factor);
    Type dtype = x ? torch::tensorType(x->numbers).getDtype() : Type();
    if (!dtype || !dtype.isUnsignedInteger(8))
      continue;
    x->numbers = signedNumbers(x->numbers, b);
    x->zeroPoint -= signedOffset(dtype);
    Value same = centred(b, *x);
    if (b.error().empty() && same.getType() == factor.getType())
      op->setOperand(i, same);
  }
}

Arithmetic::Result Arithmetic::dequantize(Operation *op, Builder &b) {
  auto x = matchDequantize(op);
  if (!x || !spend(x->scales.size()))
    return std::nullopt;
  x->zeroPoint -= signedOffset(torch::tensorType(x->numbers).getDtype());
  x->numbers = signedNumbers(x->numbers, b);
  return x;
}

Arithmetic::Result Arithmetic::compute(Operation *op, Builder &b) {
  if (auto x = dequantize(op, b))
    return x;
  if (isClamp(op))
    return clamp(op);
  if (isa<torch::AtenTOp, torch::AtenTransposeIntOp, torch::AtenPermuteOp>(op))
    return permute(op, b);
  if (isView(op))
    return view(op, b);
  if (isMaximum(op))
    return maxPool(op, b);
  if (isMean(op))
    return mean(op, b);
  if (isa<torch::AtenCatOp>(op))
    return concat(op, b);
  if (isSum(op))
    return sum(op, b);
  if (isa<torch::AtenMulTensorOp, torch::AtenMulScalarOp>(op))
    return multiply(op, b);
  if (isa<torch::AtenDivTensorOp, torch::AtenDivScalarOp>(op))
    return scale(op);
  if (isa<torch::AtenConv1dOp, torch::AtenConv2dOp, torch::AtenConv3dOp,
          torch::AtenConvTranspose1dOp, torch::AtenConvTranspose2dInputOp,
          torch::AtenConvTranspose3dInputOp, torch::AtenConvolutionOp>(op))
    convolve(op, b);
  else if (isMatrixProduct(op))
    multiplyMatrices(op, b);
  return std::nullopt;
}

void Arithmetic::quantize(const Quantization &quantization, Operation *op,
                          Builder &b) {
  const auto &[real, format] = quantization;
  Value signedNumbers;
  if (const Quantized *x = find(real)) {
    auto y = requantized(*x, format, b);
    signedNumbers = y ? y->numbers : Value();
  } else if (const Table *table = tables.find(real)) {
    if (auto entries = quantized(*table, format))
      signedNumbers = lookUp(b, table->numbers, *entries);
  }
  if (!signedNumbers)
    return;
  Value result = op->getResult(0),
        numbers = asUnsigned(b, signedNumbers, format.dtype);
  if (!b.error().empty() || numbers.getType() != result.getType())
    return;
  result.replaceAllUsesWith(numbers);
  bytes[numbers] = signedNumbers;
}

void Arithmetic::visit(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return;
  auto type = dyn_cast<torch::ValueTensorType>(op->getResult(0).getType());
  if (!type || !type.hasRank() || !type.getDtype())
    return;
  if (isIntegerProduct(op))
    return signFactors(op);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Builder b(builder, op->getLoc());
  if (auto quantization = matchQuantize(op))
    return quantize(*quantization, op, b);
  if (!torch::isFloatingPoint(type.getDtype()))
    return;
  auto computed = compute(op, b);
  if (computed && b.error().empty() &&
      sizesOf(computed->numbers) == type.getSizes())
    reals.try_emplace(op->getResult(0), std::move(*computed));
  else if (!find(op->getResult(0)))
    tables.visit(op, [this](Value real) { return find(real); });
}
