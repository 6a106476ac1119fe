//===- ProgramPattern.cpp - Finds users' patterns in programs -------------===//

#include "ProgramPattern.h"
#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <functional>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

//===----------------------------------------------------------------------===//
// Comparison of ops and values
//===----------------------------------------------------------------------===//

std::optional<double> custom_ops::elementOf(Value value) {
  auto literal = value.getDefiningOp<torch::ValueTensorLiteralOp>();
  auto elements =
      literal ? dyn_cast<DenseElementsAttr>(literal.getValue()) : nullptr;
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  Type type = elements.getElementType();
  if (isa<FloatType>(type))
    return elements.getSplatValue<APFloat>().convertToDouble();
  if (type.isInteger(1))
    return elements.getSplatValue<bool>();
  if (isa<IntegerType>(type))
    return elements.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

/// A number, which may also be a tensor of one element.
static std::optional<double> numberOf(Value value) {
  if (std::optional<double> number = torch::matchNumber(value))
    return number;
  return elementOf(value);
}

/// Compares with the precision of 32-bit floats.
static bool isSameNumber(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-6 * std::abs(a) ||
         (std::isnan(a) && std::isnan(b));
}

/// "torch.aten.mul" of "torch.aten.mul.Scalar" and "torch.aten.mul.Tensor": the
/// overload depends only on how the program was written.
static StringRef baseOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (StringRef overload :
       {".Scalar", ".Tensor", ".Tensor_Scalar", ".Tensor_Tensor"})
    if (name.consume_back(overload))
      break;
  return name;
}

static bool isSameOp(Operation *wanted, Operation *op) {
  return baseOf(wanted) == baseOf(op) &&
         wanted->getNumOperands() == op->getNumOperands() &&
         wanted->getNumResults() == op->getNumResults() &&
         wanted->getNumRegions() == 0 && op->getNumRegions() == 0 &&
         wanted->getAttrDictionary() == op->getAttrDictionary();
}

/// Whether x op y is y op x.
static bool commutes(Operation *op) {
  bool isCommutative =
      llvm::StringSwitch<bool>(baseOf(op))
          .Cases({"torch.aten.add", "torch.aten.mul", "torch.aten.eq",
                  "torch.aten.ne", "torch.aten.maximum", "torch.aten.minimum"},
                 true)
          .Cases({"torch.aten.bitwise_and", "torch.aten.bitwise_or",
                  "torch.aten.bitwise_xor", "torch.aten.logical_and",
                  "torch.aten.logical_or", "torch.aten.logical_xor"},
                 true)
          .Default(false);
  // x + alpha * y
  return isCommutative &&
         (op->getNumOperands() == 2 ||
          (op->getNumOperands() == 3 && numberOf(op->getOperand(2)) == 1.0));
}

static bool isNumber(Type type) {
  return isa<torch::IntType, torch::FloatType, torch::BoolType>(type);
}

