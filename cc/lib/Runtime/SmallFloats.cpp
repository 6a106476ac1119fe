//===- SmallFloats.cpp - Floats of 8 bits as bytes ------------------------===//
//
// LLVM has no floats of 8 bits. Here they become bytes, and their conversions
// to and from f32 become arithmetic on bits. Other operations on them compute
// in f32.
//
// A magnitude of m mantissa bits, shifted to the place of those of f32, is the
// float times 2^(bias - 127), also if it is subnormal.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace isthmus;

namespace {

bool isSmall(Type type) {
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType>(getElementTypeOrSelf(type));
}

/// The bits of an 8-bit float, whose sign is the highest one.
struct Format {
  int mantissa; // bits
  int bias;
  unsigned largest;    // magnitude of the largest finite number
  bool hasInfinity;    // its magnitude is the one after `largest`
  bool hasSignedZeros; // otherwise, a negative zero is NaN

  static Format of(Type type) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(type).getFloatSemantics();
    APInt largest = APFloat::getLargest(semantics).bitcastToAPInt();
    return {int(APFloat::semanticsPrecision(semantics)) - 1,
            1 - APFloat::semanticsMinExponent(semantics),
            unsigned(largest.getZExtValue()),
            APFloat::semanticsHasInf(semantics),
            !isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type)};
  }
  /// The magnitude of NaN, with all bits where there are several.
  unsigned nan() const { return hasSignedZeros ? 0x7F : 0x80; }
};

/// Arithmetic on i32 and f32.
class Bits {
public:
  explicit Bits(ImplicitLocOpBuilder &b) : b(b) {}

  Value constant(uint32_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), int32_t(value));
  }
  Value asFloat(Value bits) {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }
  Value ofFloat(Value number) {
    return arith::BitcastOp::create(b, b.getI32Type(), number);
  }
  Value band(Value x, uint32_t mask) {
    return arith::AndIOp::create(b, x, constant(mask));
  }
  Value bor(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value shl(Value x, int by) {
    return arith::ShLIOp::create(b, x, constant(by));
  }
  Value shr(Value x, int by) {
    return arith::ShRUIOp::create(b, x, constant(by));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, uint32_t y) {
    return arith::SubIOp::create(b, x, constant(y));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint32_t y) {
    return arith::CmpIOp::create(b, predicate, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

private:
  ImplicitLocOpBuilder &b;
};

constexpr int mantissaOfF32 = 23, biasOfF32 = 127;
constexpr uint32_t infinityOfF32 = 0x7F800000, nanOfF32 = 0x7FC00000;

/// 2^exponent, as the bits of f32.
constexpr uint32_t power(int exponent) {
  return uint32_t(exponent + biasOfF32) << mantissaOfF32;
}

/// The f32 of a byte.
Value decode(ImplicitLocOpBuilder &b, Value byte, const Format &format) {
  using arith::CmpIPredicate;
  Bits at(b);
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), byte);
  Value sign = at.shl(at.band(bits, 0x80), 24), magnitude = at.band(bits, 0x7F);
  Value shifted =
      at.asFloat(at.shl(magnitude, mantissaOfF32 - format.mantissa));
  Value factor = at.asFloat(at.constant(power(biasOfF32 - format.bias)));
  Value number = at.ofFloat(arith::MulFOp::create(b, shifted, factor));
  if (format.hasSignedZeros) {
    Value isNan = at.compare(CmpIPredicate::ugt, magnitude,
                             format.largest + format.hasInfinity);
    number = at.select(isNan, at.constant(nanOfF32), number);
  }
  if (format.hasInfinity) {
    Value isInfinite =
        at.compare(CmpIPredicate::eq, magnitude, format.largest + 1);
    number = at.select(isInfinite, at.constant(infinityOfF32), number);
  }
  number = at.bor(number, sign);
  if (!format.hasSignedZeros)
    number = at.select(at.compare(CmpIPredicate::eq, bits, format.nan()),
                       at.constant(nanOfF32), number);
  return at.asFloat(number);
}

