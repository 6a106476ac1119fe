//===- GraphConversion.cpp - One walk over an ONNX graph ------------------===//

#include "GraphConversion.h"
#include "CountedLoops.h"
#include "NarrowDtypes.h"
#include "isthmus/Dialect/Onnx/Image.h"
#include "isthmus/Dialect/Onnx/Shapes.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

Value GraphConversion::lookup(Value onnxValue, NodeBuilder &b) {
  if (auto found = values.find(onnxValue); found != values.end())
    return found->second;
  auto known = scalars.find(onnxValue);
  if (known == scalars.end())
    return {};
  // A tensor is needed after all: create it once, and remember its elements.
  ScalarTensor list = known->second;
  Value tensor = b.tensorOfInts(list.elements, list.dtype, list.isScalar());
  if (list.isMatrix())
    tensor = b.view(tensor,
                    llvm::map_to_vector(list.sizes, [&](int64_t size) -> Value {
                      return b.constant(size);
                    }));
  scalars[tensor] = list;
  madeOfScalars.push_back(onnxValue);
  return values[onnxValue] = tensor;
}

std::optional<ScalarTensor> GraphConversion::lookupScalars(Value onnxValue,
                                                           NodeBuilder &b) {
  if (auto known = scalars.find(onnxValue); known != scalars.end())
    return known->second;
  auto constant = onnxValue.getDefiningOp<onnx::ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getElements());
  if (!elements || elements.getType().getRank() > 1 ||
      !isa<IntegerType>(elements.getElementType()) ||
      elements.getNumElements() > ScalarTensor::maxElements)
    return std::nullopt;
  ScalarTensor list;
  list.sizes.assign(elements.getType().getShape().begin(),
                    elements.getType().getShape().end());
  list.dtype = torch::toTorchDtype(elements.getElementType());
  if (!ScalarTensor::follows(list.dtype))
    return std::nullopt;
  for (const APInt &value : elements.getValues<APInt>())
    list.elements.push_back(b.constant(torch::integerOf(value, list.dtype)));
  return list;
}

LogicalResult GraphConversion::convertNode(Operation *node,
                                           OpBuilder &builder) {
  NodeBuilder b(*this, builder, node);
  // A node in the body of a loop may be converted several times.
  for (Value result : node->getResults()) {
    values.erase(result);
    scalars.erase(result);
  }
  if (isa<onnx::NoValueOp>(node)) {
    values[node->getResult(0)] = b.none();
    return success();
  }
  auto decline = [&] {
    declined.push_back(node);
    return failure();
  };

  bool isKept = kept.contains(node);
  SmallVector<std::optional<ScalarTensor>> known;
  for (Value operand : node->getOperands())
    known.push_back(lookupScalars(operand, b));
  auto tensor = [&](unsigned index) {
    return lookup(node->getOperand(index), b);
  };
  if (!isKept)
    if (SmallVector<ScalarTensor> results =
            evaluateOnScalars(node, known, tensor, b);
        !results.empty()) {
      for (auto [onnxResult, result] :
           llvm::zip_equal(node->getResults(), results))
        scalars[onnxResult] = std::move(result);
      return success();
    }

  SmallVector<Value> operands;
  for (Value operand : node->getOperands()) {
    operands.push_back(lookup(operand, b));
    if (!operands.back()) // its operand's node has its own error
      return failure();
  }
  FailureOr<SmallVector<Value>> results =
      isKept ? keep(node, operands, b) : lower(node, operands, b);
  if (std::exchange(isRegionIncomplete,
                    false)) // a node in it has its own error
    return failure();
  if (failed(results) && !isKept && kept.keepsUnsupported())
    results = keep(node, operands, b);
  if (failed(results))
    return decline();
  for (auto [onnxResult, result] :
       llvm::zip_equal(node->getResults(), *results)) {
    if (!result)
      continue;
    Type declared = b.declaredDtype(onnxResult);
    Type inferred = torch::tensorType(result).getDtype();
    if (declared && inferred && declared != inferred) {
      (void)LogicalResult(b.decline() << "expected a result of " << declared
                                      << ", got " << inferred);
      return decline();
    }
    values[onnxResult] = result;
  }
  return success();
}

