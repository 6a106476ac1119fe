//===- OnnxBase.td - The onnx dialect, its types and op base -*- tablegen -*-===//
//
// Values are builtin tensors (signless i8..i64, ui8..ui64, i1 for bool). The types below are for other
// values. Attributes are plain attributes, not properties: the text form of the dialect has them in {…},
// and no accessor here is on a hot path.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_ONNXBASE_TD
#define ISTHMUS_DIALECT_ONNX_ONNXBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::isthmus::onnx";
  let summary = "ONNX operators, each in its newest version";
  let useDefaultTypePrinterParser = 1;
  let usePropertiesForAttributes = 0;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
  private:
    void registerTypes();
    // One function per family, so that each family compiles by itself.
    #define FAMILY(Name) void register##Name##Ops();
    #include "isthmus/Dialect/Onnx/Families.def"
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Onnx_Type<string name, string spelling> : TypeDef<Onnx_Dialect, name> {
  let mnemonic = spelling;
}

def Onnx_OptType : Onnx_Type<"Opt", "Opt"> {
  let summary = "a value that may be absent: !onnx.Opt<tensor<?xf32>>";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Onnx_SeqType : Onnx_Type<"Seq", "Seq"> {
  let summary = "a list of values of one type: !onnx.Seq<tensor<*xf32>>";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Onnx_StringType : Onnx_Type<"String", "String"> {
  let summary = "the element type of a tensor of strings: tensor<2x!onnx.String>";
}

def Onnx_UnknownType : Onnx_Type<"Unknown", "Unknown"> {
  let summary = "the element type of a tensor whose dtype the model does not tell";
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

// One function for all ops checks the types of values against Schemas.h.
def Onnx_Value : Type<TruePred, "tensor, sequence, optional, or none where absent">;

// Default builders would be half of the generated code, so there are none. Ops
// are made with
// `onnx::AddOp::create(builder, loc, types, operands, attributes)`.
class Onnx_Op<string mnemonic, list<Trait> traits> : Op<Onnx_Dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands,
                             CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes), [{
    ::isthmus::onnx::build($_state, types, operands, attributes);
  }]>];
}

def SchemaChecked : NativeOpTrait<"SchemaChecked"> {
  let cppNamespace = "::isthmus::onnx";
}

// An op of ai.onnx. An input that a node leaves out is an onnx.NoValue and an
// output that it leaves out has type none, so positions are those of the schema.
class Onnx_SchemaOp<string mnemonic, list<Trait> traits> : Onnx_Op<mnemonic, traits # [SchemaChecked]>;

#endif // ISTHMUS_DIALECT_ONNX_ONNXBASE_TD
