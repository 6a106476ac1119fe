//===- HloSyntax.h - Text forms of MHLO and StableHLO -----------*- C++ -*-===//
//
// The text forms that jaxlib prints and parses; the same in both dialects.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_DIALECT_MHLO_HLOSYNTAX_H
#define ISTHMUS_LIB_DIALECT_MHLO_HLOSYNTAX_H

#include "isthmus/Dialect/Mhlo/Hlo.h"
#include <array>
#include <variant>

namespace isthmus::hlo {

using Dims = llvm::SmallVector<int64_t>;

/// A named field of a dimension numbers attribute: dims or one number.
struct Field {
  llvm::StringRef name;
  std::variant<Dims *, int64_t *> target;
};

/// `<` (name `=` value)`,`* `>`, in any order; an absent field keeps its value.
mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields);

/// Prints `<` (name `=` value)`,`* `>`; an empty list is omitted.
class FieldPrinter {
public:
  explicit FieldPrinter(mlir::AsmPrinter &printer) : printer(printer) {
    printer << '<';
  }
  ~FieldPrinter() { printer << '>'; }

  FieldPrinter &dims(llvm::StringRef name, llvm::ArrayRef<int64_t> dims);
  FieldPrinter &number(llvm::StringRef name, int64_t number);

private:
  void start(llvm::StringRef name);

  mlir::AsmPrinter &printer;
  bool first = true;
};

template <typename Attr>
Attr parseDotDimensionNumbers(mlir::AsmParser &parser) {
  Dims lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (parseFields(parser, {{"lhs_batching_dimensions", &lhsBatching},
                           {"rhs_batching_dimensions", &rhsBatching},
                           {"lhs_contracting_dimensions", &lhsContracting},
                           {"rhs_contracting_dimensions", &rhsContracting}}))
    return {};
  return Attr::get(parser.getContext(), lhsBatching, rhsBatching,
                   lhsContracting, rhsContracting);
}

template <typename Attr>
void printDotDimensionNumbers(Attr attr, mlir::AsmPrinter &printer) {
  FieldPrinter(printer)
      .dims("lhs_batching_dimensions", attr.getLhsBatchingDimensions())
      .dims("rhs_batching_dimensions", attr.getRhsBatchingDimensions())
      .dims("lhs_contracting_dimensions", attr.getLhsContractingDimensions())
      .dims("rhs_contracting_dimensions", attr.getRhsContractingDimensions());
}

template <typename Attr>
Attr parseGatherDimensionNumbers(mlir::AsmParser &parser) {
  Dims offset, collapsed, operandBatching, indicesBatching, indexMap;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"offset_dims", &offset},
                           {"collapsed_slice_dims", &collapsed},
                           {"operand_batching_dims", &operandBatching},
                           {"start_indices_batching_dims", &indicesBatching},
                           {"start_index_map", &indexMap},
                           {"index_vector_dim", &indexVectorDim}}))
    return {};
  return Attr::get(parser.getContext(), offset, collapsed, operandBatching,
                   indicesBatching, indexMap, indexVectorDim);
}

template <typename Attr>
void printGatherDimensionNumbers(Attr attr, mlir::AsmPrinter &printer) {
  FieldPrinter(printer)
      .dims("offset_dims", attr.getOffsetDims())
      .dims("collapsed_slice_dims", attr.getCollapsedSliceDims())
      .dims("operand_batching_dims", attr.getOperandBatchingDims())
      .dims("start_indices_batching_dims", attr.getStartIndicesBatchingDims())
      .dims("start_index_map", attr.getStartIndexMap())
      .number("index_vector_dim", attr.getIndexVectorDim());
}