/// Whether an argument of a pattern matches a value: its tensor type must hold,
/// and a tensor of one element may be a number.
static bool accepts(Type wanted, Value value) {
  auto tensor = dyn_cast<torch::ValueTensorType>(wanted);
  auto own = dyn_cast<torch::ValueTensorType>(value.getType());
  if (!tensor && own) {
    Type dtype = own.getDtype();
    return elementOf(value) &&
           (isa<torch::FloatType>(wanted)
                ? isa<FloatType>(dtype)
                : torch::isInt(wanted) && isa<IntegerType>(dtype) &&
                      !dtype.isInteger(1));
  }
  if (!tensor || !own)
    return wanted == value.getType();
  if (tensor.getDtype() && tensor.getDtype() != own.getDtype())
    return false;
  return !tensor.hasRank() ||
         (own.hasRank() && tensor.getRank() == own.getRank() &&
          llvm::all_of(llvm::zip(tensor.getSizes(), own.getSizes()),
                       [](auto sizes) {
                         auto [wanted, size] = sizes;
                         return ShapedType::isDynamic(wanted) || wanted == size;
                       }));
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
/// The part of a program that matches a pattern.
struct Found {
  /// The value of the program for each argument and result of an op.
  llvm::DenseMap<Value, Value> values;
  /// Tensors that are constants of the pattern, or numbers.
  SmallVector<Operation *> literals;
};
using Pairs = SmallVector<std::pair<Value, Value>>;

class Search {
public:
  explicit Search(Block *block) : block(block) {}

  /// Whether each first value can match the second one, given the matches so
  /// far.
  bool solve(Pairs pending, Found &found) {
    while (!pending.empty()) {
      auto [wanted, value] = pending.pop_back_val();
      wanted = origin(wanted);
      value = origin(value);
      if (++steps > maxSteps)
        return false;
      if (auto known = found.values.find(wanted); known != found.values.end()) {
        if (known->second != value)
          return false;
        continue;
      }
      Operation *wantedOp = wanted.getDefiningOp();
      Operation *op = value.getDefiningOp();
      if (!wantedOp) {
        if (!accepts(wanted.getType(), value))
          return false;
        if (!isa<torch::ValueTensorType>(wanted.getType()))
          noteLiteral(op, found);
        found.values[wanted] = value;
        continue;
      }
      if (wantedOp->hasTrait<OpTrait::ConstantLike>()) {
        if (!isSameConstant(wantedOp, op))
          return false;
        noteLiteral(op, found);
        continue;
      }
      if (!op || op->getBlock() != block || !isSameOp(wantedOp, op) ||
          cast<OpResult>(wanted).getResultNumber() !=
              cast<OpResult>(value).getResultNumber())
        return false;
      for (auto [result, own] :
           llvm::zip_equal(wantedOp->getResults(), op->getResults()))
        found.values[result] = own;
      if (commutes(wantedOp) && commutes(op)) {
        Pairs swapped = pending;
        Found attempt = found;
        swapped.emplace_back(wantedOp->getOperand(0), op->getOperand(1));
        swapped.emplace_back(wantedOp->getOperand(1), op->getOperand(0));
        if (solve(std::move(swapped), attempt)) {
          found = std::move(attempt);
          return true;
        }
      }
      for (auto [operand, own] :
           llvm::zip_equal(wantedOp->getOperands(), op->getOperands()))
        pending.emplace_back(operand, own);
    }
    return true;
  }

private:
  /// An optional value is represented by the value itself.
  static Value origin(Value value) {
    while (auto derefine = value.getDefiningOp<torch::DerefineOp>())
      value = derefine.getOperand();
    return value;
  }

  static bool isSameConstant(Operation *wanted, Operation *op) {
    if (!op || op->getNumResults() != 1)
      return false;
    std::optional<double> number = numberOf(wanted->getResult(0));
    std::optional<double> own = numberOf(op->getResult(0));
    if (number && own)
      return isSameNumber(*number, *own);
    return wanted->getName() == op->getName() &&
           wanted->getAttrDictionary() == op->getAttrDictionary();
  }

  static void noteLiteral(Operation *op, Found &found) {
    if (isa_and_nonnull<torch::ValueTensorLiteralOp>(op))
      found.literals.push_back(op);
  }

  /// Every commutative op doubles the number of possible matches.
  static constexpr int maxSteps = 10'000;

  Block *block;
  int steps = 0;
};
} // namespace