FailureOr<SmallVector<Value>>
GraphConversion::lower(Operation *node, ValueRange operands, NodeBuilder &b) {
  const OnnxToTorchLowerings::Function *lowering =
      lowerings.find(node->getName().getStringRef());
  if (!lowering) {
    if (isa<onnx::CustomOp>(node)) {
      std::string name = KeptNodes::nameOf(node);
      if (name == "ai.onnx.preview.training.Gradient")
        return b.decline() << "graphs are not differentiated here; "
                              "differentiate the model in PyTorch before its "
                              "export, or with isthmus.to_jax";
      if (StringRef(name).starts_with("com.microsoft.nchwc."))
        return b.decline() << "onnxruntime's layout for one processor, of "
                              "which the file does not say the blocks; save "
                              "the model at ORT_ENABLE_EXTENDED or lower";
      return b.decline() << "expected an op of a known domain, got " << name
                         << "; to pass it on unchanged, use --custom-ops "
                         << name;
    }
    auto isOfStrings = [](Type type) {
      auto tensor = dyn_cast<TensorType>(type);
      return tensor && isa<onnx::StringType>(tensor.getElementType());
    };
    if (isa<onnx::ImageDecoderOp>(node))
      return b.decline() << "no target decodes files; decode the image first, "
                            "and give its pixels to the model";
    if (llvm::any_of(node->getResultTypes(), isOfStrings))
      return b.decline() << "expected a result of numbers, got strings, which "
                            "no target has";
    return failure();
  }
  if (!carries(node)) {
    SmallVector<Value> all(node->getOperands());
    llvm::append_range(all, node->getResults());
    if (auto *narrow = llvm::find_if(all, narrowDtypeOf); narrow != all.end())
      return b.decline() << "expected operands and results of dtypes that "
                            "torch has, got "
                         << narrow->getType();
  }
  // Lowerings read sizes by position, so ranks must be right from here on. The
  // types are those of the torch values: the model may declare none.
  auto shapeOf = [&](unsigned index) -> std::optional<OperandShape> {
    torch::ValueTensorType type = torch::tensorType(operands[index]);
    if (!type.hasRank())
      return std::nullopt;
    return OperandShape{SmallVector<int64_t, 4>(type.getSizes()), type};
  };
  if (std::optional<std::string> wrong = onnx::findWrongShape(node, shapeOf))
    return b.decline() << *wrong;
  FailureOr<SmallVector<Value>> results = (*lowering)(node, operands, b);
  // The first rejection is the reason for later failures.
  if (b.hasFailed())
    return b.decline() << b.error();
  return results;
}

FailureOr<SmallVector<Value>>
GraphConversion::keep(Operation *node, ValueRange operands, NodeBuilder &b) {
  if (node->getNumRegions() > 0)
    return b.decline() << "a node with subgraphs cannot be carried whole";
  // Only the types of these values are needed; the ops that compute them are
  // dead and removed. Optional outputs omitted at the end need no placeholder.
  NodeBuilder trial(*this, b.getBuilder(), node);
  FailureOr<SmallVector<Value>> like = lower(node, operands, trial);
  auto isThere = [](OpResult result) {
    return !isa<NoneType>(result.getType());
  };
  auto outputs = node->getResults();
  while (!outputs.empty() && !isThere(outputs.back()))
    outputs = outputs.drop_back();
  SmallVector<Type> types;
  for (OpResult result : outputs) {
    unsigned number = result.getResultNumber();
    Value inferred = succeeded(like) ? (*like)[number] : Value();
    auto declared = dyn_cast<RankedTensorType>(result.getType());
    auto type =
        inferred ? torch::tensorType(inferred) : torch::ValueTensorType();
    if (!type && declared && torch::toTorchDtype(declared.getElementType()))
      type = torch::fromBuiltin(declared);
    if (type && type.hasRank() && type.getDtype()) {
      types.push_back(type);
      continue;
    }
    if (!isThere(result))
      return b.decline() << "expected output " << number << " of "
                         << KeptNodes::nameOf(node)
                         << ", because the node has a later output, got none";
    if (!isa<TensorType>(result.getType()))
      return b.decline() << "expected tensor outputs for a custom op, got '"
                         << result.getType() << "' as output " << number;
    return b.decline() << "expected the model to declare rank and dtype of "
                          "output "
                       << number << " of " << KeptNodes::nameOf(node)
                       << " (as value_info), got " << result.getType();
  }
  SmallVector<Value> results = KeptNodes::build(node, operands, types, b);
  results.resize(node->getNumResults());
  return results;
}

