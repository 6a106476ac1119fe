//===- Complex.cpp - Complex tensors as pairs of real ones ----------------===//

#include "Complex.h"
#include "Random.h"
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/RandomComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <complex>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::decompose_torch;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The value without casts of its type.
static Value uncast(Value value) {
  while (auto cast = value.getDefiningOp<TensorStaticInfoCastOp>())
    value = cast.getOperand();
  return value;
}

/// A complex literal has the memory layout of a literal of pairs of parts.
static ElementsAttr pairsOf(ElementsAttr elements) {
  auto type = cast<ShapedType>(elements.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes.push_back(2);
  auto pairs = RankedTensorType::get(sizes, partDtype(type.getElementType()));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(pairs, resource.getRawHandle());
  return DenseElementsAttr::getFromRawBuffer(
      pairs, cast<DenseElementsAttr>(elements).getRawData());
}

static Complex partsOf(TorchBuilder &b, ValueTensorLiteralOp literal) {
  auto elements = dyn_cast<DenseElementsAttr>(literal.getValue());
  if (elements && elements.isSplat()) {
    auto number = elements.getSplatValue<std::complex<APFloat>>();
    auto part = [&](const APFloat &value) -> Tensor {
      auto type =
          RankedTensorType::get(elements.getType().getShape(),
                                partDtype(elements.getType().getElementType()));
      return {b, b.literal(DenseElementsAttr::get(type, value))};
    };
    if (number.imag().isPosZero())
      return {part(number.real()), std::nullopt};
    return {part(number.real()), part(number.imag())};
  }
  Value pairs = b.literal(pairsOf(literal.getValue()));
  auto part = [&](int64_t index) -> Tensor {
    return {
        b, b.create<AtenSelectIntOp>(pairs, b.constant(-1), b.constant(index))};
  };
  return {part(0), part(1)};
}

Complex decompose_torch::partsOf(TorchBuilder &b, Value tensor) {
  if (!isComplex(tensorType(tensor).getDtype()))
    return {{b, tensor}, std::nullopt};
  Value source = uncast(tensor);
  if (auto literal = source.getDefiningOp<ValueTensorLiteralOp>())
    return ::partsOf(b, literal);
  auto made = source.getDefiningOp<AtenComplexOp>();
  if (!made)
    return {{b, b.create<AtenRealOp>(tensor)},
            Tensor(b, b.create<AtenImagOp>(tensor))};
  Tensor real(b, made.getReal()), imaginary(b, made.getImag());
  if (real.sizes() != imaginary.sizes())
    std::tie(real, imaginary) = broadcast(real, imaginary);
  auto filled = made.getImag().getDefiningOp<AtenFullOp>();
  auto number = filled ? matchNumber(filled.getFillValue()) : std::nullopt;
  if (number == 0.0 && !std::signbit(*number))
    return {real, std::nullopt};
  return {real, imaginary};
}

Tensor decompose_torch::imaginaryOf(Complex x) {
  return x.imaginary ? *x.imaginary : zerosLike(x.real);
}

Value decompose_torch::joined(Complex x) {
  return x.real.builder().create<AtenComplexOp>(x.real, imaginaryOf(x));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Complex decompose_torch::operator+(Complex x, Complex y) {
  if (!x.imaginary || !y.imaginary)
    return {x.real + y.real, x.imaginary ? x.imaginary : y.imaginary};
  return {x.real + y.real, *x.imaginary + *y.imaginary};
}

Complex decompose_torch::operator-(Complex x, Complex y) {
  return x + eachPart(y, [](Tensor part) { return -part; });
}

/// A product of complex numbers, where `times` is that of real ones.
template <typename Times>
static Complex product(Complex x, Complex y, Times times) {
  if (!x.imaginary)
    return eachPart(y, [&](Tensor part) { return times(x.real, part); });
  if (!y.imaginary)
    return eachPart(x, [&](Tensor part) { return times(part, y.real); });
  return {times(x.real, y.real) - times(*x.imaginary, *y.imaginary),
          times(x.real, *y.imaginary) + times(*x.imaginary, y.real)};
}

Complex decompose_torch::operator*(Complex x, Complex y) {
  return product(x, y, [](Tensor p, Tensor q) { return p * q; });
}

/// x * conj(y) / |y|^2, where y is first scaled to a modulus near 1, because
/// its square may overflow or underflow.
Complex decompose_torch::operator/(Complex x, Complex y) {
  auto over = [](Complex numerator, Tensor denominator) {
    return eachPart(numerator, [&](Tensor part) { return part / denominator; });
  };
  if (!y.imaginary)
    return over(x, y.real);
  Tensor scale = max(abs(y.real), abs(*y.imaginary));
  Complex scaled = over(y, scale);
  Tensor square =
      scaled.real * scaled.real + *scaled.imaginary * *scaled.imaginary;
  return over(over(x * conj(scaled), square), scale);
}

Complex decompose_torch::conj(Complex x) {
  if (x.imaginary)
    x.imaginary = -*x.imaginary;
  return x;
}

Tensor decompose_torch::conj(Tensor x) {
  Complex parts = partsOf(x.builder(), x);
  return parts.imaginary ? Tensor(x.builder(), joined(conj(parts))) : x;
}

Tensor decompose_torch::realPartOf(Tensor x) {
  return partsOf(x.builder(), x).real;
}

/// sqrt(a^2 + b^2) = a * sqrt(1 + (b / a)^2) for the larger a, which overflows
/// only if the result does. It is infinite beside a NaN as well.
Tensor decompose_torch::abs(Complex x) {
  if (!x.imaginary)
    return abs(x.real);
  Tensor a = abs(x.real), b = abs(*x.imaginary);
  Tensor larger = max(a, b), ratio = min(a, b) / larger;
  Tensor modulus = larger * sqrt(1 + ratio * ratio);
  Tensor isInfinite = (a == infinity) | (b == infinity);
  return where(isInfinite, infinity, where(larger == 0, 0, modulus));
}

//===----------------------------------------------------------------------===//
// Core ops
//===----------------------------------------------------------------------===//

/// The given part of an operand: a tensor, a list of tensors or a number, which
/// is real.
static Value partOf(TorchBuilder &b, Value operand, bool isImaginary) {
  if (torch::isScalar(operand.getType()))
    return isImaginary ? b.constantFloat(0) : operand;
  if (auto elements = matchList(operand))
    return b.tensors(llvm::map_to_vector(*elements, [&](Value element) {
      return partOf(b, element, isImaginary);
    }));
  Complex parts = partsOf(b, operand);
  return isImaginary ? imaginaryOf(parts) : parts.real;
}

/// An op that applies to each part separately: it is linear, or moves elements.
/// `numbers` are the operands that may be complex; all others are used for both
/// parts.
template <typename Op, unsigned... numbers>
static Value ofEach(Op op, TorchBuilder &b) {
  auto ofPart = [&](bool isImaginary) -> Tensor {
    SmallVector<Value> operands(op->getOperands());
    for (unsigned index : {numbers...})
      operands[index] = partOf(b, operands[index], isImaginary);
    return {b, b.rebuild(op, operands)};
  };
  return joined({ofPart(false), ofPart(true)});
}

/// sum(x, dims, keepdim, dtype) and cumsum(x, dim, dtype): of each part, in the
/// dtype of the result's parts.
template <typename Op>
static Value sumOfEach(Op op, TorchBuilder &b) {
  Type part = partDtype(tensorType(op).getDtype());
  return joined(eachPart(partsOf(b, op.getSelf()), [&](Tensor x) -> Tensor {
    SmallVector<Value> operands(op->getOperands());
    operands.front() = x.as(part);
    operands.back() = b.none();
    return {b, b.rebuild(op, operands)};
  }));
}

template <typename Op, Complex (*combine)(Complex, Complex)>
static Value binary(Op op, TorchBuilder &b) {
  return joined(combine(partsOf(b, op.getSelf()), partsOf(b, op.getOther())));
}

static Value reciprocal(AtenReciprocalOp op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf());
  return joined(Complex{Tensor(b, x.real.number(1)), std::nullopt} / x);
}

static Value modulus(AtenAbsOp op, TorchBuilder &b) {
  return abs(partsOf(b, op.getSelf()));
}

/// x * y for matrices, or batches of them.
template <typename Op>
static Value matrixProduct(Op op, TorchBuilder &b) {
  return joined(
      product(partsOf(b, op.getSelf()), partsOf(b, op.getMat2()),
              [](Tensor left, Tensor right) { return left.apply<Op>(right); }));
}

/// A convolution is a product of the input and the weight.
static Value convolution(AtenConvolutionOp op, TorchBuilder &b) {
  auto times = [&](Tensor input, Tensor weight) -> Tensor {
    return {b, b.create<AtenConvolutionOp>(
                   input, weight, b.none(), op.getStride(), op.getPadding(),
                   op.getDilation(), op.getTransposed(), op.getOutputPadding(),
                   op.getGroups())};
  };
  Complex result =
      product(partsOf(b, op.getInput()), partsOf(b, op.getWeight()), times);
  if (isNone(op.getBias()))
    return joined(result);
  int64_t spatial = tensorType(op.getWeight()).getRank() - 2;
  Complex bias = eachPart(partsOf(b, op.getBias()), [&](Tensor part) -> Tensor {
    return {b, alongFirst(b, part, b.constant(-1), spatial + 1)};
  });
  return joined(result + bias);
}

static Value scatterReduce(AtenScatterReduceTwoOp op, TorchBuilder &b) {
  std::optional<StringRef> reduce = matchStr(op.getReduce());
  if (reduce != "sum" && reduce != "mean")
    return b.fail("expected a reduce of sum or mean for complex numbers");
  return ofEach<AtenScatterReduceTwoOp, 0, 3>(op, b);
}

/// Equal numbers have equal parts.
template <typename Op, typename Join>
static Value compared(Op op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf()), y = partsOf(b, op.getOther());
  Tensor real = x.real.apply<Op>(y.real);
  if (!x.imaginary && !y.imaginary)
    return real;
  Tensor left = x.imaginary ? *x.imaginary : x.real.number(0),
         right = y.imaginary ? *y.imaginary : y.real.number(0);
  return real.apply<Join>(left.apply<Op>(right));
}

