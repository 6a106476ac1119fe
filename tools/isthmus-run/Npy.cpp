//===- Npy.cpp - NumPy's file format --------------------------------------===//

#include "Npy.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>

using namespace isthmus;

namespace {

struct Spelling {
  ElementType type;
  llvm::StringLiteral descr;
};

// The first spelling of a type is the one that is written.
constexpr Spelling kSpellings[] = {
    {ElementType::I1, "|b1"},         {ElementType::I8, "|i1"},
    {ElementType::I8, "|u1"},         {ElementType::F8E4M3FN, "|u1"},
    {ElementType::F8E4M3FNUZ, "|u1"}, {ElementType::F8E5M2, "|u1"},
    {ElementType::F8E5M2FNUZ, "|u1"}, {ElementType::I16, "<i2"},
    {ElementType::BF16, "<u2"},       {ElementType::I16, "<u2"},
    {ElementType::I32, "<i4"},        {ElementType::I32, "<u4"},
    {ElementType::I64, "<i8"},        {ElementType::I64, "<u8"},
    {ElementType::F16, "<f2"},        {ElementType::F32, "<f4"},
    {ElementType::F64, "<f8"},        {ElementType::C64, "<c8"},
    {ElementType::C128, "<c16"}};

/// The text after `'key':` in the header's dictionary.
llvm::StringRef field(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == llvm::StringRef::npos
             ? ""
             : header.drop_front(at + key.size() + 3).ltrim();
}

llvm::Error bad(llvm::StringRef path, const llvm::Twine &problem) {
  return llvm::createStringError(path + ": " + problem);
}

} // namespace

llvm::Expected<Tensor> isthmus::readNpy(llvm::StringRef path,
                                        ElementType expected) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return bad(path, file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return bad(path, "expected a .npy file");
  bool wide = bytes[6] >= 2;
  size_t headerSize = wide ? llvm::support::endian::read32le(bytes.data() + 8)
                           : llvm::support::endian::read16le(bytes.data() + 8);
  llvm::StringRef body = bytes.drop_front(wide ? 12 : 10);
  llvm::StringRef header = body.take_front(headerSize);
  body = body.drop_front(std::min(headerSize, body.size()));

  llvm::StringRef descr =
      field(header, "descr").drop_front().take_until([](char c) {
        return c == '\'';
      });
  const Spelling *spelling = nullptr;
  for (const Spelling &candidate : kSpellings)
    if (candidate.descr == descr && (!spelling || candidate.type == expected))
      spelling = &candidate;
  if (!spelling)
    return bad(path, "unknown element type '" + descr + "'");
  if (field(header, "fortran_order").starts_with("True"))
    return bad(path, "expected row-major order, got column-major");

  llvm::SmallVector<int64_t> dims;
  llvm::StringRef shape =
      field(header, "shape").drop_front().take_until([](char c) {
        return c == ')';
      });
  size_t size = sizeOf(spelling->type);
  llvm::SmallVector<llvm::StringRef> parts;
  shape.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    int64_t dim;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, dim))
      return bad(path, "unreadable shape '" + shape + "'");
    dims.push_back(dim);
    size *= dim;
  }
  if (body.size() < size)
    return bad(path, "expected " + llvm::Twine(size) + " bytes of data, got " +
                         llvm::Twine(body.size()));
  std::shared_ptr<void> data(std::malloc(size + 1), std::free);
  std::memcpy(data.get(), body.data(), size);
  return Tensor(spelling->type, dims, data);
}

llvm::Error isthmus::writeNpy(llvm::StringRef path, const Tensor &tensor) {
  llvm::StringRef descr;
  size_t size = sizeOf(tensor.getElementType());
  for (const Spelling &candidate : llvm::reverse(kSpellings))
    if (candidate.type == tensor.getElementType())
      descr = candidate.descr;
  std::string header =
      "{'descr': '" + descr.str() + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.getDims()) {
    header += std::to_string(dim) + ",";
    size *= dim;
  }
  header += "), }";
  // The data starts at a multiple of 64 bytes, the header ends with a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';

  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return bad(path, error.message());
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  os.write("\x93NUMPY\x01\x00", 8);
  os.write(length, 2);
  os << header;
  os.write(static_cast<const char *>(tensor.getData()), size);
  os.close();
  return os.has_error() ? bad(path, os.error().message())
                        : llvm::Error::success();
}
