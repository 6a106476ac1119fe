//===- HloBuilder.h - MHLO for static and dynamic sizes ---------*- C++ -*-===//
//
// One builder for static and dynamic shapes. If all sizes are known, it creates
// the static op (reshape, slice ...), otherwise the dynamic one
// (dynamic_reshape, real_dynamic_slice ...) with its sizes as values. Sizes are
// computed by get_dimension_size and arithmetic on tensor<i64>, which XLA
// evaluates when it specializes a program to its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_HLOBUILDER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_HLOBUILDER_H

#include "SizeOrigins.h"
#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Support/ConstantPool.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus::torch_to_mhlo {

/// A size, offset or bound: a number, or a tensor<i64> known only at run time.
class Size {
public:
  /// INT64_MIN represents an unknown size; the next larger number is equally
  /// far from a valid size.
  Size(int64_t number) : number(std::max(number, -INT64_MAX)) {}
  Size(mlir::Value value) : value(value) {}

  bool isKnown() const { return !value; }
  /// The number, or ShapedType::kDynamic if unknown.
  int64_t getNumber() const {
    return value ? mlir::ShapedType::kDynamic : number;
  }
  mlir::Value getValue() const { return value; }
  bool isNumber(int64_t other) const { return !value && number == other; }

private:
  int64_t number = 0;
  mlir::Value value;
};

using Sizes = llvm::SmallVector<Size>;
using Dims = llvm::ArrayRef<int64_t>;

/// 0, 1, ... n - 1.
llvm::SmallVector<int64_t> dimsUpTo(int64_t n);

/// Whether the number of every size is known.
bool areKnown(llvm::ArrayRef<Size> sizes);

/// Arithmetic on sizes, with the interface that ShapeFormulas.h requires. Known
/// sizes are folded.
class SizeArithmetic {
public:
  using Size = torch_to_mhlo::Size;

  SizeArithmetic(mlir::OpBuilder &builder, mlir::Location loc,
                 ConstantPool *constants, SizeOrigins *origins)
      : builder(builder), loc(loc), constants(constants), origins(origins) {}

  Size constant(int64_t value) const { return value; }
  Size add(Size a, Size b) const;
  Size sub(Size a, Size b) const;
  Size mul(Size a, Size b) const;
  Size floorDiv(Size a, Size b) const;
  Size ceilDiv(Size a, Size b) const;
  Size min(Size a, Size b) const;
  Size max(Size a, Size b) const;

  /// The remainder with the sign of b.
  Size floorMod(Size a, Size b) const;
  Size product(llvm::ArrayRef<Size> sizes) const;
  /// The size of dim `dim`, traced back to the tensor where it originates.
  Size sizeOf(mlir::Value tensor, int64_t dim) const;
  Sizes sizesOf(mlir::Value tensor) const;
  /// The broadcast of two sizes: the one that is not 1.
  Size broadcast(Size a, Size b) const;
  /// The size as a tensor<i64>.
  mlir::Value materialize(Size size) const;
  /// The sizes as one tensor<Nxi64>.
  mlir::Value materialize(llvm::ArrayRef<Size> sizes) const;
  /// A number, a splat, a few numbers.
  mlir::Value constantOf(mlir::ElementsAttr value) const {
    return constantFrom<mhlo::ConstantOp>(constants, value, builder, loc,
                                          value);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants;
  SizeOrigins *origins;
};

/// True if both are provably the same size.
bool areSame(Size a, Size b);

class HloBuilder : public LoweringScope {
public:
  HloBuilder(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc)
      : sizes(rewriter, loc, nullptr, nullptr), builder(rewriter), loc(loc) {}
  /// For a lowering function. Small constants come from `constants`, and the
  /// origins of sizes are recorded in `origins`.
  HloBuilder(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
             LoweringScope scope, ConstantPool &constants, SizeOrigins &origins)
      : LoweringScope(scope), sizes(rewriter, loc, &constants, &origins),
        builder(rewriter), loc(loc) {}

