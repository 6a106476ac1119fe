//===- HloSyntax.cpp - Text forms of MHLO and StableHLO -------------------===//

#include "HloSyntax.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::hlo;

#include "isthmus/Dialect/Mhlo/HloEnums.cpp.inc"

static ParseResult parseDims(AsmParser &parser, Dims &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dims.emplace_back());
  });
}

ParseResult hlo::parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        StringRef name;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name) || parser.parseEqual())
          return failure();
        const Field *field =
            llvm::find_if(fields, [&](Field f) { return f.name == name; });
        if (field == fields.end())
          return parser.emitError(loc, "unknown field '") << name << "'";
        if (auto *dims = std::get_if<Dims *>(&field->target))
          return parseDims(parser, **dims);
        return parser.parseInteger(*std::get<int64_t *>(field->target));
      });
}

void FieldPrinter::start(StringRef name) {
  if (!first)
    printer << ", ";
  first = false;
  printer << name << " = ";
}

FieldPrinter &FieldPrinter::dims(StringRef name, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return *this;
  start(name);
  printer << '[';
  llvm::interleaveComma(dims, printer.getStream());
  printer << ']';
  return *this;
}

FieldPrinter &FieldPrinter::number(StringRef name, int64_t number) {
  start(name);
  printer << number;
  return *this;
}

ParseResult hlo::parseConvTensorDims(AsmParser &parser, ConvTensorDims &dims) {
  dims.named = {-1, -1};
  SmallVector<std::pair<int64_t, int64_t>> spatial; // (number, position)
  int64_t position = 0;
  SMLoc loc = parser.getCurrentLocation();
  auto parseDim = [&]() -> ParseResult {
    int64_t here = position++;
    StringRef letter;
    if (succeeded(parser.parseOptionalKeyword(&letter))) {
      size_t which = dims.letters.find(letter);
      if (letter.size() != 1 || which == StringRef::npos)
        return parser.emitError(loc, "unknown dimension '") << letter << "'";
      dims.named[which] = here;
      return success();
    }
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    spatial.emplace_back(number, here);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
    return failure();
  if (llvm::is_contained(dims.named, -1))
    return parser.emitError(loc, "expected dimensions ")
           << dims.letters[0] << " and " << dims.letters[1];
  llvm::sort(spatial);
  for (auto [index, dim] : llvm::enumerate(spatial)) {
    if (dim.first != static_cast<int64_t>(index))
      return parser.emitError(loc, "expected spatial dimension ") << index;
    dims.spatial.push_back(dim.second);
  }
  return success();
}

void hlo::printConvTensorDims(AsmPrinter &printer, const ConvTensorDims &dims) {
  SmallVector<std::string> text(dims.spatial.size() + 2);
  for (int which : {0, 1})
    text[dims.named[which]] = dims.letters[which];
  for (auto [number, position] : llvm::enumerate(dims.spatial))
    text[position] = std::to_string(number);
  printer << '[';
  llvm::interleaveComma(text, printer.getStream());
  printer << ']';
}

ParseResult hlo::parseElementwiseTypes(OpAsmParser &parser,
                                       ArrayRef<Type *> operandsAndResult) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    for (Type *each : operandsAndResult)
      *each = type;
    return success();
  }
  ArrayRef<Type *> operands = operandsAndResult.drop_back();
  if (function.getNumInputs() != operands.size() ||
      function.getNumResults() != 1)
    return parser.emitError(loc, "expected ")
           << operands.size() << " operand types and one result type";
  for (auto [each, input] : llvm::zip_equal(operands, function.getInputs()))
    *each = input;
  *operandsAndResult.back() = function.getResult(0);
  return success();
}

void hlo::printElementwiseTypes(OpAsmPrinter &printer,
                                ArrayRef<Type> operandsAndResult) {
  if (llvm::all_equal(operandsAndResult)) {
    printer << operandsAndResult.front();
    return;
  }
  printer.printFunctionalType(operandsAndResult.drop_back(),
                              operandsAndResult.take_back());
}
