//===- TorchBase.td - The torch dialect, its types and op bases -*- tablegen -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHBASE_TD
#define ISTHMUS_DIALECT_TORCH_TORCHBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let cppNamespace = "::isthmus::torch";
  let summary = "PyTorch's ATen operators, in the spelling that torch-mlir's tools exchange";
  let useDefaultTypePrinterParser = 0;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
    void printType(mlir::Type type, mlir::DialectAsmPrinter &printer) const override;
    void registerTypes();
    /// Reads an ATen op that has no class of its own as torch.operator.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
    /// Adds the ops of a family.
    template <typename... Ops> void add() { addOperations<Ops...>(); }
  }];
}

//===----------------------------------------------------------------------===//
// Type constraints: how an ATen argument type reads as an operand
//===----------------------------------------------------------------------===//

class TorchConstraint<string predicate, string summary>
    : Type<CPred<"::isthmus::torch::" # predicate # "($_self)">, summary>;

def AnyTorchTensor : TorchConstraint<"isTensor", "tensor">;
def AnyTorchOptionalTensor : TorchConstraint<"isOptional<&::isthmus::torch::isTensor>", "tensor or none">;
def AnyTorchListOfTensor : TorchConstraint<"isList<&::isthmus::torch::isTensor>", "list of tensors">;
def AnyTorchListOfOptionalTensor
    : TorchConstraint<"isList<&::isthmus::torch::isOptional<&::isthmus::torch::isTensor>>", "list of tensors or none">;
def TorchInt : TorchConstraint<"isInt", "int">;
def TorchOptionalInt : TorchConstraint<"isOptional<&::isthmus::torch::isInt>", "int or none">;
def TorchListOfInt : TorchConstraint<"isList<&::isthmus::torch::isInt>", "list of ints">;
def TorchOptionalListOfInt
    : TorchConstraint<"isOptional<&::isthmus::torch::isList<&::isthmus::torch::isInt>>", "list of ints, or none">;
def TorchListOfBool : TorchConstraint<"isList<&::isthmus::torch::isBool>", "list of bools">;
def TorchOptionalListOfFloat
    : TorchConstraint<"isOptional<&::isthmus::torch::isList<&::isthmus::torch::isFloat>>", "list of floats, or none">;
def TorchFloat : TorchConstraint<"isFloat", "float">;
def TorchOptionalFloat : TorchConstraint<"isOptional<&::isthmus::torch::isFloat>", "float or none">;
def TorchBool : TorchConstraint<"isBool", "bool">;
def TorchOptionalBool : TorchConstraint<"isOptional<&::isthmus::torch::isBool>", "bool or none">;
def TorchScalar : TorchConstraint<"isScalar", "int, float or bool">;
def TorchOptionalScalar : TorchConstraint<"isOptional<&::isthmus::torch::isScalar>", "int, float, bool or none">;
def TorchStr : TorchConstraint<"isStr", "string">;
def TorchOptionalStr : TorchConstraint<"isOptional<&::isthmus::torch::isStr>", "string or none">;
def TorchOptionalDevice : TorchConstraint<"isOptional<&::isthmus::torch::isDevice>", "device or none">;
def TorchOptionalGenerator : TorchConstraint<"isOptional<&::isthmus::torch::isGenerator>", "generator or none">;
def AnyTorchType : TorchConstraint<"isTorchType", "a torch type">;
def TorchNone : TorchConstraint<"isNone", "none">;
def TorchDevice : TorchConstraint<"isDevice", "device">;

//===----------------------------------------------------------------------===//
// Roles: every backend lowers a Core op; one pattern decomposes a Composite op
//===----------------------------------------------------------------------===//

let cppNamespace = "::isthmus::torch" in {
  def Core : NativeOpTrait<"Core">;
  def Composite : NativeOpTrait<"Composite">;
}

def TypeInferenceOpInterface : OpInterface<"TypeInferenceOpInterface"> {
  let cppNamespace = "::isthmus::torch";
  let description = "An op whose result types follow from its operands.";
  let methods = [StaticInterfaceMethod<
      "Infers the result types from the operands; see TypeInference.",
      "::llvm::LogicalResult", "inferTypes", (ins "::isthmus::torch::TypeInference &":$inference)>];
  let verify = "return ::isthmus::torch::verifyInferredTypes($_op);";
}

//===----------------------------------------------------------------------===//
// Op bases
//===----------------------------------------------------------------------===//

class Torch_Op<string mnemonic, list<Trait> traits = []> : Op<Torch_Dialect, mnemonic, traits>;

/// An op of PyTorch's registry: `%r = torch.NAME %a, %b : TypeA, TypeB -> TypeR`.
class Torch_RegistryOp<string name, string rule, list<Trait> traits>
    : Torch_Op<name, traits # [Pure, DeclareOpInterfaceMethods<TypeInferenceOpInterface>]> {
  let summary = !subst(".", "::", name);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
      return ::isthmus::torch::parseRegistryOp(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::isthmus::torch::printRegistryOp(printer, *this);
    }
    ::llvm::LogicalResult $cppClass::inferTypes(::isthmus::torch::TypeInference &inference) {
      return ::isthmus::torch::rules::}] # rule # [{(inference);
    }
  }];
}

#endif // ISTHMUS_DIALECT_TORCH_TORCHBASE_TD
