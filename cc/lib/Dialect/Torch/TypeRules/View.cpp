//===- View.cpp - Type rules of ops that rearrange elements ---------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "Windows.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// The dim that operand `index` names, for a tensor of `rank` dims; nullopt if
/// it is known only at run time.
static FailureOr<std::optional<int64_t>>
dimOperand(TypeInference &op, unsigned index, int64_t rank) {
  std::optional<int64_t> dim = op.integer(index);
  if (!dim)
    return std::optional<int64_t>();
  FailureOr<int64_t> normal = op.normalizeDim(*dim, rank);
  if (failed(normal))
    return failure();
  return std::optional<int64_t>(*normal);
}

/// Gives operand 0 with the sizes that `change` computes from its sizes and
/// from the dim that operand `index` names; unranked if that dim is not known.
static LogicalResult giveChanged(
    TypeInference &op, unsigned index,
    llvm::function_ref<void(SmallVector<int64_t> &sizes, int64_t dim)> change) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto dim = dimOperand(op, index, type.getRank());
  if (failed(dim))
    return failure();
  if (!*dim || type.getRank() == 0)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  change(sizes, **dim);
  return op.give(sizes, type.getDtype());
}

/// aten.view(self, size): one size may be -1 and is computed from the others.
LogicalResult view(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto sizes = op.integers(1);
  if (!sizes)
    return op.giveUnranked(type.getDtype());
  int64_t elements = 1, others = 1;
  for (int64_t size : type.getSizes())
    elements = StaticSizes().mul(elements, size);
  if (!type.hasRank())
    elements = ShapedType::kDynamic;
  int64_t *rest = nullptr;
  for (int64_t &size : *sizes) {
    if (size == -1) {
      if (rest)
        return op.fail("expected at most one size of -1, got " +
                       shapeText(*sizes));
      rest = &size;
      continue;
    }
    others = StaticSizes().mul(others, size);
  }
  if (rest) {
    if (StaticSizes::known(elements, others) &&
        (others == 0 || elements % others))
      return op.fail("expected sizes for " + Twine(elements) +
                     " elements, got " + shapeText(*sizes));
    *rest = StaticSizes().floorDiv(elements, others);
  } else if (StaticSizes::known(elements, others) && elements != others) {
    return op.fail("expected sizes for " + Twine(elements) + " elements, got " +
                   shapeText(*sizes));
  }
  return op.give(*sizes, type.getDtype());
}

/// Bytes of an element in memory.
static int64_t bytesOf(Type dtype) {
  int64_t bits = std::max(partDtype(dtype).getIntOrFloatBitWidth(), 8u);
  return (isComplex(dtype) ? 2 : 1) * bits / 8;
}

/// aten.view.dtype(self, dtype): reinterprets the bytes as elements of another
/// dtype; the last dim grows by the factor by which the elements get narrower.
LogicalResult view_dtype(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  Type dtype = op.dtypeArgument(1, {});
  if (!type.hasRank() || !type.getDtype() || !dtype)
    return op.giveUnranked(dtype);
  int64_t from = bytesOf(type.getDtype()), to = bytesOf(dtype);
  SmallVector<int64_t> sizes(type.getSizes());
  if (from == to)
    return op.give(sizes, dtype);
  StaticSizes a;
  if (sizes.empty())
    return op.fail("expected a last dim for elements of another width, got a "
                   "rank-0 tensor");
  int64_t bytes = a.mul(sizes.back(), from);
  if (!ShapedType::isDynamic(bytes) && bytes % to)
    return op.fail("expected a last dim of a whole number of elements, got " +
                   shapeText(sizes));
  sizes.back() = a.floorDiv(bytes, to);
  return op.give(sizes, dtype);
}

/// aten.expand(self, size, implicit): a size of -1 keeps the dim.
LogicalResult expand(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto sizes = op.integers(1);
  if (!sizes || !type.hasRank())
    return op.giveUnranked(type.getDtype());
  int64_t offset = static_cast<int64_t>(sizes->size()) - type.getRank();
  if (offset < 0)
    return op.fail("expected at least " + Twine(type.getRank()) +
                   " sizes, got " + shapeText(*sizes));
  for (auto [dim, own] : llvm::enumerate(type.getSizes())) {
    int64_t &size = (*sizes)[offset + dim];
    if (size == -1 || (ShapedType::isDynamic(size) &&
                       !ShapedType::isDynamic(own) && own != 1))
      size = own;
    else if (StaticSizes::known(size, own) && own != 1 && own != size)
      return op.fail("expected sizes that " + shapeText(type.getSizes()) +
                     " expands to, got " + shapeText(*sizes));
  }
  return op.give(*sizes, type.getDtype());
}

