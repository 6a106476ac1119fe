//===- KeptNodes.cpp - Nodes that stay whole as torch.operator ------------===//

#include "KeptNodes.h"
#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Torch/Torch.h"

using namespace mlir;
using namespace isthmus;

KeptNodes::KeptNodes(ArrayRef<std::string> names) {
  for (StringRef name : names) {
    unsupported |= name == "unsupported";
    this->names.insert(name);
  }
}

bool KeptNodes::contains(Operation *node) const {
  if (names.empty() || node->hasTrait<OpTrait::ConstantLike>())
    return false;
  std::string name = nameOf(node);
  StringRef bare = name;
  bare.consume_front("onnx.");
  return names.contains(name) || names.contains(bare);
}

std::string KeptNodes::nameOf(Operation *node) {
  if (auto custom = dyn_cast<onnx::CustomOp>(node))
    return (custom.getDomainName().value_or("onnx") + "." +
            custom.getFunctionName())
        .str();
  return custom_ops::carriedName(node->getName().getStringRef()).str();
}

/// Attributes that describe the form of a node, not its computation.
static bool isStructural(StringRef name) {
  return llvm::is_contained({"domain_name", "function_name", "graph_names",
                             "onnx_node_name", "operandSegmentSizes",
                             "resultSegmentSizes"},
                            name);
}

SmallVector<Value> KeptNodes::build(Operation *node, ValueRange operands,
                                    TypeRange results, NodeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  NamedAttrList attributes;
  for (NamedAttribute attribute : node->getAttrDictionary())
    if (!isStructural(attribute.getName()))
      attributes.set(
          (custom_ops::kOnnxAttrPrefix + attribute.getName().getValue()).str(),
          attribute.getValue());
  StringRef domain = onnx::domainIn(node->getName().stripDialect());
  if (auto custom = dyn_cast<onnx::CustomOp>(node))
    attributes.set(custom_ops::kDomainAttr, custom.getDomainNameAttr());
  else if (!domain.empty())
    attributes.set(custom_ops::kDomainAttr, builder.getStringAttr(domain));
  // Optional inputs omitted at the end need no placeholder.
  while (!operands.empty() && isa<torch::NoneType>(operands.back().getType()))
    operands = operands.drop_back();
  auto kept = torch::OperatorOp::create(builder, b.getLoc(), results,
                                        nameOf(node), operands, 0);
  kept->setDiscardableAttrs(attributes.getDictionary(builder.getContext()));
  return llvm::to_vector_of<Value>(kept.getResults());
}
