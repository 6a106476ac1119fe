//===- Arrays.cc - NumPy arrays as tensors and back -----------------------===//

#include "Arrays.h"
#include "Errors.h"
#include "cc/lib/C/DLPack.h"
#include <algorithm>
#include <cstring>

namespace {

struct Dtype {
  /// Of integers, the signed one.
  const char *name;
  /// NumPy's codes for it, and for the unsigned integer of this width: an
  /// integer of a program is signless.
  std::string_view code, unsignedCode;
  int64_t itemSize;
};

} // namespace

/// In the order of isthmus_element_type.
static constexpr Dtype dtypes[] = {
    {"bool", "b1", "", 1},
    {"int8", "i1", "u1", 1},
    {"int16", "i2", "u2", 2},
    {"int32", "i4", "u4", 4},
    {"int64", "i8", "u8", 8},
    {"float16", "f2", "", 2},
    {"bfloat16", "bfloat16", "", 2},
    {"float32", "f4", "", 4},
    {"float64", "f8", "", 8},
    {"complex64", "c8", "", 8},
    {"complex128", "c16", "", 16},
    {"float8_e4m3fn", "float8_e4m3fn", "", 1},
    {"float8_e4m3fnuz", "float8_e4m3fnuz", "", 1},
    {"float8_e5m2", "float8_e5m2", "", 1},
    {"float8_e5m2fnuz", "float8_e5m2fnuz", "", 1},
};
static_assert(std::size(dtypes) == ISTHMUS_F8E5M2FNUZ + 1);

/// A code such as "f4" for float32. NumPy computes the name of a dtype in
/// Python code, and a thread that runs Python code may end there when the
/// interpreter ends.
static std::string codeOf(const Object &dtype) {
  char kind = kindOf(dtype);
  auto size = fromPython<int64_t>(dtype.attr("itemsize").get());
  // Those of ml_dtypes: bfloat16, 8-bit floats.
  if (kind == 'V' || (kind == 'f' && size == 1))
    return fromPython<std::string>(dtype.attr("type").attr("__name__").get());
  return kind + std::to_string(size);
}

/// The dtypes of element types in native byte order, once they are known.
static Object &knownDtype(int32_t elementType) {
  static auto *known = new Object[std::size(dtypes)];
  return known[elementType];
}

static int32_t elementTypeOf(const Object &dtype) {
  for (size_t i = 0; i < std::size(dtypes); ++i)
    if (dtype.get() == knownDtype(i).get())
      return i;
  std::string code = codeOf(dtype);
  for (const Dtype &known : dtypes)
    if (code == known.code || code == known.unsignedCode)
      return int32_t(&known - dtypes);
  throw std::invalid_argument(
      "expected an array of bools, integers, floats or complex numbers, got "
      "dtype " +
      fromPython<std::string>(dtype.attr("name").get()));
}

const char *dtypeName(int32_t elementType) { return dtypes[elementType].name; }

/// Removes a prefix; returns whether the text has it.
static bool consume(std::string_view &text, std::string_view prefix) {
  bool has = text.substr(0, prefix.size()) == prefix;
  if (has)
    text.remove_prefix(prefix.size());
  return has;
}

/// MLIR writes si64 and ui8; NumPy writes int64 and uint8.
std::string dtypeName(std::string_view dtype) {
  auto rest = dtype;
  if (consume(rest, "si"))
    return "int" + std::string(rest);
  if (consume(rest, "ui"))
    return "uint" + std::string(rest);
  if (consume(rest, "f8")) {
    std::string name(rest);
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    return "float8_" + name;
  }
  if (consume(rest, "f"))
    return "float" + std::string(rest);
  return std::string(dtype);
}

/// NumPy has no bfloat16 and no 8-bit floats of its own.
static Object dtypeNamed(const std::string &name) {
  Object dtype = importModule("numpy").attr("dtype");
  if (name == "bfloat16" || name.rfind("float8", 0) == 0)
    return dtype(importModule("ml_dtypes").attr(name.c_str()));
  return dtype(toPython(name));
}

static const Object &dtypeOf(int32_t elementType) {
  Object &known = knownDtype(elementType);
  if (!known)
    known = dtypeNamed(dtypeName(elementType));
  return known;
}

/// The dtype for that of a constant, which may be signless: "i64", "ui8".
static Object dtypeOfConstant(std::string_view dtype) {
  if (dtype == "bf16")
    return dtypeNamed("bfloat16");
  if (consume(dtype, "complex"))
    return dtypeNamed(dtype == "<f32>" ? "complex64" : "complex128");
  if (dtype == "i1" || dtype == "si1" || dtype == "ui1")
    return dtypeNamed("bool");
  if (consume(dtype, "i"))
    return dtypeNamed("int" + std::string(dtype));
  return dtypeNamed(dtypeName(dtype));
}