/// Decides which ops move into the body and which are copied: numbers with
/// other users. False if an intermediate tensor has other users, or is an
/// argument.
static bool settle(ArrayRef<Operation *> found, ProgramPattern::Match &match) {
  Signature &signature = match.signature;
  llvm::DenseSet<Operation *> inside(found.begin(), found.end());
  std::function<bool(Operation *)> isOwnUser = [&](Operation *user) {
    return inside.contains(user) ||
           (isMadeAnew(user) && llvm::all_of(user->getUsers(), isOwnUser));
  };
  std::function<bool(Value)> isFromInside = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op &&
           (inside.contains(op) ||
            (isMadeAnew(op) && llvm::any_of(op->getOperands(), isFromInside)));
  };
  if (llvm::any_of(signature.arguments, isFromInside))
    return false;
  for (Operation *op : found) {
    bool isForOthers = llvm::any_of(op->getResults(), [&](Value result) {
      return !llvm::is_contained(signature.results, result) &&
             !llvm::all_of(result.getUsers(), isOwnUser);
    });
    if (!isForOthers) {
      match.ops.push_back(op);
      continue;
    }
    if (!llvm::all_of(op->getResultTypes(), isNumber) ||
        llvm::any_of(op->getOperands(), isFromInside))
      return false;
    signature.copied.insert(op);
  }
  return true;
}

std::optional<ProgramPattern::Match>
ProgramPattern::match(Operation *last) const {
  auto root = cast<OpResult>(results().front());
  if (!isSameOp(root.getOwner(), last))
    return std::nullopt;
  Found found;
  Pairs all = {{root, last->getResult(root.getResultNumber())}};
  if (!Search(last->getBlock()).solve(all, found))
    return std::nullopt;

  Match match;
  Signature &signature = match.signature;
  for (BlockArgument argument : function.getArguments()) {
    signature.arguments.push_back(found.values.lookup(argument));
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "isthmus.name");
    signature.names.push_back(name ? name.str() : "");
  }
  for (Value result : results())
    signature.results.push_back(found.values.lookup(result));
  signature.copied.insert(found.literals.begin(), found.literals.end());
  llvm::SmallSetVector<Operation *, 16> ops;
  for (auto [wanted, value] : found.values)
    if (wanted.getDefiningOp() && !isMadeAnew(value.getDefiningOp()))
      ops.insert(value.getDefiningOp());
  SmallVector<Operation *> ordered = ops.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (!settle(ordered, match))
    return std::nullopt;
  return match;
}

//===----------------------------------------------------------------------===//
// Reading patterns
//===----------------------------------------------------------------------===//

FailureOr<ProgramPattern> ProgramPattern::read(func::FuncOp function) {
  auto says = function->getAttrOfType<DictionaryAttr>(kFunctionAttr);
  auto given = says ? says.getAs<StringAttr>("name") : StringAttr();
  StringAttr name = given ? given : function.getSymNameAttr();
  auto fail = [&](Operation *at) {
    return at->emitError() << "pattern '" << function.getSymName() << "': ";
  };
  if (!name.getValue().contains('.'))
    return fail(function) << "expected a name in a domain, such as 'com.acme."
                          << name.getValue() << "'";
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      function.getNumResults() == 0)
    return fail(function) << "expected a body that gives results";
  ProgramPattern pattern(function, name);
  llvm::DenseSet<Value> seen;
  SmallVector<Value> pending = {pattern.results().front()};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!seen.insert(value).second || !op)
      continue;
    seen.insert(op->result_begin(), op->result_end());
    llvm::append_range(pending, op->getOperands());
  }
  for (Value result : pattern.results()) {
    Operation *op = result.getDefiningOp();
    if (!op || isMadeAnew(op) || isa<torch::ValueTensorLiteralOp>(op))
      return fail(function) << "expected results that its ops compute";
  }
  for (BlockArgument argument : function.getArguments())
    if (!seen.contains(argument))
      return fail(function) << "expected its first result to depend on every "
                               "argument, got argument "
                            << argument.getArgNumber() << " that it does not";
  for (Operation &op : function.front().without_terminator()) {
    if (op.getNumRegions() > 0 || !isa<torch::TorchDialect>(op.getDialect()))
      return fail(&op) << "expected ops of the torch dialect without regions";
    if (op.getNumResults() == 0 || !seen.contains(op.getResult(0)))
      return fail(&op) << "expected its first result to depend on every op";
  }
  return pattern;
}
