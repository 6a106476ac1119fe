//===- Recurrent.cpp - LSTM, GRU and plain recurrent layers ---------------===//
//
// In each layer and direction, a cell maps the input and the states of a time
// step to the next states. The input's contribution to the gates is one product
// for all steps; the cell adds the contribution of the states. A known and
// small number of steps becomes straight-line code, otherwise a loop.
//
//   input [T,B,I]   states [layers*D,B,H]   outputs [T,B,D*H]
//
// for T steps, B sequences, D directions and H hidden units; with batch_first,
// inputs and outputs have B before T. An LSTM may project its hidden state to P
// units, which are H in all but its cell state [layers*D,B,H] then.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// A larger number of steps becomes a loop.
static constexpr int64_t maxUnrolled = 64;

namespace {

/// The weights of one layer and direction, the recurrent one as [P,G*H], that
/// of a projection of the hidden state as [H,P]; absent ones are null.
struct Weights {
  Value input, recurrent, inputBias, recurrentBias, projection;
};

/// A kind of cell: its number of gates and its step function. The arguments of
/// a step are the gates' contributions from the input, [B,G*H], and from the
/// hidden state, and the states.
struct Cell {
  int64_t gates;
  States (*step)(Tensor fromInput, Tensor fromState, ArrayRef<Tensor> states);
};

} // namespace

/// Gate `which` of [B,gates*H].
static Tensor gate(Tensor x, int64_t gates, int64_t which) {
  TorchBuilder &b = x.builder();
  Value width = b.floorDivInt(b.size(x, 1), b.constant(gates));
  return {b, b.slice(x, 1, b.mulInt(width, b.constant(which)),
                     b.mulInt(width, b.constant(which + 1)))};
}

/// i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of the gates
/// c' = f * c + i * g    h' = o * tanh(c')
static States lstmStep(Tensor fromInput, Tensor fromState,
                       ArrayRef<Tensor> states) {
  Tensor all = fromInput + fromState;
  Tensor cell = sigmoid(gate(all, 4, 1)) * states[1] +
                sigmoid(gate(all, 4, 0)) * tanh(gate(all, 4, 2));
  return {sigmoid(gate(all, 4, 3)) * tanh(cell), cell};
}

/// r, z = sigmoid of the gates    n = tanh(input's + r * state's)
/// h' = (1 - z) * n + z * h
static States gruStep(Tensor fromInput, Tensor fromState,
                      ArrayRef<Tensor> states) {
  auto sum = [&](int64_t which) {
    return gate(fromInput, 3, which) + gate(fromState, 3, which);
  };
  Tensor reset = sigmoid(sum(0)), update = sigmoid(sum(1));
  Tensor fresh = tanh(gate(fromInput, 3, 2) + reset * gate(fromState, 3, 2));
  return {(1 - update) * fresh + update * states[0]};
}

static States tanhStep(Tensor fromInput, Tensor fromState, ArrayRef<Tensor>) {
  return {tanh(fromInput + fromState)};
}

static States reluStep(Tensor fromInput, Tensor fromState, ArrayRef<Tensor>) {
  return {max(fromInput + fromState, 0)};
}

/// The states after a step, given the gates of all steps [T,B,G*H].
static States stepAt(TorchBuilder &b, const Cell &cell, const Weights &weights,
                     Value gates, Value time, ArrayRef<Tensor> states) {
  Value next = b.fold<AtenAddIntOp>(time, b.constant(1));
  Tensor fromInput(b, b.squeeze(b.slice(gates, 0, time, next), 0));
  Tensor fromState = states.front().apply<AtenMmOp>(weights.recurrent);
  if (weights.recurrentBias)
    fromState = fromState + Tensor(b, weights.recurrentBias);
  States after = cell.step(fromInput, fromState, states);
  if (weights.projection)
    after.front() = after.front().apply<AtenMmOp>(weights.projection);
  return after;
}

/// The hidden states of all steps [T,B,H], then the states after the last.
static States unrolled(TorchBuilder &b, const Cell &cell,
                       const Weights &weights, Value gates, int64_t steps,
                       bool isReverse, States states) {
  SmallVector<Value> outputs(steps);
  for (int64_t number = 0; number < steps; ++number) {
    int64_t time = isReverse ? steps - 1 - number : number;
    states = stepAt(b, cell, weights, gates, b.constant(time), states);
    outputs[time] = b.unsqueeze(states.front(), 0);
  }
  states.insert(states.begin(), Tensor(b, b.cat(outputs, 0)));
  return states;
}

