//===- Tensors.cpp - Initializers and other tensors -----------------------===//
//
// The bytes of a tensor are used in place, unless they are few or need
// decoding: varints, floats narrower than a byte, bools other than 0 and 1.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "llvm/Support/MathExtras.h"
#include <protozero/varint.hpp>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

RankedTensorType onnx::importTensorType(ArrayRef<int64_t> dims,
                                        int64_t dataType,
                                        const Subject &subject) {
  Type elementType = dataType == int32_t(dataType)
                         ? getElementType(dataType, subject.import.context)
                         : Type();
  if (!elementType) {
    subject.error() << "expected a known data type, got " << dataType;
    return nullptr;
  }
  if (!countStorableElements(dims)) {
    subject.error() << "expected dimensions of at least 0 with a product that "
                       "fits 64 bits, got ["
                    << dims << "]";
    return nullptr;
  }
  return RankedTensorType::get(dims, elementType);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {

/// The field of TensorProto that holds typed data of a dtype.
struct TypedData {
  ArrayRef<StringRef> chunks;
  StringRef field;
  int64_t entryBits; // of an entry's value, as in raw_data
  bool isVarint;
};

} // namespace

static TypedData getTypedData(const proto::Tensor &tensor, Type elementType) {
  int64_t bits = getStoredBits(elementType);
  if (elementType.isF32() || elementType == ComplexType::get(Float32Type::get(
                                                elementType.getContext())))
    return {tensor.floatData, "float_data", 32, false};
  if (bits == 128 || elementType.isF64())
    return {tensor.doubleData, "double_data", 64, false};
  if (elementType.isSignlessInteger(64))
    return {tensor.int64Data, "int64_data", 64, true};
  if (elementType.isUnsignedInteger(64) || elementType.isUnsignedInteger(32))
    return {tensor.uint64Data, "uint64_data", bits, true};
  // An entry of int32_data holds a byte of 2- or 4-bit elements, or else one
  // element.
  return {tensor.int32Data, "int32_data", bits == 2 || bits == 4 ? 8 : bits,
          true};
}

/// Decodes varints to values of `bits` bits, which are 6 or whole bytes, packed
/// as in raw_data. Fails unless there are `count`.
static LogicalResult decodeVarints(const TypedData &data, int64_t count,
                                   std::string &decoded,
                                   const Subject &subject) {
  int64_t got = 0;
  int64_t bytes = llvm::divideCeil(data.entryBits, 8);
  try {
    for (StringRef chunk : data.chunks) {
      const char *position = chunk.begin();
      while (position != chunk.end()) {
        uint64_t value = protozero::decode_varint(&position, chunk.end());
        if (++got <= count)
          decoded.append(reinterpret_cast<const char *>(&value), bytes);
      }
    }
  } catch (const protozero::exception &) {
    return subject.error() << "expected varints in " << data.field
                           << ", got malformed bytes";
  }
  if (got != count)
    return subject.error() << "expected " << count << " values in "
                           << data.field << ", got " << got;
  return success();
}

/// Unpacks elements of `bits` bits, the first in the lowest bits, into bytes.
static std::string unpack(StringRef packed, int64_t bits, int64_t count) {
  std::string bytes;
  bytes.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t bit = i * bits;
    uint16_t word = uint8_t(packed[bit / 8]);
    if (bit % 8 + bits > 8)
      word |= uint16_t(uint8_t(packed[bit / 8 + 1])) << 8;
    bytes.push_back(word >> (bit % 8) & ((1 << bits) - 1));
  }
  return bytes;
}

