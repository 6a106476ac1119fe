//===- HloOps.td - Ops and attributes of MHLO and StableHLO *- tablegen -*-===//
//
// One definition for two dialects. The including file defines
//   Hlo_Dialect  the dialect the ops join,
//   Hlo_Dims     how it writes one number per dimension,
//   Hlo_Flags    how it writes one flag per dimension.
// The meaning of each op is the StableHLO specification's:
// https://openxla.org/stablehlo/spec.
//
// An op either infers its result type (`rule = "inferX"`) or checks it
// (`rule = "verifyX"`); the rules lie in cc/lib/Dialect/Mhlo/HloRules.h.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_MHLO_HLOOPS_TD
#define ISTHMUS_DIALECT_MHLO_HLOOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "isthmus/Dialect/Mhlo/HloEnums.td"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// #mhlo<comparison_direction LT>
class Hlo_EnumAttr<EnumInfo enum, string name>
    : EnumAttr<Hlo_Dialect, enum, name> {
  let cppNamespace = Hlo_Dialect.cppNamespace;
}

def Hlo_ComparisonDirectionAttr
    : Hlo_EnumAttr<Hlo_ComparisonDirection, "comparison_direction">;
def Hlo_ComparisonTypeAttr : Hlo_EnumAttr<Hlo_ComparisonType, "comparison_type">;
def Hlo_FftTypeAttr : Hlo_EnumAttr<Hlo_FftType, "fft_type">;
def Hlo_PrecisionAttr : Hlo_EnumAttr<Hlo_Precision, "precision">;
def Hlo_TransposeAttr : Hlo_EnumAttr<Hlo_Transpose, "transpose">;

/// The text form lies in cc/lib/Dialect/Mhlo/HloSyntax.h, as parse and print
/// of `name`.
class Hlo_DimensionNumbers<string name, string attrMnemonic, dag params>
    : AttrDef<Hlo_Dialect, name> {
  let mnemonic = attrMnemonic;
  let parameters = params;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser, ::mlir::Type) {
      return hlo::parse}] # name # [{<$cppClass>(parser);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      hlo::print}] # name # [{(*this, printer);
    }
  }];
}

defvar Dims = ArrayRefParameter<"int64_t">;

// #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>
def Hlo_DotDimensionNumbers
    : Hlo_DimensionNumbers<"DotDimensionNumbers", "dot",
        (ins Dims:$lhsBatchingDimensions, Dims:$rhsBatchingDimensions,
             Dims:$lhsContractingDimensions, Dims:$rhsContractingDimensions)>;

// #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
//              start_index_map = [0], index_vector_dim = 1>
def Hlo_GatherDimensionNumbers
    : Hlo_DimensionNumbers<"GatherDimensionNumbers", "gather",
        (ins Dims:$offsetDims, Dims:$collapsedSliceDims,
             Dims:$operandBatchingDims, Dims:$startIndicesBatchingDims,
             Dims:$startIndexMap, "int64_t":$indexVectorDim)>;

// #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
//               scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
def Hlo_ScatterDimensionNumbers
    : Hlo_DimensionNumbers<"ScatterDimensionNumbers", "scatter",
        (ins Dims:$updateWindowDims, Dims:$insertedWindowDims,
             Dims:$inputBatchingDims, Dims:$scatterIndicesBatchingDims,
             Dims:$scatterDimsToOperandDims, "int64_t":$indexVectorDim)>;

// #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>
def Hlo_ConvDimensionNumbers
    : Hlo_DimensionNumbers<"ConvDimensionNumbers", "conv",
        (ins "int64_t":$inputBatchDimension, "int64_t":$inputFeatureDimension,
             Dims:$inputSpatialDimensions,
             "int64_t":$kernelInputFeatureDimension,
             "int64_t":$kernelOutputFeatureDimension,
             Dims:$kernelSpatialDimensions,
             "int64_t":$outputBatchDimension, "int64_t":$outputFeatureDimension,
             Dims:$outputSpatialDimensions)>;

def Hlo_PrecisionConfig
    : TypedArrayAttrBase<Hlo_PrecisionAttr, "precision of each operand">;

//===----------------------------------------------------------------------===//
// Types and op classes
//===----------------------------------------------------------------------===//

defvar Hlo_Int = AnyTypeOf<[AnySignlessInteger, AnyUnsignedInteger]>;
defvar Hlo_Element = AnyTypeOf<[Hlo_Int, AnyFloat, AnyComplex]>;

