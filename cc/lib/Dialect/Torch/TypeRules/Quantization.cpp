//===- Quantization.cpp - Type rules of quantized numbers -----------------===//
//
// The number in a rule's name is the position of the dtype argument.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "Dtypes.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// torchao.quantize_affine(input, block_size, scale, zero_point?, output_dtype,
/// ...)
LogicalResult quantized_4(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(4, {}));
}
/// quantized_decomposed.quantize_per_tensor(input, scale, zero_point,
/// quant_min, quant_max, dtype)
LogicalResult quantized_5(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(5, {}));
}
/// quantized_decomposed.quantize_per_channel(input, scales, zero_points, axis,
/// quant_min, quant_max, dtype)
LogicalResult quantized_6(TypeInference &op) {
  return op.giveLike(op.tensor(0), op.dtypeArgument(6, {}));
}

/// f32, unless argument `index` says otherwise.
static LogicalResult dequantized(TypeInference &op, unsigned index) {
  return op.giveLike(
      op.tensor(0), op.dtypeArgument(index, Float32Type::get(op.getContext())));
}
/// quantized_decomposed.dequantize_per_tensor(input, scale, zero_point,
/// quant_min, quant_max, dtype, out_dtype?)
LogicalResult dequantized_6(TypeInference &op) { return dequantized(op, 6); }
/// quantized_decomposed.dequantize_per_channel(input, scales, zero_points?,
/// axis, quant_min, quant_max, dtype, out_dtype?)
LogicalResult dequantized_7(TypeInference &op) { return dequantized(op, 7); }

/// A scale of f64 and a zero point of si64.
static LogicalResult giveQparams(TypeInference &op, ArrayRef<int64_t> sizes) {
  return failure(failed(op.give(sizes, Float64Type::get(op.getContext()))) ||
                 failed(op.give(sizes, signedDtype(op, 64))));
}
/// quantized_decomposed.choose_qparams.tensor(input, ...): [1] each.
LogicalResult qparams(TypeInference &op) { return giveQparams(op, {1}); }

/// quantized_decomposed.choose_qparams_per_token(input [...,n], dtype):
/// [...,1] each.
LogicalResult qparams_per_row(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return failure(failed(op.giveUnranked(Float64Type::get(op.getContext()))) ||
                   failed(op.giveUnranked(signedDtype(op, 64))));
  if (failed(expectRow(op)))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.back() = 1;
  return giveQparams(op, sizes);
}

/// torchao.choose_qparams_affine(input, mapping_type, block_size,
/// target_dtype, quant_min?, quant_max?, eps?, scale_dtype?, zero_point_dtype?,
/// keepdim): one number per block. Without `keepdim`, a dim that is one block
/// of several elements is dropped. The zero point of asymmetric numbers is
/// si32; that of symmetric ones has the input's dtype.
LogicalResult qparams_per_block(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto blocks = op.integers(2);
  auto keepdim = op.boolean(9);
  std::optional<StringRef> mapping = matchStr(op[1]);
  Type scale = op.dtypeArgument(7, op.dtype(0));
  Type zeroPoint = op.dtypeArgument(
      8, !mapping
             ? Type()
             : (*mapping == "ASYMMETRIC" ? signedDtype(op, 32) : op.dtype(0)));
  auto giveUnknown = [&] {
    return failure(failed(op.giveUnranked(scale)) ||
                   failed(op.giveUnranked(zeroPoint)));
  };
  if (!type.hasRank() || !blocks || !keepdim)
    return giveUnknown();
  if (static_cast<int64_t>(blocks->size()) != type.getRank())
    return op.fail("expected a block_size for each of " +
                   Twine(type.getRank()) + " dims, got " + shapeText(*blocks));
  SmallVector<int64_t> sizes;
  for (auto [size, block] : llvm::zip_equal(type.getSizes(), *blocks)) {
    bool isOpen = ShapedType::isDynamic(size) || ShapedType::isDynamic(block);
    if (block == 1) {
      sizes.push_back(size);
    } else if (!isOpen) {
      if (block < 1 || size % block != 0)
        return op.fail("expected blocks that divide " +
                       shapeText(type.getSizes()) + ", got " +
                       shapeText(*blocks));
      if (*keepdim || size != block)
        sizes.push_back(size / block);
    } else if (*keepdim) {
      sizes.push_back(ShapedType::kDynamic);
    } else {
      return giveUnknown();
    }
  }
  return failure(failed(op.give(sizes, scale)) ||
                 failed(op.give(sizes, zeroPoint)));
}

/// aten._scaled_mm(self [n,k], mat2 [k,m], scale_a, scale_b, bias?,
/// scale_result?, out_dtype?, ...): [n,m].
LogicalResult scaled_mm(TypeInference &op) {
  ValueTensorType a = op.tensor(0), b = op.tensor(1);
  Type dtype = op.dtypeArgument(6, op.dtype(0));
  if (!a.hasRank() || !b.hasRank())
    return op.giveUnranked(dtype);
  if (a.getRank() != 2 || b.getRank() != 2)
    return op.fail("expected two matrices, got tensors of rank " +
                   Twine(a.getRank()) + " and " + Twine(b.getRank()));
  return op.give({a.getSizes()[0], b.getSizes()[1]}, dtype);
}

} // namespace isthmus::torch::rules