LogicalResult permute(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto order = op.dims(1);
  if (!order || !type.hasRank())
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes;
  SmallVector<bool> seen(type.getRank(), false);
  for (int64_t dim : *order) {
    FailureOr<int64_t> normal = op.normalizeDim(dim, type.getRank());
    if (failed(normal))
      return failure();
    if (type.getRank() == 0)
      return op.fail("expected no dims, got " + shapeText(*order));
    if (std::exchange(seen[*normal], true))
      return op.fail("expected each dim once, got " + shapeText(*order));
    sizes.push_back(type.getSizes()[*normal]);
  }
  if (static_cast<int64_t>(sizes.size()) != type.getRank())
    return op.fail("expected " + Twine(type.getRank()) + " dims, got " +
                   shapeText(*order));
  return op.give(sizes, type.getDtype());
}

/// aten.t(self)
LogicalResult reverse_dims(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  return op.give(llvm::to_vector(llvm::reverse(type.getSizes())),
                 type.getDtype());
}

/// aten.transpose.int(self, dim0, dim1)
LogicalResult transpose(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  auto first = dimOperand(op, 1, type.getRank()),
       second = dimOperand(op, 2, type.getRank());
  if (failed(first) || failed(second))
    return failure();
  if (!*first || !*second)
    sizes.assign(sizes.size(), ShapedType::kDynamic);
  else if (!sizes.empty())
    std::swap(sizes[**first], sizes[**second]);
  return op.give(sizes, type.getDtype());
}

/// aten.mT(self [...,m,n]): [...,n,m]
LogicalResult matrix_transpose(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  if (type.getRank() < 2)
    return op.fail("expected a tensor of rank 2 or more, got " +
                   shapeText(type.getSizes()));
  SmallVector<int64_t> sizes(type.getSizes());
  std::swap(sizes[sizes.size() - 2], sizes.back());
  return op.give(sizes, type.getDtype());
}

LogicalResult unsqueeze(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto dim = dimOperand(op, 1, type.getRank() + 1);
  if (failed(dim))
    return failure();
  if (!*dim)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.insert(sizes.begin() + **dim, 1);
  return op.give(sizes, type.getDtype());
}

/// aten.squeeze.dim(self, dim), aten.squeeze.dims(self, dims), prims.squeeze: a
/// dim of another size stays. The rule assumes that an unknown size is 1, so
/// that the rank of the result is known.
LogicalResult squeeze(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto dims = op.dims(1);
  if (!type.hasRank() || !dims)
    return op.giveUnranked(type.getDtype());
  SmallVector<bool> dropped(type.getRank(), false);
  for (int64_t dim : *dims) {
    FailureOr<int64_t> normal = op.normalizeDim(dim, type.getRank());
    if (failed(normal))
      return failure();
    if (type.getRank() > 0)
      dropped[*normal] = type.getSizes()[*normal] == 1 ||
                         ShapedType::isDynamic(type.getSizes()[*normal]);
  }
  SmallVector<int64_t> sizes;
  for (auto [size, isDropped] : llvm::zip(type.getSizes(), dropped))
    if (!isDropped)
      sizes.push_back(size);
  return op.give(sizes, type.getDtype());
}

/// aten.flatten.using_ints(self, start_dim, end_dim)
LogicalResult flatten(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto start = dimOperand(op, 1, type.getRank()),
       end = dimOperand(op, 2, type.getRank());
  if (failed(start) || failed(end))
    return failure();
  if (!*start || !*end)
    return op.giveUnranked(type.getDtype());
  if (type.getRank() == 0)
    return op.give({1}, type.getDtype());
  if (**start > **end)
    return op.fail("expected the first dim before the last, got " +
                   Twine(**start) + " and " + Twine(**end));
  SmallVector<int64_t> sizes(type.getSizes().take_front(**start));
  int64_t flat = 1;
  for (int64_t dim = **start; dim <= **end; ++dim)
    flat = StaticSizes().mul(flat, type.getSizes()[dim]);
  sizes.push_back(flat);
  llvm::append_range(sizes, type.getSizes().drop_front(**end + 1));
  return op.give(sizes, type.getDtype());
}