defvar Tensor = RankedTensorOf<[Hlo_Element]>;
defvar IntTensor = RankedTensorOf<[Hlo_Int]>;
defvar FloatTensor = RankedTensorOf<[AnyFloat]>;
defvar FloatOrComplexTensor = RankedTensorOf<[AnyFloat, AnyComplex]>;
defvar ComplexTensor = RankedTensorOf<[AnyComplex]>;
defvar PredTensor = RankedTensorOf<[I1]>;

// Sizes and offsets known at run time: one integer per dimension.
defvar SizeTensor = 1DTensorOf<[I32, I64]>;
defvar IndexScalar = 0DTensorOf<[Hlo_Int]>;

class Hlo_Op<string name, list<Trait> traits = []>
    : Op<Hlo_Dialect, name, [Pure] # traits> {
  // For ops that infer their type: a declared one may know other sizes.
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange lhs, ::mlir::TypeRange rhs) {
      return hlo::areCompatible(lhs, rhs);
    }
  }];
  let results = (outs Tensor:$result);
}

/// The result type follows from operands and attributes.
class Hlo_Inferred<string name, string rule, list<Trait> traits = []>
    : Hlo_Op<name, [DeclareOpInterfaceMethods<InferTypeOpInterface>] # traits> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> loc,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return hlo::}] # rule # [{(
          loc, Adaptor(operands, attributes, properties, regions), types);
    }
  }];
}

/// The result type is the builder's choice, within what the rule allows.
class Hlo_Verified<string name, string rule, list<Trait> traits = []>
    : Hlo_Op<name, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return hlo::}] # rule # [{(*this); }
  }];
}

class Hlo_Unary<string name, Type type>
    : Hlo_Op<name, [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<ElementwiseType>(type($operand), type($result))
  }];
}

class Hlo_Binary<string name, Type type, list<Trait> traits = []>
    : Hlo_Op<name, [Elementwise, SameOperandsAndResultType] # traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    `:` custom<ElementwiseType>(type($lhs), type($rhs), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def Hlo_AbsOp : Hlo_Unary<"abs", Tensor>;
def Hlo_CbrtOp : Hlo_Unary<"cbrt", FloatOrComplexTensor>;
def Hlo_CeilOp : Hlo_Unary<"ceil", FloatTensor>;
def Hlo_CosineOp : Hlo_Unary<"cosine", FloatOrComplexTensor>;
def Hlo_CountLeadingZerosOp : Hlo_Unary<"count_leading_zeros", IntTensor>;
def Hlo_ExponentialOp : Hlo_Unary<"exponential", FloatOrComplexTensor>;
def Hlo_ExponentialMinusOneOp : Hlo_Unary<"exponential_minus_one", FloatOrComplexTensor>;
def Hlo_FloorOp : Hlo_Unary<"floor", FloatTensor>;
def Hlo_LogOp : Hlo_Unary<"log", FloatOrComplexTensor>;
def Hlo_LogPlusOneOp : Hlo_Unary<"log_plus_one", FloatOrComplexTensor>;
def Hlo_LogisticOp : Hlo_Unary<"logistic", FloatOrComplexTensor>;
def Hlo_NegateOp : Hlo_Unary<"negate", Tensor>;
def Hlo_NotOp : Hlo_Unary<"not", IntTensor>;
def Hlo_PopcntOp : Hlo_Unary<"popcnt", IntTensor>;
def Hlo_RoundNearestAfzOp : Hlo_Unary<"round_nearest_afz", FloatTensor>;
def Hlo_RoundNearestEvenOp : Hlo_Unary<"round_nearest_even", FloatTensor>;
def Hlo_RsqrtOp : Hlo_Unary<"rsqrt", FloatOrComplexTensor>;
def Hlo_SignOp : Hlo_Unary<"sign", Tensor>;
def Hlo_SineOp : Hlo_Unary<"sine", FloatOrComplexTensor>;
def Hlo_SqrtOp : Hlo_Unary<"sqrt", FloatOrComplexTensor>;
def Hlo_TanOp : Hlo_Unary<"tan", FloatOrComplexTensor>;
def Hlo_TanhOp : Hlo_Unary<"tanh", FloatOrComplexTensor>;

