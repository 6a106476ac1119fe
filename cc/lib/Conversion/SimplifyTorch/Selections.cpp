//===- Selections.cpp - Values as the picked rows of a tensor -------------===//

#include "Selections.h"
#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

/// Whether a value is a literal without a 0.
static bool isNeverZero(Value value) {
  auto literal = value.getDefiningOp<ValueTensorLiteralOp>();
  auto elements = literal ? dyn_cast<DenseIntElementsAttr>(literal.getValue())
                          : DenseIntElementsAttr();
  return elements && llvm::none_of(elements.getValues<APInt>(),
                                   [](const APInt &x) { return x.isZero(); });
}

/// Whether an op computes each element alone, and has a meaning for elements
/// that no flag picks: an integer divided by 0 has none on TOSA.
static bool changesElements(Operation *op) {
  if (isa<PrimsConvertElementTypeOp>(op))
    return true;
  bool divides = isa<AtenDivTensorOp, AtenDivTensorModeOp, AtenFmodTensorOp,
                     AtenRemainderTensorOp>(op);
  return isPointwise(op) &&
         (!divides || isNeverZero(op->getOperand(1)) ||
          isa<mlir::FloatType>(tensorType(op->getResult(0)).getDtype()));
}

/// The only index of a list [none..., index, none...], and its place.
static std::optional<std::pair<Value, int64_t>> onlyIndex(Value list) {
  std::optional<SmallVector<Value>> indices = matchList(list);
  auto isGiven = [](Value index) { return !isNone(index); };
  if (!indices || llvm::count_if(*indices, isGiven) != 1)
    return std::nullopt;
  auto *only = llvm::find_if(*indices, isGiven);
  return std::pair(*only, std::distance(indices->begin(), only));
}

static bool isMask(Value index) {
  ValueTensorType type = tensorType(index);
  return type.hasRank() && type.getRank() > 0 && type.getDtype() &&
         isBoolean(type.getDtype());
}

std::optional<Picked> simplify_torch::readMask(Value list, Value x) {
  ValueTensorType type = tensorType(x);
  auto index = onlyIndex(list);
  if (!index || !isMask(index->first) || !type.hasRank())
    return std::nullopt;
  auto [flags, dim] = *index;
  ArrayRef<int64_t> sizes = tensorType(flags).getSizes();
  if (dim + static_cast<int64_t>(sizes.size()) > type.getRank())
    return std::nullopt;
  // A flag is for one element: a mask must not be broadcast.
  for (auto [flag, size] :
       llvm::zip_equal(sizes, type.getSizes().slice(dim, sizes.size())))
    if (flag == 1 && size != 1)
      return std::nullopt;
  return Picked{x, flags, dim};
}

std::optional<Picked> Selections::trace(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  ValueTensorType type = tensorType(value);
  if (!op || op->getNumResults() != 1 || !steps || !type.hasRank() ||
      type.hasStaticShape())
    return std::nullopt;
  --steps;
  std::optional<Picked> result = traceOp(op);
  // Promotion may tell tensors of rank 0 from others.
  if (result && tensorType(result->whole).getDtype() != type.getDtype())
    result = std::nullopt;
  // What is not found may be found once its flags are.
  if (result)
    known[value] = result;
  return result;
}