/// Tests both parts, and joins the results.
template <typename Op, typename Join>
static Value tested(Op op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf());
  Tensor real = x.real.apply<Op>();
  return x.imaginary ? real.apply<Join>(x.imaginary->apply<Op>()) : real;
}

static Tensor isNonzero(Complex x) {
  Tensor real = x.real != 0;
  return x.imaginary ? real | (*x.imaginary != 0) : real;
}

static Value nonzero(AtenNonzeroOp op, TorchBuilder &b) {
  return isNonzero(partsOf(b, op.getSelf())).apply<AtenNonzeroOp>();
}

template <typename Op>
static Value logical(Op op, TorchBuilder &b) {
  return isNonzero(partsOf(b, op.getSelf()))
      .template apply<Op>(isNonzero(partsOf(b, op.getOther())));
}

static Value logicalNot(AtenLogicalNotOp op, TorchBuilder &b) {
  return !isNonzero(partsOf(b, op.getSelf()));
}

/// Conversion to bool is true unless both parts are 0; conversion to another
/// real dtype drops the imaginary part.
static Value convert(PrimsConvertElementTypeOp op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getA());
  Type dtype = tensorType(op).getDtype(), part = partDtype(dtype);
  if (isComplex(dtype))
    return joined(eachPart(x, [&](Tensor own) { return own.as(part); }));
  return isBoolean(dtype) ? isNonzero(x) : x.real.as(dtype);
}

