//===- RegistryOps.cpp - Text form of the ops of the registry -------------===//

#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace isthmus;

// Several results are written `-> A, B`. An op without operands omits the
// operand types, `: -> A`; an op without results omits the arrow.
ParseResult torch::parseRegistryOp(OpAsmParser &parser,
                                   OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  if (!operands.empty() && parser.parseTypeList(operandTypes))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseTypeList(result.types))
    return failure();
  return parser.resolveOperands(operands, operandTypes, loc, result.operands);
}

void torch::printRegistryOp(OpAsmPrinter &printer, Operation *op) {
  if (op->getNumOperands() > 0)
    printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  llvm::interleaveComma(op->getOperandTypes(), printer);
  if (op->getNumResults() == 0)
    return;
  printer << (op->getNumOperands() > 0 ? " -> " : "-> ");
  llvm::interleaveComma(op->getResultTypes(), printer);
}
