//===- Linear.cpp - Type rules of matrix products and convolutions --------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dtypes.h"
#include "Rules.h"
#include "Windows.h"
#include "isthmus/Dialect/Torch/Einsum.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;

namespace isthmus::torch::rules {

static bool differ(int64_t a, int64_t b) {
  return StaticSizes::known(a, b) && a != b;
}

static LogicalResult expectRank(TypeInference &op, unsigned index,
                                int64_t rank) {
  if (op.tensor(index).getRank() == rank)
    return success();
  return op.fail("expected operand " + Twine(index) + " of rank " +
                 Twine(rank) + ", got " +
                 shapeText(op.tensor(index).getSizes()));
}

/// The product [n,k] x [k,m] of operands `a` and `b`, after `batch` leading
/// dims.
static LogicalResult product(TypeInference &op, unsigned a, unsigned b,
                             int64_t batch) {
  ValueTensorType lhs = op.tensor(a), rhs = op.tensor(b);
  if (!lhs.hasRank() || !rhs.hasRank())
    return op.giveUnranked(lhs.getDtype());
  if (failed(expectRank(op, a, batch + 2)) ||
      failed(expectRank(op, b, batch + 2)))
    return failure();
  SmallVector<int64_t> sizes(lhs.getSizes());
  sizes[batch + 1] = rhs.getSizes()[batch + 1];
  if (differ(lhs.getSizes()[batch + 1], rhs.getSizes()[batch]) ||
      (batch && differ(lhs.getSizes()[0], rhs.getSizes()[0])))
    return op.fail("expected matrices with a common inner size, got " +
                   shapeText(lhs.getSizes()) + " and " +
                   shapeText(rhs.getSizes()));
  if (batch && ShapedType::isDynamic(sizes[0]))
    sizes[0] = rhs.getSizes()[0];
  return op.give(sizes, lhs.getDtype());
}

LogicalResult mm(TypeInference &op) { return product(op, 0, 1, 0); }
LogicalResult bmm(TypeInference &op) { return product(op, 0, 1, 1); }

/// aten._grouped_mm(a, b, offs, bias, out_dtype). The ranks of a and b
/// determine the grouped dims. Ranks 2 and 3: the rows of a. Ranks 3 and 2: the
/// columns of b. Ranks 2 and 2: the columns of a and the rows of b, giving
/// [g,n,m]. Ranks 3 and 3 are bmm.
LogicalResult grouped_mm(TypeInference &op) {
  ValueTensorType lhs = op.tensor(0), rhs = op.tensor(1);
  Type dtype = op.dtypeArgument(4, lhs.getDtype());
  if (!lhs.hasRank() || !rhs.hasRank())
    return op.giveUnranked(dtype);
  ArrayRef<int64_t> a = lhs.getSizes(), b = rhs.getSizes();
  auto isMatrix = [](ArrayRef<int64_t> sizes) {
    return sizes.size() == 2 || sizes.size() == 3;
  };
  if (!isMatrix(a) || !isMatrix(b) || differ(a.back(), b[b.size() - 2]) ||
      (a.size() == 3 && b.size() == 3 && differ(a[0], b[0])))
    return op.fail("expected matrices with a common inner size, got " +
                   shapeText(a) + " and " + shapeText(b));
  SmallVector<int64_t> sizes;
  if (a.size() == b.size()) {
    ValueTensorType ends = op.tensor(2);
    bool hasGroups = a.size() == 2 && ends.hasRank() && ends.getRank() == 1;
    sizes.push_back(a.size() == 3 ? a[0]
                    : hasGroups   ? ends.getSizes()[0]
                                  : ShapedType::kDynamic);
  }
  sizes.append({a[a.size() - 2], b.back()});
  return op.give(sizes, dtype);
}

/// aten.addmv(self, mat [n,k], vec [k], ...): [n].
LogicalResult addmv(TypeInference &op) {
  ValueTensorType matrix = op.tensor(1);
  if (!matrix.hasRank())
    return op.giveUnranked(matrix.getDtype());
  if (failed(expectRank(op, 1, 2)) || failed(expectRank(op, 2, 1)))
    return failure();
  return op.give({matrix.getSizes()[0]}, matrix.getDtype());
}

/// aten.outer(self [n], vec2 [m]): [n,m].
LogicalResult outer(TypeInference &op) {
  ValueTensorType rows = op.tensor(0), columns = op.tensor(1);
  Type dtype = promoteDtypes(rows.getDtype(), columns.getDtype());
  if (!rows.hasRank() || !columns.hasRank())
    return op.giveUnranked(dtype);
  if (failed(expectRank(op, 0, 1)) || failed(expectRank(op, 1, 1)))
    return failure();
  return op.give({rows.getSizes()[0], columns.getSizes()[0]}, dtype);
}

/// aten.einsum(equation, tensors, path): see EinsumEquation. A size of 1 in one
/// term broadcasts to the size in another term.
LogicalResult einsum(TypeInference &op) {
  std::optional<StringRef> text = matchStr(op[0]);
  auto tensors = op.elements(1);
  if (!text || !tensors)
    return op.giveUnranked({});
  Type dtype;
  SmallVector<int64_t> ranks;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank())
      return op.giveUnranked({});
    dtype = dtype ? promoteDtypes(dtype, type.getDtype()) : type.getDtype();
    ranks.push_back(type.getRank());
  }
  std::string error;
  auto equation = EinsumEquation::parse(*text, ranks, error);
  if (!equation)
    return op.fail(error);
  SmallVector<int64_t> sizes;
  for (EinsumEquation::Label label : equation->result) {
    int64_t size = 1;
    for (auto [labels, tensor] : llvm::zip_equal(equation->terms, *tensors))
      for (auto [own, dim] : llvm::zip_equal(
               labels, cast<ValueTensorType>(tensor.getType()).getSizes()))
        if (own == label && dim != 1)
          size = size == 1 || ShapedType::isDynamic(size) ? dim : size;
    sizes.push_back(size);
  }
  return op.give(sizes, dtype);
}

