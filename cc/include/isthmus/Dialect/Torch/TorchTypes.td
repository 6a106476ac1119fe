//===- TorchTypes.td - Types of the torch dialect ---------------*- tablegen -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHTYPES_TD
#define ISTHMUS_DIALECT_TORCH_TORCHTYPES_TD

include "isthmus/Dialect/Torch/TorchBase.td"

class Torch_Type<string name, string keyword, list<Trait> traits = []>
    : TypeDef<Torch_Dialect, name, traits> {
  let typeName = "torch." # keyword;
}

/// `!torch.vtensor<[2,?],f32>`; `*` for unknown sizes, `unk` for an unknown dtype.
class Torch_TensorType<string name, string keyword> : Torch_Type<name, keyword> {
  let parameters = (ins "bool":$ranked,
                        ArrayRefParameter<"int64_t", "sizes, ShapedType::kDynamic where unknown">:$sizes,
                        "::mlir::Type":$dtype);
  let extraClassDeclaration = !subst("$cppClass", name # "Type", [{
    /// A tensor of known rank; `dtype` may be null for unknown.
    static $cppClass get(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> sizes, ::mlir::Type dtype) {
      return get(context, /*ranked=*/true, sizes, dtype);
    }
    /// A tensor of unknown rank and dtype: `*` and `unk`.
    static $cppClass getUnknown(::mlir::MLIRContext *context, ::mlir::Type dtype = {}) {
      return get(context, /*ranked=*/false, {}, dtype);
    }
    bool hasRank() const { return getRanked(); }
    int64_t getRank() const { return static_cast<int64_t>(getSizes().size()); }
    bool hasStaticShape() const {
      return hasRank() && !::llvm::is_contained(getSizes(), ::mlir::ShapedType::kDynamic);
    }
  }]);
}

def Torch_ValueTensorType : Torch_TensorType<"ValueTensor", "vtensor"> {
  let summary = "tensor with value semantics";
}
def Torch_NonValueTensorType : Torch_TensorType<"NonValueTensor", "tensor"> {
  let summary = "tensor that may be aliased and mutated";
}

def Torch_IntType : Torch_Type<"Int", "int"> { let summary = "Python int, 64 bits"; }
def Torch_FloatType : Torch_Type<"Float", "float"> { let summary = "Python float, 64 bits"; }
def Torch_BoolType : Torch_Type<"Bool", "bool"> { let summary = "Python bool"; }
def Torch_NumberType : Torch_Type<"Number", "number"> { let summary = "int or float"; }
def Torch_StringType : Torch_Type<"String", "str"> { let summary = "Python str"; }
def Torch_NoneType : Torch_Type<"None", "none"> { let summary = "Python None"; }
def Torch_AnyType : Torch_Type<"Any", "any"> { let summary = "any object"; }
def Torch_DeviceType : Torch_Type<"Device", "Device"> { let summary = "torch.device"; }
def Torch_GeneratorType : Torch_Type<"Generator", "Generator"> { let summary = "torch.Generator"; }

class Torch_ContainerType<string name, string keyword> : Torch_Type<name, keyword> {
  let parameters = (ins "::mlir::Type":$containedType);
}
def Torch_ListType : Torch_ContainerType<"List", "list"> { let summary = "list of one type"; }
def Torch_OptionalType : Torch_ContainerType<"Optional", "optional"> { let summary = "a type or none"; }
def Torch_TupleType : Torch_Type<"Tuple", "tuple"> {
  let summary = "tuple";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$containedTypes);
}
def Torch_DictType : Torch_Type<"Dict", "dict"> {
  let summary = "dict of one key type and one value type";
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
}

#endif // ISTHMUS_DIALECT_TORCH_TORCHTYPES_TD
