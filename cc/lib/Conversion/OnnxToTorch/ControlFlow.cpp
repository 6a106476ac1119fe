//===- ControlFlow.cpp - ONNX control flow to torch.prim ------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/ControlFlow.h"
#include "CountedLoops.h"
#include "Families.h"
#include "Loops.h"
#include "isthmus/Dialect/Onnx/Sequence.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The only element of a bool tensor as a !torch.bool.
FailureOr<Value> boolOf(NodeBuilder &b, Value tensor, StringRef name) {
  // Sizes that are not known have to be 1.
  if (torch::isTensor(tensor.getType()) &&
      llvm::any_of(torch::tensorType(tensor).getSizes(), ShapedType::isDynamic))
    tensor = b.view(tensor, {});
  FailureOr<SmallVector<Value>> elements = b.ints(tensor);
  if (failed(elements) || elements->size() != 1)
    return b.decline() << "expected " << name << " of one bool, got "
                       << tensor.getType();
  return b.fold<torch::AtenBoolIntOp>(elements->front());
}

/// The axes of x.squeeze(dim) as PyTorch exports it for a dim of unknown size:
/// an If with Squeeze if the size is 1, else Identity. Empty for another If.
SmallVector<int64_t> axesOfSqueezeIfOne(onnx::IfOp op) {
  auto yielded = [](Region &branch) {
    auto values = branch.front().getTerminator()->getOperands();
    return values.size() == 1 ? values.front() : Value();
  };
  Value squeezed = yielded(op.getThenBranch()),
        same = yielded(op.getElseBranch());
  if (!squeezed || !same)
    return {};
  auto squeeze = squeezed.getDefiningOp<onnx::SqueezeOp>();
  if (auto identity = same.getDefiningOp<onnx::IdentityOp>())
    same = identity.getInput();
  if (!squeeze || squeeze.getData() != same)
    return {};
  DenseIntElementsAttr axes;
  if (auto constant = squeeze.getAxes().getDefiningOp<onnx::ConstantOp>())
    axes = dyn_cast<DenseIntElementsAttr>(constant.getElements());
  return axes ? llvm::to_vector(axes.getValues<int64_t>())
              : SmallVector<int64_t>();
}

/// If-25: the outputs of then_branch if cond is true, else those of
/// else_branch.
FailureOr<SmallVector<Value>> lowerIf(onnx::IfOp op, onnx::IfOp::Adaptor in,
                                      NodeBuilder &b) {
  FailureOr<Value> condition = boolOf(b, in.getCond(), "cond");
  if (failed(condition))
    return failure();
  if (SmallVector<int64_t> axes = axesOfSqueezeIfOne(op);
      !axes.empty() && !torch::matchBool(*condition)) {
    // A tensor has one rank: that of its use with sizes of 1. aten.select stays
    // valid if another size turns out later, in a branch that is not taken.
    b.check(*condition, "sizes of 1 in the dims that the model squeezes");
    FailureOr<Values> x = b.inlineRegion(op.getElseBranch());
    if (failed(x))
      return failure();
    FailureOr<SmallVector<int64_t>> dims = axesOf(b, axes, rankOf(x->front()));
    if (failed(dims))
      return failure();
    llvm::sort(*dims, std::greater<>());
    for (int64_t dim : *dims)
      x->front() = b.create<torch::AtenSelectIntOp>(x->front(), b.constant(dim),
                                                    b.constant(0));
    return x;
  }
  return buildIf(
      b, *condition, [&] { return b.inlineRegion(op.getThenBranch()); },
      [&] { return b.inlineRegion(op.getElseBranch()); });
}

/// A state of a loop, which the steps carry, or a sequence to which each of
/// them appends tensors, so that these are gathered.
struct LoopState {
  Value init;
  /// The number of tensors that a step appends; 0: the sequence stays as it is.
  /// Nullopt for a state that is carried.
  std::optional<int64_t> appended = std::nullopt;

  /// The tensors that a step appended, as rows, one after the other.
  FailureOr<Value> rowsOf(NodeBuilder &b, Value sequence) const {
    auto elements = torch::matchList(sequence);
    if (!elements || static_cast<int64_t>(elements->size()) != *appended)
      return b.decline() << "expected steps that append " << *appended
                         << " tensors to a sequence";
    return *appended == 1 ? FailureOr<Value>(elements->front())
                          : stackRows(b, *elements);
  }

  /// The sequence after the loop as a tensor with a row for each element, from
  /// the gathered rows of all steps.
  Value finish(NodeBuilder &b, Value gathered) const {
    if (*appended > 1) {
      SmallVector<Value> sizes = b.sizes(gathered);
      sizes[1] = b.mulInt(sizes[0], sizes[1]);
      gathered = b.view(gathered, ArrayRef(sizes).drop_front());
    }
    SmallVector<Value> parts;
    if (torch::isTensor(init.getType()))
      parts.push_back(init);
    else if (auto elements = torch::matchList(init))
      for (Value element : *elements)
        parts.push_back(b.unsqueeze(element, 0));
    parts.push_back(gathered);
    return parts.size() == 1 ? gathered : b.cat(parts, 0);
  }
};