/// aten.addmm(self, mat1, mat2, ...), aten.baddbmm(self, batch1, batch2, ...)
LogicalResult addmm(TypeInference &op) { return product(op, 1, 2, 0); }

/// aten.baddbmm(self, batch1 [b,n,k], batch2 [b,k,m], ...): [b,n,m].
LogicalResult baddbmm(TypeInference &op) { return product(op, 1, 2, 1); }

/// aten.addbmm(self, batch1 [b,n,k], batch2 [b,k,m], ...): [n,m].
LogicalResult addbmm(TypeInference &op) {
  ValueTensorType lhs = op.tensor(1), rhs = op.tensor(2);
  if (!lhs.hasRank() || !rhs.hasRank())
    return op.giveUnranked(lhs.getDtype());
  if (failed(expectRank(op, 1, 3)) || failed(expectRank(op, 2, 3)))
    return failure();
  ArrayRef<int64_t> a = lhs.getSizes(), b = rhs.getSizes();
  if (differ(a[0], b[0]) || differ(a[2], b[1]))
    return op.fail("expected matrices with a common inner size, got " +
                   shapeText(a) + " and " + shapeText(b));
  return op.give({a[1], b[2]}, lhs.getDtype());
}

/// aten.linear(input, weight [out,in] or [in], bias?): the last dim becomes
/// out, or goes.
LogicalResult linear(TypeInference &op) {
  ValueTensorType input = op.tensor(0), weight = op.tensor(1);
  if (!input.hasRank() || !weight.hasRank() || input.getRank() == 0 ||
      weight.getRank() == 0)
    return op.giveUnranked(input.getDtype());
  if (differ(input.getSizes().back(), weight.getSizes().back()))
    return op.fail("expected a weight of [out," +
                   Twine(input.getSizes().back()) + "], got " +
                   shapeText(weight.getSizes()));
  SmallVector<int64_t> sizes(input.getSizes().drop_back());
  llvm::append_range(sizes, weight.getSizes().drop_back());
  return op.give(sizes, input.getDtype());
}

/// numpy.matmul: batch dims broadcast; a vector is a row (left) or a column
/// (right) whose dim is dropped from the result.
LogicalResult matmul(TypeInference &op) {
  ValueTensorType lhs = op.tensor(0), rhs = op.tensor(1);
  Type dtype = promoteDtypes(lhs.getDtype(), rhs.getDtype());
  if (!lhs.hasRank() || !rhs.hasRank())
    return op.giveUnranked(dtype);
  if (lhs.getRank() == 0 || rhs.getRank() == 0)
    return op.fail("expected operands of rank 1 or more, got " +
                   shapeText(lhs.getSizes()) + " and " +
                   shapeText(rhs.getSizes()));
  SmallVector<int64_t> a(lhs.getSizes()), b(rhs.getSizes());
  bool row = a.size() == 1, column = b.size() == 1;
  if (row)
    a.insert(a.begin(), 1);
  if (column)
    b.push_back(1);
  auto batch =
      broadcastShapes(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2));
  if (!batch || differ(a.back(), b[b.size() - 2]))
    return op.fail("expected matrices that can be multiplied, got " +
                   shapeText(lhs.getSizes()) + " and " +
                   shapeText(rhs.getSizes()));
  SmallVector<int64_t> sizes(*batch);
  if (!row)
    sizes.push_back(a[a.size() - 2]);
  if (!column)
    sizes.push_back(b.back());
  return op.give(sizes, dtype);
}

