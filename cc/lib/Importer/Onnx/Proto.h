//===- Proto.h - A model as views into its file -----------------*- C++ -*-===//
//
// The parts of onnx.proto that the importer reads. Nothing here owns bytes of
// the file: names, strings and data are views.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_ONNX_PROTO_H
#define ISTHMUS_LIB_IMPORTER_ONNX_PROTO_H

#include "Wire.h"
#include <memory>
#include <optional>
#include <utility>

namespace isthmus::onnx::proto {

using llvm::SmallVector;
using llvm::StringRef;

/// When it grows, std::vector would copy elements that cannot be copied.
template <typename T>
using List = llvm::SmallVector<T, 0>;

/// TensorProto. Typed data are chunks as encoded: one chunk if packed.
struct Tensor {
  StringRef name;
  int64_t dataType = 0;
  SmallVector<int64_t, 4> dims;
  std::optional<StringRef> rawData;
  SmallVector<StringRef, 1> floatData, int32Data, int64Data, doubleData,
      uint64Data;
  List<StringRef> stringData;
  bool external = false;
  List<std::pair<StringRef, StringRef>> externalData;
};

/// SparseTensorProto.
struct SparseTensor {
  Tensor values, indices;
  SmallVector<int64_t, 4> dims;
};

/// TensorShapeProto.Dimension: neither is set for an unknown dimension.
struct Dim {
  std::optional<int64_t> value;
  StringRef param;
};

/// TypeProto.
struct Type {
  enum Kind { Unset, Tensor, Sequence, Optional, Unsupported };
  Kind kind = Unset;
  StringRef unsupported;                    // the kind that is not supported
  int64_t elementType = 0;                  // of a tensor
  std::optional<SmallVector<Dim, 4>> shape; // of a tensor
  std::unique_ptr<Type> element;            // of the other kinds
};

struct ValueInfo {
  StringRef name;
  Type type;
};

struct Graph;

/// AttributeProto.
struct Attribute {
  /// AttributeProto.AttributeType.
  enum Kind {
    Undefined,
    Float,
    Int,
    String,
    TensorKind,
    GraphKind,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensorKind,
    SparseTensors,
    TypeProto,
    TypeProtos
  };
  StringRef name;
  StringRef refName; // the enclosing function's attribute, if not empty
  int64_t kind = Undefined;
  float f = 0;
  int64_t i = 0;
  StringRef s;
  List<float> floats;
  List<int64_t> ints;
  List<StringRef> strings;
  std::unique_ptr<Tensor> tensor;
  std::unique_ptr<SparseTensor> sparseTensor;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Type> type;
};

/// ShardedDimProto, with its SimpleShardedDimProtos.
struct ShardedDim {
  /// A part of the dim, which several dims became one with.
  struct Factor {
    std::optional<int64_t> size;
    int64_t shards = 0;
  };
  int64_t axis = 0;
  List<Factor> factors;
};

/// ShardingSpecProto.
struct ShardingSpec {
  StringRef tensor;
  List<int64_t> devices; // or keys of groups
  List<std::pair<int64_t, List<int64_t>>> groups;
  List<ShardedDim> dims;
};

/// NodeDeviceConfigurationProto.
struct NodeConfiguration {
  StringRef configuration;
  List<ShardingSpec> shardings;
  int64_t pipelineStage = 0;
};

struct Node {
  StringRef name, opType, domain, overload;
  SmallVector<StringRef, 4> inputs;
  SmallVector<StringRef, 2> outputs;
  List<Attribute> attributes;
  List<NodeConfiguration> configurations;
};

struct Graph {
  StringRef name;
  List<Node> nodes;
  List<Tensor> initializers;
  List<SparseTensor> sparseInitializers;
  List<ValueInfo> inputs, outputs, valueInfo;
};

struct Opset {
  StringRef domain;
  int64_t version = 0;
};

struct Function {
  StringRef name, domain, overload;
  List<StringRef> inputs, outputs;
  List<StringRef> attributes; // those without a default
  List<Attribute> defaults;
  List<Node> nodes;
  List<Opset> opsets;
  List<ValueInfo> valueInfo;
};

/// DeviceConfigurationProto.
struct DeviceConfiguration {
  StringRef name;
  int64_t deviceCount = 0;
  List<StringRef> devices; // their names, which may be omitted
};

struct Model {
  int64_t irVersion = 0;
  List<Opset> opsets;
  std::unique_ptr<Graph> graph;
  List<Function> functions;
  List<DeviceConfiguration> configurations;
};

/// Reads the model that `file` holds; fails with `file.error`.
std::optional<Model> readModel(wire::File &file);

} // namespace isthmus::onnx::proto

#endif // ISTHMUS_LIB_IMPORTER_ONNX_PROTO_H
