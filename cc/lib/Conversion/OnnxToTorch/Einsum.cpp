//===- Einsum.cpp - ONNX Einsum to ATen -----------------------------------===//
//
// Operands are contracted from left to right. Two of them meet in a batched
// matrix product: labels of both that are wanted later are its batch, labels of
// both that are not are summed over, all others are rows and columns.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// A letter, or dim -1, -2, ... of the ellipsis.
using Label = int;
using Labels = SmallVector<Label>;

/// A tensor and the label of each of its dims.
struct Term {
  Value tensor;
  Labels labels;

  bool has(Label label) const { return llvm::is_contained(labels, label); }
  int64_t dimOf(Label label) const {
    return llvm::find(labels, label) - labels.begin();
  }
};

/// The labels of "ab...c" for a tensor of `rank` dims (or, for the result, an
/// ellipsis of `ellipsis` dims).
FailureOr<Labels> parseLabels(NodeBuilder &b, StringRef text,
                              std::optional<int64_t> rank, int64_t &ellipsis) {
  bool hasEllipsis = text.contains("...");
  int64_t letters =
      llvm::count_if(text, [](char c) { return llvm::isAlpha(c); });
  if (letters + (hasEllipsis ? 3 : 0) != static_cast<int64_t>(text.size()))
    return b.decline()
           << "expected letters and one ellipsis for each operand, got '"
           << text << "'";
  if (rank) {
    if (hasEllipsis ? *rank < letters : *rank != letters)
      return b.decline() << "expected a term for " << *rank << " dims, got '"
                         << text << "'";
    ellipsis = hasEllipsis ? *rank - letters : 0;
  }
  Labels labels;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      for (int64_t dim = ellipsis; dim > 0; --dim)
        labels.push_back(-dim);
      continue;
    }
    labels.push_back(text.front());
    text = text.drop_front();
  }
  return labels;
}

/// Takes the diagonal of dims with the same label.
Term withoutRepeats(NodeBuilder &b, Term term) {
  for (size_t dim = 0; dim < term.labels.size(); ++dim) {
    size_t again = dim + 1;
    while (again < term.labels.size() && term.labels[again] != term.labels[dim])
      ++again;
    if (again == term.labels.size())
      continue;
    // Both to the front, and the same index for both.
    SmallVector<int64_t> order = {static_cast<int64_t>(dim),
                                  static_cast<int64_t>(again)};
    Labels labels = {term.labels[dim]};
    for (size_t other = 0; other < term.labels.size(); ++other)
      if (other != dim && other != again) {
        order.push_back(other);
        labels.push_back(term.labels[other]);
      }
    Value index = iota(b, b.constant(0), b.size(term.tensor, dim));
    Value diagonal = b.create<torch::AtenIndexTensorOp>(
        b.permute(term.tensor, order), b.optionalTensors({index, index}));
    return withoutRepeats(b, {diagonal, labels});
  }
  return term;
}

/// Sums over the labels that `isWanted` does not want.
Term sumUnwanted(NodeBuilder &b, Term term,
                 llvm::function_ref<bool(Label)> isWanted) {
  SmallVector<int64_t> dims;
  Labels labels;
  for (auto [dim, label] : llvm::enumerate(term.labels))
    if (isWanted(label))
      labels.push_back(label);
    else
      dims.push_back(dim);
  if (dims.empty())
    return term;
  Value sum = b.create<torch::AtenSumDimIntListOp>(
      term.tensor, b.ints(dims), b.constantBool(false),
      b.dtype(dtypeOf(term.tensor)));
  return {sum, labels};
}

/// The dims of a term in another order, those it lacks with size 1.
Value arrange(NodeBuilder &b, const Term &term, ArrayRef<Label> labels) {
  SmallVector<int64_t> order;
  for (Label label : labels)
    if (term.has(label))
      order.push_back(term.dimOf(label));
  Value result = b.permute(term.tensor, order);
  for (auto [dim, label] : llvm::enumerate(labels))
    if (!term.has(label))
      result = b.unsqueeze(result, dim);
  return result;
}

