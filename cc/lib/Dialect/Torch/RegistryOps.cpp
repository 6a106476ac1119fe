//===- RegistryOps.cpp - The text of every op of the registry -------------===//

#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace isthmus;

// A single result type stands alone, none or several are in the ODS form
// `-> A, B`; without operands the operand types are left out: `: -> A`.
ParseResult torch::parseRegistryOp(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  if (!operands.empty() && parser.parseTypeList(operandTypes))
    return failure();
  if (parser.parseArrow() || parser.parseTypeList(result.types))
    return failure();
  return parser.resolveOperands(operands, operandTypes, loc, result.operands);
}

void torch::printRegistryOp(OpAsmPrinter &printer, Operation *op) {
  if (op->getNumOperands() > 0)
    printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  llvm::interleaveComma(op->getOperandTypes(), printer);
  printer << (op->getNumOperands() > 0 ? " -> " : "-> ");
  llvm::interleaveComma(op->getResultTypes(), printer);
}
