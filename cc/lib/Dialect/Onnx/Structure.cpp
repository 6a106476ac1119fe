//===- Structure.cpp - Ops that hold a graph together ---------------------===//

#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

#define GET_OP_CLASSES
#include "isthmus/Dialect/Onnx/Structure.cpp.inc"

void OnnxDialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Onnx/Structure.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

void ConstantOp::build(OpBuilder &, OperationState &state, ElementsAttr value) {
  StringAttr name = getValueAttrName(state.name);
  onnx::build(state, value.getType(), {}, NamedAttribute(name, value));
}

/// onnx.Constant dense<1.0> : tensor<2xf32>
/// onnx.Constant {value_int = 2 : si64} : tensor<i64>
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();

  Type type;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseType(type))
      return failure();
    result.addTypes(type);
    return success();
  }

  ElementsAttr value;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(value))
    return parser.emitError(loc, "expected the value of the constant");
  result.addAttribute(getValueAttrName(result.name), value);
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  ElementsAttr value = getValueAttr();
  // The attribute's text ends with its type; without one the op's type is said.
  if (value && value.getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(),
                                  getValueAttrName().getValue());
    printer << ' ' << value;
  } else {
    printer.printOptionalAttrDict((*this)->getAttrs());
    printer << " : " << getType();
  }
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  Attribute values[] = {getSparseValueAttr(), getValueAttr(),
                        getValueFloatAttr(),  getValueFloatsAttr(),
                        getValueIntAttr(),    getValueIntsAttr(),
                        getValueStringAttr(), getValueStringsAttr()};
  auto count = llvm::count_if(values, [](Attribute a) { return bool(a); });
  if (count != 1)
    return emitOpError("expected one value, got ") << count;
  if (ElementsAttr value = getValueAttr())
    if (value.getShapedType().getElementType() !=
        cast<ShapedType>(getType()).getElementType())
      return emitOpError("expected a value of ")
             << getType() << ", got " << value.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// NoValueOp
//===----------------------------------------------------------------------===//

OpFoldResult NoValueOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}