Value product(NodeBuilder &b, ArrayRef<Value> sizes) {
  Value result = b.constant(1);
  for (Value size : sizes)
    result = b.mulInt(result, size);
  return result;
}

/// The product of two terms, summed over the labels that are not wanted.
Term contract(NodeBuilder &b, Term left, Term right,
              llvm::function_ref<bool(Label)> isWanted) {
  left = sumUnwanted(b, left, [&](Label label) {
    return right.has(label) || isWanted(label);
  });
  right = sumUnwanted(b, right, [&](Label label) {
    return left.has(label) || isWanted(label);
  });
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
    return {b.mul(arrange(b, left, result), arrange(b, right, result)), result};

  // A size of 1 broadcasts; it is the other side's that counts.
  auto sizeOfLabel = [&](Label label) {
    for (const Term *term : {&left, &right})
      if (term->has(label) && sizeOf(term->tensor, term->dimOf(label)) != 1)
        return b.size(term->tensor, term->dimOf(label));
    return b.constant(1);
  };
  auto sizesOf = [&](ArrayRef<Label> labels) {
    return llvm::map_to_vector(labels, sizeOfLabel);
  };
  auto asMatrices = [&](const Term &term, ArrayRef<Label> first,
                        ArrayRef<Label> second) {
    Labels order = batch;
    llvm::append_range(order, first);
    llvm::append_range(order, second);
    Value whole = b.expand(arrange(b, term, order), sizesOf(order));
    return b.view(whole,
                  {product(b, sizesOf(batch)), product(b, sizesOf(first)),
                   product(b, sizesOf(second))});
  };
  Value matrices = b.create<torch::AtenBmmOp>(
      asMatrices(left, rows, summed), asMatrices(right, summed, columns));
  return {b.view(matrices, sizesOf(result)), result};
}

/// Einsum-28: the sum of products that an equation in Einstein's notation says;
/// without "->" the labels that stand once are the result's, in alphabetical
/// order.
FailureOr<Value> lowerEinsum(onnx::EinsumOp op, onnx::EinsumOp::Adaptor in,
                             NodeBuilder &b) {
  std::string equation = op.getEquation().str();
  llvm::erase(equation, ' ');
  auto [inputs, output] = StringRef(equation).split("->");
  SmallVector<StringRef> texts;
  inputs.split(texts, ',');
  if (texts.size() != in.getInputs().size())
    return b.decline() << "expected an equation of " << in.getInputs().size()
                       << " terms, got '" << equation << "'";
  int64_t widest = 0;
  std::map<Label, int> uses; // in order
  SmallVector<Term> terms;
  for (auto [text, tensor] : llvm::zip(texts, in.getInputs())) {
    int64_t ellipsis = 0;
    FailureOr<Labels> labels = parseLabels(b, text, rankOf(tensor), ellipsis);
    if (failed(labels))
      return failure();
    widest = std::max(widest, ellipsis);
    for (Label label : *labels)
      ++uses[label];
    terms.push_back(withoutRepeats(b, {tensor, *labels}));
  }
  FailureOr<Labels> result = Labels();
  if (StringRef(equation).contains("->")) {
    result = parseLabels(b, output, std::nullopt, widest);
    if (failed(result))
      return failure();
  } else {
    for (auto [label, count] : uses)
      if (label < 0 || count == 1)
        result->push_back(label);
  }
  for (Label label : *result)
    if (!uses.count(label))
      return b.decline() << "expected the result's labels among those of the "
                            "operands, got '"
                         << output << "'";

  Term term = terms.front();
  for (size_t next = 1; next < terms.size(); ++next)
    term = contract(b, term, terms[next], [&](Label label) {
      return llvm::is_contained(*result, label) ||
             llvm::any_of(ArrayRef(terms).drop_front(next + 1),
                          [&](const Term &later) { return later.has(label); });
    });
  term = sumUnwanted(
      b, term, [&](Label label) { return llvm::is_contained(*result, label); });
  return arrange(b, term, *result);
}

} // namespace

void onnx_to_torch::populateEinsum(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerEinsum);
}
