//===- Proto.cpp - A model as views into its file -------------------------===//
//
// One function per message; case labels are field numbers of onnx.proto.
//
//===----------------------------------------------------------------------===//

#include "Proto.h"
#include "isthmus/Importer/FrontEnd.h"

using namespace isthmus::onnx;
using namespace isthmus::onnx::proto;
using protozero::pbf_wire_type;
using wire::Message;

/// The maximum nesting depth of graphs in graphs, and of types in types.
static constexpr int maxDepth = 32;

static void read(Message message, std::pair<StringRef, StringRef> &entry) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(entry.first);
      break;
    case 2:
      message.read(entry.second);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Tensor &tensor) {
  int64_t location = 0;
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.append(tensor.dims);
      break;
    case 2:
      message.read(tensor.dataType);
      break;
    case 4:
      message.appendEncoded(tensor.floatData, pbf_wire_type::fixed32);
      break;
    case 5:
      message.appendEncoded(tensor.int32Data, pbf_wire_type::varint);
      break;
    case 6:
      message.read(tensor.stringData.emplace_back());
      break;
    case 7:
      message.appendEncoded(tensor.int64Data, pbf_wire_type::varint);
      break;
    case 8:
      message.read(tensor.name);
      break;
    case 9:
      message.read(tensor.rawData.emplace());
      break;
    case 10:
      message.appendEncoded(tensor.doubleData, pbf_wire_type::fixed64);
      break;
    case 11:
      message.appendEncoded(tensor.uint64Data, pbf_wire_type::varint);
      break;
    case 13:
      read(message.child("StringStringEntryProto"),
           tensor.externalData.emplace_back());
      break;
    case 14:
      message.read(location);
      break;
    default:
      message.skip();
    }
  }
  tensor.external = location == 1;
}

static void read(Message message, SparseTensor &tensor) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      read(message.child("TensorProto"), tensor.values);
      break;
    case 2:
      read(message.child("TensorProto"), tensor.indices);
      break;
    case 3:
      message.append(tensor.dims);
      break;
    default:
      message.skip();
    }
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void read(Message message, Dim &dim) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(dim.value.emplace());
      break;
    case 2:
      message.read(dim.param);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, SmallVector<Dim, 4> &shape) {
  while (message.next()) {
    if (message.field() == 1)
      read(message.child("Dimension"), shape.emplace_back());
    else
      message.skip();
  }
}

static void readTensorType(Message message, Type &type) {
  type.kind = Type::Tensor;
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(type.elementType);
      break;
    case 2:
      read(message.child("TensorShapeProto"), type.shape.emplace());
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Type &type, int depth);

/// Sequence and Optional both hold an element type.
static void readContainer(Message message, Type &type, Type::Kind kind,
                          int depth) {
  type.kind = kind;
  while (message.next()) {
    if (message.field() == 1) {
      type.element = std::make_unique<Type>();
      read(message.child("TypeProto"), *type.element, depth + 1);
    } else {
      message.skip();
    }
  }
}

static void read(Message message, Type &type, int depth) {
  if (depth > maxDepth)
    return message.fail("expected types nested at most " +
                        llvm::Twine(maxDepth) + " deep, got more");
  auto unsupported = [&](StringRef kind) {
    type.kind = Type::Unsupported;
    type.unsupported = kind;
    message.skip();
  };
  while (message.next()) {
    switch (message.field()) {
    case 1:
      readTensorType(message.child("TypeProto.Tensor"), type);
      break;
    case 4:
      readContainer(message.child("TypeProto.Sequence"), type, Type::Sequence,
                    depth);
      break;
    case 5:
      unsupported("map");
      break;
    case 7:
      unsupported("opaque");
      break;
    case 8:
      unsupported("sparse_tensor");
      break;
    case 9:
      readContainer(message.child("TypeProto.Optional"), type, Type::Optional,
                    depth);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, ValueInfo &info) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(info.name);
      break;
    case 2:
      read(message.child("TypeProto"), info.type, 0);
      break;
    default:
      message.skip();
    }
  }
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static void read(Message message, Graph &graph, int depth);

static void read(Message message, Attribute &attribute, int depth) {
  // Files of IR version 1 omit the kind; the fields present determine it.
  int64_t guess = Attribute::Undefined;
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(attribute.name);
      break;
    case 2:
      message.read(attribute.f);
      guess = Attribute::Float;
      break;
    case 3:
      message.read(attribute.i);
      guess = Attribute::Int;
      break;
    case 4:
      message.read(attribute.s);
      guess = Attribute::String;
      break;
    case 5:
      attribute.tensor = std::make_unique<Tensor>();
      read(message.child("TensorProto"), *attribute.tensor);
      guess = Attribute::TensorKind;
      break;
    case 6:
      attribute.graph = std::make_unique<Graph>();
      read(message.child("GraphProto"), *attribute.graph, depth + 1);
      guess = Attribute::GraphKind;
      break;
    case 7:
      message.append(attribute.floats);
      guess = Attribute::Floats;
      break;
    case 8:
      message.append(attribute.ints);
      guess = Attribute::Ints;
      break;
    case 9:
      message.read(attribute.strings.emplace_back());
      guess = Attribute::Strings;
      break;
    case 14:
      attribute.type = std::make_unique<Type>();
      read(message.child("TypeProto"), *attribute.type, 0);
      guess = Attribute::TypeProto;
      break;
    case 20:
      message.read(attribute.kind);
      break;
    case 21:
      message.read(attribute.refName);
      break;
    case 22:
      attribute.sparseTensor = std::make_unique<SparseTensor>();
      read(message.child("SparseTensorProto"), *attribute.sparseTensor);
      guess = Attribute::SparseTensorKind;
      break;
    default:
      message.skip();
    }
  }
  if (attribute.kind == Attribute::Undefined)
    attribute.kind = guess;
}

