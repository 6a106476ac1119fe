//===- CallsFuzz.cpp - Fuzzes sequences of calls of the C library ---------===//
//
//   tools/fuzz Calls
//
// The input says which functions are called, in which order, on which objects
// and with which numbers and texts; what is left of it is a model. Each call is
// an error with messages and without a result, or a success with a result.
//
// MLIR's parser ends the process for some texts, so text comes from a list.
// Strides and sizes of memory are right, as the library cannot check them.
//
//===----------------------------------------------------------------------===//

#include "cc/lib/C/DLPack.h"
#include "isthmus.h"
#include "tests/support/fuzz/SanitizerOptions.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr const char *programs[] = {
    R"(func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %y = torch.aten.tanh %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      return %y : !torch.vtensor<[2,3],f32>
    })",
    R"(func.func @main(%x: tensor<2x3xf32>, %y: tensor<i1>) -> (tensor<i1>, tensor<2x3xf32>) {
      return %y, %x : tensor<i1>, tensor<2x3xf32>
    })",
    "func.func @main() { return }",
    "module {}",
    "no program",
};
constexpr const char *formats[] = {nullptr, "",      "onnx",  "pt2",
                                   "mlir",  "model", "tflite"};
constexpr const char *forms[] = {nullptr,    "auto",     "inline", "resource",
                                 "argument", "external", "iree",   "none"};
constexpr const char *names[] = {"torch.aten.tanh", "", nullptr};
constexpr int64_t numbers[] = {0, 1, 2, 3, 4, 8, -1, 4096, 5000, INT32_MIN};

/// The bytes of the input, from its start. Zeros follow its end.
class Input {
public:
  Input(const uint8_t *data, size_t size) : data(data), size(size) {}

  bool isEmpty() const { return size == 0; }

  uint8_t byte() {
    if (!size)
      return 0;
    --size;
    return *data++;
  }

  template <typename T, size_t N>
  T pick(T const (&list)[N]) {
    return list[byte() % N];
  }

  /// A short text.
  std::string text() {
    std::string text;
    for (size_t length = byte() % 32; length && size; --length)
      text += char(byte());
    return text;
  }

  std::string rest() const {
    return std::string(reinterpret_cast<const char *>(data), size);
  }

private:
  const uint8_t *data;
  size_t size;
};

/// Some objects of one kind, and null at first.
template <typename T>
struct Slots {
  explicit Slots(void (*free)(T *)) : free(free) {}
  ~Slots() {
    for (T *object : objects)
      free(object);
  }

  T *&at(Input &input) { return objects[input.byte() % 3]; }
  /// An empty slot, whose object is freed.
  T **next(Input &input) {
    T *&object = at(input);
    free(object);
    object = nullptr;
    return &object;
  }

  T *objects[3] = {};
  void (*free)(T *);
};

/// Aborts if an error has no kind or messages.
bool check(isthmus_error *error) {
  if (!error)
    return true;
  int32_t kind = isthmus_error_kind_of(error);
  if (kind <= ISTHMUS_NO_ERROR || kind >= ISTHMUS_INTERNAL)
    abort();
  size_t count = isthmus_error_count(error);
  if (!count || isthmus_error_message(error, count))
    abort();
  for (size_t i = 0; i < count; ++i)
    if (!std::strlen(isthmus_error_message(error, i)))
      abort();
  isthmus_error_free(error);
  return false;
}

/// Aborts if a call has a result and an error, or neither.
template <typename T>
void check(isthmus_error *error, T *const *result) {
  bool isFine = check(error);
  if (result && isFine != (*result != nullptr))
    abort();
}

int write(void *context, const void *, size_t) {
  return (*static_cast<uint8_t *>(context))-- == 1;
}

class Calls {
public:
  explicit Calls(Input input) : input(input) {}

