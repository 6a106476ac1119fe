//===- HloRules.h - Result types and checks of both dialects ----*- C++ -*-===//
//
// inferX computes the result types of an op from its adaptor; verifyX checks an
// op whose result type the builder chose. The rules are templates, so that they
// apply to both `mhlo::SliceOp` and `stablehlo::SliceOp`.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_DIALECT_MHLO_HLORULES_H
#define ISTHMUS_LIB_DIALECT_MHLO_HLORULES_H

#include "isthmus/Dialect/Mhlo/Hlo.h"

namespace isthmus::hlo {

using MaybeLoc = std::optional<mlir::Location>;
using InferredTypes = llvm::SmallVectorImpl<mlir::Type>;
using Sizes = llvm::SmallVector<int64_t>;

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The tensor type with the shape `sizes` and the element type of `like`.
inline mlir::RankedTensorType withSizes(mlir::Value like,
                                        llvm::ArrayRef<int64_t> sizes) {
  return mlir::RankedTensorType::get(sizes, tensorType(like).getElementType());
}

inline bool isDynamic(int64_t size) {
  return mlir::ShapedType::isDynamic(size);
}
/// A type that holds the sums and products of a few sizes.
using Wide = __int128;
/// A size computed as Wide; dynamic if it does not fit in 64 bits.
inline int64_t sizeFrom(Wide size) {
  return size > INT64_MAX || size < INT64_MIN ? mlir::ShapedType::kDynamic
                                              : static_cast<int64_t>(size);
}

/// The common value of two sizes that must be equal, static if either one is
/// static.
mlir::FailureOr<int64_t> joinSizes(MaybeLoc loc, int64_t lhs, int64_t rhs);

/// floor((size + low + high - window) / stride) + 1, with `size` and `window`
/// dilated first.
int64_t windowedSize(int64_t size, int64_t baseDilation, int64_t low,
                     int64_t high, int64_t window, int64_t windowDilation,
                     int64_t stride);

/// Element i of an optional list of numbers; 1 if the list is absent.
template <typename OptionalDims>
int64_t numberOrOne(const OptionalDims &dims, size_t i) {
  return dims ? (*dims)[i] : 1;
}

/// The (low, high) padding of dimension i; (0, 0) if the list is absent.
std::pair<int64_t, int64_t>
paddingOf(std::optional<mlir::DenseIntElementsAttr> padding, size_t i);

/// Whether `dims` are distinct dimensions of a tensor of rank `rank`.
template <typename Dims>
bool areDistinctDims(const Dims &dims, int64_t rank) {
  llvm::SmallVector<bool> seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen[dim] = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

template <typename Adaptor>
mlir::LogicalResult inferCompare(MaybeLoc, Adaptor op, InferredTypes &types) {
  auto type = tensorType(op.getLhs());
  types.push_back(type.clone(mlir::IntegerType::get(type.getContext(), 1)));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferConcatenate(MaybeLoc loc, Adaptor op,
                                     InferredTypes &types) {
  if (op.getInputs().empty())
    return mlir::emitOptionalError(loc, "expected at least one input");
  auto first = tensorType(op.getInputs().front());
  Sizes sizes(first.getShape());
  int64_t dimension = op.getDimension();
  if (dimension < 0 || dimension >= first.getRank())
    return mlir::emitOptionalError(loc, "expected a dimension of ", first,
                                   ", got ", dimension);
  for (mlir::Value input : op.getInputs().drop_front()) {
    auto type = tensorType(input);
    if (type.getRank() != first.getRank())
      return mlir::emitOptionalError(loc, "expected inputs of one rank, got ",
                                     first, " and ", type);
    for (auto [i, size] : llvm::enumerate(type.getShape())) {
      if (static_cast<int64_t>(i) == dimension) {
        sizes[i] = isDynamic(size) || isDynamic(sizes[i])
                       ? mlir::ShapedType::kDynamic
                       : sizeFrom(Wide(sizes[i]) + size);
        continue;
      }
      mlir::FailureOr<int64_t> joined = joinSizes(loc, sizes[i], size);
      if (failed(joined))
        return mlir::failure();
      sizes[i] = *joined;
    }
  }
  types.push_back(withSizes(op.getInputs().front(), sizes));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferConvolution(MaybeLoc loc, Adaptor op,
                                     InferredTypes &types) {
  auto numbers = op.getDimensionNumbers();
  auto lhs = tensorType(op.getLhs()), rhs = tensorType(op.getRhs());
  size_t spatialRank = numbers.getInputSpatialDimensions().size();
  if (lhs.getRank() != static_cast<int64_t>(spatialRank + 2) ||
      rhs.getRank() != lhs.getRank() ||
      numbers.getKernelSpatialDimensions().size() != spatialRank ||
      numbers.getOutputSpatialDimensions().size() != spatialRank)
    return mlir::emitOptionalError(loc, "expected operands of rank ",
                                   spatialRank + 2, ", got ", lhs, " and ",
                                   rhs);
  Sizes sizes(spatialRank + 2);
  int64_t batch = lhs.getDimSize(numbers.getInputBatchDimension());
  sizes[numbers.getOutputBatchDimension()] =
      isDynamic(batch) ? batch
                       : batch / static_cast<int64_t>(op.getBatchGroupCount());
  sizes[numbers.getOutputFeatureDimension()] =
      rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  auto strides = op.getWindowStrides();
  auto lhsDilation = op.getLhsDilation(), rhsDilation = op.getRhsDilation();
  for (size_t i = 0; i < spatialRank; ++i) {
    auto [low, high] = paddingOf(op.getPadding(), i);
    sizes[numbers.getOutputSpatialDimensions()[i]] =
        windowedSize(lhs.getDimSize(numbers.getInputSpatialDimensions()[i]),
                     numberOrOne(lhsDilation, i), low, high,
                     rhs.getDimSize(numbers.getKernelSpatialDimensions()[i]),
                     numberOrOne(rhsDilation, i), numberOrOne(strides, i));
  }
  types.push_back(withSizes(op.getLhs(), sizes));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferDotGeneral(MaybeLoc loc, Adaptor op,
                                    InferredTypes &types) {
  auto numbers = op.getDotDimensionNumbers();
  auto lhs = tensorType(op.getLhs()), rhs = tensorType(op.getRhs());
  auto lhsBatching = numbers.getLhsBatchingDimensions();
  auto rhsBatching = numbers.getRhsBatchingDimensions();
  auto lhsContracting = numbers.getLhsContractingDimensions();
  auto rhsContracting = numbers.getRhsContractingDimensions();
  if (!areDistinctDims(llvm::concat<const int64_t>(lhsBatching, lhsContracting),
                       lhs.getRank()) ||
      !areDistinctDims(llvm::concat<const int64_t>(rhsBatching, rhsContracting),
                       rhs.getRank()) ||
      lhsBatching.size() != rhsBatching.size() ||
      lhsContracting.size() != rhsContracting.size())
    return mlir::emitOptionalError(
        loc, "expected distinct dimensions of both operands, got ", numbers);

  Sizes sizes;
  for (auto [l, r] : llvm::zip(lhsBatching, rhsBatching)) {
    auto size = joinSizes(loc, lhs.getDimSize(l), rhs.getDimSize(r));
    if (failed(size))
      return mlir::failure();
    sizes.push_back(*size);
  }
  for (auto [l, r] : llvm::zip(lhsContracting, rhsContracting))
    if (failed(joinSizes(loc, lhs.getDimSize(l), rhs.getDimSize(r))))
      return mlir::failure();
  for (int64_t i = 0; i < lhs.getRank(); ++i)
    if (!llvm::is_contained(lhsBatching, i) &&
        !llvm::is_contained(lhsContracting, i))
      sizes.push_back(lhs.getDimSize(i));
  for (int64_t i = 0; i < rhs.getRank(); ++i)
    if (!llvm::is_contained(rhsBatching, i) &&
        !llvm::is_contained(rhsContracting, i))
      sizes.push_back(rhs.getDimSize(i));
  types.push_back(withSizes(op.getLhs(), sizes));
  return mlir::success();
}

/// The batch dims are the dims of the indices except the index vector dim. The
/// dims of the slice that are neither collapsed nor batching go to offset_dims.
template <typename Adaptor>
mlir::LogicalResult inferGather(MaybeLoc loc, Adaptor op,
                                InferredTypes &types) {
  auto numbers = op.getDimensionNumbers();
  auto indices = tensorType(op.getStartIndices());
  auto slice = op.getSliceSizes();
  if (static_cast<int64_t>(slice.size()) !=
      tensorType(op.getOperand()).getRank())
    return mlir::emitOptionalError(loc, "expected one slice size per dimension "
                                        "of the operand");
  Sizes window;
  for (auto [i, size] : llvm::enumerate(slice))
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), i) &&
        !llvm::is_contained(numbers.getOperandBatchingDims(), i))
      window.push_back(size);
  if (window.size() != numbers.getOffsetDims().size())
    return mlir::emitOptionalError(loc, "expected ", window.size(),
                                   " offset_dims, got ",
                                   numbers.getOffsetDims().size());
  Sizes batch;
  for (auto [i, size] : llvm::enumerate(indices.getShape()))
    if (static_cast<int64_t>(i) != numbers.getIndexVectorDim())
      batch.push_back(size);
  Sizes sizes;
  auto nextWindow = window.begin(), nextBatch = batch.begin();
  for (size_t i = 0; i < window.size() + batch.size(); ++i)
    sizes.push_back(llvm::is_contained(numbers.getOffsetDims(), i)
                        ? *nextWindow++
                        : *nextBatch++);
  types.push_back(withSizes(op.getOperand(), sizes));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferGetDimensionSize(MaybeLoc loc, Adaptor op,
                                          InferredTypes &types) {
  auto type = tensorType(op.getOperand());
  if (static_cast<int64_t>(op.getDimension()) >= type.getRank())
    return mlir::emitOptionalError(loc, "expected a dimension of ", type,
                                   ", got ", op.getDimension());
  types.push_back(mlir::RankedTensorType::get(
      {}, mlir::IntegerType::get(type.getContext(), 32)));
  return mlir::success();
}

/// size + low + high + (size - 1) * interior; negative low and high crop.
template <typename Adaptor>
mlir::LogicalResult inferPad(MaybeLoc loc, Adaptor op, InferredTypes &types) {
  auto type = tensorType(op.getOperand());
  auto low = op.getEdgePaddingLow();
  auto high = op.getEdgePaddingHigh();
  auto interior = op.getInteriorPadding();
  size_t rank = type.getRank();
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return mlir::emitOptionalError(
        loc, "expected paddings of each dimension of ", type);
  Sizes sizes;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(
        isDynamic(size)
            ? size
            : sizeFrom(Wide(size) + low[i] + high[i] +
                       Wide(std::max<int64_t>(size - 1, 0)) * interior[i]));
  types.push_back(withSizes(op.getOperand(), sizes));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferReduce(MaybeLoc loc, Adaptor op,
                                InferredTypes &types) {
  auto dimensions = op.getDimensions();
  for (mlir::Value input : op.getInputs()) {
    auto type = tensorType(input);
    if (!areDistinctDims(dimensions, type.getRank()))
      return mlir::emitOptionalError(loc, "expected distinct dimensions of ",
                                     type);
    Sizes sizes;
    for (auto [i, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(dimensions, i))
        sizes.push_back(size);
    types.push_back(withSizes(input, sizes));
  }
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferReduceWindow(MaybeLoc loc, Adaptor op,
                                      InferredTypes &types) {
  auto window = op.getWindowDimensions();
  auto strides = op.getWindowStrides();
  auto baseDilations = op.getBaseDilations();
  auto windowDilations = op.getWindowDilations();
  for (mlir::Value input : op.getInputs()) {
    auto type = tensorType(input);
    if (static_cast<int64_t>(window.size()) != type.getRank())
      return mlir::emitOptionalError(loc,
                                     "expected a window size of each "
                                     "dimension of ",
                                     type);
    Sizes sizes;
    for (auto [i, size] : llvm::enumerate(type.getShape())) {
      auto [low, high] = paddingOf(op.getPadding(), i);
      sizes.push_back(windowedSize(
          size, numberOrOne(baseDilations, i), low, high, window[i],
          numberOrOne(windowDilations, i), numberOrOne(strides, i)));
    }
    types.push_back(withSizes(input, sizes));
  }
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferSlice(MaybeLoc loc, Adaptor op, InferredTypes &types) {
  auto type = tensorType(op.getOperand());
  auto start = op.getStartIndices();
  auto limit = op.getLimitIndices();
  auto strides = op.getStrides();
  size_t rank = type.getRank();
  if (start.size() != rank || limit.size() != rank || strides.size() != rank)
    return mlir::emitOptionalError(
        loc, "expected start, limit and stride of each dimension of ", type);
  Sizes sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (start[i] < 0 || limit[i] < start[i] || strides[i] < 1 ||
        (!type.isDynamicDim(i) && limit[i] > type.getDimSize(i)))
      return mlir::emitOptionalError(loc, "expected a slice within ", type,
                                     ", got ", start[i], " to ", limit[i],
                                     " in dimension ", i);
    sizes.push_back(llvm::divideCeil(limit[i] - start[i], strides[i]));
  }
  types.push_back(withSizes(op.getOperand(), sizes));
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferSort(MaybeLoc, Adaptor op, InferredTypes &types) {
  llvm::append_range(types, op.getInputs().getTypes());
  return mlir::success();
}

template <typename Adaptor>
mlir::LogicalResult inferTranspose(MaybeLoc loc, Adaptor op,
                                   InferredTypes &types) {
  auto type = tensorType(op.getOperand());
  auto permutation = op.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != type.getRank() ||
      !areDistinctDims(permutation, type.getRank()))
    return mlir::emitOptionalError(
        loc, "expected a permutation of the dimensions of ", type);
  Sizes sizes;
  for (int64_t dim : permutation)
    sizes.push_back(type.getDimSize(dim));
  types.push_back(withSizes(op.getOperand(), sizes));
  return mlir::success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Operand dimension i becomes result dimension broadcast_dimensions[i]; its
/// size is 1 or equals the result's size.
template <typename Op>
mlir::LogicalResult verifyBroadcast(Op op) {
  auto operand = tensorType(op.getOperand());
  auto result = tensorType(op.getResult());
  auto dims = op.getBroadcastDimensions();
  if (static_cast<int64_t>(dims.size()) != operand.getRank() ||
      !areDistinctDims(dims, result.getRank()))
    return op.emitOpError("expected a dimension of ")
           << result << " for each dimension of " << operand;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = operand.getDimSize(i), wanted = result.getDimSize(dim);
    if (!isDynamic(size) && size != 1 && !isDynamic(wanted) && size != wanted)
      return op.emitOpError("cannot broadcast dimension ")
             << i << " of " << operand << " to " << result;
  }
  return mlir::success();
}

template <typename Op>
mlir::LogicalResult verifyIota(Op op) {
  auto type = tensorType(op.getResult());
  if (static_cast<int64_t>(op.getIotaDimension()) >= type.getRank())
    return op.emitOpError("expected a dimension of ")
           << type << ", got " << op.getIotaDimension();
  return mlir::success();
}

template <typename Op>
mlir::LogicalResult verifyReshape(Op op) {
  auto operand = tensorType(op.getOperand());
  auto result = tensorType(op.getResult());
  if (!result.hasStaticShape())
    return op.emitOpError("expected a static result, got ") << result;
  if (operand.hasStaticShape() &&
      operand.getNumElements() != result.getNumElements())
    return op.emitOpError("expected as many elements in ")
           << result << " as in " << operand;
  return mlir::success();
}

} // namespace isthmus::hlo

#endif // ISTHMUS_LIB_DIALECT_MHLO_HLORULES_H