std::optional<Picked> Selections::traceOp(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Picked>>(op)
      .Case([&](AtenIndexTensorOp pick) { return index(pick); })
      .Case([&](AtenIndexSelectOp select) { return selectedRows(select); })
      .Case([&](AtenFullOp full) { return filled(full); })
      .Case<AtenLinearOp, AtenMatmulOp, AtenMmOp>(
          [&](Operation *product) { return multiplied(product); })
      .Case([&](AtenNonzeroOp nonzero) { return positions(nonzero); })
      .Case([&](AtenGatherOp gather) { return gathered(gather); })
      .Case<AtenAmaxOp, AtenAminOp, AtenSumDimIntListOp>(
          [&](auto reduction) { return reduced(reduction); })
      .Case<AtenArgmaxOp, AtenArgminOp>(
          [&](auto search) { return searched(search); })
      .Case(
          [&](AtenSliceTensorOp slice) { return rows(slice, slice.getDim()); })
      .Case([&](AtenUnsqueezeOp unsqueeze) {
        return moved(unsqueeze, unsqueeze.getDim());
      })
      .Case([&](PrimsSqueezeOp squeeze) {
        return moved(squeeze, squeeze.getDimensions());
      })
      .Case([&](AtenViewOp view) { return viewed(view); })
      .Case([&](AtenExpandOp expand) { return expanded(expand); })
      .Case([&](AtenCatOp cat) { return joined(cat); })
      .Default([&](Operation *op) {
        return changesElements(op) ? changed(op) : std::nullopt;
      });
}

/// x[flags], also of what flags have picked before; or the elements of x at
/// picked positions along one or more dims.
std::optional<Picked> Selections::index(AtenIndexTensorOp op) {
  if (std::optional<Picked> mask = readMask(op.getIndices(), op.getSelf())) {
    std::optional<Picked> own = trace(op.getSelf());
    if (!own)
      return mask;
    std::optional<Picked> flags = trace(mask->flags);
    if (!flags || flags->flags != own->flags || mask->dim != own->dim ||
        mask->flagRank() != 1)
      return std::nullopt;
    Value both = b.create<AtenLogicalAndOp>(own->flags, flags->whole);
    return Picked{own->whole, both, own->dim};
  }
  std::optional<SmallVector<Value>> indices = matchList(op.getIndices());
  if (!indices)
    return std::nullopt;
  std::optional<Picked> first;
  SmallVector<int64_t> given;
  for (auto [dim, index] : llvm::enumerate(*indices)) {
    if (isNone(index))
      continue;
    std::optional<Picked> places = trace(index);
    if (!places || isMask(index) || tensorType(index).getRank() != 1 ||
        places->flagRank() != 1 || (first && first->flags != places->flags))
      return std::nullopt;
    first = places;
    given.push_back(dim);
    index = safePositions(*places, 1);
  }
  if (!first)
    return std::nullopt;
  // Where indices are not neighbours, their dim is the first of the result.
  bool areNeighbours =
      given.back() - given.front() + 1 == static_cast<int64_t>(given.size());
  Value rows =
      b.create<AtenIndexTensorOp>(op.getSelf(), b.optionalTensors(*indices));
  return Picked{rows, first->flags, areNeighbours ? given.front() : 0};
}

/// Rows by a matrix: each is multiplied alone.
std::optional<Picked> Selections::multiplied(Operation *op) {
  int64_t rank = tensorType(op->getOperand(0)).getRank();
  if (tensorType(op->getOperand(1)).getRank() != 2)
    return std::nullopt;
  std::optional<Picked> x = trace(op->getOperand(0));
  if (!x || x->dim == rank - 1 || (isa<AtenMmOp>(op) && x->flagRank() != 1))
    return std::nullopt;
  Value matrix = op->getOperand(1), whole;
  if (auto linear = dyn_cast<AtenLinearOp>(op))
    whole = b.create<AtenLinearOp>(x->whole, matrix, linear.getBias());
  else if (isa<AtenMatmulOp>(op))
    whole = b.create<AtenMatmulOp>(x->whole, matrix);
  else
    whole = b.create<AtenMmOp>(x->whole, matrix);
  return Picked{whole, x->flags, x->dim};
}

/// The flags of one dim of which a value is the positions in a row; null if it
/// is not.
static Value flagsOfPositions(Value positions) {
  auto squeeze = positions.getDefiningOp<PrimsSqueezeOp>();
  auto nonzero =
      squeeze ? squeeze.getA().getDefiningOp<AtenNonzeroOp>() : nullptr;
  bool isRow = nonzero && isMask(nonzero.getSelf()) &&
               tensorType(nonzero.getSelf()).getRank() == 1 &&
               tensorType(positions).getRank() == 1;
  return isRow ? nonzero.getSelf() : Value();
}