def Hlo_AddOp : Hlo_Binary<"add", Tensor, [Commutative]>;
def Hlo_AndOp : Hlo_Binary<"and", IntTensor, [Commutative]>;
def Hlo_Atan2Op : Hlo_Binary<"atan2", FloatOrComplexTensor>;
def Hlo_DivOp : Hlo_Binary<"divide", Tensor>;
def Hlo_MaxOp : Hlo_Binary<"maximum", Tensor, [Commutative]>;
def Hlo_MinOp : Hlo_Binary<"minimum", Tensor, [Commutative]>;
def Hlo_MulOp : Hlo_Binary<"multiply", Tensor, [Commutative]>;
def Hlo_OrOp : Hlo_Binary<"or", IntTensor, [Commutative]>;
def Hlo_PowOp : Hlo_Binary<"power", Tensor>;
def Hlo_RemOp : Hlo_Binary<"remainder", Tensor>;
def Hlo_ShiftLeftOp : Hlo_Binary<"shift_left", IntTensor>;
def Hlo_ShiftRightArithmeticOp : Hlo_Binary<"shift_right_arithmetic", IntTensor>;
def Hlo_ShiftRightLogicalOp : Hlo_Binary<"shift_right_logical", IntTensor>;
def Hlo_SubtractOp : Hlo_Binary<"subtract", Tensor>;
def Hlo_XorOp : Hlo_Binary<"xor", IntTensor, [Commutative]>;

class Hlo_Cast<string name, list<Trait> traits = []>
    : Hlo_Op<name, traits> {
  let arguments = (ins Tensor:$operand);
  let assemblyFormat = [{
    $operand attr-dict `:` functional-type($operand, $result)
  }];
}

def Hlo_BitcastConvertOp : Hlo_Cast<"bitcast_convert">;
def Hlo_ConvertOp : Hlo_Cast<"convert", [Elementwise, SameOperandsAndResultShape]>;
def Hlo_ImagOp : Hlo_Cast<"imag", [Elementwise, SameOperandsAndResultShape]>;
def Hlo_IsFiniteOp : Hlo_Cast<"is_finite", [Elementwise, SameOperandsAndResultShape]>;
def Hlo_RealOp : Hlo_Cast<"real", [Elementwise, SameOperandsAndResultShape]>;

def Hlo_ClampOp : Hlo_Op<"clamp"> {
  // min and max have operand's type or are scalars.
  let arguments = (ins Tensor:$min, Tensor:$operand, Tensor:$max);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict
    `:` custom<ElementwiseType>(type($min), type($operand), type($max), type($result))
  }];
}

def Hlo_CompareOp : Hlo_Inferred<"compare", "inferCompare", [Elementwise, SameOperandsAndResultShape]> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                       Hlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Hlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs PredTensor:$result);
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Hlo_ComplexOp : Hlo_Op<"complex", [Elementwise, SameOperandsAndResultShape]> {
  let arguments = (ins FloatTensor:$lhs, FloatTensor:$rhs);
  let results = (outs ComplexTensor:$result);
}

def Hlo_ReducePrecisionOp
    : Hlo_Op<"reduce_precision", [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins FloatTensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
}

