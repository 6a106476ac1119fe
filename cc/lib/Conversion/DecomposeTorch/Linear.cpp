//===- Linear.cpp - Matrix products to mm and bmm -------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// addmm(self, a, b) = beta * self + alpha * (a @ b). With a beta of 0, self is
/// ignored, including its NaNs.
template <typename Op>
static Tensor added(Op op, TorchBuilder &b, Tensor product) {
  if (matchNumber(op.getAlpha()) != 1.0)
    product = product * scalar(b, op.getAlpha(), product.dtype());
  std::optional<double> beta = matchNumber(op.getBeta());
  if (beta == 0.0)
    return product;
  Tensor self = Tensor(b, op.getSelf()).as(product.dtype());
  if (beta != 1.0)
    self = self * scalar(b, op.getBeta(), self.dtype());
  return product + self;
}

template <typename Op>
static Tensor addmm(Op op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenMmOp>(op.getMat1(), op.getMat2())});
}

/// addmm, then relu or gelu.
static Value addmmActivation(Aten_AddmmActivationOp op, TorchBuilder &b) {
  std::optional<bool> usesGelu = matchBool(op.getUseGelu());
  if (!usesGelu)
    return b.fail("expected an activation that is known while compiling");
  Tensor sum = addmm(op, b);
  return *usesGelu ? b.create<AtenGeluOp>(sum, b.constantStr("none"))
                   : Value(max(sum, 0));
}

static Tensor baddbmm(AtenBaddbmmOp op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenBmmOp>(op.getBatch1(), op.getBatch2())});
}

/// addbmm(self, a, b) = beta * self + alpha * sum(a @ b) over the batch.
static Tensor addbmm(AtenAddbmmOp op, TorchBuilder &b) {
  Tensor products(b, b.create<AtenBmmOp>(op.getBatch1(), op.getBatch2()));
  // Sums of integers are si64.
  Tensor sum(b, b.sum(products, {0}, /*keepdim=*/false));
  return added(op, b, sum.as(products.dtype()));
}

/// x [...,n,k] @ matrix [k,m]: all rows of x in one product.
static Value rowsTimesMatrix(TorchBuilder &b, Value x, Value matrix) {
  SmallVector<Value> sizes = b.sizes(x);
  if (sizes.size() == 2)
    return b.create<AtenMmOp>(x, matrix);
  Value rows = b.product(ArrayRef(sizes).drop_back());
  Value product = b.create<AtenMmOp>(b.view(x, {rows, sizes.back()}), matrix);
  sizes.back() = b.size(matrix, 1);
  return b.view(product, sizes);
}

/// linear(x [...,in], weight [out,in], bias [out]) = x @ weight^T + bias, or
/// with weight [in] and bias [] without the last dim
static Value linear(AtenLinearOp op, TorchBuilder &b) {
  Value weight = op.getWeight();
  Tensor y(b,
           tensorType(weight).getRank() == 1
               ? b.create<AtenMatmulOp>(op.getInput(), weight)
               : rowsTimesMatrix(b, op.getInput(), b.permute(weight, {1, 0})));
  return isNone(op.getBias()) ? y : y + Tensor(b, op.getBias());
}

/// Reshapes a tensor [...,n,m] to one batch [B,n,m], with its batch dims
/// broadcast to `batch`.
static Value withBatch(TorchBuilder &b, Value x, ArrayRef<Value> batch,
                       Value flatBatch) {
  SmallVector<Value> sizes = b.sizes(x);
  ArrayRef<Value> own = ArrayRef(sizes).drop_back(2),
                  matrix = ArrayRef(sizes).take_back(2);
  SmallVector<Value> expanded(batch);
  llvm::append_range(expanded, matrix);
  bool isComplete =
      own.size() == batch.size() &&
      llvm::all_of(llvm::zip(own, batch), [](auto pair) {
        auto [a, b] = pair;
        return a == b || (matchInt(a) && matchInt(a) == matchInt(b));
      });
  if (!isComplete)
    x = b.expand(x, expanded);
  return batch.size() == 1 ? x : b.view(x, {flatBatch, matrix[0], matrix[1]});
}