/// The positions of flags are picked from those of all.
std::optional<Picked> Selections::positions(AtenNonzeroOp op) {
  ValueTensorType flags = tensorType(op.getSelf());
  if (!isMask(op.getSelf()) || flags.getRank() != 1)
    return std::nullopt;
  Value all = b.create<AtenArangeStartStepOp>(
      b.constant(0), b.size(op.getSelf(), 0), b.constant(1),
      b.dtype(tensorType(op).getDtype()), b.none(), b.none(), b.none());
  return Picked{b.unsqueeze(all, 1), op.getSelf(), 0};
}

/// The rows of a tensor at picked positions.
std::optional<Picked> Selections::selectedRows(AtenIndexSelectOp op) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  ValueTensorType self = tensorType(op.getSelf());
  Value flags = flagsOfPositions(op.getIndex());
  if (dim && flags && self.hasRank() && self.getRank() > 0) {
    int64_t at = normalDim(*dim, self.getRank()),
            size = tensorType(flags).getSizes().front();
    if (self.getSizes()[at] == size && !ShapedType::isDynamic(size))
      return Picked{op.getSelf(), flags, at};
  }
  std::optional<Picked> places = dim ? trace(op.getIndex()) : std::nullopt;
  int64_t rank = tensorType(op).getRank();
  if (!places || tensorType(op.getIndex()).getRank() != 1 ||
      places->flagRank() != 1)
    return std::nullopt;
  Value rows = b.create<AtenIndexSelectOp>(op.getSelf(), op.getDim(),
                                           safePositions(*places, 1));
  return Picked{rows, places->flags, normalDim(*dim, rank)};
}

std::optional<Picked> Selections::counted(Value number) {
  if (number.getDefiningOp<AtenAddIntOp>())
    return countedParts(number);
  auto size = number.getDefiningOp<AtenSizeIntOp>();
  std::optional<int64_t> dim = size ? matchInt(size.getDim()) : std::nullopt;
  auto picked = dim ? trace(size.getSelf()) : std::nullopt;
  bool isCount =
      picked &&
      picked->dim == normalDim(*dim, tensorType(size.getSelf()).getRank());
  return isCount ? picked : std::nullopt;
}

/// The rows of a concatenation whose number is the sum of those of its parts.
std::optional<Picked> Selections::countedParts(Value sum) {
  SmallVector<Value> terms{sum}, flags;
  int64_t rest = 0;
  constexpr unsigned kMostTerms = 64;
  for (unsigned next = 0; next < terms.size(); ++next) {
    Operation *op = terms[next].getDefiningOp();
    if (terms.size() > kMostTerms)
      return std::nullopt;
    if (isa_and_nonnull<AtenAddIntOp>(op))
      llvm::append_range(terms, op->getOperands());
    else if (std::optional<int64_t> known = matchInt(terms[next]))
      rest += *known;
    else if (std::optional<Picked> own = counted(terms[next]))
      flags.push_back(own->flags);
    else
      return std::nullopt;
  }
  for (const Joined &joined : joinedFlags) {
    SmallVector<Value> own = llvm::filter_to_vector(
        joined.flags, [](Value part) { return static_cast<bool>(part); });
    if (std::accumulate(joined.sizes.begin(), joined.sizes.end(), int64_t(0)) ==
            rest &&
        own.size() == flags.size() &&
        std::is_permutation(own.begin(), own.end(), flags.begin()))
      return Picked{Value(), joined.result, 0};
  }
  return std::nullopt;
}

