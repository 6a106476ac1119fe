//===- Weights.cpp - The tensors of an exported program -------------------===//
//
// A record of the archive is a tensor's storage; sizes, strides and an offset
// select the tensor's elements in it, as for torch.as_strided. If they select a
// range in order, the bytes are used in place.
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "isthmus/Importer/Elements.h"
#include "isthmus/Support/Json.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;

LogicalResult Weights::readConfig(const Twine &path, StringRef folder) {
  std::optional<StringRef> record = archive.find(path);
  if (!record)
    return import.error() << "expected a record '" << path << "', got none";
  Subject subject(import, "record", path.str());
  llvm::Expected<llvm::json::Value> json = parseJson(*record);
  if (!json)
    return subject.fail(llvm::toString(json.takeError()));
  schema::Payloads read;
  llvm::json::Path::Root root("PayloadConfig");
  if (!fromJSON(*json, read, root))
    return subject.fail(llvm::toString(root.getError()));
  for (auto &entry : read) {
    entry.second.path = (folder + entry.second.path).str();
    payloads[entry.first()] = std::move(entry.second);
  }
  return success();
}

LogicalResult Weights::read(StringRef model) {
  StringRef weights = "data/weights/", constants = "data/constants/";
  bool isRead =
      succeeded(readConfig(weights + model + "_weights_config.json", weights));
  isRead &= succeeded(
      readConfig(constants + model + "_constants_config.json", constants));
  return success(isRead);
}

namespace {

/// A tensor of known sizes, as part of a storage.
struct Strided {
  SmallVector<int64_t> sizes, strides;
  int64_t offset;
  int64_t count; // of elements

  bool isContiguous() const {
    int64_t expected = 1;
    for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
      if (size != 1 && stride != expected)
        return false;
      expected *= size;
    }
    return true;
  }

  /// One more than the index of the tensor's last element; nothing on overflow.
  std::optional<int64_t> getEnd() const {
    int64_t end = offset;
    for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
      int64_t reach;
      if (llvm::MulOverflow(size - 1, stride, reach) ||
          llvm::AddOverflow(end, reach, end))
        return std::nullopt;
    }
    return end == std::numeric_limits<int64_t>::max()
               ? std::nullopt
               : std::optional<int64_t>(end + 1);
  }
};

} // namespace

static FailureOr<SmallVector<int64_t>>
readNumbers(ArrayRef<schema::SymInt> values, StringRef what,
            const Subject &subject) {
  SmallVector<int64_t> numbers;
  for (const schema::SymInt &value : values) {
    if (!value.value || *value.value < 0)
      return subject.fail(
          "expected " + what + " of at least 0, got " +
          (value.value ? Twine(*value.value) : Twine(value.expression)));
    numbers.push_back(*value.value);
  }
  return numbers;
}

static FailureOr<Strided> readStrided(const schema::TensorMeta &meta,
                                      const Subject &subject) {
  auto sizes = readNumbers(meta.sizes, "sizes", subject);
  auto strides = readNumbers(meta.strides, "strides", subject);
  auto offset = readNumbers(meta.storageOffset, "an offset", subject);
  if (failed(sizes) || failed(strides) || failed(offset))
    return failure();
  if (sizes->size() != strides->size())
    return subject.fail("expected " + Twine(sizes->size()) + " strides, got " +
                        Twine(strides->size()));
  std::optional<int64_t> count = countStorableElements(*sizes);
  if (!count)
    return subject.fail("expected sizes with a product that fits 64 bits");
  return Strided{*sizes, *strides, offset->front(), *count};
}

/// The elements of a tensor in row-major order; null if out of memory.
static std::shared_ptr<llvm::MemoryBuffer>
reorder(const Strided &tensor, StringRef storage, int64_t elementBytes) {
  std::shared_ptr<llvm::WritableMemoryBuffer> result =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(tensor.count *
                                                        elementBytes);
  if (!result)
    return nullptr;
  char *to = result->getBufferStart();
  SmallVector<int64_t> index(tensor.sizes.size(), 0);
  int64_t position = tensor.offset;
  for (int64_t i = 0; i < tensor.count; ++i, to += elementBytes) {
    std::memcpy(to, storage.data() + position * elementBytes, elementBytes);
    for (int64_t dim = index.size() - 1; dim >= 0; --dim) {
      position += tensor.strides[dim];
      if (++index[dim] < tensor.sizes[dim])
        break;
      position -= index[dim] * tensor.strides[dim];
      index[dim] = 0;
    }
  }
  return result;
}

/// The builtin type of a literal: signed integers are signless there.
static RankedTensorType getLiteralType(torch::ValueTensorType type) {
  Type element = type.getDtype();
  if (element.isSignedInteger())
    element =
        IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(type.getSizes(), element);
}

ElementsAttr Weights::get(StringRef name, const Subject &subject) {
  auto fail = [&](const Twine &message) -> ElementsAttr {
    subject.error() << message;
    return nullptr;
  };
  auto found = payloads.find(name);
  if (found == payloads.end())
    return fail("expected data in the file, got none");
  const schema::Payload &payload = found->second;
  if (payload.isPickled || !payload.meta)
    return fail("expected a plain tensor, got a pickled object, which could "
                "run any code");
  std::optional<StringRef> storage = archive.find(payload.path);
  if (!storage)
    return fail("expected a record '" + payload.path + "', got none");
  torch::ValueTensorType declared = importTensorType(*payload.meta, subject);
  if (!declared)
    return nullptr;
  FailureOr<Strided> tensor = readStrided(*payload.meta, subject);
  if (failed(tensor))
    return nullptr;

  RankedTensorType type = getLiteralType(declared);
  int64_t elementBytes = getStoredBits(type.getElementType()) / 8;
  int64_t stored = storage->size() / elementBytes;
  std::optional<int64_t> end = tensor->count ? tensor->getEnd() : 0;
  if (!end || *end > stored)
    return fail(
        "expected storage of " + (end ? Twine(*end) : Twine("countless")) +
        " elements in record '" + payload.path + "', got " + Twine(stored));
  int64_t size = tensor->count * elementBytes;
  bool isInOrder = tensor->count == 0 || tensor->isContiguous();
  const char *first =
      storage->data() + (tensor->count ? tensor->offset * elementBytes : 0);
  if (tensor->count)
    extents[name] = {first, static_cast<size_t>(*end - tensor->offset) *
                                static_cast<size_t>(elementBytes)};
  std::vector<int64_t> strides;
  if (!isInOrder)
    strides.assign(tensor->strides.begin(), tensor->strides.end());
  ElementsAttr &value =
      known[{first, std::move(strides), type.getAsOpaquePointer()}];
  if (value)
    return value;

  Bytes bytes{StringRef(first, size), import.buffer};
  if (!isInOrder) {
    // The bytes of a reordered copy are covered by the bytes of the file.
    int64_t &copied = reordered[storage->data()];
    int64_t within = std::min<int64_t>(size, storage->size() - copied);
    if (failed(import.budget.takeBytes(
            size - within, "strides that repeat what is stored", subject)))
      return nullptr;
    copied += within;
    bytes.owner = reorder(*tensor, *storage, elementBytes);
    if (!bytes.owner)
      return fail("expected memory for " + Twine(size) + " bytes, got none");
    bytes.data = bytes.owner->getBuffer();
  }
  return value = getElements(type, bytes, name, import.options.maxInlineBytes);
}

bool Weights::shareMemory(StringRef name, StringRef other) const {
  StringRef a = extents.lookup(name), b = extents.lookup(other);
  return !a.empty() && !b.empty() && a.begin() < b.end() && b.begin() < a.end();
}
