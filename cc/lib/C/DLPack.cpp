//===- DLPack.cpp - Runs of executables on tensors of DLPack --------------===//

#include "DLPack.h"
#include "Executables.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace isthmus;
using namespace isthmus::c;

namespace {

struct Dtype {
  ElementType type;
  dlpack::Code code;
  uint8_t bits;
};

/// An output in a tensor's `manager_ctx`.
struct SharedOutput {
  DLManagedTensor tensor;
  Output output;
};

} // namespace

/// Signless integers are here with their signed dtype.
static constexpr Dtype dtypes[] = {
    {ElementType::I1, dlpack::Bool, 8},
    {ElementType::I8, dlpack::Int, 8},
    {ElementType::I16, dlpack::Int, 16},
    {ElementType::I32, dlpack::Int, 32},
    {ElementType::I64, dlpack::Int, 64},
    {ElementType::F16, dlpack::Float, 16},
    {ElementType::BF16, dlpack::BFloat, 16},
    {ElementType::F32, dlpack::Float, 32},
    {ElementType::F64, dlpack::Float, 64},
    {ElementType::C64, dlpack::Complex, 64},
    {ElementType::C128, dlpack::Complex, 128},
    {ElementType::F8E4M3FN, dlpack::Float8E4M3FN, 8},
    {ElementType::F8E4M3FNUZ, dlpack::Float8E4M3FNUZ, 8},
    {ElementType::F8E5M2, dlpack::Float8E5M2, 8},
    {ElementType::F8E5M2FNUZ, dlpack::Float8E5M2FNUZ, 8},
};

/// Whether the model's integers are unsigned and as wide as the program's.
static bool isUnsigned(const Parameter &parameter, unsigned bits) {
  return parameter.dtype == "ui" + std::to_string(bits);
}

static DLDataType dtypeOf(const Parameter &parameter) {
  const Dtype *found = llvm::find_if(dtypes, [&](const Dtype &each) {
    return each.type == parameter.type.elementType;
  });
  bool hasSign =
      found->code != dlpack::Int || !isUnsigned(parameter, found->bits);
  return {hasSign ? uint8_t(found->code) : uint8_t(dlpack::UInt), found->bits,
          1};
}

/// "code 2, 32 bits".
static std::string textOf(DLDataType dtype) {
  std::string lanes =
      dtype.lanes == 1 ? "" : ", " + std::to_string(dtype.lanes) + " lanes";
  return "code " + std::to_string(dtype.code) + ", " +
         std::to_string(dtype.bits) + " bits" + lanes;
}

static isthmus_error *read(size_t index, const DLManagedTensor *managed,
                           const Parameter &parameter, TensorView &view) {
  if (!managed)
    return badInput(index, "expected a tensor, got null");
  const DLTensor &tensor = managed->dl_tensor;
  if (tensor.device.device_type != dlpack::kCpu)
    return badInput(index, "expected memory of the CPU, device 1, got device " +
                               llvm::Twine(tensor.device.device_type));
  if (isthmus_error *error =
          checkTensor(index, tensor.ndim, tensor.shape, tensor.data))
    return error;
  DLDataType expected = dtypeOf(parameter), got = tensor.dtype;
  if (expected.code != got.code || expected.bits != got.bits || got.lanes != 1)
    return badInput(index, "expected a dtype of " + textOf(expected) +
                               ", got " + textOf(got));
  view.data = tensor.data
                  ? static_cast<const char *>(tensor.data) + tensor.byte_offset
                  : nullptr;
  view.elementType = parameter.type.elementType;
  view.dims = {tensor.shape, size_t(tensor.ndim)};
  if (tensor.strides)
    view.strides = {tensor.strides, size_t(tensor.ndim)};
  return nullptr;
}

isthmus_error *isthmus_executable_run_dlpack(isthmus_executable *executable,
                                             const char *name,
                                             DLManagedTensor *const *inputs,
                                             size_t num_inputs,
                                             isthmus_results **results) {
  auto readInput = [&](const Signature &signature, size_t i,
                       TensorView &view) -> isthmus_error * {
    if (i >= signature.inputs.size())
      return nullptr; // a wrong number is an error of the run
    return read(i, inputs[i], signature.inputs[i], view);
  };
  return run(executable, name, inputs, num_inputs, readInput, results);
}

isthmus_error *isthmus_results_dlpack(const isthmus_results *results,
                                      size_t index, DLManagedTensor **tensor) {
  return guarded("tensor", tensor, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"results", results}}))
      return error;
    if (index >= results->outputs.size())
      return badArgument("index: expected one below " +
                         llvm::Twine(results->outputs.size()) + ", got " +
                         llvm::Twine(index));
    auto *shared = new SharedOutput{{}, results->outputs[index]};
    Output &output = shared->output;
    DLTensor &made = shared->tensor.dl_tensor;
    made.data = output.tensor.getData();
    made.device = {dlpack::kCpu, 0};
    made.ndim = int32_t(output.dims.size());
    made.dtype = dtypeOf(output.parameter);
    made.shape = output.dims.data();
    made.strides = output.strides.data();
    shared->tensor.manager_ctx = shared;
    shared->tensor.deleter = [](DLManagedTensor *self) {
      delete static_cast<SharedOutput *>(self->manager_ctx);
    };
    *tensor = &shared->tensor;
    return nullptr;
  });
}
