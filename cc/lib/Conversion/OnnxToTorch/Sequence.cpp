//===- Sequence.cpp - ONNX sequences and optionals to torch lists ---------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from. A
// sequence is a list whose elements are known individually, so that no list
// remains. An optional with a value is represented by the value.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Sequence.h"
#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Optional.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

using Elements = SmallVector<Value>;

FailureOr<Elements> elementsOf(NodeBuilder &b, Value sequence) {
  if (std::optional<Elements> elements = torch::matchList(sequence))
    return *elements;
  return b.decline() << "expected a sequence whose length is known while "
                        "compiling, got one that a loop or a branch gives";
}

/// A position in a sequence, counted from the end if negative, as an index into
/// its `count` elements.
FailureOr<int64_t> placeOf(NodeBuilder &b, Value position, int64_t count) {
  FailureOr<int64_t> known = knownInt(b, position, "position");
  if (failed(known))
    return failure();
  int64_t place = *known;
  if (place < -count || place >= count)
    return b.decline() << "expected a position in [" << -count << ", "
                       << count - 1 << "], got " << place;
  return place < 0 ? place + count : place;
}

/// ConcatFromSequence-11: the elements one after the other along `axis`, which
/// is new if `new_axis` is set.
FailureOr<Value> lowerConcatFromSequence(onnx::ConcatFromSequenceOp op,
                                         onnx::ConcatFromSequenceOp::Adaptor in,
                                         NodeBuilder &b) {
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  if (elements->empty())
    return b.decline() << "expected a sequence of at least one tensor, got "
                          "none";
  bool isNew = op.getNewAxis() != 0;
  FailureOr<int64_t> axis =
      axisOf(b, op.getAxis(), rankOf(elements->front()) + isNew);
  if (failed(axis))
    return failure();
  if (isNew)
    for (Value &element : *elements)
      element = b.unsqueeze(element, *axis);
  return elements->size() == 1 ? elements->front() : b.cat(*elements, *axis);
}

/// Optional-28: an optional of the input, or of nothing.
FailureOr<Value> lowerOptional(onnx::OptionalOp, onnx::OptionalOp::Adaptor in,
                               NodeBuilder &) {
  return in.getInput();
}

/// OptionalGetElement-28
FailureOr<Value> lowerOptionalGetElement(onnx::OptionalGetElementOp,
                                         onnx::OptionalGetElementOp::Adaptor in,
                                         NodeBuilder &b) {
  if (!isPresent(in.getInput()))
    return b.decline() << "expected an optional that holds something, got an "
                          "empty one";
  return in.getInput();
}

/// OptionalHasElement-28
FailureOr<Value> lowerOptionalHasElement(onnx::OptionalHasElementOp,
                                         onnx::OptionalHasElementOp::Adaptor in,
                                         NodeBuilder &b) {
  return b.scalarTensor(int64_t(isPresent(in.getInput())), boolDtype(b));
}

/// SequenceAt-11: the tensor at a position.
FailureOr<Value> lowerSequenceAt(onnx::SequenceAtOp,
                                 onnx::SequenceAtOp::Adaptor in,
                                 NodeBuilder &b) {
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  FailureOr<int64_t> place = placeOf(b, in.getPosition(), elements->size());
  if (failed(place))
    return failure();
  return (*elements)[*place];
}

/// SequenceConstruct-11: the inputs as a sequence.
FailureOr<Value> lowerSequenceConstruct(onnx::SequenceConstructOp,
                                        onnx::SequenceConstructOp::Adaptor in,
                                        NodeBuilder &b) {
  return b.tensors(in.getInputs());
}

/// SequenceEmpty-11
FailureOr<Value> lowerSequenceEmpty(onnx::SequenceEmptyOp,
                                    onnx::SequenceEmptyOp::Adaptor,
                                    NodeBuilder &b) {
  return b.tensors({});
}

/// SequenceErase-11: without the tensor at a position, or the last one.
FailureOr<Value> lowerSequenceErase(onnx::SequenceEraseOp,
                                    onnx::SequenceEraseOp::Adaptor in,
                                    NodeBuilder &b) {
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  if (elements->empty())
    return b.decline() << "expected a sequence of at least one tensor, got "
                          "none";
  FailureOr<int64_t> place = elements->size() - 1;
  if (isPresent(in.getPosition()))
    place = placeOf(b, in.getPosition(), elements->size());
  if (failed(place))
    return failure();
  elements->erase(elements->begin() + *place);
  return b.tensors(*elements);
}