/// full(size, number), for a real number.
static Value full(AtenFullOp op, TorchBuilder &b) {
  Type part = partDtype(tensorType(op).getDtype());
  Value real =
      b.create<AtenFullOp>(op.getSize(), op.getFillValue(), b.dtype(part),
                           op.getLayout(), op.getDevice(), op.getPinMemory());
  return joined({Tensor(b, real), std::nullopt});
}

/// view(x, dtype): a complex number in memory is a pair of its parts.
static Value viewDtype(AtenViewDtypeOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  Type dtype = tensorType(op).getDtype();
  if (isComplex(tensorType(x).getDtype())) {
    SmallVector<Value> sizes = b.sizes(x);
    if (sizes.empty())
      return b.fail("expected a tensor of rank 1 or more");
    sizes.back() = b.mulInt(sizes.back(), b.constant(2));
    x = b.view(b.create<AtenViewAsRealOp>(x), sizes);
  }
  x = b.create<AtenViewDtypeOp>(x, b.dtype(partDtype(dtype)));
  if (!isComplex(dtype))
    return x;
  SmallVector<Value> sizes = b.sizes(x), pairs;
  if (sizes.empty())
    return b.fail("expected a tensor of rank 1 or more");
  sizes.back() = b.floorDivInt(sizes.back(), b.constant(2));
  sizes.push_back(b.constant(2));
  return b.create<AtenViewAsComplexOp>(b.view(x, sizes));
}

