//===- Einsum.cpp - Sums of products in Einstein's notation ---------------===//
//
// Terms are contracted from left to right. Two terms are combined by a batched
// matrix product: labels of both that are needed later become its batch, labels
// of both that are not are summed over, all others are rows and columns.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Einsum.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

using Label = EinsumEquation::Label;
using Labels = EinsumEquation::Labels;

/// A tensor and the label of each of its dims.
struct Term {
  Tensor tensor;
  Labels labels;

  bool has(Label label) const { return llvm::is_contained(labels, label); }
  int64_t dimOf(Label label) const {
    return llvm::find(labels, label) - labels.begin();
  }
};

using IsWanted = llvm::function_ref<bool(Label)>;

} // namespace

/// Takes the diagonal of dims with equal labels.
static Term withoutRepeats(Term term) {
  TorchBuilder &b = term.tensor.builder();
  for (auto [dim, label] : llvm::enumerate(term.labels)) {
    auto *again =
        std::find(term.labels.begin() + dim + 1, term.labels.end(), label);
    if (again == term.labels.end())
      continue;
    // Moves both to the front, and uses one index for both.
    SmallVector<int64_t> order = {static_cast<int64_t>(dim),
                                  again - term.labels.begin()};
    Labels labels = {label};
    for (auto [other, own] : llvm::enumerate(term.labels))
      if (!llvm::is_contained(ArrayRef(order).take_front(2),
                              static_cast<int64_t>(other))) {
        order.push_back(other);
        labels.push_back(own);
      }
    Value index = range(b, b.constant(0), b.size(term.tensor, dim));
    Tensor diagonal(
        b, b.create<AtenIndexTensorOp>(b.permute(term.tensor, order),
                                       b.optionalTensors({index, index})));
    return withoutRepeats({diagonal, labels});
  }
  return term;
}

/// Sums over the labels that are not needed later.
static Term sumUnwanted(Term term, IsWanted isWanted) {
  SmallVector<int64_t> dims;
  Labels labels;
  for (auto [dim, label] : llvm::enumerate(term.labels))
    if (isWanted(label))
      labels.push_back(label);
    else
      dims.push_back(dim);
  if (dims.empty())
    return term;
  TorchBuilder &b = term.tensor.builder();
  Type dtype = term.tensor.dtype();
  return {Tensor(b, b.sum(term.tensor, dims, /*keepdim=*/false)).as(dtype),
          labels};
}

/// Permutes the dims of a term; missing labels get size 1.
static Tensor arranged(const Term &term, ArrayRef<Label> labels) {
  TorchBuilder &b = term.tensor.builder();
  SmallVector<int64_t> order;
  for (Label label : labels)
    if (term.has(label))
      order.push_back(term.dimOf(label));
  Value result = b.permute(term.tensor, order);
  for (auto [dim, label] : llvm::enumerate(labels))
    if (!term.has(label))
      result = b.unsqueeze(result, dim);
  return {b, result};
}

/// The product of two terms, summed over the labels that are not needed later.
static Term contracted(TorchBuilder &b, Term left, Term right,
                       IsWanted isWanted) {
  left = sumUnwanted(
      left, [&](Label label) { return right.has(label) || isWanted(label); });
  right = sumUnwanted(
      right, [&](Label label) { return left.has(label) || isWanted(label); });
  Labels batch, summed, rows, columns;
  for (Label label : left.labels)
    (!right.has(label) ? rows
     : isWanted(label) ? batch
                       : summed)
        .push_back(label);
  for (Label label : right.labels)
    if (!left.has(label))
      columns.push_back(label);
  Labels result = batch;
  llvm::append_range(result, rows);
  llvm::append_range(result, columns);
  if (summed.empty())
    return {arranged(left, result) * arranged(right, result), result};

  // A size of 1 broadcasts, so the other side's size is used.
  auto sizeOf = [&](Label label) {
    for (const Term *term : {&left, &right})
      if (term->has(label) && term->tensor.sizes()[term->dimOf(label)] != 1)
        return b.size(term->tensor, term->dimOf(label));
    return b.constant(1);
  };
  auto sizesOf = [&](ArrayRef<Label> labels) {
    return llvm::map_to_vector(labels, sizeOf);
  };
  auto product = [&](ArrayRef<Label> labels) {
    return b.product(sizesOf(labels));
  };
  auto asMatrices = [&](const Term &term, ArrayRef<Label> first,
                        ArrayRef<Label> second) {
    Labels order = batch;
    llvm::append_range(order, first);
    llvm::append_range(order, second);
    Value whole = b.expand(arranged(term, order), sizesOf(order));
    return b.view(whole, {product(batch), product(first), product(second)});
  };
  Value matrices = b.create<AtenBmmOp>(asMatrices(left, rows, summed),
                                       asMatrices(right, summed, columns));
  return {Tensor(b, b.view(matrices, sizesOf(result))), result};
}

/// einsum("bij,bjk->bik", [x, y])[b, i, k] = sum over j of x[b, i, j] *
/// y[b, j, k]
static Value einsum(AtenEinsumOp op, TorchBuilder &b) {
  std::optional<StringRef> text = matchStr(op.getEquation());
  auto tensors = matchList(op.getTensors());
  if (!text || !tensors || tensors->empty())
    return b.fail("expected an equation and tensors that are known while "
                  "compiling");
  std::string error;
  auto equation = EinsumEquation::parse(
      *text,
      llvm::map_to_vector(
          *tensors, [](Value tensor) { return tensorType(tensor).getRank(); }),
      error);
  if (!equation)
    return b.fail(error);
  SmallVector<Term> terms;
  for (auto [labels, tensor] : llvm::zip_equal(equation->terms, *tensors))
    terms.push_back(withoutRepeats({Tensor(b, tensor), labels}));
  const Labels &result = equation->result;
  Term term = terms.front();
  for (size_t next = 1; next < terms.size(); ++next)
    term = contracted(b, term, terms[next], [&](Label label) {
      return llvm::is_contained(result, label) ||
             llvm::any_of(ArrayRef(terms).drop_front(next + 1),
                          [&](const Term &later) { return later.has(label); });
    });
  term = sumUnwanted(
      term, [&](Label label) { return llvm::is_contained(result, label); });
  return arranged(term, result);
}

void populateEinsum(Decompositions &decompositions) {
  decompositions.add(einsum);
}

} // namespace isthmus::decompose_torch