/// The same as a loop that inserts each step's output into the outputs.
static States looped(TorchBuilder &b, const Cell &cell, const Weights &weights,
                     Value gates, bool isReverse, const States &init) {
  Value steps = b.size(gates, 0), none = b.none();
  SmallVector<Value> sizes = b.sizes(init.front());
  sizes.insert(sizes.begin(), steps);
  States carried = init;
  carried.insert(carried.begin(),
                 Tensor(b, b.create<AtenFullOp>(b.ints(sizes), b.constant(0),
                                                b.dtype(init.front().dtype()),
                                                none, none, none)));
  return loop(b, steps, carried, [&](Value time, ArrayRef<Tensor> states) {
    if (isReverse)
      time = b.subInt(b.subInt(steps, b.constant(1)), time);
    States after = stepAt(b, cell, weights, gates, time, states.drop_front());
    Value place = b.create<PrimNumToTensorScalarOp>(time);
    Value outputs = b.create<AtenIndexPutOp>(
        states.front(), b.optionalTensors(b.unsqueeze(place, 0)),
        b.unsqueeze(after.front(), 0), b.constantBool(false));
    after.insert(after.begin(), Tensor(b, outputs));
    return after;
  });
}

/// All layers, given all `initial` states; returns the outputs, then the states
/// after the last step.
template <typename Op>
static Decompositions::Values recurrent(Op op, TorchBuilder &b, Cell cell,
                                        ArrayRef<Value> initial) {
  auto decline = [&](const Twine &why) {
    Decompositions::Values nothing(op->getNumResults());
    nothing.front() = b.fail(why);
    return nothing;
  };
  auto parameters = matchList(op.getParams());
  std::optional<bool> hasBiases = matchBool(op.getHasBiases()),
                      isTraining = matchBool(op.getTrain()),
                      isBidirectional = matchBool(op.getBidirectional()),
                      isBatchFirst = matchBool(op.getBatchFirst());
  std::optional<int64_t> layers = matchInt(op.getNumLayers());
  if (!parameters || !hasBiases || !isBidirectional || !isBatchFirst || !layers)
    return decline("expected a layer whose form is known while compiling");
  if (isTraining != false && matchNumber(op.getDropout()) != 0.0)
    return decline("expected dropout outside of training");
  size_t perLayer = *hasBiases ? 4 : 2, directions = *isBidirectional ? 2 : 1;
  bool isProjected =
      initial.size() == 2 &&
      parameters->size() == (perLayer + 1) * directions * *layers;
  perLayer += isProjected ? 1 : 0;
  if (parameters->size() != perLayer * directions * *layers)
    return decline("expected " + Twine(perLayer * directions * *layers) +
                   " parameters, got " + Twine(parameters->size()));

  Tensor x(b, op.getInput());
  if (*isBatchFirst)
    x = {b, b.permute(x, {1, 0, 2})};
  std::optional<int64_t> steps = matchInt(b.size(x, 0));
  SmallVector<SmallVector<Value>> finals(initial.size());
  ArrayRef<Value> rest = *parameters;
  for (int64_t layer = 0; layer < *layers; ++layer) {
    SmallVector<Value> outputs;
    for (size_t direction = 0; direction < directions; ++direction) {
      Weights weights{rest[0], b.permute(rest[1], {1, 0}), {}, {}, {}};
      if (*hasBiases)
        std::tie(weights.inputBias, weights.recurrentBias) =
            std::pair(rest[2], rest[3]);
      if (isProjected)
        weights.projection = b.permute(rest[perLayer - 1], {1, 0});
      rest = rest.drop_front(perLayer);
      Value gates = b.create<AtenLinearOp>(
          x, weights.input, *hasBiases ? weights.inputBias : b.none());
      int64_t index = layer * directions + direction;
      States states;
      for (Value state : initial)
        states.push_back({b, b.squeeze(b.slice(state, 0, b.constant(index),
                                               b.constant(index + 1)),
                                       0)});
      if (!b.error().empty())
        return Decompositions::Values(op->getNumResults());
      bool isReverse = direction == 1;
      States after =
          steps && *steps > 0 && *steps <= maxUnrolled
              ? unrolled(b, cell, weights, gates, *steps, isReverse, states)
              : looped(b, cell, weights, gates, isReverse, states);
      outputs.push_back(after.front());
      for (auto [of, state] :
           llvm::zip_equal(finals, ArrayRef(after).drop_front()))
        of.push_back(b.unsqueeze(state, 0));
    }
    x = {b, directions == 1 ? outputs.front() : b.cat(outputs, 2)};
  }
  if (*isBatchFirst)
    x = {b, b.permute(x, {1, 0, 2})};
  Decompositions::Values results = {x};
  for (ArrayRef<Value> of : finals)
    results.push_back(of.size() == 1 ? of.front() : b.cat(of, 0));
  return results;
}