template <typename Attr>
Attr parseScatterDimensionNumbers(mlir::AsmParser &parser) {
  Dims updateWindow, insertedWindow, inputBatching, indicesBatching, scattered;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"update_window_dims", &updateWindow},
                           {"inserted_window_dims", &insertedWindow},
                           {"input_batching_dims", &inputBatching},
                           {"scatter_indices_batching_dims", &indicesBatching},
                           {"scatter_dims_to_operand_dims", &scattered},
                           {"index_vector_dim", &indexVectorDim}}))
    return {};
  return Attr::get(parser.getContext(), updateWindow, insertedWindow,
                   inputBatching, indicesBatching, scattered, indexVectorDim);
}

template <typename Attr>
void printScatterDimensionNumbers(Attr attr, mlir::AsmPrinter &printer) {
  FieldPrinter(printer)
      .dims("update_window_dims", attr.getUpdateWindowDims())
      .dims("inserted_window_dims", attr.getInsertedWindowDims())
      .dims("input_batching_dims", attr.getInputBatchingDims())
      .dims("scatter_indices_batching_dims",
            attr.getScatterIndicesBatchingDims())
      .dims("scatter_dims_to_operand_dims", attr.getScatterDimsToOperandDims())
      .number("index_vector_dim", attr.getIndexVectorDim());
}

/// The dims of one tensor of a convolution: the positions of its two named dims
/// and of its spatial dims, in order. `[b, f, 0, 1]` has letters "bf", named
/// {0, 1}, spatial {2, 3}.
struct ConvTensorDims {
  llvm::StringRef letters;
  std::array<int64_t, 2> named;
  Dims spatial;
};

mlir::ParseResult parseConvTensorDims(mlir::AsmParser &parser,
                                      ConvTensorDims &dims);
void printConvTensorDims(mlir::AsmPrinter &printer, const ConvTensorDims &dims);

template <typename Attr>
Attr parseConvDimensionNumbers(mlir::AsmParser &parser) {
  ConvTensorDims input{"bf"}, kernel{"io"}, output{"bf"};
  if (parser.parseLess() || parseConvTensorDims(parser, input) ||
      parser.parseKeyword("x") || parseConvTensorDims(parser, kernel) ||
      parser.parseArrow() || parseConvTensorDims(parser, output) ||
      parser.parseGreater())
    return {};
  return Attr::get(parser.getContext(), input.named[0], input.named[1],
                   input.spatial, kernel.named[0], kernel.named[1],
                   kernel.spatial, output.named[0], output.named[1],
                   output.spatial);
}

template <typename Attr>
void printConvDimensionNumbers(Attr attr, mlir::AsmPrinter &printer) {
  auto print = [&](llvm::StringRef letters, int64_t first, int64_t second,
                   llvm::ArrayRef<int64_t> spatial) {
    printConvTensorDims(printer, {letters, {first, second}, Dims(spatial)});
  };
  printer << '<';
  print("bf", attr.getInputBatchDimension(), attr.getInputFeatureDimension(),
        attr.getInputSpatialDimensions());
  printer << 'x';
  print("io", attr.getKernelInputFeatureDimension(),
        attr.getKernelOutputFeatureDimension(),
        attr.getKernelSpatialDimensions());
  printer << "->";
  print("bf", attr.getOutputBatchDimension(), attr.getOutputFeatureDimension(),
        attr.getOutputSpatialDimensions());
  printer << '>';
}

/// One type if the operands and the result have the same type, otherwise a
/// function type.
mlir::ParseResult
parseElementwiseTypes(mlir::OpAsmParser &parser,
                      llvm::ArrayRef<mlir::Type *> operandsAndResult);
void printElementwiseTypes(mlir::OpAsmPrinter &printer,
                           llvm::ArrayRef<mlir::Type> operandsAndResult);

template <typename... Types>
mlir::ParseResult parseElementwiseType(mlir::OpAsmParser &parser,
                                       Types &...types) {
  return parseElementwiseTypes(parser, {&types...});
}

template <typename... Types>
void printElementwiseType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          Types... types) {
  printElementwiseTypes(printer, {types...});
}

} // namespace isthmus::hlo

#endif // ISTHMUS_LIB_DIALECT_MHLO_HLOSYNTAX_H
