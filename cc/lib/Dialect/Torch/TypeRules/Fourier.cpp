//===- Fourier.cpp - Type rules of Fourier transforms ---------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// The dtype of a spectrum; integers are transformed as f32.
static Type spectrumDtype(Type dtype) {
  if (!dtype || isComplex(dtype))
    return dtype;
  return ComplexType::get(isFloatingPoint(dtype)
                              ? dtype
                              : Type(Float32Type::get(dtype.getContext())));
}

/// The number of bins in the half of a spectrum that determines the other half.
static int64_t halfOf(int64_t size) {
  StaticSizes a;
  return a.add(a.floorDiv(size, 2), 1);
}
/// The default number of elements of a signal with such a half spectrum.
static int64_t wholeOf(int64_t half) {
  StaticSizes a;
  return a.mul(a.sub(half, 1), 2);
}

namespace {
/// Whether the last transformed dim is whole or a half spectrum, before and
/// after the transform.
enum class Form { WholeToWhole, WholeToHalf, HalfToWhole };
} // namespace

/// fft(self, n?, dim, norm?) and fftn(self, s?, dim?, norm?): the transformed
/// dims take the given sizes; -1 keeps a dim's own size. If `dim` is none, the
/// last dims are transformed, one for each size, or all dims if there are no
/// sizes.
static LogicalResult transformed(TypeInference &op, Form form) {
  ValueTensorType type = op.tensor(0);
  Type dtype = spectrumDtype(type.getDtype());
  if (form == Form::HalfToWhole)
    dtype = partDtype(dtype);
  std::optional<SmallVector<int64_t>> dims, lengths;
  if (isInt(op[1].getType()))
    lengths =
        SmallVector<int64_t>{op.integer(1).value_or(ShapedType::kDynamic)};
  else if (!op.isNone(1) && !(lengths = op.integers(1)))
    return op.giveUnranked(dtype);
  if (!type.hasRank() || (!op.isNone(2) && !(dims = op.dims(2))))
    return op.giveUnranked(dtype);
  int64_t rank = type.getRank();
  if (!dims) {
    int64_t count = lengths ? lengths->size() : rank;
    dims = llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  }
  if (rank == 0 || dims->empty())
    return op.fail("expected dims to transform, got none");
  if (lengths && lengths->size() != dims->size())
    return op.fail("expected a size for each dim, got " + shapeText(*lengths) +
                   " for " + shapeText(*dims));
  SmallVector<int64_t> sizes(type.getSizes());
  for (size_t i = 0; i < dims->size(); ++i) {
    FailureOr<int64_t> dim = op.normalizeDim((*dims)[i], rank);
    if (failed(dim))
      return failure();
    int64_t &size = sizes[*dim];
    bool isLast = i + 1 == dims->size(),
         isGiven = lengths && (*lengths)[i] != -1;
    if (isGiven)
      size = (*lengths)[i];
    else if (isLast && form == Form::HalfToWhole)
      size = wholeOf(size);
    if (isLast && form == Form::WholeToHalf)
      size = halfOf(size);
  }
  return op.give(sizes, dtype);
}

LogicalResult fft(TypeInference &op) {
  return transformed(op, Form::WholeToWhole);
}
LogicalResult fft_of_real(TypeInference &op) {
  return transformed(op, Form::WholeToHalf);
}
LogicalResult fft_to_real(TypeInference &op) {
  return transformed(op, Form::HalfToWhole);
}

/// Gives operand 0 with `dtype`. The last dim that operand 1 lists gets the
/// size that `resized` computes from its size.
static LogicalResult
lastDimOf(TypeInference &op, Type dtype,
          llvm::function_ref<FailureOr<int64_t>(int64_t)> resized) {
  ValueTensorType type = op.tensor(0);
  auto dims = op.dims(1);
  if (!type.hasRank() || !dims || dims->empty())
    return op.giveUnranked(dtype);
  if (type.getRank() == 0)
    return op.fail("expected dims to transform, got none");
  if (failed(op.expectDims(1)))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t &size = sizes[normalDim(dims->back(), type.getRank())];
  FailureOr<int64_t> made = resized(size);
  if (failed(made))
    return failure();
  size = *made;
  return op.give(sizes, dtype);
}

/// aten._fft_r2c(self, dim, normalization, onesided)
LogicalResult fft_r2c(TypeInference &op) {
  std::optional<bool> isHalf = op.boolean(3);
  return lastDimOf(op, spectrumDtype(op.dtype(0)), [&](int64_t size) {
    return !isHalf ? ShapedType::kDynamic : *isHalf ? halfOf(size) : size;
  });
}

