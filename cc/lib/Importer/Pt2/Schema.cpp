//===- Schema.cpp - The JSON of an exported program -----------------------===//

#include "Schema.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

namespace isthmus::pt2::schema {

using llvm::StringLiteral;
using llvm::StringRef;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

// Every null is an absent value: PyTorch writes each field of a dataclass.

static const Value *getField(const Value &json, StringLiteral name) {
  const llvm::json::Object *object = json.getAsObject();
  const Value *field = object ? object->get(name) : nullptr;
  return field && field->kind() != Value::Null ? field : nullptr;
}

template <typename T>
static bool readOptional(const Value &json, StringLiteral name, T &out,
                         Path path) {
  const Value *field = getField(json, name);
  return !field || fromJSON(*field, out, path.field(name));
}

/// The only pair of a union, which is an object {"as_int": 4}.
static const llvm::json::Object::value_type *getUnion(const Value &json,
                                                      Path path) {
  const llvm::json::Object *object = json.getAsObject();
  if (object && object->size() == 1)
    return &*object->begin();
  path.report("expected a union, an object with one field");
  return nullptr;
}

/// JSON has no infinities: PyTorch writes them as strings.
static bool readFloat(const Value &json, double &number, Path path) {
  if (std::optional<double> value = json.getAsNumber()) {
    number = *value;
    return true;
  }
  std::optional<StringRef> text = json.getAsString();
  using Limits = std::numeric_limits<double>;
  std::optional<double> special =
      llvm::StringSwitch<std::optional<double>>(text.value_or(""))
          .Case("Infinity", Limits::infinity())
          .Case("-Infinity", -Limits::infinity())
          .Case("NaN", Limits::quiet_NaN())
          .Default(std::nullopt);
  if (!special) {
    path.report("expected number");
    return false;
  }
  number = *special;
  return true;
}

static bool fromJSON(const Value &json, SymInt &size, Path path) {
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  StringRef kind = field->first;
  Path here = path.field(kind);
  if (kind == "as_int")
    return llvm::json::fromJSON(field->second, size.value.emplace(), here);
  if (kind == "as_expr") {
    ObjectMapper mapper(field->second, here);
    return mapper && mapper.map("expr_str", size.expression);
  }
  here.report("expected as_int or as_expr");
  return false;
}

bool fromJSON(const Value &json, TensorMeta &meta, Path path) {
  ObjectMapper mapper(json, path);
  return mapper && mapper.map("dtype", meta.dtype) &&
         mapper.map("sizes", meta.sizes) &&
         mapper.map("strides", meta.strides) &&
         mapper.map("storage_offset", meta.storageOffset) &&
         mapper.map("layout", meta.layout);
}

bool fromJSON(const Value &json, SchemaVersion &version, Path path) {
  ObjectMapper mapper(json, path);
  return mapper && mapper.map("major", version.major) &&
         mapper.map("minor", version.minor);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool fromJSON(const Value &json, Graph &graph, Path path);

using Kind = Argument::Kind;

const Argument *Node::find(StringRef input) const {
  for (const NamedArgument &each : inputs)
    if (each.name == input)
      return &each.arg;
  return nullptr;
}

bool Node::isTrue(StringRef input) const {
  const Argument *argument = find(input);
  return argument && argument->kind == Kind::Bool && argument->integer;
}

StringRef describe(Kind kind) {
  switch (kind) {
  case Kind::None:
    return "None";
  case Kind::Tensor:
    return "a tensor";
  case Kind::Symbol:
    return "a symbolic scalar";
  case Kind::Int:
    return "an int";
  case Kind::Float:
    return "a float";
  case Kind::Bool:
    return "a bool";
  case Kind::String:
    return "a string";
  case Kind::Complex:
    return "a complex number";
  case Kind::LargeInt:
    return "an int of more than 64 bits";
  case Kind::ScalarType:
    return "a dtype";
  case Kind::MemoryFormat:
    return "a memory format";
  case Kind::Layout:
    return "a layout";
  case Kind::Device:
    return "a device";
  case Kind::List:
    return "a list";
  case Kind::Dict:
    return "a dict";
  case Kind::Graph:
    return "a graph";
  case Kind::Operator:
    return "an operator";
  case Kind::CustomObject:
    return "an object of a custom class";
  }
  llvm_unreachable("every kind has a name");
}

/// {"name": "linear_1"}
static bool readName(const Value &json, Kind kind, Argument &argument,
                     Path path) {
  argument.kind = kind;
  ObjectMapper mapper(json, path);
  return mapper && mapper.map("name", argument.text);
}

/// Whether a number is beyond int64. PyTorch multiplies the bounds of sizes.
static bool isBeyond64Bits(const Value &json) {
  std::optional<double> number = json.getAsNumber();
  return number && !json.getAsInteger() && std::abs(*number) >= 0x1p63;
}

static bool readInteger(const Value &json, Kind kind, Argument &argument,
                        Path path) {
  argument.kind = kind;
  if (kind == Kind::Int && isBeyond64Bits(json)) {
    argument.kind = Kind::LargeInt;
    argument.number = *json.getAsNumber();
    return true;
  }
  return llvm::json::fromJSON(json, argument.integer, path);
}

static bool readNumber(const Value &json, Argument &argument, Path path) {
  argument.kind = Kind::Float;
  return readFloat(json, argument.number, path);
}

static bool readBool(const Value &json, Argument &argument, Path path) {
  argument.kind = Kind::Bool;
  bool value = false;
  bool isRead = llvm::json::fromJSON(json, value, path);
  argument.integer = value;
  return isRead;
}

static bool readText(const Value &json, Kind kind, Argument &argument,
                     Path path) {
  argument.kind = kind;
  return llvm::json::fromJSON(json, argument.text, path);
}

/// {"as_name": "sym_size"} or the scalar itself, as {"as_int": 4}.
static bool readSymbolic(const Value &json, Argument &argument, Path path) {
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  StringRef kind = field->first;
  Path here = path.field(kind);
  if (kind == "as_name")
    return readText(field->second, Kind::Symbol, argument, here);
  if (kind == "as_int")
    return readInteger(field->second, Kind::Int, argument, here);
  if (kind == "as_float")
    return readNumber(field->second, argument, here);
  if (kind == "as_bool")
    return readBool(field->second, argument, here);
  here.report("expected as_name or a scalar");
  return false;
}

static bool readDevice(const Value &json, Argument &argument, Path path) {
  argument.kind = Kind::Device;
  ObjectMapper mapper(json, path);
  std::optional<int64_t> index;
  if (!mapper || !mapper.map("type", argument.text) ||
      !mapper.map("index", index))
    return false;
  if (index)
    argument.text += ":" + std::to_string(*index);
  return true;
}

static bool readComplex(const Value &json, Argument &argument, Path path) {
  argument.kind = Kind::Complex;
  const Value *real = getField(json, "real"), *imag = getField(json, "imag");
  if (!real || !imag) {
    path.report("expected real and imag");
    return false;
  }
  return readFloat(*real, argument.number, path.field("real")) &&
         readFloat(*imag, argument.imaginary, path.field("imag"));
}

static bool readGraph(const Value &json, Argument &argument, Path path) {
  argument.graph = std::make_shared<Graph>();
  ObjectMapper mapper(json, path);
  return readName(json, Kind::Graph, argument, path) &&
         mapper.map("graph", *argument.graph);
}

static bool readOptionalTensor(const Value &json, Argument &argument,
                               Path path) {
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  if (field->first == "as_none")
    return true;
  return readName(field->second, Kind::Tensor, argument,
                  path.field(field->first));
}

template <typename Read>
static bool readList(const Value &json, Argument &argument, Path path,
                     Read read) {
  argument.kind = Kind::List;
  const llvm::json::Array *array = json.getAsArray();
  if (!array) {
    path.report("expected array");
    return false;
  }
  argument.elements.resize(array->size());
  for (size_t i = 0; i < array->size(); ++i)
    if (!read((*array)[i], argument.elements[i], path.index(i)))
      return false;
  return true;
}

static bool readDict(const Value &json, Argument &argument, Path path) {
  argument.kind = Kind::Dict;
  const llvm::json::Object *object = json.getAsObject();
  if (!object) {
    path.report("expected object");
    return false;
  }
  for (const auto *field : llvm::json::sortedElements(*object)) {
    argument.names.push_back(field->first.str());
    if (!fromJSON(field->second, argument.elements.emplace_back(),
                  path.field(field->first)))
      return false;
  }
  return true;
}

bool fromJSON(const Value &json, Argument &argument, Path path) {
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  const Value &value = field->second;
  StringRef kind = field->first;
  Path here = path.field(kind);

  auto tensor = [](const Value &json, Argument &argument, Path path) {
    return readName(json, Kind::Tensor, argument, path);
  };
  auto integer = [](const Value &json, Argument &argument, Path path) {
    return readInteger(json, Kind::Int, argument, path);
  };
  auto string = [](const Value &json, Argument &argument, Path path) {
    return readText(json, Kind::String, argument, path);
  };
  auto listOf = [](auto read) {
    return [read](const Value &json, Argument &argument, Path path) {
      return readList(json, argument, path, read);
    };
  };

  if (kind == "as_none")
    return true;
  if (kind == "as_tensor")
    return tensor(value, argument, here);
  if (kind == "as_tensors")
    return readList(value, argument, here, tensor);
  if (kind == "as_optional_tensor")
    return readOptionalTensor(value, argument, here);
  if (kind == "as_optional_tensors")
    return readList(value, argument, here, readOptionalTensor);
  if (kind == "as_nested_tensors")
    return readList(value, argument, here, listOf(tensor));
  if (kind == "as_int")
    return integer(value, argument, here);
  if (kind == "as_ints")
    return readList(value, argument, here, integer);
  if (kind == "as_int_lists")
    return readList(value, argument, here, listOf(integer));
  if (kind == "as_float")
    return readNumber(value, argument, here);
  if (kind == "as_floats")
    return readList(value, argument, here, readNumber);
  if (kind == "as_float_lists")
    return readList(value, argument, here, listOf(readNumber));
  if (kind == "as_bool")
    return readBool(value, argument, here);
  if (kind == "as_bools")
    return readList(value, argument, here, readBool);
  if (kind == "as_string")
    return string(value, argument, here);
  if (kind == "as_strings")
    return readList(value, argument, here, string);
  if (kind == "as_complex")
    return readComplex(value, argument, here);
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool")
    return readSymbolic(value, argument, here);
  if (kind == "as_sym_ints" || kind == "as_sym_floats" ||
      kind == "as_sym_bools")
    return readList(value, argument, here, readSymbolic);
  if (kind == "as_scalar_type")
    return readInteger(value, Kind::ScalarType, argument, here);
  if (kind == "as_memory_format")
    return readInteger(value, Kind::MemoryFormat, argument, here);
  if (kind == "as_layout")
    return readInteger(value, Kind::Layout, argument, here);
  if (kind == "as_device")
    return readDevice(value, argument, here);
  if (kind == "as_graph")
    return readGraph(value, argument, here);
  if (kind == "as_operator")
    return readText(value, Kind::Operator, argument, here);
  if (kind == "as_custom_obj")
    return readName(value, Kind::CustomObject, argument, here);
  if (kind == "as_string_to_argument")
    return readDict(value, argument, here);
  here.report("expected a known kind of argument");
  return false;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static bool fromJSON(const Value &json, NamedArgument &argument, Path path) {
  ObjectMapper mapper(json, path);
  if (!mapper || !mapper.map("name", argument.name) ||
      !mapper.map("arg", argument.arg))
    return false;
  constexpr int64_t keyword = 2; // of ArgumentKind
  int64_t kind = 0;
  bool isRead = readOptional(json, "kind", kind, path);
  argument.isKeyword = kind == keyword;
  return isRead;
}

bool fromJSON(const Value &json, Node &node, Path path) {
  ObjectMapper mapper(json, path);
  if (!mapper || !mapper.map("target", node.target) ||
      !mapper.map("inputs", node.inputs) ||
      !mapper.map("outputs", node.outputs) ||
      !readOptional(json, "name", node.name, path))
    return false;
  const Value *metadata = getField(json, "metadata");
  return !metadata || readOptional(*metadata, "nn_module_stack", node.modules,
                                   path.field("metadata"));
}

template <typename T, typename Read>
static bool readMap(const Value &json, StringLiteral name,
                    llvm::StringMap<T> &map, Path path, Read read) {
  const Value *field = getField(json, name);
  if (!field)
    return true;
  Path here = path.field(name);
  const llvm::json::Object *object = field->getAsObject();
  if (!object) {
    here.report("expected object");
    return false;
  }
  for (const auto &entry : *object)
    if (!read(entry.second, map[entry.first], here.field(entry.first)))
      return false;
  return true;
}

static bool fromJSON(const Value &json, Graph &graph, Path path) {
  ObjectMapper mapper(json, path);
  auto read = [](const Value &json, auto &out, Path path) {
    return fromJSON(json, out, path);
  };
  auto nameAlone = [](const Value &, bool &known, Path) {
    return known = true;
  };
  return mapper && mapper.map("inputs", graph.inputs) &&
         mapper.map("outputs", graph.outputs) &&
         mapper.map("nodes", graph.nodes) &&
         readMap(json, "tensor_values", graph.tensors, path, read) &&
         readMap(json, "sym_int_values", graph.symInts, path, read) &&
         readMap(json, "sym_bool_values", graph.symBools, path, nameAlone) &&
         readMap(json, "sym_float_values", graph.symFloats, path, nameAlone);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// {"name": "x"}, a spec that needs no union.
static bool readTensorSpec(const Value &json, Argument &argument, Path path) {
  const Value *field = getField(json, "arg");
  if (!field) {
    path.field("arg").report("missing value");
    return false;
  }
  return readName(*field, Kind::Tensor, argument, path.field("arg"));
}

/// A ConstantValue is written like the argument of the same kind.
static bool readConstant(const Value &json, InputSpec &spec, Path path) {
  ObjectMapper mapper(json, path);
  return mapper && mapper.map("name", spec.name) &&
         mapper.map("value", spec.arg);
}

static bool fromJSON(const Value &json, InputSpec &spec, Path path) {
  using Kind = InputSpec::Kind;
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  StringRef kind = field->first;
  const Value &value = field->second;
  Path here = path.field(kind);
  ObjectMapper mapper(value, here);
  if (!mapper)
    return false;
  auto tensor = [&](Kind kind, StringLiteral target) {
    spec.kind = kind;
    return readTensorSpec(value, spec.arg, here) &&
           mapper.map(target, spec.target);
  };
  if (kind == "user_input")
    return mapper.map("arg", spec.arg);
  if (kind == "parameter")
    return tensor(Kind::Parameter, "parameter_name");
  if (kind == "buffer")
    return tensor(Kind::Buffer, "buffer_name");
  if (kind == "tensor_constant")
    return tensor(Kind::TensorConstant, "tensor_constant_name");
  if (kind == "custom_obj")
    return tensor(Kind::CustomObject, "custom_obj_name");
  if (kind == "token") {
    spec.kind = Kind::Token;
    return readTensorSpec(value, spec.arg, here);
  }
  if (kind == "constant_input") {
    spec.kind = Kind::Constant;
    return readConstant(value, spec, here);
  }
  here.report("expected a known kind of input");
  return false;
}

static bool fromJSON(const Value &json, OutputSpec &spec, Path path) {
  using Kind = OutputSpec::Kind;
  const auto *field = getUnion(json, path);
  if (!field)
    return false;
  StringRef kind = field->first;
  const Value &value = field->second;
  Path here = path.field(kind);
  ObjectMapper mapper(value, here);
  if (!mapper)
    return false;
  auto tensor = [&](Kind kind) {
    spec.kind = kind;
    return readTensorSpec(value, spec.arg, here);
  };
  auto mutation = [&](Kind kind, StringLiteral target) {
    return tensor(kind) && mapper.map(target, spec.target);
  };
  if (kind == "user_output")
    return mapper.map("arg", spec.arg);
  if (kind == "loss_output")
    return tensor(Kind::Loss);
  if (kind == "buffer_mutation")
    return mutation(Kind::BufferMutation, "buffer_name");
  if (kind == "parameter_mutation")
    return mutation(Kind::ParameterMutation, "parameter_name");
  if (kind == "user_input_mutation")
    return mutation(Kind::UserInputMutation, "user_input_name");
  if (kind == "gradient_to_parameter")
    return mutation(Kind::Gradient, "parameter_name");
  if (kind == "gradient_to_user_input")
    return mutation(Kind::Gradient, "user_input_name");
  if (kind == "token")
    return tensor(Kind::Token);
  here.report("expected a known kind of output");
  return false;
}

static bool fromJSON(const Value &json, Range &range, Path path) {
  if (!json.getAsObject()) {
    path.report("expected object");
    return false;
  }
  auto bound = [&](StringLiteral name, std::optional<int64_t> &bound) {
    const Value *field = getField(json, name);
    // A bound beyond int64 excludes no size.
    if (!field || isBeyond64Bits(*field))
      return true;
    return llvm::json::fromJSON(*field, bound.emplace(), path.field(name));
  };
  if (!bound("min_val", range.min) || !bound("max_val", range.max))
    return false;
  // PyTorch assumes sizes of 2 or more while it traces, and then lets a program
  // run with any.
  if (range.min == 1 || range.min == 2)
    range.min = 0;
  return true;
}

/// The pytrees of the root module, which is the first in the call graph.
static bool readTreeSpecs(const Value &json, ExportedProgram &program,
                          Path path) {
  const Value *calls = getField(json, "module_call_graph");
  const llvm::json::Array *entries = calls ? calls->getAsArray() : nullptr;
  if (!entries || entries->empty())
    return true;
  Path here = path.field("module_call_graph");
  const Value *signature = getField(entries->front(), "signature");
  return !signature ||
         (readOptional(*signature, "in_spec", program.inSpec, here) &&
          readOptional(*signature, "out_spec", program.outSpec, here));
}

/// graph_module
static bool readModule(const Value &json, ExportedProgram &program, Path path) {
  ObjectMapper mapper(json, path);
  if (!mapper || !mapper.map("graph", program.graph) ||
      !readTreeSpecs(json, program, path))
    return false;
  const Value *signature = getField(json, "signature");
  Path here = path.field("signature");
  if (!signature) {
    here.report("missing value");
    return false;
  }
  ObjectMapper specs(*signature, here);
  return specs && specs.map("input_specs", program.inputs) &&
         specs.map("output_specs", program.outputs);
}

bool fromJSON(const Value &json, ExportedProgram &program, Path path) {
  const Value *module = getField(json, "graph_module");
  if (!module) {
    path.field("graph_module").report("missing value");
    return false;
  }
  ObjectMapper mapper(json, path);
  return readModule(*module, program, path.field("graph_module")) &&
         mapper.map("range_constraints", program.ranges) &&
         mapper.mapOptional("guards_code", program.guards);
}

static bool fromJSON(const Value &json, Payload &payload, Path path) {
  ObjectMapper mapper(json, path);
  if (!mapper || !mapper.map("path_name", payload.path) ||
      !mapper.map("use_pickle", payload.isPickled))
    return false;
  const Value *meta = getField(json, "tensor_meta");
  return !meta ||
         fromJSON(*meta, payload.meta.emplace(), path.field("tensor_meta"));
}

bool fromJSON(const Value &json, Payloads &payloads, Path path) {
  auto read = [](const Value &json, Payload &payload, Path path) {
    return fromJSON(json, payload, path);
  };
  if (!getField(json, "config")) {
    path.field("config").report("missing value");
    return false;
  }
  return readMap(json, "config", payloads, path, read);
}

} // namespace isthmus::pt2::schema