/// The bytes of typed data, as in raw_data, except for 6-bit elements, which
/// take a byte each.
static std::optional<Bytes> readTypedData(const proto::Tensor &tensor,
                                          RankedTensorType type, int64_t size,
                                          const Subject &subject) {
  TypedData data = getTypedData(tensor, type.getElementType());
  if (!data.isVarint && data.chunks.size() == 1)
    return Bytes{data.chunks.front(), subject.import.buffer};

  std::string decoded;
  if (!data.isVarint) {
    for (StringRef chunk : data.chunks)
      decoded.append(chunk.data(), chunk.size());
  } else {
    int64_t entries = size * 8 / std::max<int64_t>(data.entryBits, 8);
    if (failed(decodeVarints(data, entries, decoded, subject)))
      return std::nullopt;
  }
  std::shared_ptr<llvm::MemoryBuffer> owner =
      llvm::MemoryBuffer::getMemBufferCopy(decoded);
  return Bytes{owner->getBuffer(), owner};
}

/// Whether the file stores each element in whole bytes.
static bool isSpread(const proto::Tensor &tensor, RankedTensorType type) {
  int64_t bits = getStoredBits(type.getElementType());
  bool isTyped = !tensor.external && !tensor.rawData;
  return bits >= 8 || (bits == 6 && isTyped);
}

/// The elements of a tensor as stored in the file, except for varints.
static std::optional<Bytes> readBytes(const proto::Tensor &tensor,
                                      RankedTensorType type,
                                      const Subject &subject) {
  int64_t count = type.getNumElements();
  int64_t bits = getStoredBits(type.getElementType());
  int64_t size = isSpread(tensor, type) ? count * llvm::divideCeil(bits, 8)
                                        : llvm::divideCeil(count * bits, 8);
  std::optional<Bytes> bytes;
  if (tensor.external)
    bytes = readExternalData(tensor, size, subject);
  else if (tensor.rawData)
    bytes = Bytes{*tensor.rawData, subject.import.buffer};
  else
    bytes = readTypedData(tensor, type, size, subject);
  if (!bytes)
    return std::nullopt;
  if (int64_t(bytes->data.size()) != size) {
    subject.error() << "expected " << size << " bytes of data for " << type
                    << ", got " << bytes->data.size();
    return std::nullopt;
  }
  return bytes;
}

/// Unpacks elements, each into a byte. Many tensors may share the same bytes of
/// another file.
static std::optional<Bytes> spread(const Bytes &packed,
                                   const proto::Tensor &tensor,
                                   RankedTensorType type,
                                   const Subject &subject) {
  int64_t count = type.getNumElements();
  if (tensor.external && failed(subject.import.budget.takeBytes(
                             count, "external data that share bytes", subject)))
    return std::nullopt;
  std::shared_ptr<llvm::MemoryBuffer> owner =
      llvm::MemoryBuffer::getMemBufferCopy(
          unpack(packed.data, getStoredBits(type.getElementType()), count));
  return Bytes{owner->getBuffer(), owner};
}

/// The elements of a tensor, each in whole bytes.
static std::optional<Bytes> readElements(const proto::Tensor &tensor,
                                         RankedTensorType type,
                                         const Subject &subject) {
  std::optional<Bytes> bytes = readBytes(tensor, type, subject);
  return bytes && !isSpread(tensor, type)
             ? spread(*bytes, tensor, type, subject)
             : bytes;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static ElementsAttr getValue(RankedTensorType type, const Bytes &bytes,
                             const Subject &subject) {
  return getElements(type, bytes, subject.name,
                     subject.import.options.maxInlineBytes);
}

static ElementsAttr decodeTensor(const proto::Tensor &tensor,
                                 const Subject &subject) {
  RankedTensorType type =
      importTensorType(tensor.dims, tensor.dataType, subject);
  if (!type)
    return nullptr;
  if (isa<StringType>(type.getElementType())) {
    if (int64_t(tensor.stringData.size()) == type.getNumElements())
      return DenseStringElementsAttr::get(type, tensor.stringData);
    subject.error() << "expected " << type.getNumElements()
                    << " strings in string_data, got "
                    << tensor.stringData.size();
    return nullptr;
  }
  std::optional<Bytes> bytes = readBytes(tensor, type, subject);
  if (!bytes)
    return nullptr;
  bool isLarge =
      int64_t(bytes->data.size()) > subject.import.options.maxInlineBytes;
  bool isPacked = !isSpread(tensor, type);
  if (isPacked && isLarge && isa<IntegerType>(type.getElementType()))
    return getResource(type, *bytes, subject.name);
  if (isPacked)
    bytes = spread(*bytes, tensor, type, subject);
  return bytes ? getValue(type, *bytes, subject) : nullptr;
}

ElementsAttr onnx::importTensor(const proto::Tensor &tensor,
                                const Subject &subject) {
  return cast_if_present<ElementsAttr>(subject.import.importOnce(
      &tensor, [&] { return decodeTensor(tensor, subject); }));
}

//===----------------------------------------------------------------------===//
// Sparse tensors
//===----------------------------------------------------------------------===//

/// Row-major position of coordinates; nothing if they lie outside `shape`.
static std::optional<int64_t> getPosition(ArrayRef<int64_t> coordinates,
                                          ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [index, size] : llvm::zip_equal(coordinates, shape)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    position = position * size + index;
  }
  return position;
}

