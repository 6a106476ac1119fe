//===- Decompositions.h - Decompositions of composite ops -------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_DECOMPOSITIONS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_DECOMPOSITIONS_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace isthmus {

/// One decomposition per composite op. It builds the op's results before the
/// op, from simpler ops; after `return b.fail(...)` the ops that it built are
/// erased.
class Decompositions {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Rule = std::function<Values(mlir::Operation *, torch::TorchBuilder &)>;

  /// `decompositions.add(celu)`, where celu(AtenCeluOp op, TorchBuilder &b)
  /// returns the value that replaces the op, or Values for several or none. A
  /// result without uses may be null.
  template <typename Result, typename Op>
  void add(Result (*rule)(Op, torch::TorchBuilder &)) {
    auto run = [rule](mlir::Operation *op, torch::TorchBuilder &b) -> Values {
      if constexpr (std::is_same_v<Result, Values>)
        return rule(llvm::cast<Op>(op), b);
      else
        return {static_cast<mlir::Value>(rule(llvm::cast<Op>(op), b))};
    };
    bool isNew = rules.try_emplace(Op::getOperationName(), run).second;
    assert(isNew && "expected one decomposition per op");
    (void)isNew;
  }
  template <typename First, typename Second, typename... Rest>
  void add(First first, Second second, Rest... rest) {
    add(first);
    add(second, rest...);
  }

  /// The decomposition of an op, or null.
  const Rule *find(mlir::OperationName name) const {
    auto found = rules.find(name.getStringRef());
    return found == rules.end() ? nullptr : &found->second;
  }
  const llvm::StringMap<Rule> &getRules() const { return rules; }

private:
  llvm::StringMap<Rule> rules;
};

namespace decompose_torch {
/// The maximum number of elements of a literal that a decomposition creates.
constexpr int64_t maxLiteral = 1 << 22;

#define FAMILY(NAME) void populate##NAME(Decompositions &decompositions);
#include "Families.def"
#undef FAMILY
} // namespace decompose_torch

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_DECOMPOSITIONS_H
