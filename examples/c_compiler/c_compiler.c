/*===- c_compiler.c - A compiler driver in C --------------------------------===
 *
 *   c_compiler MODEL TARGET [OPTION=VALUE ...]
 *
 * Prints a model as text of a dialect. If the JIT runs that dialect, runs the
 * program once, on inputs of ones, and prints the results. Open sizes are 1.
 *
 *===----------------------------------------------------------------------===*/

#include <isthmus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the findings of an error and frees it. Returns whether it was one. */
static int failed(isthmus_error *error) {
  size_t i;
  for (i = 0; i < isthmus_error_count(error); ++i)
    fprintf(stderr, "c_compiler: %s\n", isthmus_error_message(error, i));
  isthmus_error_free(error);
  return error != NULL;
}

/* Sets "narrow_f64=true". Values may have more signs: "specialize=x=1x3". */
static isthmus_error *set_option(isthmus_options *options, const char *text) {
  char name[64];
  size_t length = strcspn(text, "=");
  if (length >= sizeof(name))
    length = sizeof(name) - 1;
  memcpy(name, text, length);
  name[length] = '\0';
  return isthmus_options_set(options, name,
                             text[length] ? text + length + 1 : "true");
}

static int print(void *file, const void *data, size_t size) {
  return fwrite(data, 1, size, (FILE *)file) != size;
}

/* Makes a tensor of ones for an input of f32. Returns whether it did. */
static int make_ones(const isthmus_parameter *input, isthmus_tensor *tensor) {
  size_t rank = isthmus_parameter_rank(input), count = 1, i;
  float *data;
  tensor->element_type = ISTHMUS_F32;
  tensor->rank = (int32_t)rank;
  tensor->strides = NULL;
  tensor->dims = malloc((rank ? rank : 1) * sizeof(int64_t));
  if (!tensor->dims)
    return 0;
  for (i = 0; i < rank; ++i) {
    int64_t size = isthmus_parameter_dim(input, i);
    tensor->dims[i] = size < 0 ? 1 : size;
    count *= (size_t)tensor->dims[i];
  }
  tensor->data = data = malloc((count ? count : 1) * sizeof(float));
  for (i = 0; data && i < count; ++i)
    data[i] = 1;
  return data && isthmus_parameter_element_type(input) == ISTHMUS_F32;
}

static void print_result(const isthmus_parameter *output,
                         const isthmus_tensor *tensor) {
  int64_t count = 1, i;
  printf("%s:", isthmus_parameter_name(output));
  for (i = 0; i < tensor->rank; ++i)
    count *= tensor->dims[i];
  if (tensor->element_type != ISTHMUS_F32)
    printf(" no numbers of f32");
  else
    for (i = 0; i < count; ++i)
      printf(" %g", ((const float *)tensor->data)[i]);
  printf("\n");
}

/* Runs the first function on ones. Returns whether that failed. */
static int run(isthmus_executable *executable) {
  const isthmus_signature *signature =
      isthmus_executable_signature(executable, NULL);
  size_t count = isthmus_signature_input_count(signature), i;
  isthmus_tensor *inputs = calloc(count + 1, sizeof(isthmus_tensor));
  isthmus_results *results = NULL;
  int status = !inputs;
  for (i = 0; !status && i < count; ++i)
    if (!make_ones(isthmus_signature_input(signature, i), &inputs[i])) {
      fprintf(stderr, "c_compiler: expected an input of f32\n");
      status = 1;
    }
  if (!status)
    status = failed(
        isthmus_executable_run(executable, NULL, inputs, count, &results));
  for (i = 0; i < isthmus_results_count(results); ++i)
    print_result(isthmus_signature_output(signature, i),
                 isthmus_results_tensor(results, i));
  isthmus_results_free(results);
  for (i = 0; inputs && i < count; ++i) {
    free(inputs[i].data);
    free(inputs[i].dims);
  }
  free(inputs);
  return status;
}

/* Whether the JIT runs programs of a target. */
static int is_run(const char *target) {
  return !strcmp(target, "linalg") || !strcmp(target, "tosa");
}

int main(int argc, char **argv) {
  isthmus_model *model = NULL;
  isthmus_options *options = NULL;
  isthmus_executable *executable = NULL;
  int status, i;
  if (argc < 3) {
    fprintf(stderr, "usage: c_compiler MODEL TARGET [OPTION=VALUE ...]\n");
    return 2;
  }
  status = failed(isthmus_model_open(argv[1], NULL, &model)) ||
           failed(isthmus_options_create(&options)) ||
           failed(isthmus_options_set(options, "target", argv[2]));
  for (i = 3; !status && i < argc; ++i)
    status = failed(set_option(options, argv[i]));
  if (!status)
    status =
        failed(isthmus_model_lower(model, options)) ||
        failed(isthmus_model_write(model, ISTHMUS_ELIDED_TEXT, print, stdout));
  if (!status && is_run(argv[2]))
    status = failed(isthmus_model_compile(model, NULL, &executable)) ||
             run(executable);
  isthmus_executable_free(executable);
  isthmus_options_free(options);
  isthmus_model_free(model);
  return status;
}
