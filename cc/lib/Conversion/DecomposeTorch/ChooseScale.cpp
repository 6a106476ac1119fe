//===- ChooseScale.cpp - Scales and zero points from the numbers ----------===//
//
// For numbers between `least` <= 0 and `most` >= 0, and integers between `low`
// and `high`:
//
//   asymmetric   scale = (most - least) / (high - low)
//                zero point = low - round(least / scale)
//   symmetric    scale = max(-least, most) / ((high - low) / 2)
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "QuantizationParameters.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/QuantizationComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

using Values = Decompositions::Values;

namespace {

/// The bounds of some numbers: `least` <= 0 and `most` >= 0.
struct Bounds {
  Tensor least, most;

  static Bounds of(Tensor x, ArrayRef<int64_t> dims, bool keepdim) {
    TorchBuilder &b = x.builder();
    Value over = b.ints(dims), keep = b.constantBool(keepdim);
    return {min(x.apply<AtenAminOp>(over, keep), 0),
            max(x.apply<AtenAmaxOp>(over, keep), 0)};
  }
};

/// The integers that may be used.
struct Integers {
  double low, high;
};

} // namespace

static Tensor clamp(Tensor x, const Integers &integers) {
  return min(max(x, integers.low), integers.high);
}

/// The integers from `low` to `high`; if one is none, from or to the bound of a
/// dtype.
static std::optional<Integers> integersOf(TorchBuilder &b, Value low,
                                          Value high, Type dtype) {
  if (!dtype || !dtype.isInteger() || isBoolean(dtype) ||
      dtype.getIntOrFloatBitWidth() > 32) {
    b.fail("expected a target dtype of integers of up to 32 bits");
    return std::nullopt;
  }
  bool isSigned = !dtype.isUnsignedInteger();
  double count = std::exp2(dtype.getIntOrFloatBitWidth());
  double least = isSigned ? -count / 2 : 0;
  auto bound = [](Value number, double otherwise) {
    return isNone(number) ? otherwise : matchNumber(number);
  };
  auto first = bound(low, least), last = bound(high, least + count - 1);
  if (!first || !last || !(*first < *last)) {
    b.fail("expected quant_min below quant_max, known while compiling");
    return std::nullopt;
  }
  return Integers{*first, *last};
}

/// The dtype that an argument names; null if it is unknown.
static Type dtypeNamed(Value argument) {
  std::optional<int64_t> code = matchInt(argument);
  return code ? dtypeOfCode(argument.getContext(), *code) : Type();
}

static Tensor symmetricScale(const Bounds &bounds, const Integers &integers) {
  return max(-bounds.least, bounds.most) / ((integers.high - integers.low) / 2);
}
static Tensor asymmetricScale(const Bounds &bounds, const Integers &integers) {
  return (bounds.most - bounds.least) / (integers.high - integers.low);
}
static Tensor asymmetricZeroPoint(const Bounds &bounds, Tensor scale,
                                  const Integers &integers) {
  return clamp(integers.low - round(bounds.least / scale), integers);
}

/// A scale and a zero point with the op's result types.
static Values results(Operation *op, Tensor scale, Tensor zeroPoint) {
  return {scale.as(tensorType(op->getResult(0)).getDtype()),
          zeroPoint.as(tensorType(op->getResult(1)).getDtype())};
}

//===----------------------------------------------------------------------===//
// One scale, or one for each row
//===----------------------------------------------------------------------===//

/// quantized_decomposed.choose_qparams.tensor(input, quant_min, quant_max, eps,
/// dtype): [1] each. The scale is at least eps, and is of f32 from there on.
/// The zero point of symmetric unsigned bytes is 128, that of others 0.
template <typename Op>
static Values chooseForAll(Op op, TorchBuilder &b) {
  Type dtype = dtypeNamed(op.getDtype());
  auto integers = integersOf(b, op.getQuantMin(), op.getQuantMax(), dtype);
  if (!integers)
    return {{}, {}};
  Tensor x(b, op.getInput());
  Bounds bounds = Bounds::of(x, allDims(x.rank()), /*keepdim=*/false);
  constexpr bool isSymmetric =
      std::is_same_v<Op, QuantizedDecomposedChooseQparamsSymmetricTensorOp>;
  Type single = Float32Type::get(b.getContext());
  Tensor chosen = isSymmetric ? symmetricScale(bounds, *integers)
                              : asymmetricScale(bounds, *integers);
  Tensor scale = max(chosen.as(single), scalar(b, op.getEps(), single));
  Tensor zeroPoint = scale.number(dtype.isUnsignedInteger(8) ? 128 : 0);
  if (!isSymmetric) // as integers, so that NaN ends up between the bounds
    zeroPoint =
        clamp(integers->low -
                  round(bounds.least.as(single) / scale).as(indexDtype(b)),
              *integers);
  Value one = b.constant(1);
  return results(op, {b, b.view(scale, {one})}, {b, b.view(zeroPoint, {one})});
}

