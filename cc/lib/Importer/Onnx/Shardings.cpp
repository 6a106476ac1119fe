//===- Shardings.cpp - How a model is split over devices ------------------===//
//
// ONNX's multi-device annotations: a model's configurations of devices, and the
// shardings of each node's inputs and outputs under one. They do not change
// what the model computes. onnx.checker accepts any, so all are checked here.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// What is wrong with a configuration by itself; empty if nothing is.
static std::string objectionTo(const proto::DeviceConfiguration &each) {
  if (each.name.empty())
    return "expected a name, got none";
  if (each.deviceCount < 1)
    return "expected one device or more, got " +
           std::to_string(each.deviceCount);
  if (!each.devices.empty() && int64_t(each.devices.size()) != each.deviceCount)
    return "expected names of " + std::to_string(each.deviceCount) +
           " devices, got " + std::to_string(each.devices.size());
  return "";
}

LogicalResult GraphImporter::checkConfigurations(const Subject &subject) {
  for (const proto::DeviceConfiguration &each : model.configurations) {
    std::string objection = objectionTo(each);
    if (objection.empty() &&
        !configurations
             .try_emplace(each.name, Configuration{each.deviceCount, {}})
             .second)
      objection = "expected one of this name, got two";
    if (!objection.empty())
      return subject.error()
             << "device configuration '" << each.name << "': " << objection;
  }
  return success();
}

void GraphImporter::listConfigurations(ModuleOp module) {
  SmallVector<NamedAttribute> listed;
  for (const proto::DeviceConfiguration &each : model.configurations) {
    const Configuration &known = configurations[each.name];
    SmallVector<NamedAttribute> facts = {builder.getNamedAttr(
        "devices", builder.getI64IntegerAttr(known.deviceCount))};
    if (!known.pipelined.empty())
      facts.push_back(builder.getNamedAttr(
          "pipelined", builder.getStringAttr(known.pipelined)));
    listed.push_back(
        builder.getNamedAttr(each.name, builder.getDictionaryAttr(facts)));
  }
  if (!listed.empty())
    module->setAttr("onnx.device_configurations",
                    builder.getDictionaryAttr(listed));
}

/// The devices that have each shard.
static SmallVector<ArrayRef<int64_t>>
devicesOfShards(const proto::ShardingSpec &spec) {
  std::map<int64_t, ArrayRef<int64_t>> groups; // of any keys
  for (const auto &[key, devices] : spec.groups)
    groups.try_emplace(key, devices);
  return llvm::map_to_vector(spec.devices, [&](const int64_t &device) {
    auto group = groups.find(device);
    return group == groups.end() ? ArrayRef(device) : group->second;
  });
}

/// What is wrong with a sharding over `deviceCount` devices; empty if nothing.
static std::string objectionTo(const proto::ShardingSpec &spec,
                               int64_t deviceCount) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::set<int64_t> keys, axes; // of any numbers
  for (const auto &[key, devices] : spec.groups)
    if (!keys.insert(key).second && text.empty())
      os << "expected one group " << key << ", got two";
  auto checkDevice = [&](int64_t device) {
    if (text.empty() && (device < 0 || device >= deviceCount))
      os << "expected devices from 0 to " << deviceCount - 1
         << " or groups of them, got " << device;
  };
  for (const auto &[key, devices] : spec.groups)
    llvm::for_each(devices, checkDevice);
  for (int64_t device : spec.devices)
    if (!keys.count(device))
      checkDevice(device);
  for (const proto::ShardedDim &dim : spec.dims) {
    if (text.empty() && !axes.insert(dim.axis).second)
      os << "expected axis " << dim.axis << " once, got it twice";
    for (const proto::ShardedDim::Factor &factor : dim.factors)
      if (text.empty() && (factor.shards < 1 || factor.shards > deviceCount))
        os << "expected 1 to " << deviceCount << " parts of axis " << dim.axis
           << ", got " << factor.shards;
  }
  return text;
}