/// aten.select.int(self, dim, index)
LogicalResult select(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  if (failed(expectRow(op)))
    return failure();
  auto dim = dimOperand(op, 1, type.getRank());
  if (failed(dim))
    return failure();
  if (!*dim)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.erase(sizes.begin() + **dim);
  return op.give(sizes, type.getDtype());
}

/// Normalizes a slice bound as PyTorch does: a negative bound counts from the
/// end, and the bound is clamped to the dim. ShapedType::kDynamic if unknown.
static int64_t sliceBound(std::optional<int64_t> bound, int64_t size) {
  if (!bound)
    return ShapedType::kDynamic;
  StaticSizes a;
  if (ShapedType::isDynamic(size)) // a bound of 0 is 0 for any size
    return *bound == 0 ? 0 : ShapedType::kDynamic;
  return clampBound(a, *bound < 0 ? *bound + size : *bound, size);
}

/// aten.slice.Tensor(self, dim, start?, end?, step)
LogicalResult slice(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  if (failed(expectRow(op)))
    return failure();
  auto dim = dimOperand(op, 1, type.getRank());
  if (failed(dim))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  std::optional<int64_t> step = op.integer(4);
  if (!*dim || !step) {
    if (!*dim)
      sizes.assign(sizes.size(), ShapedType::kDynamic);
    else
      sizes[**dim] = ShapedType::kDynamic;
    return op.give(sizes, type.getDtype());
  }
  if (*step < 1)
    return op.fail("expected a step of 1 or more, got " + Twine(*step));
  int64_t &size = sizes[**dim];
  int64_t start = op.isNone(2) ? 0 : sliceBound(op.integer(2), size);
  // Exporters write INT64_MAX for "to the end".
  std::optional<int64_t> endBound = op.integer(3);
  bool toTheEnd =
      op.isNone(3) ||
      (endBound && *endBound == std::numeric_limits<int64_t>::max());
  int64_t end = toTheEnd ? size : sliceBound(endBound, size);
  StaticSizes a;
  size = slicedSize(a, start, end, *step);
  return op.give(sizes, type.getDtype());
}

/// aten.stack(tensors, dim)
LogicalResult stack(TypeInference &op) {
  auto tensors = op.elements(0);
  if (!tensors || tensors->empty())
    return op.giveUnranked({});
  Type dtype = resultDtype(*tensors);
  auto type = dyn_cast<ValueTensorType>(tensors->front().getType());
  if (!type || !type.hasRank())
    return op.giveUnranked(dtype);
  auto dim = dimOperand(op, 1, type.getRank() + 1);
  if (failed(dim))
    return failure();
  if (!*dim)
    return op.giveUnranked(dtype);
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.insert(sizes.begin() + **dim, tensors->size());
  return op.give(sizes, dtype);
}

/// aten.constant_pad_nd(self, pad, value): pairs (begin, end) from the last dim
/// backwards; negative numbers crop.
LogicalResult pad(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto pads = op.integers(1);
  if (!type.hasRank() || !pads)
    return op.giveUnranked(type.getDtype());
  int64_t rank = type.getRank();
  if (pads->size() % 2 || static_cast<int64_t>(pads->size()) > 2 * rank)
    return op.fail("expected pairs of numbers for at most " + Twine(rank) +
                   " dims, got " + shapeText(*pads));
  SmallVector<int64_t> sizes(type.getSizes());
  StaticSizes a;
  for (size_t pair = 0; pair < pads->size() / 2; ++pair) {
    int64_t &size = sizes[rank - 1 - pair], left = size;
    for (int64_t number : ArrayRef(*pads).slice(2 * pair, 2)) {
      left = a.add(left, a.min(number, 0));
      if (!ShapedType::isDynamic(left) && left < 0)
        return op.fail("expected pads that leave a size of 0 or more, got " +
                       shapeText(*pads) + " for " + shapeText(type.getSizes()));
    }
    size = a.add(size, a.add((*pads)[2 * pair], (*pads)[2 * pair + 1]));
  }
  return op.give(sizes, type.getDtype());
}

/// aten.repeat(self, repeats): leading repeats add dims.
LogicalResult repeat(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto repeats = op.integers(1);
  if (!type.hasRank() || !repeats)
    return op.giveUnranked(type.getDtype());
  int64_t offset = static_cast<int64_t>(repeats->size()) - type.getRank();
  if (offset < 0)
    return op.fail("expected at least " + Twine(type.getRank()) +
                   " repeats, got " + shapeText(*repeats));
  SmallVector<int64_t> sizes(*repeats);
  StaticSizes a;
  for (auto [dim, size] : llvm::enumerate(type.getSizes()))
    sizes[offset + dim] = a.mul(sizes[offset + dim], size);
  return op.give(sizes, type.getDtype());
}

