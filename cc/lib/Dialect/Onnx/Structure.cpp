//===- Structure.cpp - Constant, NoValue, Return and Yield ----------------===//

#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

/// Whether two types are compatible: equal, or tensors with the same element
/// type and no differing static sizes.
static bool mayBeSame(Type a, Type b) {
  auto x = dyn_cast<TensorType>(a), y = dyn_cast<TensorType>(b);
  if (!x || !y)
    return a == b;
  return x.getElementType() == y.getElementType() &&
         succeeded(verifyCompatibleShape(x, y));
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
  // The attribute's text ends with its type; otherwise the op's type is
  // printed.
  if (value && value.getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(),
                                  getValueAttrName().getValue());
    printer << ' ' << value;
  } else {
    printer.printOptionalAttrDict((*this)->getAttrs());
    printer << " : " << getType();
  }
}

ElementsAttr ConstantOp::toElements(StringRef name, Attribute value) {
  Builder b(value.getContext());
  auto array = dyn_cast<ArrayAttr>(value);
  auto tensorOf = [&](Type elementType) {
    SmallVector<int64_t> shape;
    if (array)
      shape.push_back(array.size());
    return RankedTensorType::get(shape, elementType);
  };
  if (name == "value")
    return dyn_cast<ElementsAttr>(value);
  if (auto sparse = dyn_cast<SparseElementsAttr>(value))
    return DenseElementsAttr::get(
        sparse.getType(), llvm::to_vector(sparse.getValues<Attribute>()));
  if (name == "sparse_value")
    return dyn_cast<ElementsAttr>(value);
  auto elements = array ? array.getValue() : ArrayRef(value);
  if (name == "value_float" || name == "value_floats")
    return DenseElementsAttr::get(tensorOf(b.getF32Type()), elements);
  if (name == "value_int" || name == "value_ints")
    return DenseElementsAttr::get(
        tensorOf(b.getI64Type()),
        llvm::map_to_vector(elements, [](Attribute i) {
          return cast<IntegerAttr>(i).getValue();
        }));
  if (name == "value_string" || name == "value_strings")
    return DenseStringElementsAttr::get(
        tensorOf(StringType::get(value.getContext())),
        llvm::map_to_vector(elements, [](Attribute s) {
          return cast<StringAttr>(s).getValue();
        }));
  return nullptr;
}

ElementsAttr ConstantOp::getElements() {
  for (NamedAttribute attribute : (*this)->getAttrs())
    if (ElementsAttr elements =
            toElements(attribute.getName(), attribute.getValue()))
      return elements;
  return nullptr;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getElements(); }

LogicalResult ConstantOp::verify() {
  Attribute values[] = {getSparseValueAttr(), getValueAttr(),
                        getValueFloatAttr(),  getValueFloatsAttr(),
                        getValueIntAttr(),    getValueIntsAttr(),
                        getValueStringAttr(), getValueStringsAttr()};
  auto count = llvm::count_if(values, [](Attribute a) { return bool(a); });
  if (count != 1)
    return emitOpError("expected one value, got ") << count;
  ShapedType value = getElements().getShapedType();
  auto type = cast<ShapedType>(getType());
  if (!mayBeSame(value, type))
    return emitOpError("expected a value of ") << type << ", got " << value;
  return success();
}

//===----------------------------------------------------------------------===//
// NoValueOp
//===----------------------------------------------------------------------===//

OpFoldResult NoValueOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}

//===----------------------------------------------------------------------===//
// ReturnOp, YieldOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = dyn_cast<FunctionOpInterface>((*this)->getParentOp());
  if (!function)
    return emitOpError("expected to end a function, got '")
           << (*this)->getParentOp()->getName() << "'";
  if (llvm::equal(getOperandTypes(), function.getResultTypes(), mayBeSame))
    return success();
  return emitOpError("expected the results of the function, (")
         << function.getResultTypes() << "), got (" << getOperandTypes() << ")";
}

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<OnnxDialect>(parent->getDialect()))
    return success();
  return emitOpError("expected to end a graph of an onnx op, got '")
         << parent->getName() << "'";
}

//===----------------------------------------------------------------------===//
// ShardingOp
//===----------------------------------------------------------------------===//

LogicalResult ShardingOp::verify() {
  if (getAxes().size() != getFactors().size())
    return emitOpError() << "expected factors of " << getAxes().size()
                         << " axes, got " << getFactors().size();
  for (auto factors : getFactors().getAsRange<DenseI64ArrayAttr>())
    for (auto [i, number] : llvm::enumerate(factors.asArrayRef()))
      if (factors.size() % 2 || (i % 2 && number < 1))
        return emitOpError() << "expected pairs of a size and a number of "
                                "parts above 0, got "
                             << factors;
  if (getMesh().has_value() != getMeshAxes().has_value() ||
      (getMesh() && getMeshAxes()->size() != getAxes().size()))
    return emitOpError() << "expected a mesh with axes of it for each of "
                         << getAxes().size() << " axes, or none";
  return success();
}
