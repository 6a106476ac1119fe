//===- Bytes.cpp - Integers as the i8 operands of TOSA products -----------===//

#include "Bytes.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

struct Range {
  int64_t low, high;

  /// The smallest range that contains both.
  Range with(Range other) const {
    return {std::min(low, other.low), std::max(high, other.high)};
  }
  int64_t width() const { return high - low; }
};

using MaybeRange = std::optional<Range>;

/// The range of a tensor's integers, as far as the ops that compute it imply
/// one.
class RangeFinder {
public:
  MaybeRange find(Value x) {
    if (!TosaBuilder::elementOf(x).isInteger() || budget == 0)
      return std::nullopt;
    --budget;
    Operation *op = x.getDefiningOp();
    MaybeRange range = op ? ofResult(op) : ofArgument(cast<BlockArgument>(x));
    return range ? range : ofElements(TosaBuilder::elementOf(x));
  }

private:
  static MaybeRange ofElements(Type element) {
    if (element.isInteger(1))
      return Range{0, 1};
    if (element.isInteger(8))
      return Range{-128, 127};
    return std::nullopt;
  }

  /// Arguments of unsigned bytes are of a wider type.
  static MaybeRange ofArgument(BlockArgument argument) {
    auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto dtype = func ? func.getArgAttrOfType<TypeAttr>(argument.getArgNumber(),
                                                        kDtypeAttr)
                      : TypeAttr();
    if (dtype && dtype.getValue().isUnsignedInteger(8))
      return Range{0, 255};
    return std::nullopt;
  }

  static MaybeRange ofConstant(ElementsAttr values) {
    auto numbers = dyn_cast<DenseIntElementsAttr>(values);
    if (!numbers || numbers.empty() || numbers.getElementType().isInteger(1))
      return std::nullopt;
    auto rangeOf = [](const APInt &number) {
      return Range{number.getSExtValue(), number.getSExtValue()};
    };
    if (numbers.isSplat())
      return rangeOf(numbers.getSplatValue<APInt>());
    Range range = rangeOf(*numbers.value_begin<APInt>());
    for (const APInt &number : numbers.getValues<APInt>())
      range = range.with(rangeOf(number));
    return range;
  }

  MaybeRange ofAll(ValueRange parts) {
    MaybeRange all = find(parts.front());
    for (Value part : parts.drop_front()) {
      MaybeRange range = all ? find(part) : std::nullopt;
      all = range ? std::optional(all->with(*range)) : std::nullopt;
    }
    return all;
  }

  /// x & mask is between 0 and the mask, for any x.
  MaybeRange ofMasked(tosa::BitwiseAndOp op) {
    MaybeRange mask = find(op.getInput2());
    if (mask && mask->low == mask->high && mask->low >= 0)
      return Range{0, mask->high};
    return std::nullopt;
  }

  /// a + sign * b
  template <typename Op>
  MaybeRange ofSum(Op op, int64_t sign) {
    MaybeRange a = find(op.getInput1()), b = find(op.getInput2());
    constexpr int64_t limit = 1 << 16; // far from where i32 wraps
    for (const MaybeRange &range : {a, b})
      if (!range || range->low < -limit || range->high > limit)
        return std::nullopt;
    return sign > 0 ? Range{a->low + b->low, a->high + b->high}
                    : Range{a->low - b->high, a->high - b->low};
  }

  MaybeRange ofResult(Operation *op) {
    if (auto constant = dyn_cast<tosa::ConstOp>(op))
      return ofConstant(constant.getValues());
    if (auto masked = dyn_cast<tosa::BitwiseAndOp>(op))
      return ofMasked(masked);
    if (auto sum = dyn_cast<tosa::AddOp>(op))
      return ofSum(sum, 1);
    if (auto difference = dyn_cast<tosa::SubOp>(op))
      return ofSum(difference, -1);
    if (auto concat = dyn_cast<tosa::ConcatOp>(op))
      return ofAll(concat.getInput1());
    if (auto pad = dyn_cast<tosa::PadOp>(op))
      return ofAll({pad.getInput1(), pad.getPadConst()});
    if (auto cast = dyn_cast<tosa::CastOp>(op)) {
      Type from = TosaBuilder::elementOf(cast.getInput());
      Type to = TosaBuilder::elementOf(cast.getOutput());
      bool isWider = from.isInteger() &&
                     from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
      return isWider ? find(cast.getInput()) : std::nullopt;
    }
    if (isa<tosa::TransposeOp, tosa::ReshapeOp, tosa::SliceOp, tosa::TileOp,
            tosa::ReverseOp, tosa::GatherOp>(op))
      return find(op->getOperand(0));
    return std::nullopt;
  }

  int budget = 64; // number of ops to look at
};

} // namespace

/// x - shift as i8; the range of x guarantees that it fits.
static Value shiftedToByte(TosaBuilder &b, Value x, int64_t shift) {
  if (auto constant = x.getDefiningOp<tosa::ConstOp>())
    if (auto numbers = dyn_cast<DenseIntElementsAttr>(constant.getValues()))
      return b.constant(numbers.mapValues(
          b.getBuilder().getI8Type(), [shift](const APInt &number) {
            return APInt(8, number.getSExtValue() - shift, /*isSigned=*/true);
          }));
  // A known number that is added is part of the shift.
  Operation *op = x.getDefiningOp();
  if (isa_and_nonnull<tosa::AddOp, tosa::SubOp>(op)) {
    MaybeRange number = RangeFinder().find(op->getOperand(1));
    if (number && number->width() == 0 &&
        op->getOperand(0).getType() == x.getType()) {
      x = op->getOperand(0);
      shift += isa<tosa::SubOp>(op) ? number->low : -number->low;
    }
  }
  if (auto view = x.getDefiningOp<tosa::ReshapeOp>())
    return b.reshape(shiftedToByte(b, view.getInput1(), shift),
                     TosaBuilder::sizesOf(x));
  if (auto cast = x.getDefiningOp<tosa::CastOp>())
    if (shift == 0 && TosaBuilder::elementOf(cast.getInput()).isInteger(8))
      return cast.getInput();
  if (shift != 0)
    x = b.sub(x, b.splatLike(shift, x));
  return b.cast(x, b.getBuilder().getI8Type());
}

SmallVector<Bytes, 2> torch_to_tosa::asBytes(TosaBuilder &b, Value x) {
  if (TosaBuilder::elementOf(x).isInteger(8))
    return {{x, 0}};
  MaybeRange range = RangeFinder().find(x);
  if (!range || range->width() > 2 * 255)
    return {};
  SmallVector<std::pair<Value, Range>, 2> parts;
  if (range->width() <= 255) {
    parts.push_back({x, *range});
  } else { // x = min(x, low + 255) + the rest
    int64_t middle = range->low + 255;
    Value first = b.min(x, b.splatLike(middle, x));
    parts.push_back({first, Range{range->low, middle}});
    parts.push_back({b.sub(x, first), Range{0, range->high - middle}});
  }
  SmallVector<Bytes, 2> bytes;
  for (auto [part, within] : parts) {
    // Chosen so that the shifted numbers and the negated shift fit i8.
    int64_t shift = std::clamp<int64_t>(within.low + 128, -127, 128);
    if (within.low - shift < -128 || within.high - shift > 127)
      return {};
    bytes.push_back({shiftedToByte(b, part, shift), -shift});
  }
  return bytes;
}