/// SequenceInsert-11: with a tensor before a position, or at the end.
FailureOr<Value> lowerSequenceInsert(onnx::SequenceInsertOp,
                                     onnx::SequenceInsertOp::Adaptor in,
                                     NodeBuilder &b) {
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  int64_t count = elements->size();
  FailureOr<int64_t> place = count;
  if (isPresent(in.getPosition())) {
    FailureOr<int64_t> known = knownInt(b, in.getPosition(), "position");
    if (failed(known))
      return failure();
    // The position behind the last element is valid, too.
    if (*known != count)
      place = placeOf(b, in.getPosition(), count);
  }
  if (failed(place))
    return failure();
  elements->insert(elements->begin() + *place, in.getTensor());
  return b.tensors(*elements);
}

/// SequenceLength-11
FailureOr<Value> lowerSequenceLength(onnx::SequenceLengthOp,
                                     onnx::SequenceLengthOp::Adaptor in,
                                     NodeBuilder &b) {
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  return b.scalarTensor(static_cast<int64_t>(elements->size()), int64Dtype(b));
}

/// SequenceMap-17: the results of the body for the elements of all sequences at
/// a position, as sequences. A tensor is passed at every position.
FailureOr<SmallVector<Value>> lowerSequenceMap(onnx::SequenceMapOp op,
                                               onnx::SequenceMapOp::Adaptor in,
                                               NodeBuilder &b) {
  FailureOr<Elements> first = elementsOf(b, in.getInputSequence());
  if (failed(first))
    return failure();
  size_t count = first->size();
  SmallVector<Elements> arguments(count);
  for (Value input : in.getOperands()) {
    Elements perPlace(count, input);
    if (isa<torch::ListType>(input.getType())) {
      FailureOr<Elements> elements = elementsOf(b, input);
      if (failed(elements))
        return failure();
      if (elements->size() != count)
        return b.decline() << "expected sequences of " << count
                           << " tensors, got one of " << elements->size();
      perPlace = *elements;
    }
    for (auto [list, element] : llvm::zip_equal(arguments, perPlace))
      list.push_back(element);
  }
  SmallVector<Elements> results(op.getNumResults());
  for (const Elements &list : arguments) {
    FailureOr<Elements> yielded = b.inlineRegion(op.getBody(), list);
    if (failed(yielded))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, *yielded))
      result.push_back(value);
  }
  return llvm::map_to_vector(
      results, [&](const Elements &list) { return b.tensors(list); });
}

/// SplitToSequence-24: parts of `axis` of the sizes in `split`, or all of the
/// size `split`, the last one possibly smaller; without `split`, parts of size
/// 1, whose dim is dropped unless `keepdims`.
FailureOr<Value> lowerSplitToSequence(onnx::SplitToSequenceOp op,
                                      onnx::SplitToSequenceOp::Adaptor in,
                                      NodeBuilder &b) {
  Value input = in.getInput();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(input));
  if (failed(axis))
    return failure();
  if (isPresent(in.getSplit()) && rankOf(in.getSplit()) == 1) {
    FailureOr<SmallVector<Value>> sizes = b.ints(in.getSplit());
    if (failed(sizes))
      return b.decline() << "expected a split of known length, got "
                         << in.getSplit().getType();
    return b.tensors(b.split(input, *axis, *sizes));
  }
  int64_t size = 1, total = sizeOf(input, *axis);
  if (isPresent(in.getSplit())) {
    FailureOr<int64_t> known = knownInt(b, in.getSplit(), "split");
    if (failed(known))
      return failure();
    size = *known;
  }
  if (ShapedType::isDynamic(total) || size < 1)
    return b.decline() << "expected a known size to split into parts of 1 or "
                          "more, got "
                       << input.getType() << " and parts of " << size;
  std::optional<Elements> parts = b.splitEvenly(input, *axis, total, size);
  if (!parts)
    return failure();
  if (!isPresent(in.getSplit()) && !op.getKeepdims())
    for (Value &part : *parts)
      part = b.squeeze(part, {*axis});
  return b.tensors(*parts);
}

} // namespace

void onnx_to_torch::populateSequence(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerConcatFromSequence);
  lowerings.add(lowerOptional);
  lowerings.add(lowerOptionalGetElement);
  lowerings.add(lowerOptionalHasElement);
  lowerings.add(lowerSequenceAt);
  lowerings.add(lowerSequenceConstruct);
  lowerings.add(lowerSequenceEmpty);
  lowerings.add(lowerSequenceErase);
  lowerings.add(lowerSequenceInsert);
  lowerings.add(lowerSequenceLength);
  lowerings.add(lowerSequenceMap);
  lowerings.add(lowerSplitToSequence);
}
