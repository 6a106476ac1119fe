//===- StridedViews.cpp - Views of a tensor's storage ---------------------===//
//
// aten.as_strided(self, size, stride, storage_offset) selects elements of the
// storage of self. The dialect's op selects elements of self in row-major
// order: here, self is brought to the order of its storage.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Strides.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

/// A number, or the expression of a symbolic number.
schema::SymInt GraphImporter::getSize(const schema::Argument &argument) {
  if (argument.kind == Kind::Int)
    return {argument.integer, ""};
  auto symbol = graph.symInts.find(argument.text);
  return symbol == graph.symInts.end() ? schema::SymInt() : symbol->second;
}

/// The sizes in an argument, a list; no sizes if it is absent.
std::vector<schema::SymInt>
GraphImporter::getSizes(const schema::Argument *argument) {
  std::vector<schema::SymInt> sizes;
  if (argument)
    for (const schema::Argument &element : argument->elements)
      sizes.push_back(getSize(element));
  return sizes;
}

/// The operands of aten.as_strided, of which self is in the order of its
/// storage, and that order of its dims if it is another one.
FailureOr<GraphImporter::StridedOperands>
GraphImporter::getStridedOperands(NodeContext &context) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  FailureOr<Operands> operands =
      getOperands(context, *findSignature("aten.as_strided"));
  if (failed(operands))
    return failure();
  auto self = graph.tensors.find(node.inputs.front().arg.text);
  if (self == graph.tensors.end())
    return subject.fail("expected a tensor with sizes and strides");
  const schema::TensorMeta &base = self->second;

  std::optional<SmallVector<int64_t>> order;
  if (isContiguous(base) != true) {
    order = getStorageOrder(base);
    if (!order)
      return subject.fail("expected a tensor without gaps between its elements "
                          "in memory: call contiguous() before as_strided()");
    operands->front() = context.builder.permute(operands->front(), *order);
  }

  StridedView view = {getSizes(node.find("size")),
                      getSizes(node.find("stride")),
                      /*offset=*/{0, ""}};
  Value &offset = operands->back();
  if (!torch::isNone(offset) && base.storageOffset.value != 0) {
    std::optional<int64_t> own = base.storageOffset.value,
                           given = torch::matchInt(offset);
    int64_t within = 0;
    if (!own || !given || llvm::SubOverflow(*given, *own, within))
      return subject.fail("expected storage offsets that are known");
    offset = context.builder.constant(within);
    view.offset.value = within;
  } else if (!torch::isNone(offset)) {
    view.offset = getSize(*node.find("storage_offset"));
  }
  std::optional<bool> isWithin = isInside(view, base);
  if (!isWithin)
    return subject.fail("expected sizes and strides that can be computed");
  if (!*isWithin)
    return subject.fail("expected a view inside of the elements of its "
                        "argument, which are all that the program has of its "
                        "storage");
  return StridedOperands{*operands, order};
}

LogicalResult GraphImporter::importStridedView(NodeContext &context,
                                               bool isCopy) {
  StringRef op = "aten.as_strided";
  FailureOr<StridedOperands> operands = getStridedOperands(context);
  if (failed(operands))
    return failure();
  FailureOr<Operation *> built = buildInferred(context, op, operands->values);
  if (failed(built))
    return failure();
  return bindResults(context, *built,
                     isCopy ? std::nullopt : getSharedBy(context, op));
}

/// aten.as_strided_scatter(self, src, size, stride, storage_offset): self with
/// the elements of src in place of those of the view. The view of the elements'
/// numbers says where they are.
LogicalResult GraphImporter::importStridedScatter(NodeContext &context) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  if (context.node.inputs.size() < 2 ||
      context.node.inputs[1].arg.kind != Kind::Tensor)
    return subject.fail("expected a tensor of elements to put into the view");
  Value source = getValue(context.node.inputs[1].arg, b, subject);
  schema::Node view = context.node;
  view.inputs.erase(view.inputs.begin() + 1);
  NodeContext viewContext = {view, subject, b};
  FailureOr<StridedOperands> operands = getStridedOperands(viewContext);
  if (!source || failed(operands))
    return failure();

  Value self = operands->values[0], rest = b.constant(-1);
  SmallVector<Value> sizes = b.sizes(self);
  Type number = builder.getIntegerType(64, /*isSigned=*/true);
  Value none = b.none();
  Value numbers = b.create<torch::AtenArangeStartStepOp>(
      b.constant(0), b.product(sizes), b.constant(1), b.dtype(number), none,
      none, none);
  Value places = b.create<torch::AtenAsStridedOp>(
      numbers, operands->values[1], operands->values[2], operands->values[3]);
  Value flat = b.create<torch::AtenIndexPutOp>(
      b.view(self, rest), b.optionalTensors(b.view(places, rest)),
      b.view(source, rest), b.constantBool(false));
  Value result = b.view(flat, sizes);
  if (operands->order)
    result = b.permute(result, invertPermutationVector(*operands->order));
  if (!b.error().empty())
    return subject.fail(b.error());
  return bindResults(context, result.getDefiningOp(), /*shared=*/std::nullopt);
}
