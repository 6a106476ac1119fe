//===- Kernels.cpp - Calls of kernels for custom ops ----------------------===//

#include "Kernels.h"
#include "Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using llvm::Expected;

static_assert(int(ElementType::I1) == ISTHMUS_I1 &&
                  int(ElementType::F32) == ISTHMUS_F32 &&
                  int(ElementType::F8E5M2FNUZ) == ISTHMUS_F8E5M2FNUZ,
              "Kernel.h spells out the element types in the same order");

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void isthmus::declareCustomOps(mlir::ModuleOp module) {
  mlir::SymbolTable symbols(module);
  llvm::StringMap<mlir::func::FuncOp> declared;
  module.walk([&](mlir::tosa::CustomOp op) {
    mlir::OpBuilder builder(op);
    auto type =
        builder.getFunctionType(op->getOperandTypes(), op->getResultTypes());
    auto says = builder.getDictionaryAttr(
        {builder.getNamedAttr("attributes", op.getImplementationAttrsAttr()),
         builder.getNamedAttr("domain", op.getDomainNameAttr()),
         builder.getNamedAttr("name", op.getOperatorNameAttr())});
    std::string key;
    llvm::raw_string_ostream(key) << type << says;
    mlir::func::FuncOp &function = declared[key];
    if (!function) {
      function =
          mlir::func::FuncOp::create(op.getLoc(), op.getOperatorName(), type);
      function.setPrivate();
      function->setAttr(kCustomOpAttr, says);
      symbols.insert(function);
    }
    auto call = mlir::func::CallOp::create(builder, op.getLoc(), function,
                                           op->getOperands());
    op->replaceAllUsesWith(call.getResults());
    op->erase();
  });
}

static llvm::StringRef nameOf(mlir::func::FuncOp function) {
  auto says = function->getAttrOfType<mlir::DictionaryAttr>(kCustomOpAttr);
  auto name = says ? says.getAs<mlir::StringAttr>("name") : nullptr;
  return name ? name.getValue() : "";
}

/// Inlines a function with a one-block body at a call of it.
static void expand(mlir::func::CallOp call, mlir::func::FuncOp function) {
  mlir::OpBuilder builder(call);
  mlir::IRMapping values;
  values.map(function.getArguments(), call.getOperands());
  mlir::Block &body = function.getBody().front();
  for (mlir::Operation &op : body.without_terminator())
    builder.clone(op, values);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookupOrDefault(value));
  call.erase();
}

/// Inlines the calls of `expanded` functions in a function, recursively. Calls
/// of recursive functions remain.
static void expandCalls(mlir::func::FuncOp caller,
                        const llvm::SetVector<mlir::func::FuncOp> &expanded,
                        llvm::DenseSet<mlir::func::FuncOp> &visited,
                        mlir::SymbolTable &symbols) {
  if (!visited.insert(caller).second)
    return;
  llvm::SmallVector<mlir::func::CallOp> calls;
  caller.walk([&](mlir::func::CallOp call) { calls.push_back(call); });
  for (mlir::func::CallOp call : calls) {
    auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
    if (!callee || !expanded.contains(callee))
      continue;
    expandCalls(callee, expanded, visited, symbols);
    expand(call, callee);
  }
}

/// No kernel reads the tensor that represents None: replaces it by zeros.
static void dropNone(mlir::func::FuncOp none, mlir::ModuleOp module) {
  module.walk([&](mlir::func::CallOp call) {
    if (call.getCallee() != none.getName())
      return;
    mlir::OpBuilder builder(call);
    for (mlir::OpResult result : call.getResults())
      if (auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
          type && type.hasStaticShape())
        result.replaceAllUsesWith(mlir::arith::ConstantOp::create(
            builder, call.getLoc(), builder.getZeroAttr(type)));
    if (call.use_empty())
      call.erase();
  });
  if (mlir::SymbolTable::symbolKnownUseEmpty(none, module))
    none.erase();
}

