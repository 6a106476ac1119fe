//===- Rnn.cpp - ONNX recurrent layers to ATen ----------------------------===//
//
// GRU-22, LSTM-22 and RNN-22 (https://onnx.ai/onnx/operators) share their form:
// in each direction, a cell turns the input of a time step and the states
// before it into the states after it. Gates are computed for all steps at once
// as far as they depend on the input only; a cell adds what depends on the
// states.
//
//   X  [T, B, I]       W [D, G * H, I]     R [D, G * H, H]
//   B  [D, 2 * G * H]  (biases of W, then of R)
//   Y  [T, D, B, H]    Y_h, Y_c [D, B, H]
//
// for T steps, B sequences, D directions, G gates and H hidden units. Under
// layout 1 B comes first. DynamicQuantizeLSTM of com.microsoft has quantized
// weights, W [D, I, G * H] and R [D, H, G * H], and quantizes what they
// multiply.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Rnn.h"
#include "Families.h"
#include "Loops.h"
#include "NamedActivation.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// An activation function with its parameters.
struct RnnActivation {
  const ActivationKind *kind;
  double alpha, beta;

  Value apply(NodeBuilder &b, Value x) const {
    return kind->apply(b, x, alpha, beta);
  }
};

/// The numbers of activation_alpha or activation_beta: each function that has
/// the parameter takes the next one.
class Parameters {
public:
  explicit Parameters(std::optional<ArrayAttr> attribute)
      : numbers(attribute ? attribute->getValue() : ArrayRef<Attribute>()) {}

  double next(std::optional<double> unlessGiven) {
    if (!unlessGiven || numbers.empty())
      return unlessGiven.value_or(0);
    auto number = cast<FloatAttr>(numbers.consume_front());
    return number.getValueAsDouble();
  }

private:
  ArrayRef<Attribute> numbers;
};