static void read(Message message, ShardedDim::Factor &factor) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(factor.size.emplace());
      break;
    case 3:
      message.read(factor.shards);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, ShardedDim &dim) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(dim.axis);
      break;
    case 2:
      read(message.child("SimpleShardedDimProto"), dim.factors.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, std::pair<int64_t, List<int64_t>> &group) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(group.first);
      break;
    case 2:
      message.append(group.second);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, ShardingSpec &spec) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(spec.tensor);
      break;
    case 2:
      message.append(spec.devices);
      break;
    case 3:
      read(message.child("IntIntListEntryProto"), spec.groups.emplace_back());
      break;
    case 4:
      read(message.child("ShardedDimProto"), spec.dims.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, NodeConfiguration &configuration) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(configuration.configuration);
      break;
    case 2:
      read(message.child("ShardingSpecProto"),
           configuration.shardings.emplace_back());
      break;
    case 3:
      message.read(configuration.pipelineStage);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Node &node, int depth) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.append(node.inputs);
      break;
    case 2:
      message.append(node.outputs);
      break;
    case 3:
      message.read(node.name);
      break;
    case 4:
      message.read(node.opType);
      break;
    case 5:
      read(message.child("AttributeProto"), node.attributes.emplace_back(),
           depth);
      break;
    case 7:
      message.read(node.domain);
      break;
    case 8:
      message.read(node.overload);
      break;
    case 10:
      read(message.child("NodeDeviceConfigurationProto"),
           node.configurations.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Graph &graph, int depth) {
  if (depth > maxDepth)
    return message.fail("expected graphs nested at most " +
                        llvm::Twine(maxDepth) + " deep, got more");
  while (message.next()) {
    switch (message.field()) {
    case 1:
      read(message.child("NodeProto"), graph.nodes.emplace_back(), depth);
      break;
    case 2:
      message.read(graph.name);
      break;
    case 5:
      read(message.child("TensorProto"), graph.initializers.emplace_back());
      break;
    case 11:
      read(message.child("ValueInfoProto"), graph.inputs.emplace_back());
      break;
    case 12:
      read(message.child("ValueInfoProto"), graph.outputs.emplace_back());
      break;
    case 13:
      read(message.child("ValueInfoProto"), graph.valueInfo.emplace_back());
      break;
    case 15:
      read(message.child("SparseTensorProto"),
           graph.sparseInitializers.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static void read(Message message, Opset &opset) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(opset.domain);
      break;
    case 2:
      message.read(opset.version);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Function &function) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(function.name);
      break;
    case 4:
      message.read(function.inputs.emplace_back());
      break;
    case 5:
      message.read(function.outputs.emplace_back());
      break;
    case 6:
      message.read(function.attributes.emplace_back());
      break;
    case 7:
      read(message.child("NodeProto"), function.nodes.emplace_back(), 0);
      break;
    case 9:
      read(message.child("OperatorSetIdProto"), function.opsets.emplace_back());
      break;
    case 10:
      message.read(function.domain);
      break;
    case 11:
      read(message.child("AttributeProto"), function.defaults.emplace_back(),
           0);
      break;
    case 12:
      read(message.child("ValueInfoProto"), function.valueInfo.emplace_back());
      break;
    case 13:
      message.read(function.overload);
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, DeviceConfiguration &configuration) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(configuration.name);
      break;
    case 2:
      message.read(configuration.deviceCount);
      break;
    case 3:
      message.read(configuration.devices.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

static void read(Message message, Model &model) {
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.read(model.irVersion);
      break;
    case 7:
      model.graph = std::make_unique<Graph>();
      read(message.child("GraphProto"), *model.graph, 0);
      break;
    case 8:
      read(message.child("OperatorSetIdProto"), model.opsets.emplace_back());
      break;
    case 25:
      read(message.child("FunctionProto"), model.functions.emplace_back());
      break;
    case 26:
      read(message.child("DeviceConfigurationProto"),
           model.configurations.emplace_back());
      break;
    default:
      message.skip();
    }
  }
}

std::optional<Model> proto::readModel(wire::File &file) {
  Model model;
  if (file.bytes.empty())
    file.fail(file.bytes.data(), "expected an ONNX model, got an empty file");
  read(Message(file, file.bytes, "ModelProto"), model);
  if (!file.failed() && !model.graph)
    file.fail(file.bytes.data(), "ModelProto: expected a graph, got none");
  if (!file.failed())
    return model;
  if (StringRef other = describeOtherFormat(file.bytes); !other.empty())
    file.error = ("expected an ONNX model, got " + other).str();
  return std::nullopt;
}