void isthmus::expandBodies(mlir::ModuleOp module,
                           const llvm::StringMap<Kernel> &kernels) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
    if (function.isExternal() && nameOf(function) == "torch.constant.none")
      dropNone(function, module);
  mlir::SymbolTable symbols(module);
  llvm::SetVector<mlir::func::FuncOp> expanded;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    llvm::StringRef name = nameOf(function);
    if (function.isExternal() || name.empty())
      continue;
    if (kernels.contains(name))
      function.eraseBody();
    else if (function.getBody().hasOneBlock())
      expanded.insert(function);
  }
  llvm::DenseSet<mlir::func::FuncOp> visited;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    expandCalls(function, expanded, visited, symbols);
  auto uses = mlir::SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return;
  llvm::DenseSet<mlir::StringAttr> used;
  for (mlir::SymbolTable::SymbolUse use : *uses)
    used.insert(use.getSymbolRef().getRootReference());
  for (mlir::func::FuncOp function : expanded)
    if (!used.contains(function.getSymNameAttr()))
      symbols.erase(function);
}

/// The types as the kernel sees them; fails if one is not a ranked tensor.
static std::optional<llvm::SmallVector<TensorType>>
tensorTypes(mlir::TypeRange types) {
  llvm::SmallVector<TensorType> tensors;
  for (mlir::Type type : types) {
    auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
    auto element =
        tensor ? elementTypeOf(tensor.getElementType()) : std::nullopt;
    if (!element)
      return std::nullopt;
    TensorType &own = tensors.emplace_back();
    own.elementType = *element;
    for (int64_t dim : tensor.getShape())
      own.dims.push_back(mlir::ShapedType::isDynamic(dim) ? kAnySize : dim);
  }
  return tensors;
}

Expected<std::vector<std::unique_ptr<BoundKernel>>>
isthmus::bindKernels(mlir::ModuleOp module,
                     const llvm::StringMap<Kernel> &kernels) {
  std::vector<std::unique_ptr<BoundKernel>> all;
  std::vector<std::string> missing;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    auto says = function->getAttrOfType<mlir::DictionaryAttr>(kCustomOpAttr);
    if (!function.isExternal() || !says)
      continue;
    auto bound = std::make_unique<BoundKernel>();
    bound->function = function.getName().str();
    if (auto name = says.getAs<mlir::StringAttr>("name"))
      bound->name = name.str();
    if (auto attributes = says.getAs<mlir::StringAttr>("attributes"))
      bound->attributes = attributes.str();
    auto found = kernels.find(bound->name);
    if (found == kernels.end()) {
      missing.push_back("custom op '" + bound->name +
                        "': expected a kernel, got none; register one under "
                        "this name: isthmus.register_kernel in Python, "
                        "JitOptions::kernels in C++");
      continue;
    }
    bound->kernel = found->second;
    auto inputs = tensorTypes(function.getArgumentTypes());
    auto outputs = tensorTypes(function.getResultTypes());
    if (!inputs || !outputs)
      return llvm::createStringError(
          "custom op '" + bound->name +
          "': expected ranked tensors of element types that run here");
    bound->inputs = std::move(*inputs);
    bound->outputs = std::move(*outputs);
    all.push_back(std::move(bound));
    // Only the kernel's own results are written to.
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.setArgAttr(i, "bufferization.access",
                          mlir::StringAttr::get(module.getContext(), "read"));
  }
  llvm::sort(missing);
  missing.erase(llvm::unique(missing), missing.end());
  if (!missing.empty())
    return llvm::createStringError(llvm::join(missing, "\n"));
  return all;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