/// quantized_decomposed.choose_qparams_per_token(input [...,n], dtype):
/// symmetric int8 for each row, with a scale of at least 1e-5 / 127.
static Values chooseForRows(QuantizedDecomposedChooseQparamsPerTokenOp op,
                            TorchBuilder &b) {
  if (Type dtype = dtypeNamed(op.getDtype());
      !dtype || !dtype.isSignedInteger(8))
    return {b.fail("expected the dtype int8"), {}};
  Tensor x(b, op.getInput());
  Tensor largest = largestOver(abs(x), {x.rank() - 1});
  if (largest.dtype().isF16())
    largest = largest.widened();
  Tensor scale = max(largest, 1e-5) / 127;
  return results(op, scale, zerosLike(scale));
}

/// Asymmetric int8 for each row. Of the zero points that are exact for the
/// least and for the largest number, it takes the one with the smaller error.
template <typename Op>
static Values chooseAsymmetricForRows(Op op, TorchBuilder &b) {
  Tensor x(b, op.getInput());
  Integers integers{-128, 127};
  Bounds bounds = Bounds::of(x, {x.rank() - 1}, /*keepdim=*/true);
  Tensor scale = max(asymmetricScale(bounds, integers),
                     std::numeric_limits<float>::epsilon());
  Tensor least = bounds.least / scale, most = bounds.most / scale;
  Tensor isLow = (integers.low + least) + (integers.high + most) > 0;
  Tensor zeroPoint = where(isLow, integers.low - least, integers.high - most);
  return results(op, scale, round(clamp(zeroPoint, integers)));
}

//===----------------------------------------------------------------------===//
// A scale for each block (torchao)
//===----------------------------------------------------------------------===//

namespace {

/// The blocks of a tensor: dims of more than one block have a dim of blocks and
/// one of the elements of a block.
struct Blocks {
  SmallVector<Value> sizes;      // of both kinds of dims
  SmallVector<Value> counts;     // the same with one element per block
  SmallVector<Value> kept;       // blocks of each dim of the tensor
  SmallVector<int64_t> elements; // which of the dims hold a block's elements

  static std::optional<Blocks> of(TorchBuilder &b, Value tensor, Value list) {
    ValueTensorType type = tensorType(tensor);
    auto given = matchList(list);
    if (!given || static_cast<int64_t>(given->size()) != type.getRank()) {
      b.fail("expected a block_size for each dim");
      return std::nullopt;
    }
    Blocks blocks;
    Value one = b.constant(1);
    auto add = [&](Value size, Value count) {
      blocks.sizes.push_back(size);
      blocks.counts.push_back(count);
    };
    for (auto [dim, block] : llvm::enumerate(*given)) {
      Value size = b.size(tensor, dim);
      std::optional<int64_t> known = matchInt(block);
      if (known && *known < 1) {
        b.fail("expected blocks of 1 element or more, got " + Twine(*known));
        return std::nullopt;
      }
      if (known == 1) {
        blocks.kept.push_back(size);
        add(size, size);
        continue;
      }
      blocks.elements.push_back(blocks.sizes.size());
      if (isSizeOf(block, tensor, dim)) {
        blocks.kept.push_back(one);
        add(size, one);
        continue;
      }
      Value count = b.floorDivInt(size, block);
      blocks.kept.push_back(count);
      blocks.elements.back() += 1;
      add(count, count);
      add(block, one);
    }
    return blocks;
  }
};

} // namespace

/// torchao.quantize_affine(input, block_size, scale, zero_point?,
/// output_dtype, quant_min?, quant_max?)
static Value quantizeBlocks(TorchaoQuantizeAffineOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto integers = integersOf(b, op.getQuantMin(), op.getQuantMax(), dtype);
  auto blocks = Blocks::of(b, op.getInput(), op.getBlockSize());
  if (!integers || !blocks)
    return {};
  Tensor x(b, b.view(op.getInput(), blocks->sizes));
  Tensor scale(b, b.view(op.getScale(), blocks->counts));
  Tensor q = round(x * (1 / scale));
  if (!isNone(op.getZeroPoint()))
    q = q + Tensor(b, b.view(op.getZeroPoint(), blocks->counts));
  return b.view(clamp(q, *integers).as(dtype), b.sizes(op.getInput()));
}