/// A loop over a region. The first results of a step are its states, the others
/// are gathered.
struct RegionLoop {
  Region &body;
  /// The region's arguments in a step, from its number and its states.
  std::function<SmallVector<Value>(Value, ValueRange)> arguments;
  bool yieldsCondition;
  SmallVector<Gathering> scanOutputs;

  FailureOr<Values> build(NodeBuilder &b, Value tripCount, Value condition,
                          ArrayRef<LoopState> states) const {
    Values init;
    size_t appending = 0;
    for (const LoopState &state : states)
      if (!state.appended)
        init.push_back(state.init);
      else if (*state.appended > 0)
        ++appending;
    auto step = [&](Value number, ValueRange carried) -> FailureOr<Step> {
      Values before;
      for (const LoopState &state : states)
        if (!state.appended) {
          before.push_back(carried.front());
          carried = carried.drop_front();
        } else {
          before.push_back(*state.appended > 0 ? b.tensors({}) : state.init);
        }
      FailureOr<Values> results =
          b.inlineRegion(body, arguments(number, before));
      if (failed(results))
        return failure();
      ArrayRef<Value> rest = *results;
      Step after;
      if (yieldsCondition) {
        FailureOr<Value> shouldContinue =
            boolOf(b, rest.front(), "a loop's condition");
        if (failed(shouldContinue))
          return failure();
        after.shouldContinue = *shouldContinue;
        rest = rest.drop_front();
      }
      for (auto [state, value] : llvm::zip(states, rest)) {
        if (!state.appended) {
          after.carried.push_back(value);
        } else if (*state.appended > 0) {
          FailureOr<Value> rows = state.rowsOf(b, value);
          if (failed(rows))
            return failure();
          after.outputs.push_back(*rows);
        }
      }
      llvm::append_range(after.outputs, rest.drop_front(states.size()));
      return after;
    };
    Gathering ofSequence;
    ofSequence.isSequence = true;
    SmallVector<Gathering> gatherings(appending, ofSequence);
    llvm::append_range(gatherings, scanOutputs);
    FailureOr<Values> last = buildLoop(b, tripCount, condition, init, step,
                                       gatherings, countNodes(body));
    if (failed(last))
      return failure();
    ArrayRef<Value> carried = ArrayRef(*last).take_front(init.size()),
                    gathered = ArrayRef(*last).drop_front(init.size());
    Values results;
    auto next = [](ArrayRef<Value> &values) {
      Value first = values.front();
      values = values.drop_front();
      return first;
    };
    for (const LoopState &state : states)
      results.push_back(!state.appended ? next(carried)
                        : *state.appended == 0
                            ? state.init
                            : state.finish(b, next(gathered)));
    llvm::append_range(results, gathered);
    return results;
  }
};

/// The number of tensors that a step appends to the sequence in an argument;
/// nullopt if it does anything else with it.
std::optional<int64_t> countAppended(Value argument, Value yielded) {
  int64_t count = 0;
  if (argument == yielded)
    return count;
  for (Value sequence = argument; sequence.hasOneUse(); ++count) {
    if (sequence == yielded)
      return count;
    auto insert = dyn_cast<onnx::SequenceInsertOp>(*sequence.user_begin());
    if (!insert || insert.getInputSequence() != sequence ||
        !isa<NoneType>(insert.getPosition().getType()))
      break;
    sequence = insert.getOutputSequence();
  }
  return std::nullopt;
}