/// One value for each picked row.
std::optional<Picked> Selections::filled(AtenFullOp op) {
  std::optional<SmallVector<Value>> sizes = matchList(op.getSize());
  if (!sizes)
    return std::nullopt;
  std::optional<Picked> result;
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    std::optional<Picked> own = counted(size);
    if (!own)
      continue;
    if (result || own->flagRank() != 1)
      return std::nullopt;
    result = Picked{Value(), own->flags, static_cast<int64_t>(dim)};
    size = b.size(own->flags, 0);
  }
  if (!result)
    return std::nullopt;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = b.ints(*sizes);
  result->whole = b.rebuild(op, operands);
  return result;
}

/// A pointwise op.
std::optional<Picked> Selections::changed(Operation *op) {
  int64_t rank = tensorType(op->getResult(0)).getRank();
  auto isTensor = [](Value operand) {
    return isa<ValueTensorType>(operand.getType());
  };
  std::optional<Picked> first;
  for (Value operand : op->getOperands())
    if (!first && isTensor(operand) && tensorType(operand).getRank() == rank)
      first = trace(operand);
  if (!first)
    return std::nullopt;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Picked> own =
        isTensor(operand) && tensorType(operand).getRank() == rank
            ? trace(operand)
            : std::nullopt;
    if (own && (own->flags != first->flags || own->dim != first->dim))
      return std::nullopt;
    Value whole = !isTensor(operand) ? operand
                  : own              ? own->whole
                                     : spread(operand, rank, *first);
    if (!whole)
      return std::nullopt;
    operands.push_back(whole);
  }
  return Picked{b.rebuild(op, operands), first->flags, first->dim};
}

/// An op along another dim than that of the flags.
std::optional<Picked> Selections::rows(Operation *op, Value dim) {
  std::optional<Picked> x = trace(op->getOperand(0));
  std::optional<int64_t> along = matchInt(dim);
  if (!x || !along)
    return std::nullopt;
  int64_t at = normalDim(*along, tensorType(op->getOperand(0)).getRank());
  if (at == x->dim)
    return std::nullopt;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x->whole;
  operands[1] = b.constant(x->dimOfWhole(at));
  return Picked{b.rebuild(op, operands), x->flags, x->dim};
}

/// A reduction of other dims.
template <typename Op>
std::optional<Picked> Selections::reduced(Op op) {
  auto arguments = ReductionArguments::read(op);
  std::optional<Picked> x = trace(op.getSelf());
  if (!arguments || !x || llvm::is_contained(arguments->dims, x->dim))
    return std::nullopt;
  SmallVector<int64_t> dims;
  int64_t gone = 0; // of the dims before that of the flags
  for (int64_t dim : arguments->dims) {
    dims.push_back(x->dimOfWhole(dim));
    gone += dim < x->dim && !arguments->keepdim;
  }
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x->whole;
  operands[1] = b.ints(dims);
  return Picked{b.rebuild(op, operands), x->flags, x->dim - gone};
}

/// The position of an element along another dim.
template <typename Op>
std::optional<Picked> Selections::searched(Op op) {
  auto arguments = ArgReductionArguments::read(op);
  std::optional<Picked> x = trace(op.getSelf());
  if (!arguments || !x || arguments->isFlat)
    return std::nullopt;
  int64_t dim = arguments->dims.front();
  if (dim == x->dim)
    return std::nullopt;
  Value place =
      b.create<Op>(x->whole, b.constant(x->dimOfWhole(dim)), op.getKeepdim());
  return Picked{place, x->flags,
                x->dim - (dim < x->dim && !arguments->keepdim)};
}

/// An element of each row at a picked position.
std::optional<Picked> Selections::gathered(AtenGatherOp op) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  std::optional<Picked> x = dim ? trace(op.getSelf()) : std::nullopt,
                        places = x ? trace(op.getIndex()) : std::nullopt;
  int64_t rank = tensorType(op).getRank();
  if (!places || places->flags != x->flags || places->dim != x->dim ||
      normalDim(*dim, rank) == x->dim)
    return std::nullopt;
  Value element = b.create<AtenGatherOp>(
      x->whole, b.constant(x->dimOfWhole(normalDim(*dim, rank))),
      safePositions(*places, rank), op.getSparseGrad());
  return Picked{element, x->flags, x->dim};
}