/// aten.scaled_dot_product_attention(query [...,L,E], key, value [...,S,Ev],
/// ...): [...,L,Ev]
LogicalResult attention(TypeInference &op) {
  ValueTensorType query = op.tensor(0), value = op.tensor(2);
  if (!query.hasRank() || !value.hasRank() || query.getRank() < 2)
    return op.giveUnranked(query.getDtype());
  SmallVector<int64_t> sizes(query.getSizes());
  sizes.back() = value.getSizes().back();
  return op.give(sizes, query.getDtype());
}

/// aten._scaled_dot_product_flash_attention_for_cpu(query [N,H,L,E], key,
/// value, ...): also gives the logarithm of the sum of exponentials, [N,H,L].
LogicalResult flash_attention(TypeInference &op) {
  ValueTensorType query = op.tensor(0);
  if (failed(attention(op)))
    return failure();
  Type computed = summedDtype(query.getDtype());
  return query.hasRank() && query.getRank() > 0
             ? op.give(query.getSizes().drop_back(), computed)
             : op.giveUnranked(computed);
}

/// aten._scaled_dot_product_attention_math(query [...,L,E], key [...,S,E],
/// value, ...): also gives the weights, [...,L,S].
LogicalResult attention_with_weights(TypeInference &op) {
  ValueTensorType query = op.tensor(0), key = op.tensor(1);
  if (failed(attention(op)))
    return failure();
  if (!query.hasRank() || !key.hasRank() || query.getRank() < 2 ||
      key.getRank() < 2)
    return op.giveUnranked(query.getDtype());
  SmallVector<int64_t> sizes(query.getSizes());
  sizes.back() = key.getSizes()[key.getRank() - 2];
  return op.give(sizes, query.getDtype());
}

static LogicalResult giveUnknown(TypeInference &op, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    (void)op.giveUnranked({});
  return success();
}

/// aten._scaled_dot_product_efficient_attention(query, key, value, ...): also
/// gives what serves gradients: log_sumexp, philox_seed, philox_offset.
LogicalResult efficient_attention(TypeInference &op) {
  return failure(failed(attention(op)) || failed(giveUnknown(op, 3)));
}

/// aten._scaled_dot_product_flash_attention(query, key, value, ...): also gives
/// what serves gradients: logsumexp, cum_seq_q, cum_seq_k, the ints max_q and
/// max_k, and three tensors of random numbers.
LogicalResult device_attention(TypeInference &op) {
  if (failed(attention(op)) || failed(giveUnknown(op, 3)))
    return failure();
  for (int i = 0; i < 2; ++i)
    (void)op.give(torch::IntType::get(op.getContext()));
  return giveUnknown(op, 3);
}

/// aten._scaled_dot_product_flash_attention_for_cpu_backward(grad_out, query,
/// key, value, ...): the gradients of query, key and value.
LogicalResult flash_attention_backward(TypeInference &op) {
  for (size_t input : {1, 2, 3}) {
    ValueTensorType type = op.tensor(input);
    if (failed(type.hasRank() ? op.give(type.getSizes(), type.getDtype())
                              : op.giveUnranked(type.getDtype())))
      return failure();
  }
  return success();
}

/// Whether a convolution's input [C,...] is one without a batch dim.
static bool lacksBatch(TypeInference &op) {
  return op.tensor(0).getRank() + 1 == op.tensor(1).getRank();
}

