//===- DeviceConfiguration.cpp - Shardings of one configuration -----------===//

#include "CommonMesh.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "llvm/ADT/StringExtras.h"

#define GEN_PASS_DEF_APPLYDEVICECONFIGURATION
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

/// Where the importer lists the model's configurations.
static constexpr StringLiteral kListed = "onnx.device_configurations";

namespace {

/// Where a sharding places a tensor.
struct Placed {
  Placement placement;
  /// For each of the sharding's axes, the number of its split dim; -1 for an
  /// axis of one part.
  SmallVector<int64_t> numbers;
};

/// What a sharding says: the same attributes mean the same placement.
using Meaning = std::tuple<Attribute, Attribute, Attribute>;

} // namespace

/// The number of parts that an axis has, of its factors: pairs of a size and a
/// number of parts. Nothing unless the parts are consecutive: those of a minor
/// factor are if all before it have parts of one element.
static std::optional<int64_t> partsOf(ArrayRef<int64_t> factors) {
  int64_t parts = 1;
  bool isSplitAll = true;
  for (size_t i = 0; i < factors.size(); i += 2) {
    int64_t size = factors[i], shards = factors[i + 1];
    if (shards > 1 && !isSplitAll)
      return std::nullopt;
    if (llvm::MulOverflow(parts, shards, parts))
      return std::nullopt;
    isSplitAll &= shards == size;
  }
  return parts;
}

/// The placement that a sharding describes; fails with an error if a mesh
/// cannot have it.
static FailureOr<Placed> placementOf(onnx::ShardingOp op, int64_t deviceCount) {
  auto error = [&] {
    return op.emitError() << "sharding of '" << op.getTensor()
                          << "' has no form in Shardy: ";
  };
  Placed placed;
  Placement &placement = placed.placement;
  int64_t shards = 1;
  for (auto [axis, factors] : llvm::zip_equal(
           op.getAxes(), op.getFactors().getAsRange<DenseI64ArrayAttr>())) {
    std::optional<int64_t> parts = partsOf(factors);
    if (!parts || llvm::MulOverflow(shards, *parts, shards))
      return error() << "expected consecutive parts of axis " << axis
                     << ", got parts of a factor that is not the first";
    // So there are at most as many dims as devices have bits.
    placed.numbers.push_back(*parts > 1 ? placement.parts.size() : -1);
    if (*parts > 1)
      placement.parts.push_back(*parts);
  }
  auto groups =
      llvm::to_vector(op.getDevices().getAsRange<DenseI64ArrayAttr>());
  if (int64_t(groups.size()) != shards)
    return error() << "expected a device, or a group, for each of " << shards
                   << " shards, got " << groups.size();
  int64_t count = 0;
  for (DenseI64ArrayAttr group : groups) {
    if (group.size() != groups.front().size())
      return error() << "expected groups of one size, got "
                     << groups.front().size() << " and " << group.size();
    count += group.size();
  }
  // The file may claim any number of devices; here memory is for those listed.
  if (count != deviceCount)
    return error() << "expected all " << deviceCount << " devices, got "
                   << count;
  placement.shardOf.assign(deviceCount, -1);
  for (auto [shard, group] : llvm::enumerate(groups))
    for (int64_t device : group.asArrayRef())
      if (device < 0 || device >= deviceCount ||
          std::exchange(placement.shardOf[device], shard) != -1)
        return error() << "expected each device from 0 to " << deviceCount - 1
                       << " once, got device " << device
                       << " twice or another number";
  return placed;
}