/// numpy.matmul. A vector is a row on the left, a column on the right. A matrix
/// on the right is multiplied with all rows of the left at once; otherwise the
/// batch dims are broadcast and merged, for bmm.
static Value matmul(AtenMatmulOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Value x = b.convert(op.getSelf(), dtype), y = b.convert(op.getOther(), dtype);
  bool isRow = tensorType(x).getRank() == 1,
       isColumn = tensorType(y).getRank() == 1;
  if (isRow)
    x = b.unsqueeze(x, 0);
  if (isColumn)
    y = b.unsqueeze(y, 1);

  Value product;
  if (tensorType(y).getRank() == 2) {
    product = rowsTimesMatrix(b, x, y);
  } else {
    SmallVector<Value> left = b.sizes(x), right = b.sizes(y);
    SmallVector<Value> sizes = broadcastSizes(b, ArrayRef(left).drop_back(2),
                                              ArrayRef(right).drop_back(2));
    Value flatBatch = b.product(sizes);
    product = b.create<AtenBmmOp>(withBatch(b, x, sizes, flatBatch),
                                  withBatch(b, y, sizes, flatBatch));
    if (sizes.size() > 1) {
      sizes.append({left[left.size() - 2], right.back()});
      product = b.view(product, sizes);
    }
  }
  int64_t last = tensorType(product).getRank() - 1;
  if (isColumn)
    product = b.squeeze(product, last);
  return isRow ? b.squeeze(product, isColumn ? last - 1 : last - 1) : product;
}

/// Products of vectors, as matrix products.
template <typename Op>
static Value asMatmul(Op op, TorchBuilder &b) {
  return b.create<AtenMatmulOp>(op->getOperand(0), op->getOperand(1));
}

static Tensor addmv(AtenAddmvOp op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenMatmulOp>(op.getMat(), op.getVec())});
}

/// addr(self, x, y) = beta * self + alpha * outer(x, y)
static Tensor addr(AtenAddrOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  return added(op, b,
               Tensor(b, b.unsqueeze(op.getVec1(), 1)).as(dtype) *
                   Tensor(b, op.getVec2()).as(dtype));
}

/// tensordot(x, y, dims_x, dims_y): the sum of products over pairs of dims, of
/// the other dims of x, then those of y.
static Value contract(TorchBuilder &b, Value x, Value y,
                      ArrayRef<int64_t> dimsX, ArrayRef<int64_t> dimsY,
                      Type dtype) {
  auto othersOf = [](Value tensor, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> others = allDims(tensorType(tensor).getRank());
    llvm::erase_if(others,
                   [&](int64_t dim) { return llvm::is_contained(dims, dim); });
    return others;
  };
  SmallVector<int64_t> rows = othersOf(x, dimsX), columns = othersOf(y, dimsY);
  SmallVector<int64_t> orderX(rows), orderY(dimsY);
  llvm::append_range(orderX, dimsX);
  llvm::append_range(orderY, columns);
  SmallVector<Value> sizes;
  auto sizesOf = [&](Value tensor, ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(
        dims, [&](int64_t dim) { return b.size(tensor, dim); });
  };
  SmallVector<Value> outer = sizesOf(x, rows), inner = sizesOf(y, columns);
  Value shared = b.product(sizesOf(x, dimsX));
  Value lhs = b.view(b.permute(b.convert(x, dtype), orderX),
                     {b.product(outer), shared}),
        rhs = b.view(b.permute(b.convert(y, dtype), orderY),
                     {shared, b.product(inner)});
  llvm::append_range(outer, inner);
  return b.view(b.create<AtenMmOp>(lhs, rhs), outer);
}