/// A convolution of an input [N,C,...], or of one without a batch dim if there
/// may be such. The weight is [out,C/groups,...], or [C,out/groups,...] when
/// transposed.
static LogicalResult convolve(TypeInference &op,
                              const ConvolutionOperands &places,
                              std::optional<bool> transposed,
                              bool mayLackBatch = true) {
  ValueTensorType type = op.tensor(0), weight = op.tensor(1);
  if (!type.hasRank() || !weight.hasRank() || !transposed)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> input(type.getSizes());
  bool isSingle = mayLackBatch && lacksBatch(op);
  if (isSingle)
    input.insert(input.begin(), 1);
  int64_t rank = input.size(), spatial = rank - 2;
  if (spatial < 1 || weight.getRank() != rank)
    return op.fail(
        "expected an input and a weight of the same rank, 3 or more, got " +
        shapeText(type.getSizes()) + " and " + shapeText(weight.getSizes()));
  std::string error;
  auto arguments =
      ConvolutionArguments::read(op.getOperands(), places, spatial, &error);
  if (!error.empty())
    return op.fail(error);
  if (!arguments)
    return op.giveUnranked(type.getDtype());
  int64_t groups = arguments->groups;
  if (groups < 1)
    return op.fail("expected groups of 1 or more, got " + Twine(groups));

  int64_t channels = input[1];
  ArrayRef<int64_t> filter = weight.getSizes();
  int64_t inChannels = *transposed ? filter[0] : filter[1];
  StaticSizes a;
  int64_t expected = *transposed ? channels : a.floorDiv(channels, groups);
  if (differ(inChannels, expected) ||
      (!ShapedType::isDynamic(channels) && channels % groups))
    return op.fail("expected a weight for " + Twine(channels) +
                   " channels in " + Twine(groups) + " groups, got " +
                   shapeText(filter));

  SmallVector<int64_t> sizes = {input[0], *transposed ? a.mul(filter[1], groups)
                                                      : filter[0]};
  for (int64_t dim = 0; dim < spatial; ++dim) {
    int64_t stride = arguments->stride[dim], padding = arguments->padding[dim],
            dilation = arguments->dilation[dim];
    int64_t in = input[2 + dim], kernel = filter[2 + dim];
    if (failed(expectWindow(op, {kernel, stride, padding, dilation})))
      return failure();
    if (*transposed) {
      int64_t extra = arguments->outputPadding[dim];
      if (extra < 0 || extra >= windowLimit)
        return op.fail("expected an output padding from 0 to 2^31 - 1, got " +
                       Twine(extra));
      sizes.push_back(
          transposedSize(a, in, kernel, padding, dilation, stride, extra));
    } else {
      sizes.push_back(
          windowedSize(a, in, kernel, padding, padding, dilation, stride));
    }
    if (!ShapedType::isDynamic(sizes.back()) && sizes.back() < 0)
      return op.fail("expected an input no smaller than the kernel, got " +
                     shapeText(type.getSizes()) + " and " + shapeText(filter));
  }
  if (isSingle)
    sizes.erase(sizes.begin());
  return op.give(sizes, type.getDtype());
}

/// aten.convolution(input, weight, bias?, stride, padding, dilation,
/// transposed, output_padding, groups)
LogicalResult convolution(TypeInference &op) {
  return convolve(op, kConvolutionOperands, op.boolean(6),
                  /*mayLackBatch=*/false);
}

/// aten.conv2d(input, weight, bias?, stride, padding, dilation, groups)
LogicalResult conv(TypeInference &op) {
  return convolve(op, {3, 4, 5, 6, std::nullopt}, /*transposed=*/false);
}

/// aten.conv2d.padding(input, weight, bias?, stride, padding, dilation,
/// groups): with "valid" there is no padding; with "same" the result has the
/// input's spatial sizes.
LogicalResult conv_padding(TypeInference &op) {
  ValueTensorType input = op.tensor(0), weight = op.tensor(1);
  std::optional<StringRef> padding = matchStr(op[4]);
  if (!input.hasRank() || !weight.hasRank() || !padding || input.getRank() < 2)
    return op.giveUnranked(input.getDtype());
  bool isSingle = lacksBatch(op);
  if (weight.getRank() != input.getRank() && !isSingle)
    return op.fail("expected an input and a weight of the same rank, got " +
                   shapeText(input.getSizes()) + " and " +
                   shapeText(weight.getSizes()));
  if (*padding == "same") {
    SmallVector<int64_t> sizes(input.getSizes());
    sizes[isSingle ? 0 : 1] = weight.getSizes()[0];
    return op.give(sizes, input.getDtype());
  }
  return convolve(op, {3, std::nullopt, 5, 6, std::nullopt},
                  /*transposed=*/false);
}

