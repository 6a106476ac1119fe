//===- Safetensors.cpp - The safetensors format ---------------------------===//
//
// 8 bytes, the size of the header; the header, JSON padded with spaces:
//   {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
// and the data, without holes, which the offsets count from.
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "Formats.h"
#include "isthmus/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace isthmus;
using namespace isthmus::weights;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

/// The limit in the format, which avoids parsing gigabytes of JSON.
static constexpr uint64_t maxHeaderSize = 100'000'000;
static constexpr uint64_t prefixSize = 8;
static constexpr uint64_t dataAlignment = 64;

/// The format's field for notes: strings by name. Isthmus records the writer
/// and the program.
static constexpr llvm::StringLiteral metadata = "__metadata__";
static constexpr llvm::StringLiteral writer = "isthmus";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads one entry of the header; returns an empty text if it is valid.
static std::string readEntry(const llvm::json::Value &json, uint64_t dataBegin,
                             WeightExtent &weight) {
  llvm::json::Path::Root root("tensor");
  llvm::json::ObjectMapper object(json, root);
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<uint64_t> offsets;
  if (!object || !object.map("dtype", dtype) || !object.map("shape", shape) ||
      !object.map("data_offsets", offsets))
    return explain(root);
  const ElementType *type = findSafetensorsType(dtype);
  if (!type)
    return "expected a dtype of safetensors, got '" + dtype + "'";
  if (offsets.size() != 2 || offsets[0] > offsets[1] ||
      offsets[1] > UINT64_MAX - dataBegin)
    return "expected data_offsets [BEGIN, END]";
  weight.elementType = type->name.str();
  weight.shape.assign(shape.begin(), shape.end());
  weight.offset = dataBegin + offsets[0];
  weight.length = offsets[1] - offsets[0];
  return "";
}

/// The header; nothing, and a finding, if there is none.
static std::optional<llvm::json::Object> readHeader(StringRef file,
                                                    Findings &findings) {
  if (file.size() < prefixSize) {
    findings.push_back(("expected the 8 bytes that a safetensors file begins "
                        "with, got " +
                        Twine(file.size()))
                           .str());
    return std::nullopt;
  }
  uint64_t size = llvm::support::endian::read64le(file.data());
  if (size > std::min<uint64_t>(file.size() - prefixSize, maxHeaderSize)) {
    findings.push_back(
        ("byte 0: expected a header within the file and of at most " +
         Twine(maxHeaderSize) + " bytes, got " + Twine(size))
            .str());
    return std::nullopt;
  }
  auto json = parseJson(file.substr(prefixSize, size));
  if (!json)
    findings.push_back("header: " + llvm::toString(json.takeError()));
  else if (llvm::json::Object *header = json->getAsObject())
    return std::move(*header);
  else
    findings.push_back("header: expected a JSON object");
  return std::nullopt;
}

std::vector<WeightExtent> weights::readSafetensors(StringRef file,
                                                   Findings &findings) {
  std::optional<llvm::json::Object> header = readHeader(file, findings);
  if (!header)
    return {};
  uint64_t size = llvm::support::endian::read64le(file.data());
  std::vector<WeightExtent> weights;
  for (const auto &[name, entry] : *header) {
    if (StringRef(name) == metadata)
      continue;
    WeightExtent weight;
    weight.name = name.str();
    std::string finding = readEntry(entry, prefixSize + size, weight);
    if (finding.empty())
      weights.push_back(std::move(weight));
    else
      findings.push_back("tensor '" + weight.name + "': " + finding);
  }
  return weights;
}

std::optional<std::string> weights::programOfSafetensors(StringRef file) {
  Findings findings;
  auto header = readHeader(file, findings);
  const llvm::json::Object *notes =
      header ? header->getObject(metadata) : nullptr;
  if (!notes || notes->getString("writer") != StringRef(writer))
    return std::nullopt;
  return notes->getString("program").value_or("").str();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The order of the data: as the format has no padding between tensors, those
/// whose size is a multiple of a larger power of two come first, so that each
/// begins at a multiple of its element's size.
static std::vector<size_t> orderOf(ArrayRef<WeightData> weights) {
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  auto alignment = [&](size_t i) {
    uint64_t size = weights[i].data.size();
    return size ? llvm::MinAlign(size, dataAlignment) : dataAlignment;
  };
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(alignment(b), a) < std::pair(alignment(a), b);
  });
  return order;
}

std::vector<WeightExtent>
isthmus::writeSafetensors(ArrayRef<WeightData> weights, StringRef file,
                          StringRef program, llvm::raw_ostream &os) {
  std::vector<WeightExtent> extents(weights.size());
  std::vector<size_t> order = orderOf(weights);
  std::string header;
  llvm::raw_string_ostream text(header);
  llvm::json::OStream json(text);
  uint64_t end = 0;
  json.objectBegin();
  json.attributeObject(metadata, [&] {
    json.attribute("writer", writer);
    json.attribute("program", llvm::json::fixUTF8(program));
  });
  for (size_t i : order) {
    const WeightData &weight = weights[i];
    uint64_t begin = std::exchange(end, end + weight.data.size());
    extents[i] = {weight.name, weight.elementType, weight.shape, file.str(),
                  begin,       weight.data.size()};
    const ElementType *type = findElementType(weight.elementType);
    bool isKnown = type && !type->safetensors.empty();
    json.attributeObject(weight.name, [&] {
      json.attribute("dtype", isKnown ? type->safetensors : "U8");
      json.attribute("shape", isKnown
                                  ? llvm::json::Array(weight.shape)
                                  : llvm::json::Array({weight.data.size()}));
      json.attribute("data_offsets", llvm::json::Array({begin, end}));
    });
  }
  json.objectEnd();
  header.resize(llvm::alignTo(prefixSize + header.size(), dataAlignment) -
                    prefixSize,
                ' ');

  char prefix[prefixSize];
  llvm::support::endian::write64le(prefix, header.size());
  os << StringRef(prefix, prefixSize) << header;
  for (size_t i : order)
    os << StringRef(weights[i].data.data(), weights[i].data.size());
  for (WeightExtent &extent : extents)
    extent.offset += prefixSize + header.size();
  return extents;
}
