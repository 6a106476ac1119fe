//===- TosaBuilder.h - Straight-line TOSA -----------------------*- C++ -*-===//
//
// Builds TOSA ops with result types inferred from their operands, so that a
// lowering reads like its formula: `b.mul(x, b.rsqrt(x))`.
//
// If TOSA 1.0 cannot express something, the builder returns a placeholder of
// the right type and stores the first reason in `error()`.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSABUILDER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSABUILDER_H

#include "isthmus/Conversion/LoweringFunctions.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace isthmus::torch_to_tosa {

/// The element type that represents a torch dtype in TOSA 1.0: i32 for integers
/// it lacks (si64, ui8, ui16), and f32 for f64 (an op with f64 gets this far
/// only if the user asked for f32). Null for unsupported dtypes.
mlir::Type storageType(mlir::Type dtype);

/// The element type to compute in: i32 for all integers, since TOSA 1.0 adds
/// and compares no narrower ones; i1 for bool; floats are unchanged.
mlir::Type computeType(mlir::Type dtype);

/// The longest range that is emitted as a constant: TOSA has no iota op.
constexpr int64_t maxRange = 1 << 24;

class TosaBuilder : public LoweringScope {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;
  using Sizes = llvm::ArrayRef<int64_t>;

  TosaBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  /// For a lowering function. Small constants come from `constants`.
  TosaBuilder(mlir::OpBuilder &builder, mlir::Location loc, LoweringScope scope,
              ConstantPool &constants)
      : LoweringScope(scope), builder(builder), loc(loc),
        constants(&constants) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  Type i32() { return builder.getI32Type(); }
  Type i1() { return builder.getI1Type(); }
  Type f32() { return builder.getF32Type(); }

  // Constants.
  Value constant(mlir::ElementsAttr value);
  /// A splat; of rank 0 if `sizes` is empty. Fails for integers beyond 32 bits.
  Value splat(double value, Type element, Sizes sizes = {});
  /// A splat that broadcasts with `like`: of the same rank and element type,
  /// with sizes of 1.
  Value splatLike(double value, Value like);
  Value ints(llvm::ArrayRef<int32_t> values, Sizes sizes);
  /// 0, 1, 2 ... along `dim`; the other `rank - 1` sizes are 1.
  Value iota(int64_t count, int64_t dim, int64_t rank);
  Value shape(Sizes sizes);

  // Pointwise ops. Ranks are made equal with leading dims of size 1.
  template <typename Op>
  Value unary(Value x) {
    return Op::create(builder, loc, x.getType(), x);
  }
  template <typename Op>
  Value binary(Value a, Value b) {
    Type type = broadcast({&a, &b}, elementOf(a));
    return type ? Op::create(builder, loc, type, a, b).getResult() : a;
  }
  template <typename Op>
  Value compare(Value a, Value b) {
    Type type = broadcast({&a, &b}, i1());
    return type ? Op::create(builder, loc, type, a, b).getResult() : a;
  }
  Value add(Value a, Value b) { return binary<mlir::tosa::AddOp>(a, b); }
  Value sub(Value a, Value b) { return binary<mlir::tosa::SubOp>(a, b); }
  Value mul(Value a, Value b);
  Value neg(Value x);
  Value rightShift(Value a, Value b);
  Value max(Value a, Value b) { return binary<mlir::tosa::MaximumOp>(a, b); }
  Value min(Value a, Value b) { return binary<mlir::tosa::MinimumOp>(a, b); }
  Value abs(Value x) { return unary<mlir::tosa::AbsOp>(x); }
  Value floor(Value x) { return unary<mlir::tosa::FloorOp>(x); }
  Value reciprocal(Value x) { return unary<mlir::tosa::ReciprocalOp>(x); }
  /// reciprocal(rsqrt(x)): exact at 0 and infinity, where x * rsqrt(x) is not.
  Value sqrt(Value x) { return reciprocal(unary<mlir::tosa::RsqrtOp>(x)); }
  /// Towards zero.
  Value trunc(Value x);
  /// The quotient of integers, rounded down.
  Value floorDivide(Value a, Value b);
  Value equal(Value a, Value b) { return compare<mlir::tosa::EqualOp>(a, b); }
  Value greater(Value a, Value b) {
    return compare<mlir::tosa::GreaterOp>(a, b);
  }
  Value greaterEqual(Value a, Value b) {
    return compare<mlir::tosa::GreaterEqualOp>(a, b);
  }
  Value less(Value a, Value b) { return greater(b, a); }
  Value isNan(Value x) { return logicalNot(equal(x, x)); }
  Value logicalNot(Value x) { return unary<mlir::tosa::LogicalNotOp>(x); }
  Value logicalAnd(Value a, Value b) {
    return binary<mlir::tosa::LogicalAndOp>(a, b);
  }
  Value logicalOr(Value a, Value b) {
    return binary<mlir::tosa::LogicalOrOp>(a, b);
  }
  Value logicalXor(Value a, Value b) {
    return binary<mlir::tosa::LogicalXorOp>(a, b);
  }
  Value select(Value condition, Value a, Value b);