FailureOr<SmallVector<Value>> GraphConversion::inlineBlock(Block &block,
                                                           ValueRange arguments,
                                                           OpBuilder &builder) {
  for (auto [parameter, argument] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    values.erase(parameter);
    scalars.erase(parameter);
    if (!torch::isInt(argument.getType())) {
      values[parameter] = argument;
      continue;
    }
    auto type = cast<TensorType>(parameter.getType());
    scalars[parameter] = {{argument},
                          /*sizes=*/{},
                          torch::toTorchDtype(type.getElementType())};
  }
  size_t madeOutside = madeOfScalars.size();
  bool complete = true;
  for (Operation &node : block.without_terminator())
    complete &= succeeded(convertNode(&node, builder));
  SmallVector<Value> yielded;
  if (complete) {
    NodeBuilder b(*this, builder, block.getTerminator());
    for (Value value : block.getTerminator()->getOperands())
      yielded.push_back(lookup(value, b));
  }
  for (Value value : ArrayRef(madeOfScalars).drop_front(madeOutside))
    values.erase(value);
  madeOfScalars.truncate(madeOutside);
  isRegionIncomplete = !complete;
  if (!complete)
    return failure();
  return yielded;
}

/// Removes pure ops that nothing uses, last first, also from nested graphs.
static void removeDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        removeDeadOps(inner);
  }
}

/// Fails unless a function is one graph: a block of nodes.
static LogicalResult verifyGraph(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitError() << "expected a graph of one block, got "
                            << func.getBody().getBlocks().size();
  for (Operation &op : func.getBody().front().without_terminator())
    if (!isa_and_nonnull<onnx::OnnxDialect>(op.getDialect()))
      return op.emitError() << "expected an op of the onnx dialect, got '"
                            << op.getName() << "'";
  return success();
}

LogicalResult GraphConversion::convert(func::FuncOp func) {
  if (failed(verifyGraph(func)))
    return failure();
  Block &body = func.getBody().front();
  countLoops(body);
  // What nothing uses need not have a form in torch.
  removeDeadOps(body);
  SmallVector<Operation *> nodes(
      llvm::make_pointer_range(body.without_terminator()));
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  SmallVector<UnrealizedConversionCastOp> narrowed;
  for (BlockArgument parameter : body.getArguments()) {
    auto type = dyn_cast<TensorType>(parameter.getType());
    torch::ValueTensorType torchType =
        type ? torch::fromBuiltin(type) : torch::ValueTensorType();
    Type narrow = narrowDtypeOf(parameter);
    if (narrow && type.hasRank())
      torchType = torch::ValueTensorType::get(
          type.getContext(), type.getShape(), bytesFor(narrow));
    if (!torchType || !torchType.hasRank() || !torchType.getDtype())
      return func.emitError()
             << "expected graph input " << parameter.getArgNumber()
             << " to be a tensor of known rank and of a dtype that torch has, "
                "got "
             << parameter.getType();
    Value given = parameter;
    if (narrow) { // nodes read its declared dtype until they are erased
      narrowed.push_back(UnrealizedConversionCastOp::create(
          builder, func.getLoc(),
          type.clone(narrow.isSignlessInteger()
                         ? IntegerType::get(narrow.getContext(), 8)
                         : bytesFor(narrow)),
          given));
      given = narrowed.back().getResult(0);
    }
    values[parameter] = torch_c::FromBuiltinTensorOp::create(
        builder, func.getLoc(), torchType, given);
  }

  bool complete = true;
  for (Operation *node : nodes) {
    builder.setInsertionPoint(node);
    constants.moveTo(node);
    complete &= succeeded(convertNode(node, builder));
  }
  for (Operation *node : declined)
    unsupported.emitError(node, "torch");
  if (!complete)
    return failure();

  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  constants.moveTo(end);
  NodeBuilder b(*this, builder, end);
  SmallVector<Value> results;
  for (Value value : end->getOperands()) {
    Value result = lookup(value, b);
    torch::ValueTensorType type = torch::tensorType(result);
    if (!type.hasRank() || !type.getDtype())
      return func.emitError()
             << "expected graph output " << results.size()
             << " to have a known rank and dtype, got " << result.getType();
    // The inferred type is more precise: a graph may omit sizes.
    results.push_back(torch_c::ToBuiltinTensorOp::create(
        builder, end->getLoc(), torch::toBuiltin(type), result));
  }
  func::ReturnOp::create(builder, end->getLoc(), results);
  end->erase();
  for (Operation *node : llvm::reverse(nodes))
    node->erase();
  for (UnrealizedConversionCastOp cast : narrowed) {
    cast.getOperand(0).setType(cast.getResult(0).getType());
    cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
    cast.erase();
  }
  func.setType(builder.getFunctionType(body.getArgumentTypes(),
                                       ValueRange(results).getTypes()));
  removeDeadOps(body);
  return success();
}
