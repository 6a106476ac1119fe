//===- Recurrent.cpp - Type rules of recurrent layers ---------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// The hidden states of all steps, [T,B,D*H] or [B,T,D*H], for an input, the
/// states before the first step [layers*D,B,H], and the last operands
/// (bidirectional, batch_first).
static LogicalResult outputs(TypeInference &op, ValueTensorType state) {
  ValueTensorType input = op.tensor(0);
  std::optional<bool> bidirectional = op.boolean(7);
  if (!input.hasRank() || input.getRank() != 3 || !state.hasRank() ||
      state.getRank() != 3 || !bidirectional)
    return op.giveUnranked(input.getDtype());
  SmallVector<int64_t> sizes(input.getSizes());
  sizes.back() =
      StaticSizes().mul(state.getSizes().back(), *bidirectional ? 2 : 1);
  return op.give(sizes, input.getDtype());
}

/// aten.gru.input(input, hx, params, ...): the outputs and the last states.
LogicalResult rnn(TypeInference &op) {
  return failure(failed(outputs(op, op.tensor(1))) ||
                 failed(op.give(op.tensor(1))));
}

/// aten.lstm.input(input, [h, c], params, ...): also gives the last cell
/// states.
LogicalResult lstm(TypeInference &op) {
  auto states = op.elements(1);
  ValueTensorType unknown =
      ValueTensorType::getUnknown(op.getContext(), op.dtype(0));
  auto stateType = [&](unsigned index) {
    auto type = states && states->size() == 2
                    ? dyn_cast<ValueTensorType>((*states)[index].getType())
                    : ValueTensorType();
    return type ? type : unknown;
  };
  return failure(failed(outputs(op, stateType(0))) ||
                 failed(op.give(stateType(0))) ||
                 failed(op.give(stateType(1))));
}

/// aten.lstm_cell(input, [h, c], ...): the next states, of the same types.
LogicalResult lstm_cell(TypeInference &op) {
  auto states = op.elements(1);
  if (states && states->size() != 2)
    return op.fail("expected a hidden state and a cell state, got " +
                   Twine(states->size()) + " states");
  for (unsigned index : {0, 1}) {
    auto type = states ? dyn_cast<ValueTensorType>((*states)[index].getType())
                       : ValueTensorType();
    if (failed(type ? op.give(type) : op.giveUnranked(op.dtype(0))))
      return failure();
  }
  return success();
}

/// aten.gru_cell(input, hx, ...): the next state, of the same type.
LogicalResult rnn_cell(TypeInference &op) { return op.give(op.tensor(1)); }

/// aten._thnn_fused_gru_cell(input_gates, hidden_gates, hx, ...): the next
/// state, and what serves gradients.
LogicalResult fused_gru_cell(TypeInference &op) {
  return failure(failed(op.give(op.tensor(2))) ||
                 failed(op.giveUnranked(op.dtype(2))));
}

/// aten._thnn_fused_lstm_cell(input_gates, hidden_gates, cx, ...): the next
/// states, and what serves gradients.
LogicalResult fused_lstm_cell(TypeInference &op) {
  return failure(failed(op.give(op.tensor(2))) || failed(fused_gru_cell(op)));
}

} // namespace isthmus::torch::rules