/// torchao.dequantize_affine(input, block_size, scale, zero_point?,
/// input_dtype, quant_min?, quant_max?, output_dtype)
static Value dequantizeBlocks(TorchaoDequantizeAffineOp op, TorchBuilder &b) {
  auto blocks = Blocks::of(b, op.getInput(), op.getBlockSize());
  if (!blocks)
    return {};
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, b.view(op.getInput(), blocks->sizes)).as(dtype);
  if (!isNone(op.getZeroPoint()))
    x = x - Tensor(b, b.view(op.getZeroPoint(), blocks->counts)).as(dtype);
  x = x * Tensor(b, b.view(op.getScale(), blocks->counts));
  return b.view(x.as(dtype), b.sizes(op.getInput()));
}

/// torchao.choose_qparams_affine(input, mapping_type, block_size,
/// target_dtype, quant_min?, quant_max?, eps?, scale_dtype?, zero_point_dtype?,
/// keepdim)
static Values chooseForBlocks(TorchaoChooseQparamsAffineOp op,
                              TorchBuilder &b) {
  auto integers = integersOf(b, op.getQuantMin(), op.getQuantMax(),
                             dtypeNamed(op.getTargetDtype()));
  auto blocks = Blocks::of(b, op.getInput(), op.getBlockSize());
  if (!integers || !blocks)
    return {{}, {}};
  auto keepdim = matchBool(op.getKeepdim());
  std::optional<StringRef> mapping = matchStr(op.getMappingType());
  auto type = dyn_cast<mlir::FloatType>(tensorType(op.getInput()).getDtype());
  if (!keepdim || !mapping || !type)
    return {b.fail("expected floats, and a mapping_type and a keepdim that are "
                   "known while compiling"),
            {}};
  // torchao makes one scale of blocks of one element each, and cannot use it.
  if (blocks->elements.empty())
    return {b.fail("expected blocks of more than one element"), {}};
  bool isAsymmetric = *mapping == "ASYMMETRIC", clips = *mapping == "SYMMETRIC";
  if (!isAsymmetric && !clips && *mapping != "SYMMETRIC_NO_CLIPPING_ERR")
    return {b.fail("expected the mapping_type SYMMETRIC, "
                   "SYMMETRIC_NO_CLIPPING_ERR or ASYMMETRIC, got " +
                   *mapping),
            {}};

  Tensor x(b, b.view(op.getInput(), blocks->sizes));
  Bounds bounds = Bounds::of(x, blocks->elements, *keepdim);
  double least = APFloat::getSmallestNormalized(type.getFloatSemantics())
                     .convertToDouble();
  Tensor atLeast =
      isNone(op.getEps()) ? x.number(least) : scalar(b, op.getEps(), x.dtype());
  Tensor exact =
      isAsymmetric ? asymmetricScale(bounds, *integers)
      : clips ? symmetricScale(bounds, *integers)
              : max(bounds.least / integers->low, bounds.most / integers->high);
  Tensor scale = max(exact, atLeast);
  double middle = std::trunc((integers->high + integers->low + 1) / 2);
  Tensor zeroPoint = isAsymmetric
                         ? asymmetricZeroPoint(bounds, scale, *integers)
                         : zerosLike(scale) + middle;
  auto shaped = [&](Tensor each) -> Tensor {
    return *keepdim ? Tensor(b, b.view(each, blocks->kept)) : each;
  };
  return results(op, shaped(scale), shaped(zeroPoint));
}

void populateChooseScale(Decompositions &decompositions) {
  decompositions.add(
      chooseForAll<QuantizedDecomposedChooseQparamsTensorOp>,
      chooseForAll<QuantizedDecomposedChooseQparamsSymmetricTensorOp>,
      chooseForBlocks, chooseForRows,
      chooseAsymmetricForRows<
          QuantizedDecomposedChooseQparamsPerTokenAsymmetricOp>,
      chooseAsymmetricForRows<
          QuantizedDecomposed_ChooseQparamsPerTokenAsymmetricImplOp>,
      dequantizeBlocks, quantizeBlocks);
}

} // namespace isthmus::decompose_torch