ArrayView::ArrayView(const Object &given) : array(given) {
  elementType = elementTypeOf(array.dtype());
  // Converts the bytes to native order. codeOf() does not depend on the order.
  if (!isNative(array.dtype()))
    array =
        array.attr("astype")(array.dtype().attr("newbyteorder")(textOf("=")));
  int64_t itemSize = dtypes[elementType].itemSize;
  for (int i = 0; i < array.rank(); ++i) {
    // Strides count bytes in NumPy and elements here. A stride of a view into a
    // structured array may not be a whole number of elements.
    if (array.stride(i) % itemSize != 0) {
      array = array.attr("copy")();
      break;
    }
  }
  for (int i = 0; i < array.rank(); ++i) {
    dims.push_back(array.dim(i));
    strides.push_back(array.stride(i) / itemSize);
  }
}

ArrayView::operator isthmus_tensor() const {
  return {array.data(), elementType, int32_t(dims.size()),
          const_cast<int64_t *>(dims.data()),
          const_cast<int64_t *>(strides.data())};
}

static void deleteTensor(DLManagedTensor *tensor) { tensor->deleter(tensor); }

Object toArray(const isthmus_results &results, size_t index) {
  const isthmus_tensor &tensor = *isthmus_results_tensor(&results, index);
  // An array keeps the memory of one result alone.
  using Memory = Handle<DLManagedTensor, deleteTensor>;
  auto memory = made<Memory>([&](DLManagedTensor **memory) {
    return isthmus_results_dlpack(&results, index, memory);
  });
  return arrayOver({tensor.data, tensor.dims, tensor.rank},
                   dtypeOf(tensor.element_type),
                   dtypes[tensor.element_type].itemSize,
                   std::shared_ptr<void>(std::move(memory)));
}

/// The strides of a tensor in bytes, as NumPy has them.
static std::vector<int64_t> stridesInBytes(const isthmus_tensor &tensor,
                                           int64_t itemSize) {
  std::vector<int64_t> strides(tensor.strides, tensor.strides + tensor.rank);
  for (int64_t &stride : strides)
    stride *= itemSize;
  return strides;
}

Object toArray(const std::shared_ptr<isthmus_weights> &weights, size_t index) {
  const isthmus_tensor &tensor = *isthmus_weights_tensor(weights.get(), index);
  Object dtype = dtypeOfConstant(isthmus_weights_dtype(weights.get(), index));
  auto itemSize = fromPython<int64_t>(dtype.attr("itemsize").get());
  std::vector<int64_t> strides = stridesInBytes(tensor, itemSize);
  // The memory may be a file that is mapped read-only.
  return arrayOver({tensor.data, tensor.dims, tensor.rank, strides.data()},
                   dtype, itemSize, weights, /*isReadOnly=*/true);
}

Object copyOf(const isthmus_tensor &tensor) {
  int64_t itemSize = dtypes[tensor.element_type].itemSize;
  std::vector<int64_t> strides = stridesInBytes(tensor, itemSize);
  return arrayOver({tensor.data, tensor.dims, tensor.rank, strides.data()},
                   dtypeOf(tensor.element_type), itemSize, nullptr)
      .attr("copy")(textOf("A"));
}

std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const Object &value) {
  isthmus_tensor &target = call.outputs[output];
  const char *type = dtypeName(target.element_type);
  if (value.isNone()) {
    std::replace(target.dims, target.dims + target.rank, int64_t(-1),
                 int64_t(0));
    return target.data || call.allocate(&call, output) ? "" : "out of memory";
  }
  Array array(value);
  bool fits = array.rank() == target.rank;
  for (int32_t i = 0; fits && i < target.rank; ++i)
    fits = target.dims[i] < 0 || target.dims[i] == array.dim(i);
  if (!fits) {
    auto text = [](auto begin, auto end) {
      std::string sizes;
      for (; begin != end; ++begin)
        sizes += (sizes.empty() ? "" : "x") +
                 (*begin < 0 ? "?" : std::to_string(*begin));
      return "[" + sizes + "]";
    };
    return "output " + std::to_string(output) + ": expected an array of " +
           text(target.dims, target.dims + target.rank) + ", got " +
           text(array.dims(), array.dims() + array.rank());
  }
  if (!target.data) {
    std::copy_n(array.dims(), target.rank, target.dims);
    if (!call.allocate(&call, output))
      return "out of memory";
  }
  Array packed =
      array.attr("astype")(dtypeOf(target.element_type), textOf("C"));
  // TOSA stores 64-bit integers in 32 bits.
  int64_t itemSize = dtypes[target.element_type].itemSize;
  char kind = kindOf(array.dtype());
  if ((kind == 'i' || kind == 'u') &&
      itemSize < fromPython<int64_t>(array.attr("itemsize").get()) &&
      !fromPython<bool>(
          importModule("numpy").attr("array_equal")(packed, array).get()))
    return "output " + std::to_string(output) +
           ": expected integers that fit into " + type +
           ", which the target has in their place";
  std::memcpy(target.data, packed.data(), packed.count() * itemSize);
  return "";
}
