//===- Onnx.cpp - The onnx dialect and its types --------------------------===//

#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

#include "isthmus/Dialect/Onnx/OnnxDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "isthmus/Dialect/Onnx/OnnxTypes.cpp.inc"

void OnnxDialect::initialize() {
  registerTypes();
#define FAMILY(Name) register##Name##Ops();
#include "isthmus/Dialect/Onnx/Families.def"
}

void OnnxDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "isthmus/Dialect/Onnx/OnnxTypes.cpp.inc"
      >();
}

Operation *OnnxDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  if (isa<NoneType>(type))
    return NoValueOp::create(builder, loc, type, ValueRange());
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

void onnx::build(OperationState &state, TypeRange types, ValueRange operands,
                 ArrayRef<NamedAttribute> attributes) {
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(attributes);
  if (auto schema = findSchema(state.name.stripDialect(), getNewestOpset()))
    for (const AttributeSchema &attribute : schema->attributes)
      if (attribute.kind == AttributeKind::Graph)
        state.addRegion();
}
