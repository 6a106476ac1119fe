//===- NodeTypes.cpp - Result types by ONNX's type constraints ------------===//
//
// A result that shares a type variable with an input has that input's dtype; a
// result that allows only one type has that type. The remaining cases are
// listed by op.
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

Type onnx::getShapeless(Type type) {
  MLIRContext *context = type.getContext();
  if (auto seq = dyn_cast<SeqType>(type))
    return SeqType::get(context, getShapeless(seq.getElementType()));
  if (auto opt = dyn_cast<OptType>(type))
    return OptType::get(context, getShapeless(opt.getElementType()));
  if (auto tensor = dyn_cast<TensorType>(type))
    return UnrankedTensorType::get(tensor.getElementType());
  return type;
}

Type onnx::mergeTypes(Type declared, Type inferred) {
  if (!declared || !inferred)
    return declared ? declared : inferred;
  auto tensor = dyn_cast<TensorType>(declared);
  auto other = dyn_cast<TensorType>(inferred);
  if (tensor && other && isa<UnknownType>(tensor.getElementType()))
    return tensor.clone(other.getElementType());
  return declared;
}

/// The type of a set with one member, a tensor; null for other sets.
static Type getOnlyType(const TypeSet &types, MLIRContext *context) {
  if (types.sequence || types.optional || types.optionalSequence ||
      !llvm::has_single_bit(types.tensor))
    return nullptr;
  return UnrankedTensorType::get(
      getElementType(llvm::countr_zero(types.tensor), context));
}

namespace {

class TypeInference {
public:
  TypeInference(const Node &node, MLIRContext *context)
      : node(node), context(context) {}

  /// Types of results that the constraints leave open; null if unknown.
  Type infer(size_t result) const;

private:
  Type getOperandType(size_t i) const {
    Value operand = node.getOperand(i);
    return operand && !isAbsent(operand) ? getShapeless(operand.getType())
                                         : Type();
  }

  /// A tensor of the dtype given by an attribute: an ONNX number, where 0
  /// leaves it unspecified, or a type.
  Type getDtype(StringRef attribute, int64_t defaultValue = 0) const {
    Attribute value = node.attributes.get(attribute);
    if (auto type = dyn_cast_if_present<TypeAttr>(value))
      return UnrankedTensorType::get(type.getValue());
    auto integer = dyn_cast_if_present<IntegerAttr>(value);
    int64_t dtype = integer ? integer.getSInt() : defaultValue;
    Type elementType =
        dtype == int32_t(dtype) ? getElementType(dtype, context) : Type();
    return elementType ? Type(UnrankedTensorType::get(elementType)) : Type();
  }

  // TensorProto.DataType
  static constexpr int64_t float32 = 1, uint8 = 2, int32 = 6, int64 = 7,
                           string = 8;

  /// A tensor of strings if the node has one of the attributes, else of int64.
  template <typename... Names>
  Type getLabels(Names... ofStrings) const {
    bool hasStrings = (bool(node.attributes.get(ofStrings)) || ...);
    return getDtype("", hasStrings ? string : int64);
  }

  /// The dtype of the tensor that is an attribute.
  Type getTensor(StringRef attribute) const {
    auto value =
        dyn_cast_if_present<ElementsAttr>(node.attributes.get(attribute));
    return value ? getShapeless(value.getType()) : Type();
  }

  Type getElement(Type container) const {
    if (auto seq = dyn_cast_if_present<SeqType>(container))
      return seq.getElementType();
    if (auto opt = dyn_cast_if_present<OptType>(container))
      return opt.getElementType();
    return nullptr;
  }

  Type getSequence(Type element) const {
    return element ? SeqType::get(context, element) : Type();
  }

  Type getOptional(Type element) const {
    return element ? OptType::get(context, element) : Type();
  }

  /// The type that the first subgraph yields at `position`.
  Type getYielded(size_t position) const {
    if (node.regions.empty() || node.regions.front()->empty())
      return nullptr;
    Operation *yield = &node.regions.front()->front().back();
    return position < yield->getNumOperands()
               ? getShapeless(yield->getOperand(position).getType())
               : Type();
  }

  const Node &node;
  MLIRContext *context;
};

} // namespace

