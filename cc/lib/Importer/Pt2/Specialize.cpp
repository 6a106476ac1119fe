//===- Specialize.cpp - Values for symbolic sizes -------------------------===//

#include "Specialize.h"
#include "Expression.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using Kind = schema::Argument::Kind;

/// The input of this name, which is a tensor; null if there is none.
static const schema::TensorMeta *
findInput(const schema::ExportedProgram &program, StringRef name) {
  for (const schema::InputSpec &input : program.inputs)
    if (input.kind == schema::InputSpec::Kind::User &&
        input.arg.kind == Kind::Tensor && input.arg.text == name)
      if (auto found = program.graph.tensors.find(name);
          found != program.graph.tensors.end())
        return &found->second;
  return nullptr;
}

/// Sets a symbol to the value of an input's size.
static LogicalResult setSymbol(Import &import,
                               const schema::ExportedProgram &program,
                               StringRef symbol, int64_t value,
                               const Subject &subject) {
  if (auto found = program.ranges.find(symbol.str());
      found != program.ranges.end()) {
    const schema::Range &range = found->second;
    if (range.min && value < *range.min)
      return subject.fail("expected " + symbol + " of at least " +
                          Twine(*range.min) + ", got " + Twine(value));
    if (range.max && value > *range.max)
      return subject.fail("expected " + symbol + " of at most " +
                          Twine(*range.max) + ", got " + Twine(value));
  }
  int64_t known = import.symbols.try_emplace(symbol, value).first->second;
  if (known != value)
    return subject.fail("expected " + symbol + " to be " + Twine(known) +
                        ", as for another size, got " + Twine(value));
  return success();
}

LogicalResult pt2::specialize(Import &import,
                              const schema::ExportedProgram &program) {
  bool isGood = true;
  // Symbols first, then expressions over them.
  for (bool symbolsOnly : {true, false})
    for (const auto &entry : import.options.specialize) {
      StringRef name = entry.first();
      ArrayRef<int64_t> sizes = entry.second;
      Subject subject(import, "input", name);
      const schema::TensorMeta *meta = findInput(program, name);
      if (!meta || meta->sizes.size() != sizes.size()) {
        if (symbolsOnly && !meta)
          subject.error() << "expected a tensor of this name to give it a "
                             "shape, got none";
        else if (symbolsOnly)
          subject.error() << "expected " << meta->sizes.size() << " sizes, got "
                          << sizes.size();
        isGood = false;
        continue;
      }
      for (auto [dim, size, declared] : llvm::enumerate(sizes, meta->sizes)) {
        std::optional<Expression> expression =
            declared.value ? std::nullopt
                           : Expression::parse(declared.expression);
        StringRef symbol = expression ? expression->getSymbol() : StringRef();
        if (symbolsOnly != !symbol.empty())
          continue;
        if (!symbol.empty()) {
          isGood &=
              succeeded(setSymbol(import, program, symbol, size, subject));
          continue;
        }
        std::optional<int64_t> expected =
            expression ? expression->evaluate(import.symbols) : declared.value;
        if (expected && *expected != size) {
          subject.error() << "expected " << *expected << " as size " << dim
                          << ", got " << size;
          isGood = false;
        }
      }
    }
  return success(isGood);
}
