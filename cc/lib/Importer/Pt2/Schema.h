//===- Schema.h - The JSON of an exported program ---------------*- C++ -*-===//
//
// The dataclasses of torch/_export/serde/schema.py, limited to the fields that
// describe the computation. Names are PyTorch's except for unions: an argument
// is of one of many kinds.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_SCHEMA_H
#define ISTHMUS_LIB_IMPORTER_PT2_SCHEMA_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::pt2::schema {

struct SchemaVersion {
  int64_t major = 0, minor = 0;
};

/// The version of torch 2.13, the newest known.
constexpr SchemaVersion newestVersion = {8, 20};

/// A size, a stride or a scalar: a number, or an expression over symbols as
/// written by sympy's srepr: "Symbol('s0', positive=True, integer=True)".
struct SymInt {
  std::optional<int64_t> value;
  std::string expression;
};

struct TensorMeta {
  int64_t dtype = 0; // ScalarType, in schema.py's own numbers
  std::vector<SymInt> sizes, strides;
  SymInt storageOffset;
  int64_t layout = 0;
};

struct Graph;

struct Argument {
  enum class Kind {
    None,
    Tensor, // text is the value's name
    Symbol, // text is the name of a symbolic int, float or bool
    Int,
    Float,
    Bool,
    String,
    Complex,
    LargeInt,     // number, of an int beyond 64 bits
    ScalarType,   // integer, in schema.py's numbers
    MemoryFormat, // likewise
    Layout,       // likewise
    Device,       // text is "cpu" or "cuda:0"
    List,
    Dict, // elements by name
    Graph,
    Operator, // text is its name
    CustomObject,
  };

  Kind kind = Kind::None;
  std::string text;
  int64_t integer = 0; // of Int, Bool and the enumerations
  double number = 0.0; // of Float, LargeInt, and the real part of Complex
  double imaginary = 0.0;
  std::vector<Argument> elements;
  std::vector<std::string> names;
  std::shared_ptr<Graph> graph;
};

/// "a tensor", for messages.
llvm::StringRef describe(Argument::Kind kind);

struct NamedArgument {
  std::string name;
  Argument arg;
  bool isKeyword = false;
};

struct Node {
  std::string target; // "torch.ops.aten.add.Tensor"
  std::vector<NamedArgument> inputs;
  std::vector<Argument> outputs;
  std::string name; // empty in old files
  // The modules that enclose it, outermost first: "key,path,class", separated
  // by ';'.
  std::string modules;
  bool hasEffects = false; // of the operator that with_effects calls

  /// An input by name, or null.
  const Argument *find(llvm::StringRef input) const;
  /// Whether an input is given and true.
  bool isTrue(llvm::StringRef input) const;
};

struct Graph {
  std::vector<Argument> inputs, outputs;
  std::vector<Node> nodes;
  llvm::StringMap<TensorMeta> tensors;
  llvm::StringMap<SymInt> symInts;
  llvm::StringMap<bool> symBools, symFloats; // only the names
};

struct InputSpec {
  enum class Kind {
    User,
    Parameter,
    Buffer,
    TensorConstant,
    CustomObject,
    Token,
    Constant
  };
  Kind kind = Kind::User;
  Argument arg;
  std::string target; // name of the parameter, buffer, constant
  std::string name;   // of a constant input
};

struct OutputSpec {
  enum class Kind {
    User,
    Loss,
    BufferMutation,
    ParameterMutation,
    UserInputMutation,
    Gradient,
    Token
  };
  Kind kind = Kind::User;
  Argument arg;
  std::string target; // the mutated value
};

/// Bounds of a symbolic size; an absent bound is infinite.
struct Range {
  std::optional<int64_t> min, max;
};

struct ExportedProgram {
  Graph graph;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  std::string inSpec, outSpec; // pytrees, JSON within JSON; empty if unknown
  std::map<std::string, Range> ranges;
  std::vector<std::string> guards; // as Python source
};

/// A tensor in the file.
struct Payload {
  std::string path;
  bool isPickled = false;
  std::optional<TensorMeta> meta;
};
using Payloads = llvm::StringMap<Payload>;

bool fromJSON(const llvm::json::Value &json, SchemaVersion &version,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, Node &node, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, TensorMeta &meta,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, ExportedProgram &program,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, Payloads &payloads,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, Argument &argument,
              llvm::json::Path path);

} // namespace isthmus::pt2::schema

#endif // ISTHMUS_LIB_IMPORTER_PT2_SCHEMA_H