/// The functions of all directions, `names` repeated for each if the node has
/// none.
template <typename Op>
FailureOr<SmallVector<RnnActivation>>
activationsOf(Op op, ArrayRef<StringRef> names, int64_t directions,
              NodeBuilder &b) {
  SmallVector<StringRef> given;
  std::optional<ArrayAttr> attribute = op.getActivations();
  if (attribute)
    llvm::append_range(given,
                       attribute->template getAsValueRange<StringAttr>());
  // RNN's default has an entry for each possible direction.
  int64_t expected = names.size() * directions;
  if (attribute && static_cast<int64_t>(given.size()) > expected)
    given.truncate(expected);
  if (given.empty())
    for (int64_t direction = 0; direction < directions; ++direction)
      given.append(names.begin(), names.end());
  if (static_cast<int64_t>(given.size()) != expected)
    return b.decline() << "expected " << expected << " activations, got "
                       << given.size();
  Parameters alphas(op.getActivationAlpha()), betas(op.getActivationBeta());
  SmallVector<RnnActivation> activations;
  for (StringRef name : given) {
    FailureOr<const ActivationKind *> kind = findActivation(b, name);
    if (failed(kind))
      return failure();
    activations.push_back(
        {*kind, alphas.next((*kind)->alpha), betas.next((*kind)->beta)});
  }
  return activations;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Rounds the left side of a product.
using Rounding = Value (*)(NodeBuilder &, Value);

/// One direction of a layer.
struct Cell {
  NodeBuilder &b;
  ArrayRef<RnnActivation> activations;
  std::optional<double> clip;
  Value recurrence;    // R of this direction, [G * H, H]
  Value recurrentBias; // of R [G * H]; null: none, or part of the gates already
  Rounding rounding = nullptr; // of a state that R multiplies; null: none
  int64_t gateCount;

  virtual ~Cell() = default;
  Cell(NodeBuilder &b, ArrayRef<RnnActivation> activations,
       std::optional<double> clip, int64_t gateCount)
      : b(b), activations(activations), clip(clip), gateCount(gateCount) {}

  /// The states after a step, from the gates' part computed from the input, [B,
  /// G * H].
  virtual Values step(Value gates, ValueRange states) = 0;

  /// Gates [first, first + count) of a [..., G * H] tensor, in its dim `dim`.
  Value gate(Value gates, int64_t first, int64_t count = 1, int64_t dim = -1) {
    int64_t axis = dim < 0 ? rankOf(gates) + dim : dim;
    Value hidden = b.floorDivInt(b.size(gates, axis), b.constant(gateCount));
    return b.slice(gates, axis, b.mulInt(hidden, b.constant(first)),
                   b.mulInt(hidden, b.constant(first + count)));
  }

  /// state * R' + bias
  Value recur(Value state, Value weight, Value bias) {
    if (rounding)
      state = rounding(b, state);
    return b.create<torch::AtenLinearOp>(state, weight, bias ? bias : b.none());
  }

  Value activate(int64_t which, Value x) {
    if (clip)
      x = b.create<torch::AtenClampOp>(x, b.constantFloat(-*clip),
                                       b.constantFloat(*clip));
    return activations[which].apply(b, x);
  }

  Value oneMinus(Value x) { return b.sub(b.scalarTensor(1.0, dtypeOf(x)), x); }
};

/// H = f(X W' + H R' + biases)
struct RnnCell : Cell {
  using Cell::Cell;
  Values step(Value gates, ValueRange states) override {
    return {
        activate(0, b.add(gates, recur(states[0], recurrence, recurrentBias)))};
  }
};

/// Gates z (update), r (reset), h (hidden):
///   z = f(X Wz' + H Rz' + ...)    r = f(X Wr' + H Rr' + ...)
///   h = g(X Wh' + (r * H) Rh' + Rbh + Wbh)       linear_before_reset = 0
///   h = g(X Wh' + r * (H Rh' + Rbh) + Wbh)       linear_before_reset = 1
///   H = (1 - z) * h + z * H
struct GruCell : Cell {
  bool linearBeforeReset;
  GruCell(NodeBuilder &b, ArrayRef<RnnActivation> activations,
          std::optional<double> clip, bool linearBeforeReset)
      : Cell(b, activations, clip, 3), linearBeforeReset(linearBeforeReset) {}

  Values step(Value gates, ValueRange states) override {
    Value state = states[0], z, r, hidden;
    auto bias = [&](int64_t first, int64_t count) {
      return recurrentBias ? gate(recurrentBias, first, count, 0) : Value();
    };
    if (linearBeforeReset) {
      Value recurrent = recur(state, recurrence, recurrentBias);
      z = activate(0, b.add(gate(gates, 0), gate(recurrent, 0)));
      r = activate(0, b.add(gate(gates, 1), gate(recurrent, 1)));
      hidden = b.mul(r, gate(recurrent, 2));
    } else {
      Value both = b.add(gate(gates, 0, 2),
                         recur(state, gate(recurrence, 0, 2, 0), bias(0, 2)));
      Value activated = activate(0, both);
      Value width = b.floorDivInt(b.size(activated, 1), b.constant(2));
      z = b.slice(activated, 1, b.constant(0), width);
      r = b.slice(activated, 1, width);
      hidden = recur(b.mul(r, state), gate(recurrence, 2, 1, 0), bias(2, 1));
    }
    hidden = activate(1, b.add(gate(gates, 2), hidden));
    return {b.add(b.mul(oneMinus(z), hidden), b.mul(z, state))};
  }
};

/// Gates i (input), o (output), f (forget), c (cell), peepholes P of i, o, f:
///   i = f(... + Pi * C)   f = f(... + Pf * C), or 1 - i under input_forget
///   C = f * C + i * g(...)
///   o = f(... + Po * C)   H = o * h(C)
struct LstmCell : Cell {
  bool inputForget;
  Value peepholes; // [3 * H]; null: none
  LstmCell(NodeBuilder &b, ArrayRef<RnnActivation> activations,
           std::optional<double> clip, bool inputForget, Value peepholes)
      : Cell(b, activations, clip, 4), inputForget(inputForget),
        peepholes(peepholes) {}

  Value peep(Value x, int64_t which, Value cell) {
    if (!peepholes)
      return x;
    Value width = b.floorDivInt(b.size(peepholes, 0), b.constant(3));
    Value weight = b.slice(peepholes, 0, b.mulInt(width, b.constant(which)),
                           b.mulInt(width, b.constant(which + 1)));
    return b.add(x, b.mul(weight, cell));
  }

  Values step(Value gates, ValueRange states) override {
    Value all = b.add(gates, recur(states[0], recurrence, recurrentBias));
    Value cell = states[1];
    Value input = activate(0, peep(gate(all, 0), 0, cell));
    Value forget = inputForget ? oneMinus(input)
                               : activate(0, peep(gate(all, 2), 2, cell));
    cell = b.add(b.mul(forget, cell), b.mul(input, activate(1, gate(all, 3))));
    Value output = activate(0, peep(gate(all, 1), 1, cell));
    return {b.mul(output, activations[2].apply(b, cell)), cell};
  }
};

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// One direction of a layer over all time steps.
struct Direction {
  Cell &cell;
  bool isReverse;
  Value
      mask; // [T, B, 1], whether a step is inside of its sequence; null: always

  Value at(Value tensor, Value time, NodeBuilder &b) const {
    return b.create<torch::AtenSelectIntOp>(tensor, b.constant(0), time);
  }

  /// The hidden states of all steps [T, B, H], then the states after the last.
  FailureOr<Values> run(Value gates, ValueRange init, NodeBuilder &b) const {
    if (b.hasFailed())
      return failure();
    Value steps = b.size(gates, 0), last = b.subInt(steps, b.constant(1));
    Gathering gathering;
    gathering.backwards = isReverse;
    gathering.sizes = b.sizes(init[0]);
    FailureOr<Values> results = buildLoop(
        b, steps, {}, init,
        [&](Value number, ValueRange before) -> FailureOr<Step> {
          Value time = isReverse ? b.subInt(last, number) : number;
          Values after = cell.step(at(gates, time, b), before);
          if (b.hasFailed())
            return failure();
          Value output = after[0];
          if (mask) { // past its end a sequence keeps its states and yields
                      // zeros
            Value isInside = at(mask, time, b);
            for (auto [state, old] : llvm::zip(after, before))
              state = b.where(isInside, state, old);
            output =
                b.where(isInside, output, b.scalarTensor(0.0, dtypeOf(output)));
          }
          return Step{{}, after, {output}};
        },
        gathering);
    if (failed(results))
      return failure();
    Value all = results->pop_back_val();
    results->insert(results->begin(), all);
    return results;
  }
};

/// What a layer multiplies.
struct Factors {
  Value x, weight, recurrence;
  bool batchFirst = false;
  Rounding rounding = nullptr; // of x and of the states; null: none

  template <typename Op>
  static Factors of(Op op, typename Op::Adaptor in) {
    return {in.getX(), in.getW(), in.getR(), op.getLayout() != 0};
  }
};

/// A layer of any kind. `makeCell` makes the cell of a direction; the layer's
/// initial states are the operands that are present, else zeros.
template <typename Op>
FailureOr<SmallVector<Value>> lowerLayer(
    Op op, typename Op::Adaptor in, Factors factors,
    ArrayRef<StringRef> functions, int64_t gateCount, ArrayRef<Value> initial,
    llvm::function_ref<std::unique_ptr<Cell>(int64_t, ArrayRef<RnnActivation>)>
        makeCell,
    bool keepsRecurrentBias, NodeBuilder &b) {
  Value x = factors.x, weight = factors.weight, recurrence = factors.recurrence;
  StringRef direction = op.getDirection();
  if (direction != "forward" && direction != "reverse" &&
      direction != "bidirectional")
    return b.decline() << "expected direction to be forward, reverse or "
                          "bidirectional, got '"
                       << direction << "'";
  int64_t directions = direction == "bidirectional" ? 2 : 1;
  if (int64_t size = sizeOf(weight, 0);
      !ShapedType::isDynamic(size) && size != directions)
    return b.decline() << "expected W for " << directions << " directions, got "
                       << weight.getType();
  FailureOr<SmallVector<RnnActivation>> activations =
      activationsOf(op, functions, directions, b);
  if (failed(activations))
    return failure();
  bool batchFirst = factors.batchFirst;
  if (batchFirst)
    x = b.permute(x, {1, 0, 2});
  if (factors.rounding)
    x = factors.rounding(b, x);
  Value batch = b.size(x, 1), hidden = b.size(recurrence, 2);
  Type dtype = dtypeOf(x);

  Value mask;
  if (isPresent(in.getSequenceLens())) {
    Value times = b.view(iota(b, b.constant(0), b.size(x, 0)),
                         {b.constant(-1), b.constant(1)});
    mask = b.unsqueeze(
        b.create<torch::AtenLtTensorOp>(times, in.getSequenceLens()), 2);
  }
  auto ofDirection = [&](Value tensor, int64_t d) {
    return Value(
        b.create<torch::AtenSelectIntOp>(tensor, b.constant(0), b.constant(d)));
  };

  Values hiddenStates;                        // per direction, of all steps
  SmallVector<Values> finals(initial.size()); // per state, after the last step
  for (int64_t d = 0; d < directions; ++d) {
    ArrayRef<RnnActivation> own =
        ArrayRef(*activations).slice(d * functions.size(), functions.size());
    std::unique_ptr<Cell> cell = makeCell(d, own);
    cell->recurrence = ofDirection(recurrence, d);
    cell->rounding = factors.rounding;
    Value bias = b.none();
    if (isPresent(in.getB())) {
      Value both = ofDirection(in.getB(), d);
      Value half = b.mulInt(hidden, b.constant(gateCount));
      bias = b.slice(both, 0, b.constant(0), half);
      Value recurrentBias = b.slice(both, 0, half);
      if (keepsRecurrentBias)
        cell->recurrentBias = recurrentBias;
      else // it is added all the same, so once for all steps
        bias = b.add(bias, recurrentBias);
    }
    Value gates =
        b.create<torch::AtenLinearOp>(x, ofDirection(weight, d), bias);
    Values init;
    for (Value state : initial) {
      if (!isPresent(state))
        init.push_back(filled(b, {batch, hidden}, b.constantFloat(0), dtype));
      else
        init.push_back(
            ofDirection(batchFirst ? b.permute(state, {1, 0, 2}) : state, d));
    }
    bool isReverse = direction == "reverse" || d == 1;
    FailureOr<Values> results =
        Direction{*cell, isReverse, mask}.run(gates, init, b);
    if (failed(results))
      return failure();
    hiddenStates.push_back(b.unsqueeze(results->front(), 1));
    for (auto [all, state] : llvm::zip(finals, ArrayRef(*results).drop_front()))
      all.push_back(b.unsqueeze(state, 0));
  }
  auto joined = [&](const Values &parts, int64_t dim) {
    return parts.size() == 1 ? parts.front() : b.cat(parts, dim);
  };
  Value y = joined(hiddenStates, 1);
  Values results = {batchFirst ? b.permute(y, {2, 0, 1, 3}) : y};
  for (const Values &state : finals) {
    Value final = joined(state, 0);
    results.push_back(batchFirst ? b.permute(final, {1, 0, 2}) : final);
  }
  return results;
}

std::optional<double> clipOf(std::optional<APFloat> attribute) {
  return attribute ? std::optional(attribute->convertToDouble()) : std::nullopt;
}

/// GRU-22
FailureOr<SmallVector<Value>> lowerGRU(onnx::GRUOp op, onnx::GRUOp::Adaptor in,
                                       NodeBuilder &b) {
  bool linearBeforeReset = op.getLinearBeforeReset() != 0;
  return lowerLayer(
      op, in, Factors::of(op, in), {"Sigmoid", "Tanh"}, 3, {in.getInitialH()},
      [&](int64_t, ArrayRef<RnnActivation> functions) {
        return std::make_unique<GruCell>(b, functions, clipOf(op.getClip()),
                                         linearBeforeReset);
      },
      /*keepsRecurrentBias=*/linearBeforeReset, b);
}

template <typename Op>
FailureOr<SmallVector<Value>> lowerLstmOf(Op op, typename Op::Adaptor in,
                                          Factors factors, NodeBuilder &b) {
  return lowerLayer(
      op, in, factors, {"Sigmoid", "Tanh", "Tanh"}, 4,
      {in.getInitialH(), in.getInitialC()},
      [&](int64_t direction, ArrayRef<RnnActivation> functions) {
        Value peepholes;
        if (isPresent(in.getP()))
          peepholes = b.create<torch::AtenSelectIntOp>(in.getP(), b.constant(0),
                                                       b.constant(direction));
        return std::make_unique<LstmCell>(b, functions, clipOf(op.getClip()),
                                          op.getInputForget() != 0, peepholes);
      },
      /*keepsRecurrentBias=*/false, b);
}

/// LSTM-22
FailureOr<SmallVector<Value>>
lowerLSTM(onnx::LSTMOp op, onnx::LSTMOp::Adaptor in, NodeBuilder &b) {
  return lowerLstmOf(op, in, Factors::of(op, in), b);
}

/// A tensor rounded to the 256 numbers that DynamicQuantizeLinear has for it.
Value roundedByRange(NodeBuilder &b, Value x) {
  Type byte = IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  FailureOr<Quantized> bytes = quantizeByRange(b, x, byte);
  return dequantize(b, bytes->tensor, bytes->scale, bytes->zeroPoint);
}

/// Weights [D, K, G * H] as LSTM has them, from integers with a scale and a
/// zero point per direction, or per direction and column.
Value plainWeights(NodeBuilder &b, Value bytes, Value scale, Value zeroPoint) {
  auto perColumn = [&](Value numbers) {
    if (!isPresent(numbers))
      return numbers;
    numbers = b.unsqueeze(numbers, 1);
    return rankOf(numbers) == 2 ? b.unsqueeze(numbers, 2) : numbers;
  };
  return b.permute(dequantize(b, bytes, perColumn(scale), perColumn(zeroPoint)),
                   {0, 2, 1});
}

/// DynamicQuantizeLSTM-1 of com.microsoft: LSTM with weights of integers, whose
/// products are of integers too.
FailureOr<SmallVector<Value>>
lowerDynamicQuantizeLSTM(onnx::MicrosoftDynamicQuantizeLSTMOp op,
                         onnx::MicrosoftDynamicQuantizeLSTMOp::Adaptor in,
                         NodeBuilder &b) {
  Factors factors{
      in.getX(), plainWeights(b, in.getW(), in.getWScale(), in.getWZeroPoint()),
      plainWeights(b, in.getR(), in.getRScale(), in.getRZeroPoint()),
      /*batchFirst=*/false, roundedByRange};
  return lowerLstmOf(op, in, factors, b);
}

/// RNN-22
FailureOr<SmallVector<Value>> lowerRNN(onnx::RNNOp op, onnx::RNNOp::Adaptor in,
                                       NodeBuilder &b) {
  return lowerLayer(
      op, in, Factors::of(op, in), {"Tanh"}, 1, {in.getInitialH()},
      [&](int64_t, ArrayRef<RnnActivation> functions) {
        return std::make_unique<RnnCell>(b, functions, clipOf(op.getClip()), 1);
      },
      /*keepsRecurrentBias=*/false, b);
}

} // namespace

void onnx_to_torch::populateRnn(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDynamicQuantizeLSTM);
  lowerings.add(lowerGRU);
  lowerings.add(lowerLSTM);
  lowerings.add(lowerRNN);
}