static Value size(AtenSizeIntOp op, TorchBuilder &b) {
  return b.fold<AtenSizeIntOp>(partsOf(b, op.getSelf()).real, op.getDim());
}

static Value real(AtenRealOp op, TorchBuilder &b) {
  return partsOf(b, op.getSelf()).real;
}

static Value imaginary(AtenImagOp op, TorchBuilder &b) {
  return imaginaryOf(partsOf(b, op.getSelf()));
}

const Decompositions &decompose_torch::complexForms() {
  static const Decompositions forms = [] {
    Decompositions all;
    all.add(binary<AtenDivTensorOp, operator/ >,
            binary<AtenMulTensorOp, operator*>,
            compared<AtenEqTensorOp, AtenLogicalAndOp>,
            compared<AtenNeTensorOp, AtenLogicalOrOp>, convert, convolution,
            full, imaginary, logical<AtenLogicalAndOp>,
            logical<AtenLogicalOrOp>, logical<AtenLogicalXorOp>, logicalNot,
            modulus, nonzero, ofEach<AtenAddTensorOp, 0, 1>,
            ofEach<AtenCatOp, 0>, ofEach<AtenConstantPadNdOp, 0, 2>,
            ofEach<AtenExpandOp, 0>, ofEach<AtenFlipOp, 0>,
            ofEach<AtenGatherOp, 0>, ofEach<AtenIndexPutOp, 0, 2>,
            ofEach<AtenIndexSelectOp, 0>, ofEach<AtenIndexTensorOp, 0>,
            ofEach<AtenNegOp, 0>, ofEach<AtenPermuteOp, 0>,
            ofEach<AtenScatterSrcOp, 0, 3>, ofEach<AtenSliceTensorOp, 0>,
            ofEach<AtenSubTensorOp, 0, 1>, ofEach<AtenUnsqueezeOp, 0>,
            ofEach<AtenViewOp, 0>, ofEach<AtenWhereSelfOp, 1, 2>,
            ofEach<PrimsSqueezeOp, 0>, matrixProduct<AtenBmmOp>,
            matrixProduct<AtenMmOp>, real, reciprocal, scatterReduce, size,
            sumOfEach<AtenCumsumOp>, sumOfEach<AtenSumDimIntListOp>,
            tested<AtenIsfiniteOp, AtenLogicalAndOp>,
            tested<AtenIsinfOp, AtenLogicalOrOp>,
            tested<AtenIsnanOp, AtenLogicalOrOp>, viewDtype);
    addComplexFunctions(all);
    addComplexScans(all);
    return all;
  }();
  return forms;
}

bool decompose_torch::hasComplex(Operation *op) {
  return llvm::any_of(op->getResults(), isComplexTensor) ||
         llvm::any_of(op->getOperands(), [](Value operand) {
           auto elements = matchList(operand);
           return isComplexTensor(operand) ||
                  (elements && llvm::any_of(*elements, isComplexTensor));
         });
}