static Type firstOf(Type a, Type b, Type c = {}) { return a ? a : b ? b : c; }

Type TypeInference::infer(size_t result) const {
  auto is = [&](auto... names) { return ((node.op == names) || ...); };

  if (is("BitCast", "Cast"))
    return getDtype("to");
  if (is("RandomNormal", "RandomUniform"))
    return getDtype("dtype", float32);
  if (is("Multinomial"))
    return getDtype("dtype", int32);
  if (is("Bernoulli", "EyeLike", "RandomNormalLike", "RandomUniformLike"))
    return firstOf(getDtype("dtype"), getOperandType(0));
  if (is("BlackmanWindow", "HammingWindow", "HannWindow", "MelWeightMatrix"))
    return getDtype("output_datatype", float32);
  if (is("LayerNormalization")) // Mean and InvStdDev
    return getDtype("stash_type", float32);
  if (is("QuantizeLinear"))
    return firstOf(getDtype("output_dtype"), getOperandType(2),
                   getDtype("", uint8));
  if (is("DequantizeLinear"))
    return firstOf(getDtype("output_dtype"), getOperandType(1));
  if (is("com.microsoft.QGemm"))
    return firstOf(getOperandType(8), getDtype("", float32));
  if (is("com.microsoft.GroupQueryAttention")) // present_key, present_value
    return getOperandType(0);
  if (is("ConstantOfShape"))
    return firstOf(getTensor("value"), getDtype("", float32));

  if (is("ai.onnx.ml.LinearClassifier", "ai.onnx.ml.SVMClassifier",
         "ai.onnx.ml.TreeEnsembleClassifier"))
    return getLabels("classlabels_strings");
  if (is("ai.onnx.ml.CategoryMapper")) {
    auto x = dyn_cast_if_present<TensorType>(getOperandType(0));
    bool ofStrings = x && isa<StringType>(x.getElementType());
    return getDtype("", ofStrings ? int64 : string);
  }
  if (is("ai.onnx.ml.LabelEncoder")) {
    if (node.attributes.get("values_floats"))
      return getDtype("", float32);
    return firstOf(getTensor("values_tensor"),
                   getLabels("values_strings", "classes_strings"));
  }

  if (is("ConcatFromSequence", "SequenceAt"))
    return getElement(getOperandType(0));
  if (is("SequenceConstruct", "SplitToSequence"))
    return getSequence(getOperandType(0));
  if (is("SequenceEmpty"))
    return getSequence(getDtype("dtype", float32));
  if (is("OptionalGetElement")) {
    Type type = getOperandType(0);
    return isa_and_present<OptType>(type) ? getElement(type) : type;
  }
  if (is("Optional")) {
    auto type = dyn_cast_if_present<TypeAttr>(node.attributes.get("type"));
    return getOptional(type ? type.getValue() : getOperandType(0));
  }

  if (is("If", "Scan"))
    return getYielded(result);
  if (is("Loop")) // the body yields its condition first
    return getYielded(result + 1);
  if (is("SequenceMap"))
    return getSequence(getYielded(result));
  return nullptr;
}

/// The parameter for the i-th value of a list; the last parameter is variadic.
static const Parameter &getParameter(ArrayRef<Parameter> parameters, size_t i) {
  return parameters[std::min(i, parameters.size() - 1)];
}

void onnx::inferResultTypes(const Node &node, const Schema &schema,
                            MLIRContext *context, MutableArrayRef<Type> types) {
  llvm::SmallDenseMap<int, Type, 4> variables;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    int variable = getParameter(schema.inputs, i).variable;
    if (operand && !isAbsent(operand) && variable >= 0)
      variables.try_emplace(variable, getShapeless(operand.getType()));
  }

  TypeInference inference(node, context);
  Type unknown = UnrankedTensorType::get(UnknownType::get(context));
  for (auto [i, type] : llvm::enumerate(types)) {
    const Parameter &parameter = getParameter(schema.outputs, i);
    Type inferred = variables.lookup(parameter.variable);
    if (!inferred)
      inferred = getOnlyType(parameter.getTypes(), context);
    if (!inferred)
      inferred = inference.infer(i);
    type = mergeTypes(type, inferred ? inferred : unknown);
  }
}