struct Call : isthmus_kernel_call {
  Call(const BoundKernel &bound, const uint64_t *words) {
    name = bound.name.c_str();
    attributes = bound.attributes.c_str();
    num_inputs = bound.inputs.size();
    num_outputs = bound.outputs.size();
    allocate = &Call::allocateOutput;
    size_t dims = 0;
    for (const auto *types : {&bound.inputs, &bound.outputs})
      for (const TensorType &type : *types)
        dims += type.dims.size();
    sizes.reserve(2 * dims); // never reallocates: tensors point into it
    for (const TensorType &type : bound.inputs) {
      size_t rank = type.dims.size();
      auto *data = reinterpret_cast<char *>(words[1]) +
                   int64_t(words[2]) * int64_t(sizeOf(type.elementType));
      auto *own = reinterpret_cast<const int64_t *>(words + 3);
      add(type, {own, rank}, {own + rank, rank}, data);
      words += 3 + 2 * rank;
    }
    for (const TensorType &type : bound.outputs) {
      llvm::SmallVector<int64_t> strides(type.dims.size(), 0);
      add(type, type.dims, strides, nullptr);
    }
    inputs = tensors.data();
    outputs = tensors.data() + num_inputs;
    for (int32_t i = 0; i < num_outputs; ++i)
      if (!llvm::is_contained(bound.outputs[i].dims, kAnySize))
        allocateOutput(this, i);
  }

  /// Allocates row-major memory for the current dims of the output.
  static void *allocateOutput(isthmus_kernel_call *call, int32_t output) {
    isthmus_tensor &tensor = call->outputs[output];
    int64_t stride = 1;
    for (int32_t i = tensor.rank - 1; i >= 0; --i) {
      if (tensor.dims[i] < 0)
        return nullptr;
      tensor.strides[i] = stride;
      stride *= tensor.dims[i];
    }
    size_t size = sizeOf(ElementType(tensor.element_type));
    return tensor.data = RunContext::current->allocate(stride * size);
  }

  /// Writes the memrefs of the outputs; returns an error message, or "" on
  /// success.
  std::string writeResults(const BoundKernel &bound, uint64_t *words) const {
    for (int32_t i = 0; i < num_outputs; ++i) {
      const isthmus_tensor &tensor = outputs[i];
      llvm::ArrayRef<int64_t> dims(tensor.dims, tensor.rank);
      bool fits = tensor.data;
      for (auto [own, asked] : llvm::zip_equal(dims, bound.outputs[i].dims))
        fits &= own >= 0 && (asked == kAnySize || own == asked);
      if (!fits)
        return "expected output " + std::to_string(i) + " to be " +
               bound.outputs[i].str() + ", got " +
               TensorType{bound.outputs[i].elementType,
                          {dims.begin(), dims.end()}}
                   .str() +
               (tensor.data ? "" : " without memory");
      words[0] = words[1] = reinterpret_cast<uint64_t>(tensor.data);
      words[2] = 0;
      std::copy(dims.begin(), dims.end(), words + 3);
      std::copy_n(tensor.strides, tensor.rank, words + 3 + tensor.rank);
      words += 3 + 2 * tensor.rank;
    }
    return "";
  }

private:
  void add(const TensorType &type, llvm::ArrayRef<int64_t> dims,
           llvm::ArrayRef<int64_t> strides, void *data) {
    auto keep = [&](llvm::ArrayRef<int64_t> values) {
      size_t begin = sizes.size();
      llvm::append_range(sizes, values);
      return sizes.data() + begin;
    };
    int64_t *ownDims = keep(dims);
    tensors.push_back({data, int32_t(type.elementType), int32_t(dims.size()),
                       ownDims, keep(strides)});
  }

  std::vector<int64_t> sizes;
  std::vector<isthmus_tensor> tensors;
};

} // namespace

/// Returns true if the kernel succeeded. Its locals are destroyed before the
/// run is left by a jump.
static bool runKernel(const BoundKernel &bound, const uint64_t *arguments,
                      uint64_t *results) {
  Call call(bound, arguments);
  std::string mistake = bound.kernel(call);
  if (mistake.empty())
    mistake = call.writeResults(bound, results);
  if (mistake.empty())
    return true;
  RunContext::current->recordFailure(
      "custom op '" + bound.name + "': " + mistake, /*isOfKernel=*/true);
  return false;
}

void isthmus::isthmusCallKernel(const BoundKernel *bound, uint64_t *arguments,
                                uint64_t *results) {
  if (!runKernel(*bound, arguments, results))
    leave();
}