static Value tensordot(AtenTensordotOp op, TorchBuilder &b) {
  auto dimsX = boundedInts(b, op.getDimsSelf(), "dims"),
       dimsY = boundedInts(b, op.getDimsOther(), "dims");
  if (!dimsX || !dimsY)
    return {};
  Value x = op.getSelf(), y = op.getOther();
  // A dim of one element broadcasts to the other: that one is summed first.
  for (auto [dimX, dimY] : llvm::zip_equal(*dimsX, *dimsY)) {
    dimX = normalDim(dimX, tensorType(x).getRank());
    dimY = normalDim(dimY, tensorType(y).getRank());
    bool isOneX = tensorType(x).getSizes()[dimX] == 1,
         isOneY = tensorType(y).getSizes()[dimY] == 1;
    if (isOneX && !isOneY)
      y = b.sum(y, dimY, /*keepdim=*/true);
    if (isOneY && !isOneX)
      x = b.sum(x, dimX, /*keepdim=*/true);
  }
  return contract(b, x, y, *dimsX, *dimsY, tensorType(op).getDtype());
}

/// inner(x, y): the sum of products over the last dims.
static Value inner(AtenInnerOp op, TorchBuilder &b) {
  Value x = op.getSelf(), y = op.getOther();
  int64_t rankX = tensorType(x).getRank(), rankY = tensorType(y).getRank();
  if (rankX == 0 || rankY == 0)
    return b.mul(x, y);
  return contract(b, x, y, rankX - 1, rankY - 1, tensorType(op).getDtype());
}

/// kron(x, y)[..., i * n + j] = x[..., i] * y[..., j], with n = y's size, in
/// each dim.
static Value kron(AtenKronOp op, TorchBuilder &b) {
  Value x = op.getSelf(), y = op.getOther();
  int64_t rank = std::max(tensorType(x).getRank(), tensorType(y).getRank());
  for (Value *tensor : {&x, &y})
    while (tensorType(*tensor).getRank() < rank)
      *tensor = b.unsqueeze(*tensor, 0);
  SmallVector<Value> sizes;
  Value left = x, right = y;
  for (int64_t dim : llvm::seq(rank)) {
    sizes.push_back(b.mulInt(b.size(x, dim), b.size(y, dim)));
    left = b.unsqueeze(left, 2 * dim + 1);
    right = b.unsqueeze(right, 2 * dim);
  }
  return b.view(b.mul(left, right), sizes);
}

/// The dims of which the first one of three elements is that of a cross
/// product: by default those of x up to one of three. Without a dim, x and y
/// have the same rank.
template <typename Op>
static SmallVector<int64_t> crossDims(Op op) {
  auto x = tensorType(op.getSelf()), y = tensorType(op.getOther());
  int64_t rank = std::max(x.getRank(), y.getRank());
  SmallVector<int64_t> dims;
  if (auto given = matchInt(op.getDim())) {
    dims.push_back(normalDim(*given, rank));
  } else if (isNone(op.getDim()) && x.getRank() == y.getRank()) {
    for (auto [dim, size] : llvm::enumerate(x.getSizes())) {
      if (size == 3 || ShapedType::isDynamic(size))
        dims.push_back(dim);
      if (size == 3)
        break;
    }
  }
  llvm::erase_if(dims, [&](int64_t dim) { return dim < 0 || dim >= rank; });
  return dims;
}

/// x[i+1] * y[i+2] - x[i+2] * y[i+1] along a dim, around its end.
static Tensor crossAlong(Tensor x, Tensor y, int64_t dim) {
  TorchBuilder &b = x.builder();
  auto turned = [&](Tensor tensor, int64_t by) -> Tensor {
    Value middle = b.constant(by);
    return {b, b.cat({b.slice(tensor, dim, middle),
                      b.slice(tensor, dim, b.constant(0), middle)},
                     dim)};
  };
  return turned(x, 1) * turned(y, 2) - turned(x, 2) * turned(y, 1);
}