  template <typename Op, typename... Args>
  mlir::Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }
  mlir::ConversionPatternRewriter &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// A number, a splat, a few numbers.
  mlir::Value constant(mlir::ElementsAttr value) {
    return sizes.constantOf(value);
  }
  // A number becomes the nearest value of the element type.
  mlir::Value scalar(double number, mlir::Type elementType);
  mlir::Value scalar(int64_t number, mlir::Type elementType);
  template <typename Number>
  mlir::Value full(Number number, llvm::ArrayRef<Size> shape, mlir::Type type) {
    return broadcastScalar(scalar(number, type), shape);
  }
  /// A constant of `like`'s shape and element type.
  template <typename Number>
  mlir::Value fullLike(Number number, mlir::Value like) {
    return full(number, sizes.sizesOf(like), elementType(like));
  }
  /// An empty tensor.
  mlir::Value empty(mlir::RankedTensorType type);
  /// The least and the greatest value of an element type: infinities if it has
  /// them.
  mlir::Value lowest(mlir::Type elementType);
  mlir::Value highest(mlir::Type elementType);
  /// 0, 1, 2 ... along a dim.
  mlir::Value iota(llvm::ArrayRef<Size> shape, int64_t dim, mlir::Type type);

  // Elementwise.
  mlir::Value compare(hlo::ComparisonDirection direction, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value select(mlir::Value pred, mlir::Value onTrue, mlir::Value onFalse);
  mlir::Value convert(mlir::Value value, mlir::Type elementType);
  /// Whether elements are NaN; false for all if the type has no NaN.
  mlir::Value isNan(mlir::Value value);
  /// x - y * floor(x / y): the remainder that has the sign of y.
  mlir::Value floorRemainder(mlir::Value x, mlir::Value y);
  /// floor(x / y) without the error of rounding x / y first. x / 0 is an
  /// infinity or NaN.
  mlir::Value floorDivide(mlir::Value x, mlir::Value y);

  // Shape.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<Size> shape);
  /// Operand dim i becomes result dim dims[i]. A constant scalar becomes a
  /// constant if the sizes are known.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<Size> shape,
                        Dims dims);
  mlir::Value broadcastScalar(mlir::Value value, llvm::ArrayRef<Size> shape) {
    return broadcast(value, shape, {});
  }
  /// Right-aligned, as in NumPy broadcasting.
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<Size> shape);
  /// The shape to which all values broadcast, right-aligned.
  Sizes commonShape(mlir::ValueRange values);
  mlir::Value transpose(mlir::Value value, Dims permutation);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<Size> starts,
                    llvm::ArrayRef<Size> limits, Dims strides);
  /// Elements [start, limit) of one dim.
  mlir::Value sliceDim(mlir::Value value, int64_t dim, Size start, Size limit,
                       int64_t stride = 1);
  /// Negative paddings crop.
  mlir::Value pad(mlir::Value value, mlir::Value padding,
                  llvm::ArrayRef<Size> low, llvm::ArrayRef<Size> high);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dim);
  /// Casts the tensor to a type with more or fewer static sizes.
  mlir::Value cast(mlir::Value value, mlir::Type type);

  // Regions. A body gets rank-0 tensors: the running results, then the next
  // elements. It returns the new results.
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      HloBuilder &, mlir::ValueRange)>;
  void fillBody(mlir::Region &region, mlir::TypeRange elementTypes, Body body);
  mlir::ResultRange reduce(mlir::ValueRange inputs, mlir::ValueRange inits,
                           Dims dims, Body body);
  /// Reduces by a binary op, e.g. reduce<mhlo::AddOp>.
  template <typename Op>
  mlir::Value reduce(mlir::Value input, mlir::Value init, Dims dims) {
    return reduce(mlir::ValueRange(input), mlir::ValueRange(init), dims,
                  binary<Op>)
        .front();
  }
  template <typename Op>
  static llvm::SmallVector<mlir::Value> binary(HloBuilder &b,
                                               mlir::ValueRange args) {
    return {b.create<Op>(args[0], args[1])};
  }
  /// Windows of `window` elements; paddings per dim, low and high.
  mlir::ResultRange reduceWindow(mlir::ValueRange inputs,
                                 mlir::ValueRange inits, Dims window,
                                 Dims strides, Dims dilations, Dims low,
                                 Dims high, Body body);

  /// The converted type of a result of the op.
  mlir::RankedTensorType resultType(unsigned index = 0) const {
    return llvm::cast<mlir::RankedTensorType>(LoweringScope::resultType(index));
  }
  /// The element type of a torch dtype in MHLO.
  mlir::Type elementType(mlir::Type dtype) const;
  static mlir::RankedTensorType type(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static mlir::Type elementType(mlir::Value value) {
    return type(value).getElementType();
  }
  static int64_t rank(mlir::Value value) { return type(value).getRank(); }

  mlir::DenseIntElementsAttr dimsAttr(Dims dims) {
    return builder.getI64TensorAttr(dims);
  }

  SizeArithmetic sizes;

private:
  mlir::ConversionPatternRewriter &builder;
  mlir::Location loc;
};

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_HLOBUILDER_H
