//===- Arrays.cc - NumPy arrays as tensors and back -----------------------===//

#include "Arrays.h"
#include "Errors.h"
#include "cc/lib/C/DLPack.h"
#include <algorithm>
#include <cstring>

namespace py = pybind11;

namespace {

struct Dtype {
  /// Of integers, the signed one.
  const char *name;
  /// NumPy's codes for it, and for the unsigned integer of this width: an
  /// integer of a program is signless.
  std::string_view code, unsignedCode;
};

} // namespace

/// In the order of isthmus_element_type.
static constexpr Dtype dtypes[] = {
    {"bool", "b1", ""},
    {"int8", "i1", "u1"},
    {"int16", "i2", "u2"},
    {"int32", "i4", "u4"},
    {"int64", "i8", "u8"},
    {"float16", "f2", ""},
    {"bfloat16", "bfloat16", ""},
    {"float32", "f4", ""},
    {"float64", "f8", ""},
    {"complex64", "c8", ""},
    {"complex128", "c16", ""},
    {"float8_e4m3fn", "float8_e4m3fn", ""},
    {"float8_e4m3fnuz", "float8_e4m3fnuz", ""},
    {"float8_e5m2", "float8_e5m2", ""},
    {"float8_e5m2fnuz", "float8_e5m2fnuz", ""},
};
static_assert(std::size(dtypes) == ISTHMUS_F8E5M2FNUZ + 1);

/// A code such as "f4" for float32. NumPy computes the name of a dtype in
/// Python code, and a thread that runs Python code may end there when the
/// interpreter ends.
static std::string codeOf(const py::dtype &dtype) {
  // Those of ml_dtypes: bfloat16, 8-bit floats.
  if (dtype.kind() == 'V' || (dtype.kind() == 'f' && dtype.itemsize() == 1))
    return dtype.attr("type").attr("__name__").cast<std::string>();
  return dtype.kind() + std::to_string(dtype.itemsize());
}

static int32_t elementTypeOf(const py::dtype &dtype) {
  std::string code = codeOf(dtype);
  for (const Dtype &known : dtypes)
    if (code == known.code || code == known.unsignedCode)
      return int32_t(&known - dtypes);
  throw std::invalid_argument(
      "expected an array of bools, integers, floats or complex numbers, got "
      "dtype " +
      dtype.attr("name").cast<std::string>());
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
static py::dtype dtypeNamed(const std::string &name) {
  if (name == "bfloat16" || name.rfind("float8", 0) == 0)
    return py::dtype::from_args(
        py::module_::import("ml_dtypes").attr(name.c_str()));
  return py::dtype(name);
}

/// The dtype for that of a constant, which may be signless: "i64", "ui8".
static py::dtype dtypeOfConstant(std::string_view dtype) {
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

ArrayView::ArrayView(const py::array &given) : array(given) {
  elementType = elementTypeOf(array.dtype());
  // Converts the bytes to native order. codeOf() does not depend on the order.
  if (!array.dtype().attr("isnative").cast<bool>())
    array = py::array::ensure(
        array.attr("astype")(array.dtype().attr("newbyteorder")("=")));
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    // Strides count bytes in NumPy and elements here. A stride of a view into a
    // structured array may not be a whole number of elements.
    if (array.strides(i) % array.itemsize() != 0) {
      array = py::array::ensure(array.attr("copy")());
      break;
    }
  }
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    dims.push_back(array.shape(i));
    strides.push_back(array.strides(i) / array.itemsize());
  }
}

ArrayView::operator isthmus_tensor() const {
  return {const_cast<void *>(array.data()), elementType, int32_t(dims.size()),
          const_cast<int64_t *>(dims.data()),
          const_cast<int64_t *>(strides.data())};
}

/// Owns an object for an array.
template <typename T>
static py::capsule capsuleOf(T object) {
  auto owner = std::make_unique<T>(std::move(object));
  py::capsule capsule(owner.get(),
                      [](void *memory) { delete static_cast<T *>(memory); });
  owner.release();
  return capsule;
}

/// A row-major array over memory that `owner` keeps alive.
static py::array arrayOver(const isthmus_tensor &tensor, const py::dtype &dtype,
                           const py::object &owner) {
  std::vector<py::ssize_t> dims(tensor.dims, tensor.dims + tensor.rank);
  return py::array(dtype, dims, {}, tensor.data, owner);
}

static void deleteTensor(DLManagedTensor *tensor) { tensor->deleter(tensor); }

py::array toArray(const isthmus_results &results, size_t index) {
  const isthmus_tensor &tensor = *isthmus_results_tensor(&results, index);
  // An array keeps the memory of one result alone.
  using Memory = Handle<DLManagedTensor, deleteTensor>;
  auto memory = made<Memory>([&](DLManagedTensor **memory) {
    return isthmus_results_dlpack(&results, index, memory);
  });
  return arrayOver(tensor, dtypeNamed(dtypeName(tensor.element_type)),
                   capsuleOf(std::move(memory)));
}

py::array toArray(const std::shared_ptr<isthmus_weights> &weights,
                  size_t index) {
  const isthmus_tensor &tensor = *isthmus_weights_tensor(weights.get(), index);
  py::array array = arrayOver(
      tensor, dtypeOfConstant(isthmus_weights_dtype(weights.get(), index)),
      capsuleOf(weights));
  // The memory may be a file that is mapped read-only.
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array copyOf(const isthmus_tensor &tensor) {
  std::vector<py::ssize_t> dims(tensor.dims, tensor.dims + tensor.rank);
  std::vector<py::ssize_t> strides;
  py::dtype dtype = dtypeNamed(dtypeName(tensor.element_type));
  for (int32_t i = 0; i < tensor.rank; ++i)
    strides.push_back(tensor.strides[i] * dtype.itemsize());
  // Without an owner, py::array copies the data.
  return py::array(dtype, dims, strides, tensor.data);
}

std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const py::object &value) {
  isthmus_tensor &target = call.outputs[output];
  const char *type = dtypeName(target.element_type);
  if (value.is_none()) {
    std::replace(target.dims, target.dims + target.rank, int64_t(-1),
                 int64_t(0));
    return target.data || call.allocate(&call, output) ? "" : "out of memory";
  }
  auto array = value.cast<py::array>();
  bool fits = array.ndim() == target.rank;
  for (int32_t i = 0; fits && i < target.rank; ++i)
    fits = target.dims[i] < 0 || target.dims[i] == array.shape(i);
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
           text(array.shape(), array.shape() + array.ndim());
  }
  if (!target.data) {
    std::copy_n(array.shape(), target.rank, target.dims);
    if (!call.allocate(&call, output))
      return "out of memory";
  }
  py::array packed = py::array::ensure(
      array.attr("astype")(dtypeNamed(type), py::arg("order") = "C"),
      py::array::c_style);
  // TOSA stores 64-bit integers in 32 bits.
  bool isInteger = array.dtype().kind() == 'i' || array.dtype().kind() == 'u';
  if (isInteger && packed.itemsize() < array.itemsize() &&
      !py::module_::import("numpy")
           .attr("array_equal")(packed, array)
           .cast<bool>())
    return "output " + std::to_string(output) +
           ": expected integers that fit into " + type +
           ", which the target has in their place";
  std::memcpy(target.data, packed.data(), packed.nbytes());
  return "";
}
