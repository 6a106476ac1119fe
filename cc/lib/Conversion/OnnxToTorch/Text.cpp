//===- Text.cpp - ONNX ops on tokens to ATen ------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
// Tokens are numbers: no target has strings.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The n-grams of one length in the pool of a TfIdfVectorizer.
struct Grams {
  int64_t length;
  ArrayRef<int64_t> tokens; // one n-gram after the other
  int64_t first;            // the number of n-grams before these

  int64_t count() const { return tokens.size() / length; }
};

/// The pool by length; `offsets` tells where the n-grams of each length begin.
FailureOr<SmallVector<Grams>> splitPool(NodeBuilder &b, ArrayRef<int64_t> pool,
                                        ArrayRef<int64_t> offsets) {
  SmallVector<Grams> all;
  int64_t first = 0;
  for (auto [index, begin] : llvm::enumerate(offsets)) {
    int64_t length = index + 1, end = size_t(length) < offsets.size()
                                          ? offsets[length]
                                          : int64_t(pool.size());
    if (begin < 0 || end < begin || end > int64_t(pool.size()) ||
        (end - begin) % length != 0)
      return b.decline() << "expected ngram_counts to split the pool of "
                         << pool.size() << " tokens into n-grams, got " << begin
                         << " to " << end << " for n-grams of " << length;
    all.push_back({length, pool.slice(begin, end - begin), first});
    first += all.back().count();
  }
  return all;
}

/// How often each n-gram is in a row of tokens, with `distance` from one token
/// of an n-gram to the next: [..., tokens] to [..., n-grams]. Null if rows are
/// too short to have any.
Value countGrams(NodeBuilder &b, Value tokens, const Grams &grams,
                 int64_t distance) {
  int64_t last = rankOf(tokens) - 1, size = sizeOf(tokens, last),
          reach = (grams.length - 1) * distance;
  if (!ShapedType::isDynamic(size) && size <= reach)
    return {};
  Value isMatch, zero = b.constant(0), length = b.size(tokens, last);
  for (int64_t place = 0; place < grams.length; ++place) {
    SmallVector<int64_t> wanted;
    for (int64_t gram = 0; gram < grams.count(); ++gram)
      wanted.push_back(grams.tokens[gram * grams.length + place]);
    Value end =
        b.maxInt(b.subInt(length, b.constant(reach - place * distance)), zero);
    Value there = b.slice(tokens, last, b.constant(place * distance), end);
    Value equal = b.create<torch::AtenEqTensorOp>(
        b.unsqueeze(there, last + 1),
        table(b, wanted, {grams.count()}, int64Dtype(b)));
    isMatch = isMatch ? Value(b.create<torch::AtenLogicalAndOp>(isMatch, equal))
                      : equal;
  }
  return b.sum(b.convert(isMatch, float32Dtype(b)), {last}, /*keepdim=*/false);
}

/// TfIdfVectorizer-9: how often each n-gram of a pool is in each row of tokens,
/// with 0 to max_skip_count tokens between its tokens; then the counts, or
/// whether they are above 0, times a weight per column.
FailureOr<Value> lowerTfIdfVectorizer(onnx::TfIdfVectorizerOp op,
                                      onnx::TfIdfVectorizerOp::Adaptor in,
                                      NodeBuilder &b) {
  constexpr int64_t maxTerms = 1000, maxColumns = 1 << 24;
  Value x = in.getX();
  if (rankOf(x) != 1 && rankOf(x) != 2)
    return b.decline() << "expected rows of tokens, got " << x.getType();
  SmallVector<int64_t> pool = intsOf(op.getPoolInt64s()),
                       columns = intsOf(op.getNgramIndexes());
  FailureOr<SmallVector<Grams>> all =
      splitPool(b, pool, intsOf(op.getNgramCounts()));
  if (failed(all))
    return failure();
  int64_t count = all->empty() ? 0 : all->back().first + all->back().count();
  int64_t shortest = op.getMinGramLength(), longest = op.getMaxGramLength(),
          skips = op.getMaxSkipCount();
  auto isColumn = [](int64_t column) {
    return column >= 0 && column < maxColumns;
  };
  if (count == 0 || count != int64_t(columns.size()) ||
      !llvm::all_of(columns, isColumn))
    return b.decline() << "expected a column of less than " << maxColumns
                       << " for each of " << count << " n-grams, got "
                       << columns.size() << " ngram_indexes";
  if (shortest < 1 || longest < shortest || longest > int64_t(all->size()) ||
      skips < 0 || skips > maxTerms ||
      (longest - shortest + 1) * skips > maxTerms)
    return b.decline() << "expected n-grams of lengths 1 to " << all->size()
                       << " with few skips, got " << shortest << " to "
                       << longest << " with up to " << skips;

  // The place of each n-gram's count among those that are computed.
  Type f32 = float32Dtype(b);
  x = b.convert(x, int64Dtype(b));
  SmallVector<Value> outer = b.sizes(x), parts;
  outer.pop_back();
  SmallVector<int64_t> placeOf(count, -1);
  int64_t computed = 0;
  for (const Grams &grams : *all) {
    if (grams.length < shortest || grams.length > longest || !grams.count())
      continue;
    Value counts;
    for (int64_t distance = 1; distance <= skips + 1; ++distance) {
      Value more = countGrams(b, x, grams, distance);
      if (!more)
        break;
      counts = counts ? b.add(counts, more) : more;
      if (grams.length == 1) // single tokens have no skips
        break;
    }
    if (!counts)
      continue;
    parts.push_back(counts);
    for (int64_t gram = 0; gram < grams.count(); ++gram)
      placeOf[grams.first + gram] = computed++;
  }
  int64_t width = *llvm::max_element(columns) + 1, last = rankOf(x) - 1;
  SmallVector<int64_t> source(width, computed);
  for (auto [gram, column] : llvm::enumerate(columns))
    if (placeOf[gram] >= 0)
      source[column] = placeOf[gram];
  if (llvm::is_contained(source, computed)) { // columns without an n-gram
    SmallVector<Value> sizes = outer;
    sizes.push_back(b.constant(1));
    parts.push_back(filled(b, sizes, b.constantFloat(0), f32));
  }
  Value y = take(b, parts.size() == 1 ? parts.front() : b.cat(parts, last),
                 table(b, source, {width}, int64Dtype(b)), last);

  // As onnxruntime and ONNX's reference have it, a weight is of a column.
  StringRef mode = op.getMode();
  if (mode == "IDF")
    y = b.convert(b.create<torch::AtenGtScalarOp>(y, b.constantFloat(0)), f32);
  else if (mode != "TF" && mode != "TFIDF")
    return b.decline() << "expected mode to be TF, IDF or TFIDF, got '" << mode
                       << "'";
  SmallVector<double> weights = floatsOf(op.getWeights());
  if (mode == "TF" || weights.empty())
    return y;
  if (int64_t(weights.size()) < width)
    return b.decline() << "expected a weight for each of " << width
                       << " columns, got " << weights.size();
  weights.truncate(width);
  return b.mul(y, table(b, weights, {width}, f32));
}

} // namespace

void onnx_to_torch::populateText(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerTfIdfVectorizer);
}