/// SparseTensorProto: `values` at `indices`, which are [NNZ] positions in
/// row-major order or [NNZ, rank] coordinates; zero elsewhere.
static ElementsAttr makeDense(const proto::SparseTensor &tensor,
                              const Subject &subject) {
  auto fail = [&](const Twine &message) {
    subject.error() << message;
    return nullptr;
  };
  RankedTensorType type =
      importTensorType(tensor.dims, tensor.values.dataType, subject);
  RankedTensorType valuesType =
      importTensorType(tensor.values.dims, tensor.values.dataType, subject);
  RankedTensorType indicesType =
      importTensorType(tensor.indices.dims, tensor.indices.dataType, subject);
  if (!type || !valuesType || !indicesType)
    return nullptr;
  if (isa<StringType>(type.getElementType()))
    return fail("expected a sparse tensor of numbers, got strings");

  int64_t count = valuesType.getNumElements();
  int64_t rank = type.getRank();
  ArrayRef<int64_t> shape = indicesType.getShape();
  bool linear = shape == ArrayRef({count});
  if (!indicesType.getElementType().isSignlessInteger(64) ||
      !(linear || shape == ArrayRef({count, rank})))
    return fail("expected int64 indices, one per value or one per value and "
                "dimension");

  int64_t bytesEach = llvm::divideCeil(getStoredBits(type.getElementType()), 8);
  int64_t size = type.getNumElements() * bytesEach;
  auto values = readElements(tensor.values, valuesType, subject);
  auto indexBytes = readElements(tensor.indices, indicesType, subject);
  if (!values || !indexBytes)
    return nullptr;
  SmallVector<int64_t> indices(indicesType.getNumElements());
  llvm::copy(indexBytes->data, reinterpret_cast<char *>(indices.data()));

  if (failed(subject.import.budget.takeBytes(size, "a sparse tensor made dense",
                                             subject)))
    return nullptr;
  std::shared_ptr<llvm::WritableMemoryBuffer> dense =
      llvm::WritableMemoryBuffer::getNewMemBuffer(size);
  if (!dense)
    return fail("expected memory for " + Twine(size) + " bytes, got none");
  int64_t total = type.getNumElements();
  int64_t width = linear ? 1 : rank;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<int64_t> position =
        getPosition(ArrayRef(indices).slice(i * width, width),
                    linear ? ArrayRef(total) : type.getShape());
    if (!position)
      return fail("expected indices inside of the shape, got others for "
                  "value " +
                  Twine(i));
    std::memcpy(dense->getBufferStart() + *position * bytesEach,
                values->data.data() + i * bytesEach, bytesEach);
  }
  std::shared_ptr<llvm::MemoryBuffer> owner = std::move(dense);
  return getValue(type, {owner->getBuffer(), owner}, subject);
}

ElementsAttr onnx::importSparseTensor(const proto::SparseTensor &tensor,
                                      const Subject &subject) {
  return cast_if_present<ElementsAttr>(subject.import.importOnce(
      &tensor, [&] { return makeDense(tensor, subject); }));
}