/// aten.roll(self, shifts, dims)
LogicalResult roll(TypeInference &op) {
  if (failed(op.expectDims(2)))
    return failure();
  return op.give(op.tensor(0));
}

/// aten.meshgrid(tensors) and other ops that give a list of tensors.
LogicalResult tensor_list(TypeInference &op) {
  MLIRContext *context = op.getContext();
  return op.give(ListType::get(context, ValueTensorType::getUnknown(context)));
}

/// aten.split.Tensor(self, size, dim), aten.unbind.int(self, dim)
LogicalResult split(TypeInference &op) {
  if (failed(op.expectDims(op.getOperands().size() - 1)))
    return failure();
  return tensor_list(op);
}

/// aten.expand_as(self, other)
LogicalResult sizes_of_other(TypeInference &op) {
  return op.giveLike(op.tensor(1), op.dtype(0));
}

/// aten.as_strided(self, size, stride, storage_offset?)
LogicalResult as_strided(TypeInference &op) {
  auto sizes = op.integers(1);
  return sizes ? op.give(*sizes, op.dtype(0)) : op.giveUnranked(op.dtype(0));
}

/// aten.diagonal(self, offset, dim1, dim2): drops both dims and adds the
/// diagonal as the last dim.
LogicalResult diagonal(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto first = dimOperand(op, 2, type.getRank()),
       second = dimOperand(op, 3, type.getRank());
  if (failed(first) || failed(second))
    return failure();
  if (!*first || !*second)
    return op.giveUnranked(type.getDtype());
  if (**first == **second || type.getRank() < 2)
    return op.fail("expected two dims, got " + shapeText({**first, **second}));
  StaticSizes a;
  int64_t length =
      diagonalSize(a, type.getSizes()[**first], type.getSizes()[**second],
                   op.integer(1).value_or(ShapedType::kDynamic));
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(type.getSizes()))
    if (static_cast<int64_t>(dim) != **first &&
        static_cast<int64_t>(dim) != **second)
      sizes.push_back(size);
  sizes.push_back(length);
  return op.give(sizes, type.getDtype());
}

/// aten.diff(self, n, dim, prepend?, append?): each of the n steps removes one
/// element of the dim.
LogicalResult diff(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto dim = dimOperand(op, 2, type.getRank());
  if (failed(dim))
    return failure();
  std::optional<int64_t> times = op.integer(1);
  if (!*dim || !times || type.getRank() == 0)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t &size = sizes[**dim];
  StaticSizes a;
  if (*times == 0) // not even joined with the other operands
    return op.give(type);
  for (unsigned joined : {3u, 4u}) {
    if (op.isNone(joined))
      continue;
    ValueTensorType other = op.tensor(joined);
    size = other.hasRank() && other.getRank() == type.getRank()
               ? a.add(size, other.getSizes()[**dim])
               : ShapedType::kDynamic;
  }
  size = a.max(a.sub(size, *times), 0);
  return op.give(sizes, type.getDtype());
}

/// The windows of im2col and col2im along both dims of an image, from four
/// operands that begin with `index`: kernel, dilation, padding and stride.
/// nullopt if they are known only at run time.
static FailureOr<std::optional<std::array<Window, 2>>>
imageWindows(TypeInference &op, unsigned index) {
  SmallVector<int64_t> lists[4];
  for (auto &list : lists) {
    auto ints = matchIntsPerDim(op[index++], 2);
    if (!ints)
      return std::optional<std::array<Window, 2>>();
    list = *ints;
    if (list.size() != 2)
      return op.fail("expected 1 or 2 numbers per window argument, got " +
                     shapeText(list));
  }
  auto &[kernel, dilation, padding, stride] = lists;
  std::array<Window, 2> windows;
  for (auto [dim, window] : llvm::enumerate(windows)) {
    window = {kernel[dim], stride[dim], padding[dim], dilation[dim]};
    if (failed(expectWindow(op, window)))
      return failure();
    if (window.kernel < 1)
      return op.fail("expected a kernel of 1 or more, got " +
                     Twine(window.kernel));
  }
  return std::optional(windows);
}