/// aten.conv_transpose2d.input(input, weight, bias?, stride, padding,
/// output_padding, groups, dilation)
LogicalResult conv_transpose(TypeInference &op) {
  return convolve(op, {3, 4, 7, 6, /*outputPadding=*/5}, /*transposed=*/true);
}

/// aten.addr(self, vec1 [n], vec2 [m], beta, alpha): [n,m], to which self
/// broadcasts.
LogicalResult addr(TypeInference &op) {
  ValueTensorType rows = op.tensor(1), columns = op.tensor(2);
  Type dtype = promoteDtypes(
      op.dtype(0), promoteDtypes(rows.getDtype(), columns.getDtype()));
  if (!rows.hasRank() || !columns.hasRank())
    return op.giveUnranked(dtype);
  if (failed(expectRank(op, 1, 1)) || failed(expectRank(op, 2, 1)))
    return failure();
  return op.give({rows.getSizes()[0], columns.getSizes()[0]}, dtype);
}

/// The dims of x that are not contracted, then those of y.
static LogicalResult giveContracted(TypeInference &op, ArrayRef<int64_t> dimsX,
                                    ArrayRef<int64_t> dimsY) {
  ValueTensorType x = op.tensor(0), y = op.tensor(1);
  if (dimsX.size() != dimsY.size())
    return op.fail("expected as many dims of one tensor as of the other, got " +
                   shapeText(dimsX) + " and " + shapeText(dimsY));
  SmallVector<int64_t> sizes;
  SmallVector<SmallVector<int64_t>> contracted;
  for (auto [type, dims] : {std::pair(x, dimsX), std::pair(y, dimsY)}) {
    SmallVector<bool> isContracted(type.getRank(), false);
    SmallVector<int64_t> &lengths = contracted.emplace_back();
    for (int64_t dim : dims) {
      FailureOr<int64_t> normal = op.normalizeDim(dim, type.getRank());
      if (failed(normal))
        return failure();
      if (type.getRank() == 0 || std::exchange(isContracted[*normal], true))
        return op.fail("expected each dim once, got " + shapeText(dims));
      lengths.push_back(type.getSizes()[*normal]);
    }
    for (auto [size, isGone] : llvm::zip(type.getSizes(), isContracted))
      if (!isGone)
        sizes.push_back(size);
  }
  for (auto [a, b] : llvm::zip_equal(contracted[0], contracted[1]))
    if (a != 1 && b != 1 && differ(a, b))
      return op.fail("expected equal sizes of the contracted dims, got " +
                     shapeText(contracted[0]) + " and " +
                     shapeText(contracted[1]));
  return op.give(sizes, promoteDtypes(x.getDtype(), y.getDtype()));
}

/// aten.tensordot(self, other, dims_self, dims_other)
LogicalResult tensordot(TypeInference &op) {
  auto dimsX = op.dims(2), dimsY = op.dims(3);
  if (!op.tensor(0).hasRank() || !op.tensor(1).hasRank() || !dimsX || !dimsY)
    return op.giveUnranked(promoteDtypes(op.dtype(0), op.dtype(1)));
  return giveContracted(op, *dimsX, *dimsY);
}

/// aten.inner(self, other): the last dims are contracted.
LogicalResult inner(TypeInference &op) {
  ValueTensorType x = op.tensor(0), y = op.tensor(1);
  if (!x.hasRank() || !y.hasRank())
    return op.giveUnranked(promoteDtypes(x.getDtype(), y.getDtype()));
  if (x.getRank() == 0 || y.getRank() == 0)
    return promote(op);
  return giveContracted(op, {-1}, {-1});
}

/// aten.kron(self, other): the sizes are products, aligned at the last dim.
LogicalResult kron(TypeInference &op) {
  ValueTensorType x = op.tensor(0), y = op.tensor(1);
  Type dtype = promoteDtypes(x.getDtype(), y.getDtype());
  if (!x.hasRank() || !y.hasRank())
    return op.giveUnranked(dtype);
  SmallVector<int64_t> sizes(std::max(x.getRank(), y.getRank()), 1);
  for (ValueTensorType type : {x, y})
    for (auto [product, size] :
         llvm::zip(llvm::reverse(sizes), llvm::reverse(type.getSizes())))
      product = StaticSizes().mul(product, size);
  return op.give(sizes, dtype);
}

/// aten._int_mm(self [n,k], mat2 [k,m]): si32 products of si8.
LogicalResult int_mm(TypeInference &op) {
  if (failed(product(op, 0, 1, 0)))
    return failure();
  auto type = cast<ValueTensorType>(op.results.pop_back_val());
  return op.giveLike(type, signedDtype(op, 32));
}