/// An op that adds or takes away dims of size 1.
std::optional<Picked> Selections::moved(Operation *op, Value dims) {
  std::optional<Picked> x = trace(op->getOperand(0));
  bool adds = isa<AtenUnsqueezeOp>(op);
  // An unsqueeze counts the dims of its result.
  Value counted = adds ? op->getResult(0) : op->getOperand(0);
  auto places = matchDims(dims, tensorType(counted).getRank());
  if (!x || !places || places->empty())
    return std::nullopt;
  int64_t dim = x->dim;
  SmallVector<int64_t> ofWhole;
  for (int64_t place : *places) {
    if (adds) {
      dim += place <= x->dim;
      ofWhole.push_back(place <= x->dim ? place : x->dimOfWhole(place));
      continue;
    }
    if (place == x->dim)
      return std::nullopt;
    dim -= place < x->dim;
    ofWhole.push_back(x->dimOfWhole(place));
  }
  Value whole = adds ? b.unsqueeze(x->whole, ofWhole.front())
                     : b.squeeze(x->whole, ofWhole);
  return Picked{whole, x->flags, dim};
}

/// A view that keeps the rows: other dims are 1, or come after the flags and
/// are as many elements as before.
std::optional<Picked> Selections::viewed(AtenViewOp op) {
  std::optional<Picked> x = trace(op.getSelf());
  std::optional<SmallVector<int64_t>> sizes = matchSizes(op.getSize());
  if (!x || !sizes || x->flagRank() != 1)
    return std::nullopt;
  auto isRest = [](int64_t size) {
    return size == -1 || ShapedType::isDynamic(size);
  };
  auto *rest = llvm::find_if(*sizes, isRest);
  if (rest == sizes->end() || llvm::count_if(*sizes, isRest) != 1)
    return std::nullopt;
  // The number of elements before and after the rows' dim.
  auto count = [](ArrayRef<int64_t> of) {
    int64_t product = 1;
    for (int64_t size : of)
      product = ShapedType::isDynamic(size) || size > maxElements ||
                        product > maxElements
                    ? -1
                    : product * size;
    return product;
  };
  ArrayRef<int64_t> before = tensorType(op.getSelf()).getSizes();
  int64_t dim = std::distance(sizes->begin(), rest);
  int64_t outer = count(before.take_front(x->dim)),
          inner = count(before.drop_front(x->dim + 1));
  if (outer <= 0 || inner <= 0 ||
      outer != count(ArrayRef(*sizes).take_front(dim)) ||
      inner != count(ArrayRef(*sizes).drop_front(dim + 1)))
    return std::nullopt;
  SmallVector<int64_t> of(*sizes);
  of[dim] = -1;
  SmallVector<Value> asked =
      llvm::map_to_vector(of, [&](int64_t size) { return b.constant(size); });
  return Picked{b.view(x->whole, asked), x->flags, dim};
}

std::optional<Picked> Selections::expanded(AtenExpandOp op) {
  std::optional<Picked> x = trace(op.getSelf());
  std::optional<SmallVector<Value>> sizes = matchList(op.getSize());
  if (!x || !sizes || x->flagRank() != 1)
    return std::nullopt;
  int64_t dim = x->dim + sizes->size() - tensorType(op.getSelf()).getRank();
  // A single row may be broadcast to any other size.
  Value &size = (*sizes)[dim];
  std::optional<Picked> asked = counted(size);
  if (matchInt(size) != -1 && !(asked && asked->flags == x->flags))
    return std::nullopt;
  size = b.size(x->whole, x->dim);
  return Picked{b.expand(x->whole, *sizes), x->flags, dim};
}

