//===- Elements.h - Arithmetic on single elements ---------------*- C++ -*-===//
//
// The bodies of linalg.generic compute on builtin scalars, whose types do not
// carry signedness. The torch dtype does: si8, ui8, i1 for bool.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_ELEMENTS_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_ELEMENTS_H

#include "isthmus/Support/ConstantPool.h"
#include "mlir/IR/Builders.h"

namespace isthmus::torch_to_linalg {

/// The builtin type of an element of a torch dtype: i8 for both si8 and ui8.
mlir::Type elementType(mlir::Type dtype);
/// f32 for f16 and bf16, since PyTorch computes on them in f32; else the dtype.
mlir::Type wide(mlir::Type dtype);

enum class Comparison { eq, ne, lt, le, gt, ge };

/// Builds arithmetic on elements of one torch dtype.
class Elements {
public:
  /// Constants come from the pool, if given.
  Elements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type dtype,
           ConstantPool *constants = nullptr)
      : builder(builder), loc(loc), dtype(dtype), constants(constants) {}

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::Type getDtype() const { return dtype; }
  mlir::Type getType() const { return elementType(dtype); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(dtype); }
  bool isBool() const { return dtype.isInteger(1); }
  bool isUnsigned() const { return isBool() || dtype.isUnsignedInteger(); }

  mlir::Value constant(double value) const;
  mlir::Value integer(int64_t value) const;
  mlir::Value zero() const { return constant(0.0); }
  mlir::Value one() const { return constant(1.0); }
  /// The identities of max and min: infinities for floats.
  mlir::Value lowest() const;
  mlir::Value highest() const;

  /// An element of another dtype, as torch.Tensor.to converts it.
  mlir::Value convert(mlir::Value value, mlir::Type from) const;

  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  mlir::Value neg(mlir::Value a) const;
  mlir::Value abs(mlir::Value a) const;
  /// Quotient of floats; of integers, rounded towards zero.
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  /// Quotient rounded down.
  mlir::Value floorDiv(mlir::Value a, mlir::Value b) const;
  /// Quotient rounded towards zero.
  mlir::Value truncDiv(mlir::Value a, mlir::Value b) const;
  /// The remainder of truncDiv: it has the sign of `a`.
  mlir::Value fmod(mlir::Value a, mlir::Value b) const;
  /// The remainder of floorDiv: it has the sign of `b`.
  mlir::Value remainder(mlir::Value a, mlir::Value b) const;
  /// NaN if either operand is NaN.
  mlir::Value max(mlir::Value a, mlir::Value b) const;
  mlir::Value min(mlir::Value a, mlir::Value b) const;

  /// An i1. NaN is unequal to everything and neither less nor greater.
  mlir::Value compare(Comparison comparison, mlir::Value a,
                      mlir::Value b) const;
  /// An i1; false for integers.
  mlir::Value isNan(mlir::Value a) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;

private:
  mlir::Value constantOf(mlir::TypedAttr value) const;
  /// A divisor for which integer division does not trap: `b`, or 1 where `b` is
  /// 0 or the quotient overflows (the lowest integer by -1, which gives
  /// itself).
  mlir::Value safeDivisor(mlir::Value a, mlir::Value b) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type dtype;
  ConstantPool *constants;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_ELEMENTS_H