/// aten._weight_int8pack_mm(self [m,k], mat2 [n,k], scales [n]): [m,n].
LogicalResult int8pack_mm(TypeInference &op) {
  ValueTensorType self = op.tensor(0), weight = op.tensor(1);
  if (!self.hasRank() || !weight.hasRank())
    return op.giveUnranked(self.getDtype());
  if (failed(expectRank(op, 0, 2)) || failed(expectRank(op, 1, 2)))
    return failure();
  return op.give({self.getSizes()[0], weight.getSizes()[0]}, self.getDtype());
}

/// aten.bilinear(input1 [...,n], input2 [...,m], weight [out,n,m], bias):
/// [...,out].
LogicalResult bilinear(TypeInference &op) {
  ValueTensorType first = op.tensor(0), weight = op.tensor(2);
  if (!first.hasRank() || !weight.hasRank() || first.getRank() == 0)
    return op.giveUnranked(first.getDtype());
  if (failed(expectRank(op, 2, 3)))
    return failure();
  SmallVector<int64_t> sizes(first.getSizes());
  sizes.back() = weight.getSizes()[0];
  return op.give(sizes, first.getDtype());
}

/// aten._trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, ...): the
/// operands get dims of size 1 at the places of their expand, and the product
/// loses the dims of sumdim.
LogicalResult trilinear(TypeInference &op) {
  Type dtype =
      promoteDtypes(op.dtype(0), promoteDtypes(op.dtype(1), op.dtype(2)));
  SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < 3; ++i) {
    auto expanded = op.integers(3 + i);
    if (!op.tensor(i).hasRank() || !expanded)
      return op.giveUnranked(dtype);
    SmallVector<int64_t> own(op.tensor(i).getSizes());
    llvm::sort(*expanded);
    for (int64_t dim : *expanded) {
      if (dim < 0 || dim > static_cast<int64_t>(own.size()))
        return op.fail("expected dims to expand in order, got " +
                       shapeText(*expanded));
      own.insert(own.begin() + dim, 1);
    }
    auto common = broadcastShapes(sizes, own);
    if (!common || (i > 0 && own.size() != sizes.size()))
      return op.fail("expected operands that broadcast, got " +
                     shapeText(sizes) + " and " + shapeText(own));
    sizes = *common;
  }
  auto summed = op.integers(6);
  if (!summed)
    return op.giveUnranked(dtype);
  SmallVector<int64_t> left;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(*summed, static_cast<int64_t>(dim)))
      left.push_back(size);
  return op.give(left, dtype);
}

/// aten.conv_tbc(self [T,B,C], weight [k,C,out], bias, pad): [T',B,out].
LogicalResult conv_tbc(TypeInference &op) {
  ValueTensorType input = op.tensor(0), weight = op.tensor(1);
  auto pad = op.integer(3);
  if (!input.hasRank() || !weight.hasRank() || !pad)
    return op.giveUnranked(input.getDtype());
  if (failed(expectRank(op, 0, 3)) || failed(expectRank(op, 1, 3)))
    return failure();
  StaticSizes a;
  int64_t padded = a.add(input.getSizes()[0], a.mul(2, *pad));
  int64_t steps = a.add(a.sub(padded, weight.getSizes()[0]), 1);
  return op.give({steps, input.getSizes()[1], weight.getSizes()[2]},
                 input.getDtype());
}

/// aten._native_multi_head_attention(query [B,T,E], key, value, embed_dim,
/// num_head, ...): [B,T,E], and weights [B,T,S], or [B,num_head,T,S] if they
/// are not averaged over the heads.
LogicalResult native_attention(TypeInference &op) {
  ValueTensorType query = op.tensor(0), key = op.tensor(1);
  auto heads = op.integer(4);
  auto isWanted = op.boolean(10), isMean = op.boolean(11);
  (void)op.give(query);
  if (!query.hasRank() || !key.hasRank() || query.getRank() != 3 ||
      key.getRank() != 3 || !heads || isWanted != true || !isMean)
    return op.giveUnranked(query.getDtype());
  SmallVector<int64_t> sizes = {query.getSizes()[0], query.getSizes()[1],
                                key.getSizes()[1]};
  if (!*isMean)
    sizes.insert(sizes.begin() + 1, *heads);
  return op.give(sizes, query.getDtype());
}

} // namespace isthmus::torch::rules