/// The byte of an f32, rounded to nearest even. A number that is too large
/// becomes infinite, or NaN in formats without infinities.
Value encode(ImplicitLocOpBuilder &b, Value number, const Format &format) {
  using arith::CmpIPredicate;
  Bits at(b);
  Value bits = at.ofFloat(number);
  Value sign = at.band(at.shr(bits, 24), 0x80);
  Value magnitude = at.band(bits, 0x7FFFFFFF);
  int dropped = mantissaOfF32 - format.mantissa;

  // A normal number: half of the last bit is added, less if that bit is even.
  Value isOdd = at.band(at.shr(magnitude, dropped), 1);
  Value up = at.add(isOdd, at.constant((1u << (dropped - 1)) - 1));
  Value normal = at.sub(at.shr(at.add(magnitude, up), dropped),
                        uint32_t(biasOfF32 - format.bias) << format.mantissa);
  // A subnormal one: the addition of a large number rounds it.
  uint32_t large = power(1 - format.bias + dropped);
  Value sum = arith::AddFOp::create(b, at.asFloat(magnitude),
                                    at.asFloat(at.constant(large)));
  Value subnormal = at.sub(at.ofFloat(sum), large);
  Value isSubnormal =
      at.compare(CmpIPredicate::ult, magnitude, power(1 - format.bias));
  Value rounded = at.select(isSubnormal, subnormal, normal);

  Value isTooLarge = at.compare(CmpIPredicate::ugt, rounded, format.largest);
  Value isNan = at.compare(CmpIPredicate::ugt, magnitude, infinityOfF32);
  if (format.hasSignedZeros) {
    Value over =
        at.constant(format.hasInfinity ? format.largest + 1 : format.nan());
    rounded = at.select(isTooLarge, over, rounded);
    rounded = at.select(isNan, at.constant(format.nan()), rounded);
    rounded = at.bor(rounded, sign);
  } else {
    Value isZero = at.compare(CmpIPredicate::eq, rounded, 0);
    Value isBad = arith::OrIOp::create(b, isTooLarge, isNan);
    Value signedOne = at.select(isZero, rounded, at.bor(rounded, sign));
    rounded = at.select(isBad, at.constant(format.nan()), signedOne);
  }
  return arith::TruncIOp::create(b, b.getI8Type(), rounded);
}

/// A float in another dtype of 16 bits or more.
Value convert(ImplicitLocOpBuilder &b, Value number, Type type) {
  unsigned from = number.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (number.getType() == type)
    return number;
  if (from < to)
    return arith::ExtFOp::create(b, type, number);
  return arith::TruncFOp::create(b, type, number);
}

/// The byte of a value that becomes one.
Value byteOf(ImplicitLocOpBuilder &b, Value small) {
  return UnrealizedConversionCastOp::create(b, b.getI8Type(), small)
      .getResult(0);
}
Value ofByte(ImplicitLocOpBuilder &b, Value byte, Type type) {
  return UnrealizedConversionCastOp::create(b, type, byte).getResult(0);
}

/// Computes an op on 8-bit floats in f32.
void widen(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type f32 = b.getF32Type();
  auto wide = [&](Type type) { return isSmall(type) ? f32 : type; };
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        isSmall(operand.getType())
            ? decode(b, byteOf(b, operand), Format::of(operand.getType()))
            : operand);
  Value result = op->getResult(0);
  Value number;
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    // PyTorch rounds f64 to f32 first, too.
    number = convert(b, operands.front(), wide(result.getType()));
  } else {
    OperationState state(op->getLoc(), op->getName(), operands,
                         wide(result.getType()), op->getAttrs());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    number = b.create(state)->getResult(0);
  }
  if (isSmall(result.getType()))
    number = ofByte(b, encode(b, number, Format::of(result.getType())),
                    result.getType());
  result.replaceAllUsesWith(number);
  op->erase();
}

/// Replaces 8-bit floats by bytes in all types and constants.
void replaceTypes(ModuleOp module) {
  Type byte = IntegerType::get(module.getContext(), 8);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    return isSmall(type) ? byte : Type(type);
  });
  replacer.addReplacement(
      [&](FloatAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isSmall(attr.getType()))
          return std::nullopt;
        Attribute bits =
            IntegerAttr::get(byte, attr.getValue().bitcastToAPInt());
        return std::pair(bits, WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DenseIntOrFPElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isSmall(attr.getElementType()))
          return std::nullopt;
        return std::pair(Attribute(attr.bitcast(byte)), WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DenseResourceElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isSmall(attr.getElementType()))
          return std::nullopt;
        Attribute bytes = DenseResourceElementsAttr::get(
            attr.getType().clone(byte), attr.getRawHandle());
        return std::pair(bytes, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

bool usesSmall(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isSmall) ||
         llvm::any_of(op->getResultTypes(), isSmall);
}

/// Writes out the bodies of named ops, which would follow from other types.
void generalizeNamedOps(ModuleOp module) {
  SmallVector<linalg::LinalgOp> named;
  module.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op) && usesSmall(op))
      named.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

} // namespace

LogicalResult isthmus::storeSmallFloatsAsBytes(ModuleOp module) {
  generalizeNamedOps(module);
  SmallVector<Operation *> computing;
  bool isNeeded = false;
  auto found = module.walk([&](Operation *op) -> WalkResult {
    if (!usesSmall(op))
      return WalkResult::advance();
    isNeeded = true;
    bool moves = isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op);
    if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect())) {
      if (!moves && op->getNumResults() == 1 &&
          !isa<ShapedType>(op->getResult(0).getType()))
        computing.push_back(op);
      else if (!moves)
        return op->emitError("expected an operation on single 8-bit floats");
    }
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  auto functions = module.getOps<FunctionOpInterface>();
  isNeeded |= llvm::any_of(functions, [](FunctionOpInterface function) {
    return llvm::any_of(function.getArgumentTypes(), isSmall);
  });
  if (!isNeeded)
    return success();
  for (Operation *op : computing)
    widen(op);
  replaceTypes(module);
  // Casts of bytes to themselves, and of bits.
  module.walk([](Operation *op) {
    if (isa<UnrealizedConversionCastOp, arith::BitcastOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  return success();
}