  void run() {
    // The rest of the input is a model, so that it can be a file.
    for (size_t count = input.byte() % 24; count && !input.isEmpty(); --count)
      call();
    std::string bytes = input.rest();
    isthmus_model *model = nullptr;
    check(isthmus_model_open_buffer(bytes.data(), bytes.size(), nullptr, "onnx",
                                    &model),
          &model);
    if (model)
      check(isthmus_model_lower(model, options.objects[0]));
    isthmus_model_free(model);
  }

private:
  void call() {
    switch (input.byte() % 24) {
    case 0:
      return open();
    case 1: {
      isthmus_model *model = models.at(input), *clone = nullptr;
      check(isthmus_model_clone(model, &clone), &clone);
      *models.next(input) = clone;
      return;
    }
    case 2:
      models.next(input);
      return;
    case 3: {
      auto **made = options.next(input);
      return check(isthmus_options_create(made), made);
    }
    case 4:
    case 5:
      return setOption();
    case 6:
      check(isthmus_model_lower(models.at(input), options.at(input)));
      isthmus_model_warning(models.at(input), input.byte());
      return;
    case 7:
      return convert(models.at(input));
    case 8: {
      auto **made = saveOptions.next(input);
      return check(isthmus_save_options_create(made), made);
    }
    case 9: {
      isthmus_save_options *given = saveOptions.at(input);
      check(isthmus_save_options_set_format(given, input.pick(numbers)));
      check(isthmus_save_options_set_weights(given, input.pick(forms)));
      check(isthmus_save_options_set_in_place(given, input.byte() & 1));
      check(isthmus_save_options_set_min_weight_bytes(given,
                                                      input.pick(numbers)));
      return;
    }
    case 10: {
      isthmus_saved *saved = nullptr;
      check(isthmus_model_save(models.at(input), "/dev/null",
                               saveOptions.at(input), &saved),
            &saved);
      isthmus_saved_free(saved);
      return;
    }
    case 11: {
      auto **made = jitOptions.next(input);
      return check(isthmus_jit_options_create(made), made);
    }
    case 12: {
      isthmus_jit_options *given = jitOptions.at(input);
      check(isthmus_jit_options_set_threads(given, input.byte() & 3));
      check(isthmus_jit_options_set_optimize(given, 0));
      check(isthmus_jit_options_set_check_bounds(given, input.byte() & 1));
      check(isthmus_jit_options_set_kernel(
          given, input.pick(names),
          [](isthmus_kernel_call *) -> const char * { return "refused"; }));
      return;
    }
    case 13: {
      isthmus_executable *made = nullptr;
      check(
          isthmus_model_compile(models.at(input), jitOptions.at(input), &made),
          &made);
      *executables.next(input) = made;
      return;
    }
    case 14:
    case 15:
      return runOnce(executables.at(input));
    case 16:
      check(isthmus_model_raise_custom_ops(models.at(input)));
      return;
    case 17: {
      isthmus_custom_ops *ops = nullptr;
      check(isthmus_model_custom_ops(models.at(input), &ops), &ops);
      isthmus_custom_ops_name(ops, input.byte());
      isthmus_custom_ops_free(ops);
      return;
    }
    case 18: {
      isthmus_open_inputs *inputs = nullptr;
      check(isthmus_model_open_inputs(models.at(input), &inputs), &inputs);
      isthmus_open_inputs_size(inputs, input.byte() & 1, input.byte());
      isthmus_open_inputs_free(inputs);
      return;
    }
    case 19:
      return addOption();
    case 20: {
      isthmus_weights *weights = nullptr;
      isthmus_model *model = models.at(input);
      check(input.byte() % 2
                ? isthmus_model_hoist_named_weights(model, &weights)
                : isthmus_model_hoist_weights(model, input.pick(numbers),
                                              &weights),
            &weights);
      isthmus_weights_tensor(weights, input.byte());
      isthmus_weights_free(weights);
      return;
    }
    case 21:
      return writeFact(models.at(input));
    case 22:
      return openRecords();
    default:
      executables.next(input);
    }
  }

  void open() {
    const char *text = input.pick(programs);
    const char *format = input.pick(formats);
    // As ONNX, a text is one more invalid model.
    auto **made = models.next(input);
    check(isthmus_model_open_buffer(text, std::strlen(text), nullptr, format,
                                    made),
          made);
  }

