//===- Rules.cpp - Meshes and shardings as text ---------------------------===//

#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace isthmus;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

static llvm::Error unexpected(const Twine &message) {
  return llvm::createStringError(message);
}

llvm::Expected<MeshSizes> isthmus::readMesh(StringRef text) {
  MeshSizes mesh;
  int64_t devices = 1;
  for (StringRef axis : llvm::split(text, ',')) {
    auto [name, digits] = axis.split('=');
    int64_t size;
    if (name.empty() || digits.getAsInteger(10, size) || size < 1 ||
        llvm::MulOverflow(devices, size, devices))
      return unexpected("mesh: expected axes and their sizes, such as "
                        "data=2,model=4, got '" +
                        text + "'");
    if (!mesh.insert({name, size}).second)
      return unexpected("mesh: expected each axis once, got '" + name +
                        "' twice");
  }
  return mesh;
}

llvm::Expected<ShardingRule> isthmus::readRule(StringRef text,
                                               const MeshSizes &mesh) {
  auto fail = [&](const Twine &message) {
    return unexpected("sharding: '" + text + "': expected " + message);
  };
  // A pattern may have an equals sign, and axes have none.
  auto [pattern, dims] = text.rsplit('=');
  if (pattern.empty() || dims.empty())
    return fail("a pattern of names and an axis for each dim, or *, such as "
                "*.weight=model,*");
  llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
  if (!glob)
    return fail("a pattern of names: " + llvm::toString(glob.takeError()));
  ShardingRule rule = {text, std::move(*glob), {}};
  llvm::StringSet<> seen;
  for (StringRef dim : llvm::split(dims, ',')) {
    SmallVector<StringRef> &axes = rule.dims.emplace_back();
    if (dim == "*")
      continue;
    for (StringRef axis : llvm::split(dim, '+')) {
      if (!mesh.contains(axis))
        return fail("axes of the mesh (" +
                    llvm::join(llvm::make_first_range(mesh), ", ") +
                    "), or *, got '" + axis + "'");
      if (!seen.insert(axis).second)
        return fail("each axis once, got '" + axis + "' twice");
      axes.push_back(axis);
    }
  }
  return rule;
}