/// A concatenation along the flags' dim; all rows of other parts are picked.
std::optional<Picked> Selections::joined(AtenCatOp op) {
  std::optional<SmallVector<Value>> parts = matchList(op.getTensors());
  std::optional<int64_t> along = matchInt(op.getDim());
  if (!parts || !along)
    return std::nullopt;
  int64_t rank = tensorType(op).getRank(), dim = normalDim(*along, rank);
  SmallVector<Value> wholes;
  Joined flags;
  bool hasPicked = false;
  for (Value part : *parts) {
    std::optional<Picked> own = trace(part);
    ValueTensorType type = tensorType(part);
    if (!type.hasRank() || type.getRank() != rank ||
        (own ? own->dim != dim || own->flagRank() != 1
             : ShapedType::isDynamic(type.getSizes()[dim])))
      return std::nullopt;
    hasPicked |= own.has_value();
    wholes.push_back(own ? own->whole : part);
    flags.flags.push_back(own ? own->flags : Value());
    flags.sizes.push_back(own ? 0 : type.getSizes()[dim]);
  }
  if (!hasPicked)
    return std::nullopt;
  for (const Joined &other : joinedFlags)
    if (other.flags == flags.flags && other.sizes == flags.sizes)
      flags.result = other.result;
  if (!flags.result) {
    SmallVector<Value> pieces;
    for (auto [own, size] : llvm::zip_equal(flags.flags, flags.sizes))
      pieces.push_back(own ? own
                           : b.create<AtenFullOp>(
                                  b.ints({size}), b.constantBool(true),
                                  b.dtype(IntegerType::get(b.getContext(), 1)),
                                  b.none(), b.none(), b.none())
                                 .getResult());
    flags.result = b.cat(pieces, 0);
    joinedFlags.push_back(flags);
  }
  return Picked{b.cat(wholes, dim), flags.result, dim};
}

Value Selections::safePositions(const Picked &positions, int64_t rank) {
  return b.where(
      alignedFlags(positions, rank), positions.whole,
      b.scalarTensor(int64_t(0), tensorType(positions.whole).getDtype()));
}

Value Selections::spread(Value value, int64_t rank, const Picked &picked) {
  ValueTensorType type = tensorType(value);
  if (!type.hasRank() || type.getRank() > rank)
    return {};
  int64_t place = type.getRank() - (rank - picked.dim);
  if (place < 0)
    return value;
  if (type.getSizes()[place] != 1)
    return {};
  for (int64_t i = 1; i < picked.flagRank(); ++i)
    value = b.unsqueeze(value, place);
  return value;
}

Value Selections::alignedFlags(const Picked &picked, int64_t rank) {
  Value aligned = picked.flags;
  for (int64_t dim = picked.dim + 1; dim < rank; ++dim)
    aligned = b.unsqueeze(aligned, -1);
  return aligned;
}

bool Selections::picksAny(const Picked &picked) {
  auto cat = picked.flags.getDefiningOp<AtenCatOp>();
  auto parts = cat ? matchList(cat.getTensors()) : std::nullopt;
  return parts && llvm::any_of(*parts, [](Value part) {
           auto full = part.getDefiningOp<AtenFullOp>();
           auto sizes = full ? matchInts(full.getSize()) : std::nullopt;
           return sizes && sizes->size() == 1 && sizes->front() > 0 &&
                  matchBool(full.getFillValue()).value_or(false);
         });
}

Value simplify_torch::sizeOfSelection(AtenIndexTensorOp op, int64_t dim,
                                      TorchBuilder &b) {
  std::optional<Picked> mask = readMask(op.getIndices(), op.getSelf());
  if (!mask)
    return {};
  if (dim != mask->dim)
    return b.size(op.getSelf(), mask->dimOfWhole(dim));
  AtenIndexTensorOp first = op;
  for (Operation *user : op.getIndices().getUsers()) {
    auto other = dyn_cast<AtenIndexTensorOp>(user);
    if (other && other->getBlock() == op->getBlock() &&
        other->isBeforeInBlock(first) &&
        readMask(other.getIndices(), other.getSelf()))
      first = other;
  }
  return first == op ? Value() : b.size(first, dim);
}