/// The number of windows along a dim of an image.
static int64_t countOf(const Window &window, int64_t size) {
  StaticSizes a;
  return windowedSize(a, size, window.kernel, window.padding, window.padding,
                      window.dilation, window.stride);
}

/// aten.col2im(self [N?,C*kh*kw,L], output_size, kernel_size, dilation,
/// padding, stride): the image [N?,C,H,W].
LogicalResult col2im(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto output = op.integers(1);
  auto windows = imageWindows(op, 2);
  if (failed(windows))
    return failure();
  if (!type.hasRank() || !output || !*windows || output->size() != 2)
    return op.giveUnranked(type.getDtype());
  if (type.getRank() != 2 && type.getRank() != 3)
    return op.fail("expected columns of rank 2 or 3, got " +
                   shapeText(type.getSizes()));
  StaticSizes a;
  SmallVector<int64_t> sizes(type.getSizes().drop_back());
  for (auto [window, size] : llvm::zip_equal(**windows, *output)) {
    int64_t count = countOf(window, size);
    if (!ShapedType::isDynamic(count) && count < 1)
      return op.fail("expected an image no smaller than the window, got " +
                     shapeText(*output));
    sizes.back() = a.floorDiv(sizes.back(), window.kernel);
  }
  llvm::append_range(sizes, *output);
  return op.give(sizes, type.getDtype());
}

/// aten.narrow(self, dim, start, length): the dim becomes `length`.
LogicalResult narrow(TypeInference &op) {
  return giveChanged(op, 1, [&](SmallVector<int64_t> &sizes, int64_t dim) {
    sizes[dim] = op.integer(3).value_or(ShapedType::kDynamic);
  });
}

/// aten.movedim.int(self, source, destination), aten.movedim.intlist
LogicalResult movedim(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  auto sources = op.dims(1), destinations = op.dims(2);
  if (!sources || !destinations)
    return op.giveUnranked(type.getDtype());
  auto order = movedDims(type.getRank(), *sources, *destinations);
  if (!order)
    return op.fail("expected as many sources as destinations, got " +
                   shapeText(*sources) + " and " + shapeText(*destinations));
  SmallVector<int64_t> sizes;
  for (int64_t dim : *order)
    sizes.push_back(type.getSizes()[dim]);
  return op.give(sizes, type.getDtype());
}

/// aten.squeeze(self): drops all dims of size 1; a dim of unknown size stays.
LogicalResult squeeze_all(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  llvm::erase(sizes, 1);
  return op.give(sizes, type.getDtype());
}

/// aten.tile(self, dims): like repeat, but missing leading repeats are 1.
LogicalResult tile(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto repeats = op.integers(1);
  if (!type.hasRank() || !repeats)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  if (repeats->size() > sizes.size())
    sizes.insert(sizes.begin(), repeats->size() - sizes.size(), 1);
  StaticSizes a;
  for (auto [size, count] :
       llvm::zip(llvm::reverse(sizes), llvm::reverse(*repeats)))
    size = a.mul(size, count);
  return op.give(sizes, type.getDtype());
}

/// aten.repeat_interleave.self_int(self, repeats, dim?, output_size?): repeats
/// each element along the dim, or of the flattened tensor if dim is none.
LogicalResult repeat_interleave(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  StaticSizes a;
  int64_t repeats = op.integer(1).value_or(ShapedType::kDynamic);
  if (op.isNone(2)) {
    int64_t elements = repeats;
    for (int64_t size : type.getSizes())
      elements = a.mul(elements, size);
    return op.give({elements}, type.getDtype());
  }
  if (failed(expectRow(op)))
    return failure();
  return giveChanged(op, 2, [&](SmallVector<int64_t> &sizes, int64_t dim) {
    sizes[dim] = a.mul(sizes[dim], repeats);
  });
}

/// aten.repeat_interleave.Tensor(repeats [n], output_size?): each number i
/// below n occurs repeats[i] times.
LogicalResult repeated_positions(TypeInference &op) {
  return op.give({op.integer(1).value_or(ShapedType::kDynamic)}, op.dtype(0));
}

/// aten.repeat_interleave.self_Tensor(self, repeats, dim?, output_size?)
LogicalResult repeat_interleave_each(TypeInference &op) {
  int64_t total = op.integer(3).value_or(ShapedType::kDynamic);
  if (op.isNone(2))
    return op.give({total}, op.dtype(0));
  if (failed(expectRow(op)))
    return failure();
  return giveChanged(op, 2, [&](SmallVector<int64_t> &sizes, int64_t dim) {
    sizes[dim] = total;
  });
}

