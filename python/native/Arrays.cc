//===- Arrays.cc - NumPy arrays as tensors and back -----------------------===//

#include "Arrays.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

namespace py = pybind11;
using namespace isthmus;
using llvm::StringRef;

/// A code such as "f4" for float32. NumPy computes the name of a dtype in
/// Python code, and a thread that runs Python code may end there when the
/// interpreter ends.
static std::string codeOf(const py::dtype &dtype) {
  // Those of ml_dtypes: bfloat16, 8-bit floats.
  if (dtype.kind() == 'V' || (dtype.kind() == 'f' && dtype.itemsize() == 1))
    return dtype.attr("type").attr("__name__").cast<std::string>();
  return dtype.kind() + std::to_string(dtype.itemsize());
}

static ElementType elementTypeOf(const py::dtype &dtype) {
  // A linalg integer is signless: the signed and the unsigned dtype of a width
  // map to the same element type.
  auto type = llvm::StringSwitch<std::optional<ElementType>>(codeOf(dtype))
                  .Case("b1", ElementType::I1)
                  .Cases({"i1", "u1"}, ElementType::I8)
                  .Cases({"i2", "u2"}, ElementType::I16)
                  .Cases({"i4", "u4"}, ElementType::I32)
                  .Cases({"i8", "u8"}, ElementType::I64)
                  .Case("f2", ElementType::F16)
                  .Case("bfloat16", ElementType::BF16)
                  .Case("f4", ElementType::F32)
                  .Case("f8", ElementType::F64)
                  .Case("c8", ElementType::C64)
                  .Case("c16", ElementType::C128)
                  .Case("float8_e4m3fn", ElementType::F8E4M3FN)
                  .Case("float8_e4m3fnuz", ElementType::F8E4M3FNUZ)
                  .Case("float8_e5m2", ElementType::F8E5M2)
                  .Case("float8_e5m2fnuz", ElementType::F8E5M2FNUZ)
                  .Default(std::nullopt);
  if (!type)
    throw std::invalid_argument(
        "expected an array of bools, integers, floats or complex numbers, got "
        "dtype " +
        dtype.attr("name").cast<std::string>());
  return *type;
}

const char *dtypeName(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "bool";
  case ElementType::I8:
    return "int8";
  case ElementType::I16:
    return "int16";
  case ElementType::I32:
    return "int32";
  case ElementType::I64:
    return "int64";
  case ElementType::F16:
    return "float16";
  case ElementType::BF16:
    return "bfloat16";
  case ElementType::F32:
    return "float32";
  case ElementType::F64:
    return "float64";
  case ElementType::C64:
    return "complex64";
  case ElementType::C128:
    return "complex128";
  case ElementType::F8E4M3FN:
    return "float8_e4m3fn";
  case ElementType::F8E4M3FNUZ:
    return "float8_e4m3fnuz";
  case ElementType::F8E5M2:
    return "float8_e5m2";
  case ElementType::F8E5M2FNUZ:
    return "float8_e5m2fnuz";
  }
  llvm_unreachable("every element type has a name");
}

/// MLIR writes si64 and ui8; NumPy writes int64 and uint8.
std::string dtypeName(StringRef dtype) {
  auto rest = dtype;
  if (rest.consume_front("si"))
    return "int" + rest.str();
  if (rest.consume_front("ui"))
    return "uint" + rest.str();
  if (rest.consume_front("f8"))
    return "float8_" + rest.lower();
  if (rest.consume_front("f"))
    return "float" + rest.str();
  return dtype.str();
}

/// NumPy has no bfloat16 and no 8-bit floats of its own.
static py::dtype dtypeNamed(StringRef name) {
  if (name == "bfloat16" || name.starts_with("float8"))
    return py::dtype::from_args(
        py::module_::import("ml_dtypes").attr(name.str().c_str()));
  return py::dtype(name.str());
}

static py::dtype dtypeOf(mlir::Type type) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return dtypeNamed("bool");
    std::string sign = integer.isUnsigned() ? "uint" : "int";
    return dtypeNamed(sign + std::to_string(integer.getWidth()));
  }
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return dtypeNamed(complex.getElementType().isF32() ? "complex64"
                                                       : "complex128");
  if (type.isBF16())
    return dtypeNamed("bfloat16");
  if (type.getIntOrFloatBitWidth() == 8) { // f8E4M3FN
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return dtypeNamed(dtypeName(StringRef(text)));
  }
  return dtypeNamed("float" + std::to_string(type.getIntOrFloatBitWidth()));
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

py::array toArray(const Tensor &tensor) {
  auto owner = std::make_unique<std::shared_ptr<void>>(tensor.getOwner());
  py::capsule base(owner.get(), [](void *memory) {
    delete static_cast<std::shared_ptr<void> *>(memory);
  });
  owner.release();
  return py::array(dtypeNamed(dtypeName(tensor.getElementType())),
                   tensor.getDims(), {}, tensor.getData(), base);
}

py::array toArray(const Weight &weight, py::object owner) {
  py::array array(dtypeOf(weight.type.getElementType()), weight.type.getShape(),
                  {}, weight.data.data(), owner);
  // The memory may be a file that is mapped read-only.
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array copyOf(const isthmus_tensor &tensor) {
  auto type = ElementType(tensor.element_type);
  std::vector<py::ssize_t> dims(tensor.dims, tensor.dims + tensor.rank);
  std::vector<py::ssize_t> strides;
  py::dtype dtype = dtypeNamed(dtypeName(type));
  for (int32_t i = 0; i < tensor.rank; ++i)
    strides.push_back(tensor.strides[i] * dtype.itemsize());
  // Without an owner, py::array copies the data.
  return py::array(dtype, dims, strides, tensor.data);
}

std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const py::object &value) {
  isthmus_tensor &target = call.outputs[output];
  auto type = ElementType(target.element_type);
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
      array.attr("astype")(dtypeNamed(dtypeName(type)), py::arg("order") = "C"),
      py::array::c_style);
  // TOSA stores 64-bit integers in 32 bits.
  bool isInteger = array.dtype().kind() == 'i' || array.dtype().kind() == 'u';
  if (isInteger && packed.itemsize() < array.itemsize() &&
      !py::module_::import("numpy")
           .attr("array_equal")(packed, array)
           .cast<bool>())
    return "output " + std::to_string(output) +
           ": expected integers that fit into " + dtypeName(type) +
           ", which the target has in their place";
  std::memcpy(target.data, packed.data(), packed.nbytes());
  return "";
}