/// cross(x, y) along a dim of three elements: the first one, if more than one
/// may have three.
template <typename Op>
static Value cross(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto sizes = broadcastSizes(b, b.sizes(op.getSelf()), b.sizes(op.getOther()));
  SmallVector<int64_t> dims = crossDims(op);
  if (dims.empty())
    return b.fail("expected a dim of size 3 that is known while compiling");
  if (dims.size() == 1)
    sizes[dims[0]] = b.constant(3);
  Tensor x(b, b.expand(b.convert(op.getSelf(), dtype), sizes)),
      y(b, b.expand(b.convert(op.getOther(), dtype), sizes));
  Type number = indexDtype(b);
  Tensor result = crossAlong(x, y, dims.pop_back_val());
  for (int64_t dim : llvm::reverse(dims)) {
    Tensor isThree = scalar(b, b.size(op.getSelf(), dim), number) == 3;
    result = where(isThree, crossAlong(x, y, dim), result);
  }
  return result;
}

/// _int_mm(x, y): products of si8, summed in si32.
static Value intMm(Aten_IntMmOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  return b.create<AtenMmOp>(b.convert(op.getSelf(), dtype),
                            b.convert(op.getMat2(), dtype));
}

/// _weight_int8pack_mm(x [m,k], weight [n,k], scales [n]): x @ weight.T with
/// the rows of the weight scaled.
static Value int8packMm(Aten_WeightInt8packMmOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  Value weight = b.convert(b.permute(op.getMat2(), {1, 0}), x.dtype());
  Tensor scales = Tensor(b, op.getScales()).as(x.dtype());
  return (x.apply<AtenMmOp>(weight) * scales).as(own.dtype());
}

/// vdot(x, y): the sum of the products of y and the conjugates of x.
static Value vdot(AtenVdotOp op, TorchBuilder &b) {
  return b.create<AtenMatmulOp>(conj(Tensor(b, op.getSelf())), op.getOther());
}

/// bilinear(x [...,n], y [...,m], w [out,n,m], bias)[..., o] = x @ w[o] @ y +
/// bias[o]
static Value bilinear(AtenBilinearOp op, TorchBuilder &b) {
  Value x = op.getInput1(), y = op.getInput2(), w = op.getWeight();
  SmallVector<Value> sizes = b.sizes(x);
  Value out = b.size(w, 0), n = b.size(w, 1), m = b.size(w, 2),
        rest = b.constant(-1);
  // x @ w over n, as [rows,out,m], then the products with y over m.
  Value columns = b.view(b.permute(w, {1, 0, 2}), {n, b.mulInt(out, m)});
  Value partial = b.create<AtenMmOp>(b.view(x, {rest, n}), columns);
  Value rows = b.create<AtenBmmOp>(b.view(partial, {rest, out, m}),
                                   b.view(y, {rest, m, b.constant(1)}));
  sizes.back() = out;
  Tensor result(b, b.view(rows, sizes));
  return isNone(op.getBias()) ? result : result + Tensor(b, op.getBias());
}

/// _trilinear(x, y, z, expand of each, summed): their product, after each got
/// dims of size 1 at the places of its expand, loses the summed dims. So it is
/// an einsum, with one letter for each dim.
static Value trilinear(Aten_TrilinearOp op, TorchBuilder &b) {
  Value operands[] = {op.getI1(), op.getI2(), op.getI3()};
  Value lists[] = {op.getExpand1(), op.getExpand2(), op.getExpand3()};
  auto summed = matchInts(op.getSumdim());
  std::string equation;
  int64_t rank = 0;
  for (auto [operand, list] : llvm::zip_equal(operands, lists)) {
    auto expanded = matchInts(list);
    if (!expanded || !summed)
      return b.fail(kConstantDims);
    rank = tensorType(operand).getRank() + expanded->size();
    if (rank > 26)
      return b.fail("expected at most 26 dims, got " + Twine(rank));
    equation += equation.empty() ? "" : ",";
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(*expanded, dim))
        equation += static_cast<char>('a' + dim);
  }
  equation += "->";
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(*summed, dim))
      equation += static_cast<char>('a' + dim);
  return b.create<AtenEinsumOp>(b.constantStr(equation), b.tensors(operands),
                                b.none());
}