/// aten.unflatten.int(self, dim, sizes): one size may be -1 and is computed
/// from the others.
LogicalResult unflatten(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto parts = op.integers(2);
  if (!type.hasRank() || !parts)
    return op.giveUnranked(type.getDtype());
  return giveChanged(op, 1, [&](SmallVector<int64_t> &sizes, int64_t dim) {
    StaticSizes a;
    int64_t known = 1;
    for (int64_t part : *parts)
      if (part != -1)
        known = a.mul(known, part);
    int64_t whole = sizes[dim];
    sizes.erase(sizes.begin() + dim);
    for (int64_t &part : *parts)
      if (part == -1)
        part = a.floorDiv(whole, known);
    sizes.insert(sizes.begin() + dim, parts->begin(), parts->end());
  });
}

/// aten.unfold(self, dim, size, step): the dim becomes the number of windows,
/// and a new last dim holds the elements of each window. A number is its only
/// window.
LogicalResult unfold(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> size = op.integer(2), step = op.integer(3);
  if (!type.hasRank() || !size || !step)
    return op.giveUnranked(type.getDtype());
  if (failed(expectWindow(op, {*size, *step})))
    return failure();
  if (type.getRank() == 0) {
    if (failed(op.expectDims(1)))
      return failure();
    if (*size > 1)
      return op.fail(
          "expected windows of at most one element of a scalar, got " +
          Twine(*size));
    return op.give({*size}, type.getDtype());
  }
  return giveChanged(op, 1, [&](SmallVector<int64_t> &sizes, int64_t dim) {
    StaticSizes a;
    sizes[dim] = windowedSize(a, sizes[dim], *size, 0, 0, 1, *step);
    sizes.push_back(*size);
  });
}

/// aten.im2col(self [N?,C,H,W], kernel_size, dilation, padding, stride): the
/// columns [N?,C*kh*kw,h*w].
LogicalResult im2col(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto windows = imageWindows(op, 1);
  if (failed(windows))
    return failure();
  if (!type.hasRank() || type.getRank() < 3 || !*windows)
    return op.giveUnranked(type.getDtype());
  StaticSizes a;
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t taps = 1, count = 1;
  for (const Window &window : llvm::reverse(**windows)) {
    taps = a.mul(taps, window.kernel);
    count = a.mul(count, countOf(window, sizes.pop_back_val()));
  }
  sizes.back() = a.mul(sizes.back(), taps);
  sizes.push_back(count);
  return op.give(sizes, type.getDtype());
}

/// Gives operand 0 with its last three dims, channels, height and width,
/// changed by `moved`. Operand 1 is the upscaling or downscaling factor.
static LogicalResult
pixelBlocks(TypeInference &op,
            llvm::function_ref<void(MutableArrayRef<int64_t>, int64_t)> moved) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> factor = op.integer(1);
  if (!type.hasRank() || type.getRank() < 3 || !factor)
    return op.giveUnranked(type.getDtype());
  if (*factor < 1)
    return op.fail("expected a factor of 1 or more, got " + Twine(*factor));
  SmallVector<int64_t> sizes(type.getSizes());
  moved(MutableArrayRef(sizes).take_back(3), *factor);
  return op.give(sizes, type.getDtype());
}

/// aten.pixel_shuffle(self [...,C*r*r,H,W], r): [...,C,H*r,W*r].
LogicalResult pixel_shuffle(TypeInference &op) {
  return pixelBlocks(op, [](MutableArrayRef<int64_t> sizes, int64_t r) {
    StaticSizes a;
    sizes[0] = a.floorDiv(sizes[0], a.mul(r, r));
    sizes[1] = a.mul(sizes[1], r);
    sizes[2] = a.mul(sizes[2], r);
  });
}

/// aten.pixel_unshuffle(self [...,C,H*r,W*r], r): [...,C*r*r,H,W].
LogicalResult pixel_unshuffle(TypeInference &op) {
  return pixelBlocks(op, [](MutableArrayRef<int64_t> sizes, int64_t r) {
    StaticSizes a;
    sizes[0] = a.mul(sizes[0], a.mul(r, r));
    sizes[1] = a.floorDiv(sizes[1], r);
    sizes[2] = a.floorDiv(sizes[2], r);
  });
}

} // namespace isthmus::torch::rules