bool decompose_torch::holdsForComplex(Operation *op) {
  // Not valid for complex numbers: formulas for real arguments, and squares
  // instead of squared moduli.
  static const llvm::StringSet<> others = {
      "torch.aten.cosine_similarity",
      "torch.aten.huber_loss",
      "torch.aten.isneginf",
      "torch.aten.isposinf",
      "torch.aten.kl_div",
      "torch.aten.mse_loss",
      "torch.aten.smooth_l1_loss",
      "torch.aten.soft_margin_loss",
  };
  StringRef name = op->getName().getStringRef();
  // Conjugates belong to most gradients.
  bool isOfConjugates = name.ends_with("_backward") &&
                        name != "torch.aten.masked_scatter_backward";
  bool drawsParts = isa<AtenNormalFunctionalOp, AtenRandLikeOp, AtenRandOp,
                        AtenRandnLikeOp, AtenRandnOp, AtenUniformOp>(op);
  return (drawsParts || !isRandom(op)) && !others.contains(name) &&
         !isOfConjugates;
}

bool decompose_torch::isOnComplex(Operation *op) {
  if (!op->hasTrait<Core>() || isa<AtenComplexOp>(op))
    return false;
  // real and imag of a complex tensor are kept unless aten.complex or a literal
  // defines it.
  if (isa<AtenRealOp, AtenImagOp>(op)) {
    Operation *source = uncast(op->getOperand(0)).getDefiningOp();
    return isComplexTensor(op->getOperand(0))
               ? isa_and_nonnull<AtenComplexOp, ValueTensorLiteralOp>(source)
               : isa<AtenRealOp>(op); // real numbers are their own real part
  }
  return hasComplex(op);
}

//===----------------------------------------------------------------------===//
// Composite ops
//===----------------------------------------------------------------------===//

template <typename Op>
static Value conjugate(Op op, TorchBuilder &b) {
  return conj(Tensor(b, op.getSelf()));
}

/// Lazy conjugation or negation flags, which do not exist here.
template <typename Op>
static Value resolved(Op op, TorchBuilder &) {
  return op.getSelf();
}

/// angle(a + b * i) = atan2(b, a); for a real number 0 or pi.
static Value angle(AtenAngleOp op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf());
  Tensor real = x.real.widened();
  if (x.imaginary)
    return x.imaginary->apply<AtenAtan2Op>(real);
  Tensor turned = where(real < 0, llvm::numbers::pi, real.number(0));
  Tensor isNan = real.apply<AtenIsnanOp>();
  return where(isNan, real, turned).as(tensorType(op).getDtype());
}

/// polar(r, a) = r * cos(a) + i * r * sin(a)
static Value polar(AtenPolarOp op, TorchBuilder &b) {
  Tensor size(b, op.getAbs()), angle(b, op.getAngle());
  return joined({size * cos(angle), size * sin(angle)});
}

/// sgn(z) = z / |z|, or 0
static Value direction(AtenSgnOp op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf());
  if (!isComplex(x.real.dtype()) && !isComplex(tensorType(op).getDtype()))
    return b.create<AtenSignOp>(op.getSelf());
  Tensor size = abs(x);
  return joined(eachPart(
      x, [&](Tensor part) { return where(size == 0, 0, part / size); }));
}

/// The parts, in a new last dim of size two.
static Value viewAsReal(AtenViewAsRealOp op, TorchBuilder &b) {
  Complex x = partsOf(b, op.getSelf());
  Value parts[] = {x.real, imaginaryOf(x)};
  return b.create<AtenStackOp>(b.tensors(parts), b.constant(-1));
}

static Value viewAsComplex(AtenViewAsComplexOp op, TorchBuilder &b) {
  auto part = [&](int64_t index) -> Tensor {
    return {b, b.create<AtenSelectIntOp>(op.getSelf(), b.constant(-1),
                                         b.constant(index))};
  };
  return joined({part(0), part(1)});
}

void decompose_torch::populateComplex(Decompositions &decompositions) {
  decompositions.add(angle, conjugate<Aten_ConjOp>,
                     conjugate<Aten_ConjPhysicalOp>, conjugate<AtenConjOp>,
                     conjugate<AtenConjPhysicalOp>, direction, polar,
                     resolved<AtenResolveConjOp>, resolved<AtenResolveNegOp>,
                     viewAsComplex, viewAsReal);
}