/// Loop-25: for (i = 0; i < M && cond; ++i) (cond, states, outputs) = body(i,
/// cond, states)
FailureOr<SmallVector<Value>>
lowerLoop(onnx::LoopOp op, onnx::LoopOp::Adaptor in, NodeBuilder &b) {
  FailureOr<Value> tripCount = b.constant(std::numeric_limits<int64_t>::max());
  if (isPresent(in.getM()))
    tripCount = intOf(b, in.getM(), "M");
  FailureOr<Value> condition = b.constantBool(true);
  if (isPresent(in.getCond()))
    condition = boolOf(b, in.getCond(), "cond");
  if (failed(tripCount) || failed(condition))
    return failure();
  if (auto most = op->getAttrOfType<IntegerAttr>(mostSteps))
    b.check(b.fold<torch::AtenLeIntOp>(*tripCount, b.constant(most.getInt())),
            "a loop of at most " + Twine(most.getInt()) + " steps");
  // Unrolled steps append to a list whose elements are known individually.
  std::optional<int64_t> steps = torch::matchInt(*tripCount);
  Block &body = op.getBody().front();
  ValueRange yielded = body.getTerminator()->getOperands();
  Value goesOn = withoutIdentity(yielded.front());
  bool isUnrolled = steps && *steps <= maxUnrolled &&
                    torch::matchBool(*condition) == true &&
                    (goesOn == body.getArgument(1) ||
                     goesOn.getDefiningOp<onnx::ConstantOp>());
  SmallVector<LoopState> states;
  for (auto [i, init] : llvm::enumerate(in.getVInitial())) {
    LoopState &state = states.emplace_back(LoopState{init});
    bool isSequence = isa<onnx::SeqType>(op.getVInitial()[i].getType());
    if (isSequence && !isUnrolled)
      state.appended = countAppended(body.getArgument(2 + i), yielded[1 + i]);
  }
  RegionLoop loop{op.getBody(),
                  [&](Value number, ValueRange states) {
                    SmallVector<Value> arguments = {number, b.constant(1)};
                    llvm::append_range(arguments, states);
                    return arguments;
                  },
                  /*yieldsCondition=*/true,
                  SmallVector<Gathering>(op.getNumResults() - states.size())};
  return loop.build(b, *tripCount, *condition, states);
}

/// Scan-25: a loop over slices of the scan inputs: (states, outputs) =
/// body(states, slices)
FailureOr<SmallVector<Value>>
lowerScan(onnx::ScanOp op, onnx::ScanOp::Adaptor in, NodeBuilder &b) {
  ValueRange operands = in.getOperands();
  int64_t inputs = op.getNumScanInputs(), all = operands.size();
  int64_t states = all - std::clamp<int64_t>(inputs, 0, all);
  int64_t outputs = op.getNumResults() - states;
  if (inputs < 1 || inputs > all || outputs < 0)
    return b.decline() << "expected num_scan_inputs between 1 and "
                       << operands.size() << ", got " << inputs;
  SmallVector<int64_t> none(std::max(inputs, outputs), 0);
  SmallVector<int64_t> axes =
      intsOf(op.getScanInputAxes(), ArrayRef(none).take_front(inputs));
  SmallVector<int64_t> backwards =
      intsOf(op.getScanInputDirections(), ArrayRef(none).take_front(inputs));
  SmallVector<int64_t> outputAxes =
      intsOf(op.getScanOutputAxes(), ArrayRef(none).take_front(outputs));
  SmallVector<int64_t> outputBackwards =
      intsOf(op.getScanOutputDirections(), ArrayRef(none).take_front(outputs));
  for (auto [list, count] : {std::pair(ArrayRef(axes), inputs),
                             {backwards, inputs},
                             {outputAxes, outputs},
                             {outputBackwards, outputs}})
    if (static_cast<int64_t>(list.size()) != count)
      return b.decline() << "expected " << count << " axes and directions, got "
                         << list.size();

  ValueRange scanned = operands.drop_front(states);
  FailureOr<SmallVector<int64_t>> dims = SmallVector<int64_t>();
  for (auto [input, axis] : llvm::zip(scanned, axes)) {
    FailureOr<int64_t> dim = axisOf(b, axis, rankOf(input));
    if (failed(dim))
      return failure();
    dims->push_back(*dim);
  }
  Value count = b.size(scanned.front(), dims->front());
  for (auto [input, dim] : llvm::zip(scanned, *dims)) {
    Value length = b.size(input, dim);
    Value isSame = b.eqInt(length, count);
    if (torch::matchBool(isSame) == false)
      return b.decline() << "expected scan inputs of one length, got "
                         << *torch::matchInt(count) << " and "
                         << *torch::matchInt(length);
    b.check(isSame, "scan inputs of one length");
  }
  Value last = b.subInt(count, b.constant(1));
  RegionLoop loop{op.getBody(),
                  [&](Value number, ValueRange carried) {
                    SmallVector<Value> arguments(carried);
                    for (auto [input, dim, isBackwards] :
                         llvm::zip(scanned, *dims, backwards)) {
                      Value place =
                          isBackwards ? b.subInt(last, number) : number;
                      arguments.push_back(b.create<torch::AtenSelectIntOp>(
                          input, b.constant(dim), place));
                    }
                    return arguments;
                  },
                  /*yieldsCondition=*/false,
                  {}};
  for (auto [axis, isBackwards] : llvm::zip(outputAxes, outputBackwards))
    loop.scanOutputs.push_back({axis, isBackwards != 0});
  SmallVector<LoopState> carried;
  for (Value init : operands.take_front(states))
    carried.push_back({init});
  return loop.build(b, count, {}, carried);
}

} // namespace

void onnx_to_torch::populateControlFlow(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerIf);
  lowerings.add(lowerLoop);
  lowerings.add(lowerScan);
}