/// aten._fft_c2r(self, dim, normalization, last_dim_size)
LogicalResult fft_c2r(TypeInference &op) {
  if (op.dtype(0) && !isComplex(op.dtype(0)))
    return op.fail("expected complex numbers, got others");
  auto resized = [&](int64_t bins) -> FailureOr<int64_t> {
    std::optional<int64_t> length = op.integer(3);
    if (!length)
      return ShapedType::kDynamic;
    if (*length < 1)
      return op.fail("expected a last_dim_size of 1 or more, got " +
                     Twine(*length));
    if (!ShapedType::isDynamic(bins) && halfOf(*length) > bins)
      return op.fail("expected " + Twine(halfOf(*length)) +
                     " bins of a last_dim_size of " + Twine(*length) +
                     ", got " + Twine(bins));
    return *length;
  };
  return lastDimOf(op, partDtype(op.dtype(0)), resized);
}

/// aten.fft_fftfreq(n, d, dtype, ...): f32 by default.
LogicalResult frequencies(TypeInference &op) {
  return op.give({op.integer(0).value_or(ShapedType::kDynamic)},
                 op.dtypeArgument(2, Float32Type::get(op.getContext())));
}

/// aten.fft_rfftfreq(n, d, dtype, ...)
LogicalResult half_frequencies(TypeInference &op) {
  return op.give({halfOf(op.integer(0).value_or(ShapedType::kDynamic))},
                 op.dtypeArgument(2, Float32Type::get(op.getContext())));
}

/// aten.hann_window(window_length, dtype, layout, device, pin_memory), and the
/// form with `periodic` after the length.
LogicalResult window(TypeInference &op) {
  return op.give({op.integer(0).value_or(ShapedType::kDynamic)},
                 op.dtypeArgument(op.getOperands().size() - 4,
                                  Float32Type::get(op.getContext())));
}

/// aten.stft(self [N?,L], n_fft, hop_length?, win_length?, window?, normalized,
/// onesided?, return_complex?, ...): [N?, bins, frames], with an added last dim
/// of 2 parts if the result is not complex. stft.center(..., window?, center,
/// pad_mode, normalized, ...) may pad the signal by half a window at both ends.
LogicalResult stft(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  bool hasCenter = op.getOperands().size() == 11;
  unsigned oneSided = hasCenter ? 8 : 6;
  Type dtype = spectrumDtype(type.getDtype());
  bool isComplexSignal = isComplex(type.getDtype()),
       isComplexWindow = !op.isNone(4) && isComplex(op.dtype(4));
  std::optional<bool> isHalf = op.isNone(oneSided)
                                   ? !isComplexSignal && !isComplexWindow
                                   : op.boolean(oneSided),
                      isComplexResult = op.isNone(oneSided + 1)
                                            ? isComplexSignal || isComplexWindow
                                            : op.boolean(oneSided + 1),
                      isCentered = hasCenter ? op.boolean(5)
                                             : std::optional<bool>(false);
  if (!type.hasRank() || !isHalf || !isComplexResult || !isCentered)
    return op.giveUnranked({});
  if (type.getRank() != 1 && type.getRank() != 2)
    return op.fail("expected a signal of rank 1 or 2, got " +
                   shapeText(type.getSizes()));
  auto number = [&](unsigned index) {
    return op.integer(index).value_or(ShapedType::kDynamic);
  };
  StaticSizes a;
  int64_t window = number(1);
  int64_t step = op.isNone(2) ? a.floorDiv(window, 4) : number(2);
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t length = sizes.pop_back_val();
  if (*isCentered)
    length = a.add(length, a.mul(a.floorDiv(window, 2), 2));
  sizes.push_back(*isHalf ? halfOf(window) : window);
  sizes.push_back(a.add(a.floorDiv(a.sub(length, window), step), 1));
  if (!*isComplexResult)
    sizes.push_back(2);
  return op.give(sizes, *isComplexResult ? dtype : partDtype(dtype));
}

/// aten.istft(self [N?,bins,frames], n_fft, hop_length?, win_length?, window?,
/// center, normalized, onesided?, length?, return_complex): [N?,L].
LogicalResult istft(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<bool> isCentered = op.boolean(5),
                      isComplexResult = op.boolean(9);
  if (!type.hasRank() || !isCentered || !isComplexResult)
    return op.giveUnranked({});
  if (type.getRank() != 2 && type.getRank() != 3)
    return op.fail("expected a spectrum of rank 2 or 3, got " +
                   shapeText(type.getSizes()));
  auto number = [&](unsigned index) {
    return op.integer(index).value_or(ShapedType::kDynamic);
  };
  StaticSizes a;
  int64_t window = number(1), frames = type.getSizes().back();
  int64_t step = op.isNone(2) ? a.floorDiv(window, 4) : number(2);
  int64_t length = a.add(window, a.mul(step, a.sub(frames, 1)));
  if (*isCentered)
    length = a.sub(length, a.mul(a.floorDiv(window, 2), 2));
  if (!op.isNone(8))
    length = number(8);
  SmallVector<int64_t> sizes(type.getSizes().drop_back(2));
  sizes.push_back(length);
  return op.give(sizes, *isComplexResult ? type.getDtype()
                                         : partDtype(type.getDtype()));
}

} // namespace isthmus::torch::rules
