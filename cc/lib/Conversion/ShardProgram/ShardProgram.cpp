//===- ShardProgram.cpp - Shardings by names ------------------------------===//

#include "Rules.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "isthmus/Support/WeightNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#define GEN_PASS_DEF_SHARDPROGRAM
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

/// The names that an error lists.
static constexpr size_t kMostNames = 5;

/// The model's name of an argument or a result; empty for none.
static StringRef nameIn(DictionaryAttr attributes) {
  for (StringRef key : {"isthmus.weight", "isthmus.name", "onnx.name"})
    if (auto name =
            attributes ? attributes.getAs<StringAttr>(key) : StringAttr())
      return name;
  return "";
}

namespace {

/// The rules, and the names that they were tried on.
class Sharding {
public:
  Sharding(func::FuncOp main, MeshSizes sizes)
      : main(main), sizes(std::move(sizes)) {}

  LogicalResult read(ArrayRef<std::string> texts);
  LogicalResult apply();

private:
  using Give = llvm::function_ref<void(sdy::TensorShardingAttr)>;

  /// Calls `give` with the sharding of a tensor of this name, if a rule has it.
  void find(StringRef name, Type type, Give give);
  void reportUnused();
  InFlightDiagnostic error() {
    isComplete = false;
    return main.emitError();
  }

  func::FuncOp main;
  MeshSizes sizes;
  FlatSymbolRefAttr mesh;
  SmallVector<ShardingRule> rules;
  SmallVector<StringRef> names;
  bool isComplete = true;
};

} // namespace

LogicalResult Sharding::read(ArrayRef<std::string> texts) {
  for (StringRef text : texts) {
    llvm::Expected<ShardingRule> rule = readRule(text, sizes);
    if (rule)
      rules.push_back(std::move(*rule));
    else
      error() << llvm::toString(rule.takeError());
  }
  return success(isComplete);
}

void Sharding::find(StringRef name, Type type, Give give) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (name.empty() || !tensor)
    return;
  names.push_back(name);
  ShardingRule *rule = llvm::find_if(rules, [&](const ShardingRule &each) {
    return each.pattern.match(name);
  });
  if (rule == rules.end())
    return;
  rule->isUsed = true;
  auto expected = [&] {
    return error() << "sharding: '" << rule->text << "' for '" << name
                   << "': expected ";
  };
  int64_t rank = tensor.getRank();
  if (int64_t(rule->dims.size()) > rank) {
    expected() << "axes for at most " << rank << " dims, got "
               << rule->dims.size();
    return;
  }
  Builder builder(main.getContext());
  SmallVector<ArrayAttr> dims(rank, builder.getArrayAttr({}));
  for (auto [dim, axes] : llvm::enumerate(rule->dims)) {
    int64_t parts = 1, size = tensor.getDimSize(dim);
    for (StringRef axis : axes)
      parts *= sizes.lookup(axis);
    if (!ShapedType::isDynamic(size) && size % parts)
      expected() << "a size that " << parts << " divides in dim " << dim
                 << ", got " << size;
    dims[dim] = builder.getStrArrayAttr(axes);
  }
  give(sdy::TensorShardingAttr::get(main.getContext(), mesh, dims));
}

void Sharding::reportUnused() {
  for (const ShardingRule &rule : rules)
    if (!rule.isUsed)
      error() << "sharding: '" << rule.text
              << "': expected a pattern that matches a name first, got none of "
              << names.size() << " names, such as '"
              << llvm::join(ArrayRef(names).take_front(kMostNames), "', '")
              << "'";
}

static void constrain(Value weight, sdy::TensorShardingAttr sharding) {
  OpBuilder builder(weight.getContext());
  builder.setInsertionPointAfterValue(weight);
  auto constraint = sdy::ShardingConstraintOp::create(
      builder, weight.getLoc(), weight.getType(), weight, sharding);
  weight.replaceAllUsesExcept(constraint.getResult(), constraint);
}

LogicalResult Sharding::apply() {
  Builder builder(main.getContext());
  SmallVector<StringAttr> axes;
  SmallVector<int64_t> lengths;
  for (auto [name, size] : sizes) {
    axes.push_back(builder.getStringAttr(name));
    lengths.push_back(size);
  }
  auto attribute =
      sdy::MeshAttr::get(main.getContext(), axes, lengths, /*deviceIds=*/{});
  auto module = main->getParentOfType<ModuleOp>();
  mesh = FlatSymbolRefAttr::get(
      sdy::createMesh(module, "mesh", attribute).getSymNameAttr());

  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    find(nameIn(main.getArgAttrDict(i)), main.getArgumentTypes()[i],
         [&](Attribute sharding) {
           main.setArgAttr(i, sdy::kSharding, sharding);
         });
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    find(nameIn(main.getResultAttrDict(i)), main.getResultTypes()[i],
         [&](Attribute sharding) {
           main.setResultAttr(i, sdy::kSharding, sharding);
         });
  SmallVector<Operation *> weights;
  main.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() &&
        !weightNameOf(op->getLoc()).empty())
      weights.push_back(op);
  });
  for (Operation *op : weights)
    find(weightNameOf(op->getLoc()), op->getResult(0).getType(),
         [&](sdy::TensorShardingAttr sharding) {
           constrain(op->getResult(0), sharding);
         });
  reportUnused();
  return success(isComplete);
}

namespace {

struct ShardProgram : isthmus::impl::ShardProgramBase<ShardProgram> {
  using ShardProgramBase::ShardProgramBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto meshes = llvm::to_vector(module.getOps<sdy::MeshOp>());
    if (isWhole) {
      removeMeshes(meshes);
      return;
    }
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!mesh.empty() && failed(shard(main, meshes)))
      return signalPassFailure();
    if (main && (!mesh.empty() || !meshes.empty()))
      for (unsigned i = 0; i < main.getNumArguments(); ++i)
        sdy::setShardingOfUses(main, i);
  }

  LogicalResult shard(func::FuncOp main, MutableArrayRef<sdy::MeshOp> meshes) {
    if (!main)
      return getOperation().emitError()
             << "mesh: expected a program with a function @main";
    if (!meshes.empty())
      return main.emitError() << "mesh: expected a program without one, got '"
                              << meshes.front().getSymName() << "'";
    llvm::Expected<MeshSizes> sizes = readMesh(mesh);
    if (!sizes)
      return main.emitError() << llvm::toString(sizes.takeError());
    const SmallVector<std::string> texts(shardings.begin(), shardings.end());
    Sharding sharding(main, std::move(*sizes));
    return success(succeeded(sharding.read(texts)) &&
                   succeeded(sharding.apply()));
  }

  /// Makes a program one for a single device.
  void removeMeshes(MutableArrayRef<sdy::MeshOp> meshes) {
    if (meshes.empty())
      return;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i = 0; i < func.getNumArguments(); ++i)
        func.removeArgAttr(i, sdy::kSharding);
      for (unsigned i = 0; i < func.getNumResults(); ++i)
        func.removeResultAttr(i,
                              StringAttr::get(&getContext(), sdy::kSharding));
    }
    getOperation().walk([](sdy::ShardingConstraintOp op) {
      op.replaceAllUsesWith(op.getInput());
      op.erase();
    });
    for (sdy::MeshOp op : meshes)
      op.erase();
  }
};

} // namespace