namespace {

struct ApplyDeviceConfiguration
    : isthmus::impl::ApplyDeviceConfigurationBase<ApplyDeviceConfiguration> {
  using ApplyDeviceConfigurationBase::ApplyDeviceConfigurationBase;

  void runOnOperation() override {
    auto listed = getOperation()->getAttrOfType<DictionaryAttr>(kListed);
    if (!listed && name.empty())
      return; // most models, which are large: no walk over their nodes
    SmallVector<onnx::ShardingOp> shardings;
    getOperation().walk([&](onnx::ShardingOp op) {
      shardings.push_back(op);
      op.removeMeshAttr(); // of a file
      op.removeMeshAxesAttr();
    });
    if (failed(apply(listed, shardings)))
      return signalPassFailure();
    getOperation()->removeAttr(kListed);
    for (onnx::ShardingOp op : shardings) {
      if (op.getMesh())
        continue;
      op.replaceAllUsesWith(op.getInput());
      op.erase();
    }
  }

  LogicalResult apply(DictionaryAttr listed,
                      ArrayRef<onnx::ShardingOp> shardings) {
    auto names = [&] {
      return llvm::join(llvm::map_range(listed,
                                        [](NamedAttribute each) {
                                          return each.getName().getValue();
                                        }),
                        "', '");
    };
    if (name.empty()) {
      if (listed)
        getOperation().emitWarning()
            << "the program is for one device: its shardings for device "
               "configuration '"
            << names() << "' are left out; to keep those of one, use "
            << "--device-configuration NAME";
      return success();
    }
    auto facts = listed ? listed.getAs<DictionaryAttr>(name) : DictionaryAttr();
    if (!facts)
      return getOperation().emitError()
             << "device-configuration: expected "
             << (listed ? "'" + names() + "'"
                        : std::string("a model with device configurations"))
             << ", got '" << name << "'";
    if (auto node = facts.getAs<StringAttr>("pipelined"))
      return getOperation().emitError()
             << "node '" << node.getValue()
             << "': expected pipeline stage 0, got another one in device "
                "configuration '"
             << name << "': one program has all stages";
    auto deviceCount = facts.getAs<IntegerAttr>("devices");
    if (!deviceCount || deviceCount.getInt() < 1)
      return getOperation().emitError()
             << kListed << ": expected one device or more, got " << facts;
    return applyShardings(shardings, deviceCount.getInt());
  }

  LogicalResult applyShardings(ArrayRef<onnx::ShardingOp> shardings,
                               int64_t deviceCount) {
    SmallVector<onnx::ShardingOp> ops;
    llvm::MapVector<Meaning, Placed> placed; // most tensors share a few
    bool complete = true;
    for (onnx::ShardingOp op : shardings) {
      bool saysNothing = op.getAxes().empty() && op.getDevices().empty();
      if (op.getConfiguration() != name || saysNothing)
        continue;
      ops.push_back(op);
      auto [known, isNew] = placed.try_emplace(meaningOf(op));
      if (!isNew)
        continue;
      FailureOr<Placed> found = placementOf(op, deviceCount);
      complete &= succeeded(found);
      if (succeeded(found))
        known->second = std::move(*found);
    }
    if (!complete)
      return failure();
    if (ops.empty())
      return success();

    auto placements = llvm::map_to_vector(
        placed, [](const auto &each) { return each.second.placement; });
    std::optional<Mesh> mesh = findCommonMesh(placements, deviceCount);
    if (!mesh)
      return getOperation().emitError()
             << "device configuration '" << name
             << "' has no form in Shardy: expected shardings over the axes of "
                "one mesh of devices";
    sdy::MeshOp meshOp =
        sdy::createMesh(getOperation(), name, attributeOf(*mesh));
    DenseMap<Meaning, ArrayAttr> axes;
    for (const auto &[meaning, each] : placed)
      axes[meaning] = axesOf(each, *mesh, meshOp);
    for (onnx::ShardingOp op : ops) {
      ArrayAttr ofDims = axes[meaningOf(op)];
      if (isNothing(op, ofDims))
        continue;
      op.setMesh(meshOp.getSymName());
      op.setMeshAxesAttr(ofDims);
    }
    return success();
  }

  static Meaning meaningOf(onnx::ShardingOp op) {
    return {op.getAxesAttr(), op.getFactors(), op.getDevices()};
  }

  sdy::MeshAttr attributeOf(const Mesh &mesh) {
    Builder builder(&getContext());
    SmallVector<StringAttr> names;
    for (size_t axis : llvm::seq(mesh.sizes.size()))
      names.push_back(builder.getStringAttr("d" + Twine(axis)));
    ArrayRef<int64_t> devices = mesh.devices;
    if (llvm::is_sorted(devices))
      devices = {};
    return sdy::MeshAttr::get(&getContext(), names, mesh.sizes, devices);
  }

  /// The names of the axes that split each axis of a sharding.
  static ArrayAttr axesOf(const Placed &placed, const Mesh &mesh,
                          sdy::MeshOp meshOp) {
    Builder builder(meshOp.getContext());
    SplitAxes split = *findAxes(placed.placement, mesh);
    SmallVector<Attribute> result;
    for (int64_t number : placed.numbers) {
      SmallVector<Attribute> names;
      if (number >= 0)
        for (unsigned axis : split[number])
          names.push_back(meshOp.getMesh().getNames()[axis]);
      result.push_back(builder.getArrayAttr(names));
    }
    return builder.getArrayAttr(result);
  }

  /// Whether a sharding says nothing: each device has all of a constant or of a
  /// tensor of whole numbers, as sizes and indices are. Lowerings look for
  /// those.
  static bool isNothing(onnx::ShardingOp op, ArrayAttr axes) {
    auto element = cast<TensorType>(op.getType()).getElementType();
    bool isKnown = isa<IntegerType>(element) ||
                   op.getInput().getDefiningOp<onnx::ConstantOp>();
    return isKnown &&
           llvm::all_of(axes.getAsRange<ArrayAttr>(),
                        [](ArrayAttr names) { return names.empty(); });
  }
};

} // namespace