  // Element types.
  /// tosa.cast as in the spec (floats are rounded to nearest even when
  /// converted to integers), through intermediate types where the spec requires
  /// them.
  Value cast(Value x, Type element);
  /// The result of PyTorch's `x.to(dtype)`, in `computeType(to)`.
  Value convert(Value x, Type from, Type to);
  /// Converts from `computeType(dtype)` to the storage type of the dtype, with
  /// the dtype's wrap-around.
  Value store(Value x, Type dtype);

  // Arrangement.
  Value reshape(Value x, Sizes sizes);
  Value transpose(Value x, llvm::ArrayRef<int64_t> order);
  /// Elements [start, start + size) of a dim, or of every dim. An unknown size
  /// means all elements from the start on.
  Value slice(Value x, int64_t dim, int64_t start, int64_t size);
  Value slice(Value x, Sizes starts, Sizes sizes);
  /// `count` elements start, start + step ...
  Value stridedSlice(Value x, int64_t dim, int64_t start, int64_t count,
                     int64_t step);
  Value pad(Value x, Sizes before, Sizes after, Value value);
  Value concat(llvm::ArrayRef<Value> parts, int64_t dim);
  /// Repeats dims of size 1 to the given sizes.
  Value tile(Value x, Sizes sizes);
  Value gather(Value values, Value indices);

  /// A reduction over one dim, which is kept with size 1.
  template <typename Op>
  Value reduce(Value x, int64_t dim) {
    llvm::SmallVector<int64_t> sizes(sizesOf(x));
    sizes[dim] = 1;
    return Op::create(builder, loc, tensor(sizes, elementOf(x)), x,
                      builder.getI32IntegerAttr(dim));
  }

  /// The product over a dim of known size, which is kept with size 1. TOSA
  /// supports it for floats; for integers, the halves of the dim are multiplied
  /// repeatedly.
  Value reduceProduct(Value x, int64_t dim);

  /// A zero point, a constant of one element; 0 for float ops.
  Value zeroPoint(Type element, int64_t number = 0) {
    return splat(number, element, {1});
  }

  static Type elementOf(Value x) {
    return mlir::getElementTypeOrSelf(x.getType());
  }
  static Sizes sizesOf(Value x) {
    return llvm::cast<mlir::RankedTensorType>(x.getType()).getShape();
  }
  static int64_t rankOf(Value x) { return sizesOf(x).size(); }
  static mlir::RankedTensorType tensor(Sizes sizes, Type element) {
    return mlir::RankedTensorType::get(sizes, element);
  }

  /// The first reason why TOSA cannot express the lowering; empty if it can.
  llvm::StringRef error() const { return firstError; }
  /// Records that TOSA cannot express a value; returns a placeholder.
  Value fail(Type type, const llvm::Twine &reason);

private:
  /// Makes the ranks of the operands equal; returns the type of the result.
  Type broadcast(llvm::ArrayRef<Value *> operands, Type element);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants = nullptr;
  std::string firstError;
};

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSABUILDER_H
