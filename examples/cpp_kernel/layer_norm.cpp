//===- layer_norm.cpp - A custom op with a kernel, from C++ ---------------===//
//
// Compiles a model whose layer normalization stays a custom op, runs it with a
// kernel in this file, and prints the result:
//
//   bazel run //examples/cpp_kernel:layer_norm
//
//===----------------------------------------------------------------------===//

#include "isthmus/Api/Api.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace isthmus;

/// nn.LayerNorm(4) on two rows.
static const char *program = R"(
func.func @main(%x: !torch.vtensor<[2,4],f32>, %weight: !torch.vtensor<[4],f32>, %bias: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> {
  %int4 = torch.constant.int 4
  %shape = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %eps = torch.constant.float 1.000000e-05
  %true = torch.constant.bool true
  %y = torch.aten.layer_norm %x, %shape, %weight, %bias, %eps, %true : !torch.vtensor<[2,4],f32>, !torch.list<int>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}
)";

/// The value of the op's argument of a name. docs/custom_ops.md describes the
/// JSON.
static double argument(const char *attributes, llvm::StringRef name) {
  llvm::json::Value says = llvm::cantFail(llvm::json::parse(attributes));
  for (const auto &argument : *says.getAsObject()->getArray("arguments"))
    if (argument.getAsObject()->getString("name") == name)
      return *argument.getAsObject()->getNumber("value");
  return 0;
}

static float at(const isthmus_tensor &tensor, int64_t row, int64_t column) {
  return static_cast<const float *>(
      tensor.data)[row * tensor.strides[0] + column * tensor.strides[1]];
}

/// y = (x - mean) / sqrt(variance + eps) * weight + bias, along the rows.
static const char *layerNorm(isthmus_kernel_call *call) {
  const isthmus_tensor &x = call->inputs[0];
  if (x.element_type != ISTHMUS_F32 || x.rank != 2 || call->num_inputs != 3)
    return "expected a matrix of f32 with weight and bias";
  double eps = argument(call->attributes, "eps");
  auto *y = static_cast<float *>(call->outputs[0].data); // row-major
  auto *weight = static_cast<const float *>(call->inputs[1].data);
  auto *bias = static_cast<const float *>(call->inputs[2].data);
  int64_t rows = x.dims[0], columns = x.dims[1];
  for (int64_t i = 0; i < rows; ++i) {
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < columns; ++j) {
      sum += at(x, i, j);
      squares += double(at(x, i, j)) * at(x, i, j);
    }
    double mean = sum / columns;
    double scale = 1 / std::sqrt(squares / columns - mean * mean + eps);
    for (int64_t j = 0; j < columns; ++j)
      y[i * columns + j] = (at(x, i, j) - mean) * scale *
                               weight[j * call->inputs[1].strides[0]] +
                           bias[j * call->inputs[2].strides[0]];
  }
  return nullptr;
}

static llvm::Error run() {
  auto model = Model::open(
      llvm::MemoryBuffer::getMemBuffer(program, "layer_norm"), {"mlir"});
  if (!model)
    return model.takeError();
  LowerOptions lowering;
  lowering.target = "linalg";
  lowering.customOps = {"aten.layer_norm"};
  if (llvm::Error error = model->lower(lowering))
    return error;

  JitOptions options;
  options.kernels["torch.aten.layer_norm"] = kernelOf(layerNorm);
  auto executable = model->compile(options);
  if (!executable)
    return executable.takeError();
  float x[] = {1, 2, 3, 4, 0, 0, 4, 4}, weight[] = {1, 1, 1, 2},
        bias[] = {0, 0, 0, 1};
  llvm::SmallVector<Tensor> outputs;
  if (llvm::Error error = (*executable)
                              ->run("main",
                                    {{x, ElementType::F32, {2, 4}},
                                     {weight, ElementType::F32, {4}},
                                     {bias, ElementType::F32, {4}}},
                                    outputs))
    return error;
  auto *y = static_cast<const float *>(outputs.front().getData());
  for (int i = 0; i < 8; ++i)
    llvm::outs() << llvm::format("%.4f", y[i]) << (i % 4 == 3 ? '\n' : ' ');
  return llvm::Error::success();
}

int main() {
  if (llvm::Error error = run()) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