/// conv_tbc(x [T,B,C], w [k,C,out], bias, pad): conv1d with other orders of
/// dims.
static Value convTbc(AtenConvTbcOp op, TorchBuilder &b) {
  Value one = b.ints(1);
  Value result = b.create<AtenConvolutionOp>(
      b.permute(op.getSelf(), {1, 2, 0}), b.permute(op.getWeight(), {2, 1, 0}),
      op.getBias(), one, b.ints(ValueRange(op.getPad())), one,
      b.constantBool(false), b.ints(0), b.constant(1));
  return b.permute(result, {2, 0, 1});
}

/// outer(x, y)[i, j] = x[i] * y[j]
static Value outer(AtenOuterOp op, TorchBuilder &b) {
  return b.mul(b.unsqueeze(op.getSelf(), 1), op.getVec2());
}

//===----------------------------------------------------------------------===//
// Products by groups: mixture-of-experts layers
//===----------------------------------------------------------------------===//

// The group of a position is the number of groups that end at or before it:
// countEnds. Positions past the last end have group `ends.size(0)`, which no
// matrix has.

/// y[i] = x[i] @ matrices[group of i]; 0 past the last group:
/// x [m,k], matrices [g,k,n], y [m,n].
static Value rowsTimesGroups(TorchBuilder &b, Value x, Value matrices,
                             Value ends) {
  Tensor group = countEnds(b, ends, b.size(x, 0));
  Tensor last =
      scalar(b, b.subInt(b.size(matrices, 0), b.constant(1)), group.dtype());
  Value chosen =
      b.create<AtenIndexSelectOp>(matrices, b.constant(0), min(group, last));
  Tensor product(b,
                 b.squeeze(b.create<AtenBmmOp>(b.unsqueeze(x, 1), chosen), 1));
  return b.where(b.unsqueeze(group <= last, 1), product, product.number(0));
}

/// y[g] = x[:, positions of g] @ matrix[positions of g, :]:
/// x [m,k], matrix [k,n], y [g,m,n].
static Value productPerGroup(TorchBuilder &b, Tensor x, Value matrix,
                             Value ends) {
  Value groups = b.size(ends, 0);
  Tensor group = countEnds(b, ends, b.size(x, 1));
  Tensor index(b, b.unsqueeze(range(b, b.constant(0), groups), 1));
  Value isOwn = b.unsqueeze(group == index, 1);
  Value own = b.where(isOwn, x, x.number(0));
  Value repeated = b.expand(b.unsqueeze(matrix, 0),
                            {groups, b.size(matrix, 0), b.size(matrix, 1)});
  return b.create<AtenBmmOp>(own, repeated);
}

/// _grouped_mm(a, b, offs, bias, out_dtype): group i ends before offs[i].
static Value groupedMm(Aten_GroupedMmOp op, TorchBuilder &b) {
  if (!isNone(op.getBias()))
    return b.fail("expected no bias, which PyTorch does not take either");
  Value x = op.getSelf(), y = op.getMat2(), ends = op.getOffs();
  int64_t left = tensorType(x).getRank(), right = tensorType(y).getRank();
  bool isBatch = left == 3 && right == 3;
  if (isBatch != isNone(ends))
    return b.fail("expected offs for a matrix, and only there");
  Value product;
  if (isBatch)
    product = b.create<AtenBmmOp>(x, y);
  else if (right == 3)
    product = rowsTimesGroups(b, x, y, ends);
  else if (left == 2)
    product = productPerGroup(b, {b, x}, y, ends);
  else // the columns of y are the rows of y^T
    product = b.permute(
        rowsTimesGroups(b, b.permute(y, {1, 0}), b.permute(x, {0, 2, 1}), ends),
        {1, 0});
  return b.convert(product, tensorType(op).getDtype());
}

void populateLinear(Decompositions &decompositions) {
  decompositions.add(addbmm, addmm<AtenAddmmOp>, addmmActivation, addmv,
                     asMatmul<AtenDotOp>, asMatmul<AtenMvOp>, baddbmm,
                     groupedMm, linear, matmul, outer, addr, cross<AtenCrossOp>,
                     cross<AtenLinalgCrossOp>, inner, kron, tensordot, bilinear,
                     convTbc, int8packMm, intMm, trilinear, vdot);
}

} // namespace isthmus::decompose_torch