def Hlo_SelectOp : Hlo_Op<"select", [AllTypesMatch<["on_true", "on_false", "result"]>]> {
  // pred has the result's shape or is a scalar.
  let arguments = (ins PredTensor:$pred, Tensor:$on_true, Tensor:$on_false);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:` type($pred) `,` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Creation and shape
//===----------------------------------------------------------------------===//

def Hlo_ConstantOp
    : Hlo_Op<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return getValue(); }
  }];
}

def Hlo_BroadcastInDimOp : Hlo_Verified<"broadcast_in_dim", "verifyBroadcast"> {
  let arguments = (ins Tensor:$operand, Hlo_Dims:$broadcast_dimensions);
}

def Hlo_ConcatenateOp : Hlo_Inferred<"concatenate", "inferConcatenate"> {
  let arguments = (ins Variadic<Tensor>:$inputs, I64Attr:$dimension);
}

def Hlo_DynamicBroadcastInDimOp : Hlo_Verified<"dynamic_broadcast_in_dim", "verifyBroadcast"> {
  let arguments = (ins Tensor:$operand, SizeTensor:$output_dimensions,
                       Hlo_Dims:$broadcast_dimensions,
                       OptionalAttr<Hlo_Dims>:$known_expanding_dimensions,
                       OptionalAttr<Hlo_Dims>:$known_nonexpanding_dimensions);
}

def Hlo_DynamicIotaOp : Hlo_Verified<"dynamic_iota", "verifyIota"> {
  let arguments = (ins SizeTensor:$output_shape, I64Attr:$iota_dimension);
}

def Hlo_DynamicPadOp : Hlo_Op<"dynamic_pad"> {
  let arguments = (ins Tensor:$operand, Tensor:$padding_value,
                       SizeTensor:$edge_padding_low, SizeTensor:$edge_padding_high,
                       SizeTensor:$interior_padding);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Hlo_DynamicReshapeOp : Hlo_Op<"dynamic_reshape"> {
  let arguments = (ins Tensor:$operand, SizeTensor:$output_shape);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Hlo_DynamicSliceOp : Hlo_Op<"dynamic_slice"> {
  let arguments = (ins Tensor:$operand, Variadic<IndexScalar>:$start_indices,
                       Hlo_Dims:$slice_sizes);
}

def Hlo_DynamicUpdateSliceOp
    : Hlo_Op<"dynamic_update_slice", [AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins Tensor:$operand, Tensor:$update, Variadic<IndexScalar>:$start_indices);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Hlo_GetDimensionSizeOp : Hlo_Inferred<"get_dimension_size", "inferGetDimensionSize"> {
  let arguments = (ins Tensor:$operand, I64Attr:$dimension);
}

def Hlo_IotaOp : Hlo_Verified<"iota", "verifyIota"> {
  let arguments = (ins I64Attr:$iota_dimension);
}

def Hlo_PadOp : Hlo_Inferred<"pad", "inferPad"> {
  let arguments = (ins Tensor:$operand, Tensor:$padding_value, Hlo_Dims:$edge_padding_low,
                       Hlo_Dims:$edge_padding_high, Hlo_Dims:$interior_padding);
}

def Hlo_RealDynamicSliceOp : Hlo_Op<"real_dynamic_slice"> {
  let arguments = (ins Tensor:$operand, SizeTensor:$start_indices, SizeTensor:$limit_indices,
                       SizeTensor:$strides);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Hlo_ReshapeOp : Hlo_Verified<"reshape", "verifyReshape"> {
  let arguments = (ins Tensor:$operand);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Hlo_ReverseOp : Hlo_Op<"reverse", [SameOperandsAndResultType]> {
  let arguments = (ins Tensor:$operand, Hlo_Dims:$dimensions);
}

def Hlo_SliceOp : Hlo_Inferred<"slice", "inferSlice"> {
  let arguments = (ins Tensor:$operand, Hlo_Dims:$start_indices, Hlo_Dims:$limit_indices,
                       Hlo_Dims:$strides);
}

def Hlo_TransposeOp : Hlo_Inferred<"transpose", "inferTranspose"> {
  let arguments = (ins Tensor:$operand, Hlo_Dims:$permutation);
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

def Hlo_DynamicGatherOp : Hlo_Op<"dynamic_gather"> {
  let arguments = (ins Tensor:$operand, IntTensor:$start_indices, SizeTensor:$slice_sizes,
                       Hlo_GatherDimensionNumbers:$dimension_numbers,
                       OptionalAttr<BoolAttr>:$indices_are_sorted);
}

def Hlo_GatherOp : Hlo_Inferred<"gather", "inferGather"> {
  let arguments = (ins Tensor:$operand, IntTensor:$start_indices,
                       Hlo_GatherDimensionNumbers:$dimension_numbers,
                       Hlo_Dims:$slice_sizes,
                       OptionalAttr<BoolAttr>:$indices_are_sorted);
}

def Hlo_ScatterOp : Hlo_Op<"scatter", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<Tensor>:$inputs, IntTensor:$scatter_indices,
                       Variadic<Tensor>:$updates,
                       Hlo_ScatterDimensionNumbers:$scatter_dimension_numbers,
                       OptionalAttr<BoolAttr>:$indices_are_sorted,
                       OptionalAttr<BoolAttr>:$unique_indices);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
}

def Hlo_SortOp : Hlo_Inferred<"sort", "inferSort", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<Tensor>:$inputs, I64Attr:$dimension, BoolAttr:$is_stable);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
}

//===----------------------------------------------------------------------===//
// Reduction and linear algebra
//===----------------------------------------------------------------------===//

def Hlo_BatchNormInferenceOp
    : Hlo_Op<"batch_norm_inference", [AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins FloatTensor:$operand, FloatTensor:$scale, FloatTensor:$offset,
                       FloatTensor:$mean, FloatTensor:$variance,
                       F32Attr:$epsilon, I64Attr:$feature_index);
}

def Hlo_CholeskyOp : Hlo_Op<"cholesky", [SameOperandsAndResultType]> {
  let arguments = (ins FloatOrComplexTensor:$a, BoolAttr:$lower);
}

defvar Hlo_ConvAttributes =
    (ins OptionalAttr<Hlo_Dims>:$window_strides,
         OptionalAttr<Hlo_Dims>:$lhs_dilation, OptionalAttr<Hlo_Dims>:$rhs_dilation,
         OptionalAttr<Hlo_Flags>:$window_reversal,
         Hlo_ConvDimensionNumbers:$dimension_numbers,
         I64Attr:$feature_group_count, I64Attr:$batch_group_count,
         OptionalAttr<Hlo_PrecisionConfig>:$precision_config);

def Hlo_ConvolutionOp : Hlo_Inferred<"convolution", "inferConvolution"> {
  let arguments = !con((ins Tensor:$lhs, Tensor:$rhs, OptionalAttr<I64ElementsAttr>:$padding),
                       Hlo_ConvAttributes);
}

def Hlo_DynamicConvOp : Hlo_Op<"dynamic_conv"> {
  // padding: one (low, high) row per spatial dimension.
  let arguments = !con((ins Tensor:$lhs, Tensor:$rhs, 2DTensorOf<[I32, I64]>:$padding),
                       Hlo_ConvAttributes);
}

def Hlo_DotGeneralOp : Hlo_Inferred<"dot_general", "inferDotGeneral"> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                       Hlo_DotDimensionNumbers:$dot_dimension_numbers,
                       OptionalAttr<Hlo_PrecisionConfig>:$precision_config);
}

def Hlo_FftOp : Hlo_Op<"fft"> {
  let arguments = (ins Tensor:$operand, Hlo_FftTypeAttr:$fft_type, Hlo_Dims:$fft_length);
}

def Hlo_ReduceOp
    : Hlo_Inferred<"reduce", "inferReduce", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<Tensor>:$inputs, Variadic<Tensor>:$init_values,
                       Hlo_Dims:$dimensions);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def Hlo_ReduceWindowOp
    : Hlo_Inferred<"reduce_window", "inferReduceWindow",
                   [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<Tensor>:$inputs, Variadic<Tensor>:$init_values,
                       Hlo_Dims:$window_dimensions,
                       OptionalAttr<Hlo_Dims>:$window_strides,
                       OptionalAttr<Hlo_Dims>:$base_dilations,
                       OptionalAttr<Hlo_Dims>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def Hlo_SelectAndScatterOp
    : Hlo_Op<"select_and_scatter", [AllTypesMatch<["operand", "result"]>, RecursiveMemoryEffects]> {
  let arguments = (ins Tensor:$operand, Tensor:$source, Tensor:$init_value,
                       OptionalAttr<Hlo_Dims>:$window_dimensions,
                       OptionalAttr<Hlo_Dims>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}

def Hlo_TriangularSolveOp
    : Hlo_Op<"triangular_solve", [AllTypesMatch<["b", "result"]>]> {
  let arguments = (ins FloatOrComplexTensor:$a, FloatOrComplexTensor:$b,
                       BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
                       Hlo_TransposeAttr:$transpose_a);
}

//===----------------------------------------------------------------------===//
// Control flow and calls
//===----------------------------------------------------------------------===//

class Hlo_Region<string name, list<Trait> traits = []>
    : Op<Hlo_Dialect, name, [RecursiveMemoryEffects] # traits> {
  let results = (outs Variadic<Tensor>:$results);
}

def Hlo_CaseOp : Hlo_Region<"case"> {
  let arguments = (ins 0DTensorOf<[I32]>:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

def Hlo_IfOp : Hlo_Region<"if"> {
  let arguments = (ins 0DTensorOf<[I1]>:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def Hlo_WhileOp : Hlo_Region<"while"> {
  let arguments = (ins Variadic<Tensor>:$inputs);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}

def Hlo_CustomCallOp
    : Op<Hlo_Dialect, "custom_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  // api_version 4 is XLA's typed FFI: backend_config is a dictionary.
  let arguments = (ins Variadic<Tensor>:$inputs, StrAttr:$call_target_name,
                       OptionalAttr<BoolAttr>:$has_side_effect,
                       OptionalAttr<AnyAttr>:$backend_config,
                       OptionalAttr<I32Attr>:$api_version);
  let results = (outs Variadic<Tensor>:$results);
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      if (!getHasSideEffect().value_or(false))
        return;
      effects.emplace_back(::mlir::MemoryEffects::Read::get());
      effects.emplace_back(::mlir::MemoryEffects::Write::get());
    }
  }];
}

/// An op with the same meaning as a function. A consumer that does not know the
/// op's name calls the function.
def Hlo_CompositeOp : Op<Hlo_Dialect, "composite"> {
  let arguments = (ins Variadic<Tensor>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       OptionalAttr<I32Attr>:$version);
  let results = (outs Variadic<Tensor>:$results);
}

def Hlo_ReturnOp : Op<Hlo_Dialect, "return", [Pure, Terminator]> {
  let arguments = (ins Variadic<Tensor>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

#endif // ISTHMUS_DIALECT_MHLO_HLOOPS_TD