static Decompositions::Values lstm(AtenLstmInputOp op, TorchBuilder &b) {
  auto states = matchList(op.getHx());
  if (!states || states->size() != 2)
    return {b.fail("expected a hidden state and a cell state"), {}, {}};
  return recurrent(op, b, {4, lstmStep}, *states);
}

template <int64_t gates, States (*step)(Tensor, Tensor, ArrayRef<Tensor>),
          typename Op>
static Decompositions::Values layer(Op op, TorchBuilder &b) {
  return recurrent(op, b, {gates, step}, op.getHx());
}

/// One step of a cell: the next states.
template <typename Op>
static States cellStep(Op op, TorchBuilder &b, ArrayRef<Value> states,
                       const Cell &cell) {
  for (Value state : states)
    if (tensorType(state).getRank() != 2) {
      b.fail("expected states of rank 2");
      return {};
    }
  int64_t hidden = tensorType(states.front()).getSizes()[1];
  for (Value weight : {op.getWIh(), op.getWHh()}) {
    ArrayRef<int64_t> sizes = tensorType(weight).getSizes();
    if (sizes.size() != 2 ||
        (!ShapedType::isDynamic(sizes[0]) && !ShapedType::isDynamic(hidden) &&
         (sizes[0] % cell.gates != 0 || sizes[0] / cell.gates != hidden))) {
      b.fail("expected weights with " + Twine(cell.gates) +
             " rows for each hidden unit");
      return {};
    }
  }
  Tensor fromInput(
      b, b.create<AtenLinearOp>(op.getInput(), op.getWIh(), op.getBIh())),
      fromState(
          b, b.create<AtenLinearOp>(states.front(), op.getWHh(), op.getBHh()));
  return cell.step(
      fromInput, fromState,
      llvm::map_to_vector(states, [&](Value x) { return Tensor(b, x); }));
}

static Decompositions::Values lstmCell(AtenLstmCellOp op, TorchBuilder &b) {
  auto states = matchList(op.getHx());
  if (!states || states->size() != 2)
    return {b.fail("expected a hidden state and a cell state"), {}};
  States after = cellStep(op, b, *states, {4, lstmStep});
  return after.empty() ? Decompositions::Values{{}, {}}
                       : Decompositions::Values{after[0], after[1]};
}

template <int64_t gates, States (*step)(Tensor, Tensor, ArrayRef<Tensor>),
          typename Op>
static Value plainCell(Op op, TorchBuilder &b) {
  States after = cellStep(op, b, op.getHx(), {gates, step});
  return after.empty() ? Value() : Value(after.front());
}

/// The contributions to a step's gates, with their biases, if there are any.
template <typename Op>
static std::pair<Tensor, Tensor> gatesOf(Op op, TorchBuilder &b) {
  auto biased = [&](Value gates, Value bias) {
    Tensor x(b, gates);
    return isNone(bias) ? x : x + Tensor(b, bias);
  };
  return {biased(op.getInputGates(), op.getInputBias()),
          biased(op.getHiddenGates(), op.getHiddenBias())};
}

// What PyTorch makes of cells on an accelerator, whose gates are computed
// before. Their last result serves gradients.

static Decompositions::Values fusedLstmCell(Aten_ThnnFusedLstmCellOp op,
                                            TorchBuilder &b) {
  auto [fromInput, fromState] = gatesOf(op, b);
  Tensor cell(b, op.getCx());
  States after = lstmStep(fromInput, fromState, {cell, cell});
  return {after[0], after[1], {}};
}

static Decompositions::Values fusedGruCell(Aten_ThnnFusedGruCellOp op,
                                           TorchBuilder &b) {
  auto [fromInput, fromState] = gatesOf(op, b);
  return {gruStep(fromInput, fromState, Tensor(b, op.getHx())).front(), {}};
}

void populateRecurrent(Decompositions &decompositions) {
  decompositions.add(fusedGruCell, fusedLstmCell,
                     layer<3, gruStep, AtenGruInputOp>, lstm,
                     layer<1, reluStep, AtenRnnReluInputOp>,
                     layer<1, tanhStep, AtenRnnTanhInputOp>, lstmCell,
                     plainCell<3, gruStep, AtenGruCellOp>,
                     plainCell<1, reluStep, AtenRnnReluCellOp>,
                     plainCell<1, tanhStep, AtenRnnTanhCellOp>);
}

} // namespace isthmus::decompose_torch
