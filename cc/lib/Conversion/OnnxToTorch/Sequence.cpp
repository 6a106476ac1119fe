//===- Sequence.cpp - ONNX sequences and optionals to torch lists ---------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from. A
// sequence is a list whose elements are known individually, so that no list
// remains. If its length is known only at run time, it is a stack: one tensor
// with an element of the sequence in each row of dim 0. An optional with a
// value is represented by the value.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Sequence.h"
#include "Families.h"
#include "Loops.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Optional.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

using Elements = SmallVector<Value>;

bool isStack(Value sequence) { return torch::isTensor(sequence.getType()); }

FailureOr<Elements> elementsOf(NodeBuilder &b, Value sequence) {
  if (std::optional<Elements> elements = torch::matchList(sequence))
    return *elements;
  return b.decline() << "expected a sequence whose length is known while "
                        "compiling, got one that a loop or a branch gives";
}

/// A sequence as a stack.
FailureOr<Value> stackOf(NodeBuilder &b, Value sequence) {
  if (isStack(sequence))
    return sequence;
  FailureOr<Elements> elements = elementsOf(b, sequence);
  if (failed(elements))
    return failure();
  if (elements->empty() || !llvm::all_equal(ValueRange(*elements).getTypes()))
    return b.decline() << "expected tensors of one type in a sequence that is "
                          "read at run time";
  return stackRows(b, *elements);
}

/// A position in a stack, counted from the end if negative, before `end`.
FailureOr<Value> placeInStack(NodeBuilder &b, Value position, Value stack,
                              Value end) {
  FailureOr<Value> given = intOf(b, position, "position");
  if (failed(given))
    return failure();
  Value zero = b.constant(0);
  Value isNegative =
      b.fold<torch::AtenIntBoolOp>(b.fold<torch::AtenLtIntOp>(*given, zero));
  Value place = b.addInt(*given, b.mulInt(isNegative, b.size(stack, 0)));
  b.check(b.fold<torch::AtenLeIntOp>(zero, place),
          "a position in the sequence");
  b.check(b.fold<torch::AtenLtIntOp>(place, end), "a position in the sequence");
  return place;
}

/// The rows of a stack before and behind a place.
Value joinAround(NodeBuilder &b, Value stack, Value end, Value between,
                 Value begin) {
  Elements parts = {b.slice(stack, 0, b.constant(0), end)};
  if (between)
    parts.push_back(b.unsqueeze(between, 0));
  parts.push_back(b.slice(stack, 0, begin));
  return b.cat(parts, 0);
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
  bool isNew = op.getNewAxis() != 0;
  if (Value stack = in.getInputSequence(); isStack(stack)) {
    FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(stack) - !isNew);
    if (failed(axis))
      return failure();
    Value moved = b.moveDim(stack, 0, *axis);
    if (isNew)
      return moved;
    SmallVector<Value> sizes = b.sizes(moved);
    sizes[*axis + 1] = b.mulInt(sizes[*axis], sizes[*axis + 1]);
    sizes.erase(sizes.begin() + *axis);
    return b.view(moved, sizes);
  }
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  if (elements->empty())
    return b.decline() << "expected a sequence of at least one tensor, got "
                          "none";
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
  Value sequence = in.getInputSequence();
  if (!isStack(sequence) && b.constantInts(in.getPosition())) {
    FailureOr<Elements> elements = elementsOf(b, sequence);
    if (failed(elements))
      return failure();
    FailureOr<int64_t> place = placeOf(b, in.getPosition(), elements->size());
    if (failed(place))
      return failure();
    return (*elements)[*place];
  }
  FailureOr<Value> stack = stackOf(b, sequence);
  if (failed(stack))
    return failure();
  FailureOr<Value> place =
      placeInStack(b, in.getPosition(), *stack, b.size(*stack, 0));
  if (failed(place))
    return failure();
  return Value(b.create<torch::AtenSelectIntOp>(*stack, b.constant(0), *place));
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
  if (Value stack = in.getInputSequence(); isStack(stack)) {
    Value count = b.size(stack, 0), one = b.constant(1);
    FailureOr<Value> place = b.subInt(count, one);
    if (isPresent(in.getPosition()))
      place = placeInStack(b, in.getPosition(), stack, count);
    else
      b.check(b.fold<torch::AtenLeIntOp>(one, count),
              "a sequence of at least one tensor");
    if (failed(place))
      return failure();
    return joinAround(b, stack, *place, {}, b.addInt(*place, one));
  }
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
  if (Value stack = in.getInputSequence(); isStack(stack)) {
    Value row = in.getTensor();
    if (!isPresent(in.getPosition()))
      return b.cat({stack, b.unsqueeze(row, 0)}, 0);
    // The position behind the last element is valid, too.
    Value count = b.size(stack, 0);
    FailureOr<Value> place = placeInStack(b, in.getPosition(), stack,
                                          b.addInt(count, b.constant(1)));
    if (failed(place))
      return failure();
    return joinAround(b, stack, *place, row, *place);
  }
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
  if (Value stack = in.getInputSequence(); isStack(stack))
    return b.tensorOfInts(b.size(stack, 0), int64Dtype(b), /*scalar=*/true);
  FailureOr<Elements> elements = elementsOf(b, in.getInputSequence());
  if (failed(elements))
    return failure();
  return b.scalarTensor(static_cast<int64_t>(elements->size()), int64Dtype(b));
}