LogicalResult GraphImporter::checkShardings(const proto::Node &node,
                                            const Subject &subject) {
  // A function's nodes are imported at each call.
  if (node.configurations.empty() || !checkedNodes.insert(&node).second)
    return success();
  llvm::StringSet<> names, chosen;
  names.insert(node.inputs.begin(), node.inputs.end());
  names.insert(node.outputs.begin(), node.outputs.end());
  for (const proto::NodeConfiguration &each : node.configurations) {
    auto known = configurations.find(each.configuration);
    if (known == configurations.end())
      return subject.error() << "expected a device configuration of the model, "
                                "got '"
                             << each.configuration << "'";
    if (!chosen.insert(each.configuration).second)
      return subject.error() << "expected shardings for device configuration '"
                             << each.configuration << "' once, got them twice";
    Configuration &configuration = known->second;
    if (each.pipelineStage != 0 && configuration.pipelined.empty())
      configuration.pipelined = subject.name;
    llvm::StringSet<> tensors;
    for (const proto::ShardingSpec &spec : each.shardings) {
      std::string objection = objectionTo(spec, configuration.deviceCount);
      if (spec.tensor.empty() || !names.contains(spec.tensor))
        objection = "expected an input or an output of the node";
      else if (!tensors.insert(spec.tensor).second)
        objection = "expected one sharding of each tensor, got two";
      if (!objection.empty())
        return subject.error() << "sharding of '" << spec.tensor
                               << "' in device configuration '"
                               << each.configuration << "': " << objection;
    }
  }
  return success();
}

/// The numbers and names that a sharding consists of.
static size_t countEntries(const proto::ShardingSpec &spec) {
  size_t count = 1 + spec.devices.size();
  for (const auto &[key, devices] : spec.groups)
    count += 1 + devices.size();
  for (const proto::ShardedDim &dim : spec.dims)
    count += 1 + dim.factors.size();
  return count;
}

static ArrayAttr toAttribute(OpBuilder &builder,
                             ArrayRef<SmallVector<int64_t>> lists) {
  return builder.getArrayAttr(
      llvm::map_to_vector(lists, [&](ArrayRef<int64_t> list) -> Attribute {
        return builder.getDenseI64ArrayAttr(list);
      }));
}

LogicalResult GraphImporter::shard(const proto::Node &node,
                                   ArrayRef<StringRef> names,
                                   MutableArrayRef<Value> values, Location loc,
                                   const Subject &subject) {
  if (node.configurations.empty())
    return success();
  llvm::StringMap<SmallVector<unsigned, 1>> places;
  for (auto [i, name] : llvm::enumerate(names.take_front(values.size())))
    places[name].push_back(i);
  for (const proto::NodeConfiguration &each : node.configurations)
    for (const proto::ShardingSpec &spec : each.shardings)
      for (unsigned place : places.lookup(spec.tensor))
        if (failed(
                shard(each.configuration, spec, values[place], loc, subject)))
          return failure();
  return success();
}

LogicalResult GraphImporter::shard(StringRef configuration,
                                   const proto::ShardingSpec &spec,
                                   Value &value, Location loc,
                                   const Subject &subject) {
  if (!value || isa<NoneType>(value.getType()))
    return success(); // omitted by the function's caller
  if (!isa<TensorType>(value.getType()))
    return subject.error() << "sharding of '" << spec.tensor
                           << "' in device configuration '" << configuration
                           << "': expected a tensor, got " << value.getType();
  // A function may be called many times, and a group be named many times.
  if (failed(takeEntries(countEntries(spec), subject)))
    return failure();
  SmallVector<ArrayRef<int64_t>> groups = devicesOfShards(spec);
  size_t entries = 0;
  for (ArrayRef<int64_t> group : groups)
    entries += group.size();
  if (failed(takeEntries(entries, subject)))
    return failure();

  SmallVector<int64_t> axes;
  SmallVector<SmallVector<int64_t>> devices, factors;
  for (ArrayRef<int64_t> group : groups)
    devices.emplace_back(group);
  for (const proto::ShardedDim &dim : spec.dims) {
    axes.push_back(dim.axis);
    factors.emplace_back();
    for (const proto::ShardedDim::Factor &factor : dim.factors)
      factors.back().append({factor.size.value_or(-1), factor.shards});
  }
  NamedAttribute attributes[] = {
      builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr(axes)),
      builder.getNamedAttr("configuration",
                           builder.getStringAttr(configuration)),
      builder.getNamedAttr("devices", toAttribute(builder, devices)),
      builder.getNamedAttr("factors", toAttribute(builder, factors)),
      builder.getNamedAttr("tensor", builder.getStringAttr(spec.tensor))};
  value = ShardingOp::create(builder, loc, value.getType(), value, attributes);
  return success();
}