  void setOption() {
    std::string name = input.text(), value = input.text();
    if (input.byte() & 1)
      if (const char *known =
              isthmus_option_name(input.byte() % isthmus_option_count()))
        name = known;
    if (name.find("pattern") != std::string::npos)
      return; // it names files
    check(isthmus_options_set(options.at(input), name.c_str(), value.c_str()));
  }

  /// Adds a name of any bytes or sizes to an option that may take neither.
  void addOption() {
    isthmus_options *given = options.at(input);
    std::string text = input.text();
    const char *name =
        isthmus_option_name(input.byte() % isthmus_option_count());
    if (name && std::strstr(name, "pattern"))
      return; // it names files
    int64_t sizes[2] = {input.pick(numbers), input.pick(numbers)};
    if (input.byte() & 1)
      check(isthmus_options_add(given, name, text.data(), text.size()));
    else
      check(isthmus_options_add_shape(given, name, text.data(), text.size(),
                                      sizes, input.byte() % 3));
  }

  void writeFact(const isthmus_model *model) {
    uint8_t pieces = input.byte();
    constexpr decltype(&isthmus_model_write_nodes) facts[] = {
        isthmus_model_write_graph, isthmus_model_write_nodes,
        isthmus_model_write_notes, isthmus_model_write_op_counts};
    auto fact = input.pick(facts);
    check(fact(model, write, &pieces));
  }

  /// Opens records of no program.
  void openRecords() {
    static const char bytes[] = "{}";
    isthmus_records *records = nullptr;
    check(isthmus_records_create(&records), &records);
    for (size_t count = input.byte() % 3; count; --count)
      check(isthmus_records_add(records, input.text().c_str(), bytes,
                                sizeof(bytes) - 1, nullptr, nullptr));
    auto **made = models.next(input);
    check(isthmus_model_open_records(records, input.pick(names), made), made);
    isthmus_records_free(records);
  }

  void convert(const isthmus_model *model) {
    uint8_t pieces = input.byte();
    check(isthmus_model_write(model, int32_t(input.pick(numbers)), write,
                              &pieces));
  }

  /// Runs a function on tensors that often fit the first program.
  void runOnce(isthmus_executable *executable) {
    float data[6] = {};
    int64_t dims[2] = {2, 3}, wrong[2] = {input.pick(numbers), 3};
    isthmus_tensor tensors[3];
    for (isthmus_tensor &tensor : tensors) {
      tensor = {data, ISTHMUS_F32, 2, dims, nullptr};
      switch (input.byte() % 8) {
      case 0:
        tensor.dims = wrong[0] == 2 ? nullptr : wrong;
        break;
      case 1:
        tensor.element_type = int32_t(input.pick(numbers));
        break;
      case 2:
        tensor.rank = int32_t(input.pick(numbers));
        if (tensor.rank > 2)
          tensor.dims = nullptr;
        break;
      case 3:
        tensor.data = nullptr;
        break;
      case 4:
        tensor = {data, ISTHMUS_I1, 0, nullptr, nullptr};
      }
    }
    isthmus_results *results = nullptr;
    std::string name = input.byte() & 1 ? "main" : input.text();
    check(isthmus_executable_run(executable, name.c_str(), tensors,
                                 input.byte() % 4, &results),
          &results);
    for (size_t i = 0; i < isthmus_results_count(results); ++i) {
      DLManagedTensor *tensor = nullptr;
      check(isthmus_results_dlpack(results, i, &tensor), &tensor);
      isthmus_results *again = nullptr;
      check(isthmus_executable_run_dlpack(executable, nullptr, &tensor, 1,
                                          &again),
            &again);
      isthmus_results_free(again);
      tensor->deleter(tensor);
    }
    isthmus_results_free(results);
  }

  Input input;
  Slots<isthmus_model> models{isthmus_model_free};
  Slots<isthmus_options> options{isthmus_options_free};
  Slots<isthmus_save_options> saveOptions{isthmus_save_options_free};
  Slots<isthmus_jit_options> jitOptions{isthmus_jit_options_free};
  Slots<isthmus_executable> executables{isthmus_executable_free};
};

} // namespace

/// Turns off the leak checker: MLIR's parser leaks memory when it fails.
extern "C" int __lsan_is_turned_off() { return 1; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Calls(Input(data, size)).run();
  return 0;
}