/// The results of a body for all elements of stacks, as stacks.
FailureOr<SmallVector<Value>> mapStacks(onnx::SequenceMapOp op,
                                        onnx::SequenceMapOp::Adaptor in,
                                        NodeBuilder &b) {
  Value count;
  SmallVector<std::optional<Value>> stacks;
  for (auto [given, input] :
       llvm::zip_equal(op.getOperands(), in.getOperands())) {
    std::optional<Value> &stack = stacks.emplace_back();
    if (!isa<onnx::SeqType>(given.getType()))
      continue;
    FailureOr<Value> rows = stackOf(b, input);
    if (failed(rows))
      return failure();
    stack = *rows;
    Value length = b.size(*rows, 0);
    if (count)
      b.check(b.eqInt(length, count), "sequences of one length");
    else
      count = length;
  }
  auto step = [&](Value number, ValueRange) -> FailureOr<Step> {
    Elements arguments;
    for (auto [stack, input] : llvm::zip_equal(stacks, in.getOperands()))
      arguments.push_back(stack ? Value(b.create<torch::AtenSelectIntOp>(
                                      *stack, b.constant(0), number))
                                : input);
    FailureOr<Elements> yielded = b.inlineRegion(op.getBody(), arguments);
    if (failed(yielded))
      return failure();
    Step after;
    after.outputs = *yielded;
    return after;
  };
  return buildLoop(b, count, {}, {}, step,
                   SmallVector<Gathering>(op.getNumResults()),
                   countNodes(op.getBody()));
}

/// SequenceMap-17: the results of the body for the elements of all sequences at
/// a position, as sequences. A tensor is passed at every position.
FailureOr<SmallVector<Value>> lowerSequenceMap(onnx::SequenceMapOp op,
                                               onnx::SequenceMapOp::Adaptor in,
                                               NodeBuilder &b) {
  auto isGivenStack = [](auto pair) {
    auto [given, input] = pair;
    return isa<onnx::SeqType>(given.getType()) && isStack(input);
  };
  if (llvm::any_of(llvm::zip_equal(op.getOperands(), in.getOperands()),
                   isGivenStack))
    return mapStacks(op, in, b);
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
  bool dropsDim = !isPresent(in.getSplit()) && !op.getKeepdims();
  if (ShapedType::isDynamic(total) && size == 1) {
    Value stack = b.moveDim(input, *axis, 0);
    return dropsDim ? stack : b.unsqueeze(stack, *axis + 1);
  }
  if (ShapedType::isDynamic(total) || size < 1)
    return b.decline() << "expected a known size to split into parts of 1 or "
                          "more, or an open one and parts of 1, got "
                       << input.getType() << " and parts of " << size;
  std::optional<Elements> parts = b.splitEvenly(input, *axis, total, size);
  if (!parts)
    return failure();
  if (dropsDim)
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
