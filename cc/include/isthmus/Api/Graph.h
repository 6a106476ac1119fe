//===- Graph.h - The graph of a program, as data ----------------*- C++ -*-===//
//
// What a reader wants to know of a program without MLIR: its inputs, outputs,
// weights and nodes, and which node uses what.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_API_GRAPH_H
#define ISTHMUS_API_GRAPH_H

#include "isthmus/Api/Api.h"
#include <optional>
#include <utility>

namespace isthmus {

/// A value of a program.
struct ModelValue {
  uint64_t id = 0;   // distinguishes it from the program's other values
  std::string name;  // in the model; empty if it has none
  std::string dtype; // in MLIR's spelling: "f32"; the type if it is no tensor
  unsigned bits = 0; // of an element; 0 if unknown
  /// "32", "batch", or "?" for a size without a name in the file; nullopt if
  /// the rank is unknown.
  std::optional<std::vector<std::string>> sizes;
};

/// A node of an ONNX graph, or an operator of a torch program.
struct ModelNode {
  std::string op;   // "onnx.Conv"
  std::string name; // "Conv_0"; empty if it has none
  /// The prefix of every message about it: "model.onnx: node 'Conv_0': ".
  std::string place;
  /// The modules or functions around it, outermost first, as in Enclosing.h:
  /// {"torch.nn.modules.normalization.LayerNorm", "encoder.norm"}.
  std::vector<std::pair<std::string, std::string>> scopes;
  std::vector<uint64_t> inputs; // ids; a list of values counts as its elements
  std::vector<ModelValue> outputs;
};

/// The graph of a program.
struct ModelGraph {
  /// Of the first function, in order.
  std::vector<ModelValue> inputs, outputs;
  /// The constants that are tensors, in order.
  std::vector<ModelValue> weights;
  /// The nodes, including those in subgraphs, in order.
  std::vector<ModelNode> nodes;
};

/// Describes a program. One that is lowered has no nodes.
ModelGraph graphOf(const Model &model);

} // namespace isthmus

#endif // ISTHMUS_API_GRAPH_H
