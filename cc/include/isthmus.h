/*===- isthmus.h - Isthmus as a C library -----------------------------------===
 *
 * Reads ONNX models and exported PyTorch programs, lowers them to a dialect of
 * MLIR, writes them, and runs them on this machine.
 *
 *   isthmus_model *model = NULL;
 *   isthmus_options *options = NULL;
 *   isthmus_error *error = isthmus_model_open("model.onnx", NULL, &model);
 *   if (!error)
 *     error = isthmus_options_create(&options);
 *   if (!error)
 *     error = isthmus_options_set(options, "target", "tosa");
 *   if (!error)
 *     error = isthmus_model_lower(model, options);
 *   if (!error)
 *     error = isthmus_model_save(model, "model.mlir", NULL, NULL);
 *   for (size_t i = 0; i < isthmus_error_count(error); ++i)
 *     fprintf(stderr, "%s\n", isthmus_error_message(error, i));
 *   isthmus_error_free(error);
 *   isthmus_options_free(options);
 *   isthmus_model_free(model);
 *
 * Errors. A function that can fail returns null, or an error that the caller
 * frees. A function never throws, exits or prints, except to a file that the
 * caller names. A null handle, a null pointer, an unknown name, a number out of
 * range and a tensor that does not fit are errors. Each function says what it
 * cannot check, such as whether memory has the size that it is given. No
 * function notices a pointer to freed memory.
 *
 * Memory. A call that reads, lowers or writes without memory left is an error,
 * ISTHMUS_OUT_OF_MEMORY. Its model, and those that share its context, then only
 * give errors, and MLIR may have lost data that other models need: free what is
 * there and end the process. A compilation without memory can end the process
 * by itself, and so can a mistake in LLVM, or MLIR that is not trusted
 * (docs/security.md). isthmus_on_out_of_memory calls the program first.
 *
 * Ownership. A `create`, `open`, `clone`, `compile`, `run` or list function
 * gives the caller an object for the matching `free`, which takes null. After
 * an error its result is null. Functions copy their arguments unless they say
 * otherwise. A returned text is UTF-8 if the model's names are; it ends at its
 * first null byte, and lives as long as the object it was asked of. A message
 * has "\00" in place of a null byte.
 *
 * Threads. Any thread may call any function. Calls on a model and its clones,
 * which share a context, wait for each other; runs of executables and `free` do
 * not. The other objects are for one thread at a time. An object must not be in
 * use when it is freed. In the child of a fork, no call is in progress.
 *
 * Callbacks must return: they neither throw nor jump. They must not use the
 * model whose function calls them.
 *
 * docs/c_library.md has a program that uses this header.
 *
 *===----------------------------------------------------------------------===*/

#ifndef ISTHMUS_H
#define ISTHMUS_H

#include "isthmus/Runtime/Kernel.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===
 * The library
 *===----------------------------------------------------------------------===*/

/* The ABI of this header. Functions, constants and options are added without a
 * change of this number; other changes increase it and rename the library. */
#define ISTHMUS_ABI_VERSION 0

/* The ABI of the library: compare it with ISTHMUS_ABI_VERSION. */
int32_t isthmus_abi_version(void);

/* The version of Isthmus: "0.1.0". */
const char *isthmus_version(void);

/* The optional parts of this build: "jit", "linalg", "mhlo", "onnx", "pt2",
 * "tosa". A request for another part is an error, ISTHMUS_MISSING_PART. */
size_t isthmus_part_count(void);
/* The name of a part. Null beyond the last. */
const char *isthmus_part_name(size_t index);

/* The targets of this build, such as "tosa". */
size_t isthmus_target_count(void);
/* The name of a target. Null beyond the last. */
const char *isthmus_target_name(size_t index);

/* Takes the next bytes. Nonzero ends the work with ISTHMUS_STOPPED. */
typedef int (*isthmus_write)(void *context, const void *data, size_t size);

/* When memory runs out, calls `handler` on the thread that finds it, before the
 * function returns its error. The handler may end the process and must not
 * allocate. Null removes it. */
void isthmus_on_out_of_memory(void (*handler)(void *context), void *context);

/*===----------------------------------------------------------------------===
 * Errors
 *===----------------------------------------------------------------------===*/

/* What went wrong. */
enum isthmus_error_kind {
  ISTHMUS_NO_ERROR,
  ISTHMUS_BAD_MODEL,     /* the file or buffer is invalid */
  ISTHMUS_UNSUPPORTED,   /* a valid model that this version cannot lower */
  ISTHMUS_MISSING_PART,  /* the build omits the requested part */
  ISTHMUS_SYSTEM,        /* the system refused: no such file, a full disk */
  ISTHMUS_INPUT,         /* the tensors do not fit the program */
  ISTHMUS_KERNEL,        /* a kernel of a custom op failed */
  ISTHMUS_STOPPED,       /* a callback ended the work */
  ISTHMUS_ARGUMENT,      /* an argument of the function is invalid */
  ISTHMUS_OUT_OF_MEMORY, /* the process has no more memory */
  ISTHMUS_INTERNAL       /* a mistake in the library or in LLVM */
};

/* One or more findings of one kind. */
typedef struct isthmus_error isthmus_error;

/* The kind; ISTHMUS_NO_ERROR for null. */
int32_t isthmus_error_kind_of(const isthmus_error *error);
/* The number of findings; 0 for null. */
size_t isthmus_error_count(const isthmus_error *error);
/* A finding: "model.onnx: node 'Conv_0': expected …, got …". Null beyond the
 * last. */
const char *isthmus_error_message(const isthmus_error *error, size_t index);
/* Takes null too, as every `free`. */
void isthmus_error_free(isthmus_error *error);

/*===----------------------------------------------------------------------===
 * Models
 *===----------------------------------------------------------------------===*/

/* A program in one of the dialects that Isthmus knows. */
typedef struct isthmus_model isthmus_model;

/* Reads a model or a program. The file stays mapped while the model lives.
 * `format` is "onnx", "pt2", "mlir", or "model" for one of the first two, which
 * the first bytes tell apart. Null is "mlir" for MLIR by its name, else
 * "model".
 */
isthmus_error *isthmus_model_open(const char *path, const char *format,
                                  isthmus_model **model);

/* Whether a file is MLIR by its name: it ends with ".mlir" or ".mlirbc". 0 for
 * null. */
int isthmus_is_mlir_name(const char *path);

/* The same from a copy of memory. Messages use `name`, which may be null. A
 * null format also finds MLIR bytecode. `size` bytes must be readable. */
isthmus_error *isthmus_model_open_buffer(const void *data, size_t size,
                                         const char *name, const char *format,
                                         isthmus_model **model);

/* The same without a copy. The memory must not change until `release` is
 * called with `context`: once, on any thread, when no object needs the memory;
 * before this function returns if that is an error. `release` may be null. */
isthmus_error *isthmus_model_open_memory(const void *data, size_t size,
                                         void (*release)(void *context),
                                         void *context, const char *name,
                                         const char *format,
                                         isthmus_model **model);

/* The records of an exported program that is not in a file, by their paths in
 * it: "models/model.json". */
typedef struct isthmus_records isthmus_records;

/* Makes an empty list. */
isthmus_error *isthmus_records_create(isthmus_records **records);
/* Adds a record without a copy. `release` is as for isthmus_model_open_memory.
 */
isthmus_error *isthmus_records_add(isthmus_records *records, const char *path,
                                   const void *data, size_t size,
                                   void (*release)(void *context),
                                   void *context);
/* Frees a list and the records that no model took. */
void isthmus_records_free(isthmus_records *records);

/* Reads an exported program from its records, which the model takes: the list
 * is empty then. Messages use `name`, which may be null. */
isthmus_error *isthmus_model_open_records(isthmus_records *records,
                                          const char *name,
                                          isthmus_model **model);

/* A copy that shares the weights. */
isthmus_error *isthmus_model_clone(const isthmus_model *model,
                                   isthmus_model **clone);

/* The memory of weights lasts while a clone or an executable needs it. */
void isthmus_model_free(isthmus_model *model);

/*===----------------------------------------------------------------------===
 * Lowering
 *===----------------------------------------------------------------------===*/

/* Options of a lowering, by name. docs/generated/options.md lists them. */
typedef struct isthmus_options isthmus_options;

/* Makes options with their defaults. */
isthmus_error *isthmus_options_create(isthmus_options **options);
/* Frees options. */
void isthmus_options_free(isthmus_options *options);

/* Sets an option to a value as the command takes it; `_` and `-` in names are
 * the same.
 *
 *   "target"       "tosa"; "torch" if it is not set
 *   a choice       one of its values
 *   a flag         "true", "false", "1" or "0"
 *   a name         "tensor_parallel"
 *   names          "aten.gelu,Einsum", added to those before
 *   files          one path, added to those before
 *   shapes         "x=1x3x224x224", added to those before
 *   texts          one text, added to those before
 */
isthmus_error *isthmus_options_set(isthmus_options *options, const char *name,
                                   const char *value);

/* Adds a value of any bytes: one name, text or path to those before, or a
 * choice. Lowering says what is wrong with it. */
isthmus_error *isthmus_options_add(isthmus_options *options, const char *name,
                                   const char *value, size_t size);

/* Adds the sizes of an input, whose name may have any bytes, to an option of
 * shapes. */
isthmus_error *isthmus_options_add_shape(isthmus_options *options,
                                         const char *name, const char *input,
                                         size_t input_size,
                                         const int64_t *sizes, size_t rank);

/* The names that isthmus_options_set takes. */
size_t isthmus_option_count(void);
/* The name of an option. Null beyond the last. */
const char *isthmus_option_name(size_t index);
/* Its meaning in one sentence. Null beyond the last. */
const char *isthmus_option_summary(size_t index);

/* Lowers an ONNX graph or a torch program to a target, in place. Null options
 * are the defaults. After an error the program is valid, but only partly
 * lowered. */
isthmus_error *isthmus_model_lower(isthmus_model *model,
                                   const isthmus_options *options);

/* The number of warnings of the last lowering, 0 for null: what the program
 * leaves out of the model, or what its compiler may compute wrongly. */
size_t isthmus_model_warning_count(const isthmus_model *model);
/* A warning. It lives until the model is lowered again or freed. Null beyond
 * the last. */
const char *isthmus_model_warning(const isthmus_model *model, size_t index);

/* Replaces the custom ops of a lowered program with their torch ops, so that it
 * can be lowered again. */
isthmus_error *isthmus_model_raise_custom_ops(isthmus_model *model);

/* The custom ops of a program: each carried op once, sorted by name. */
typedef struct isthmus_custom_ops isthmus_custom_ops;

/* Lists the custom ops of a program. */
isthmus_error *isthmus_model_custom_ops(const isthmus_model *model,
                                        isthmus_custom_ops **ops);
/* The number of names. */
size_t isthmus_custom_ops_count(const isthmus_custom_ops *ops);
/* The full name, such as "torch.aten.gelu". Null beyond the last. */
const char *isthmus_custom_ops_name(const isthmus_custom_ops *ops,
                                    size_t index);
/* How often the program has it; 0 beyond the last. */
size_t isthmus_custom_ops_uses(const isthmus_custom_ops *ops, size_t index);
/* Frees a list. */
void isthmus_custom_ops_free(isthmus_custom_ops *ops);

/* The inputs that the option "specialize" can make static. */
typedef struct isthmus_open_inputs isthmus_open_inputs;

/* Lists the inputs that are open. */
isthmus_error *isthmus_model_open_inputs(const isthmus_model *model,
                                         isthmus_open_inputs **inputs);
/* The number of inputs. */
size_t isthmus_open_inputs_count(const isthmus_open_inputs *inputs);
/* The name of an input. Null beyond the last. */
const char *isthmus_open_inputs_name(const isthmus_open_inputs *inputs,
                                     size_t index);
/* The number of sizes; 0 beyond the last input. */
size_t isthmus_open_inputs_rank(const isthmus_open_inputs *inputs,
                                size_t index);
/* A size: "32", "batch", or "?" for one without a name. Null beyond the last.
 */
const char *isthmus_open_inputs_size(const isthmus_open_inputs *inputs,
                                     size_t index, size_t dim);
/* Frees a list. */
void isthmus_open_inputs_free(isthmus_open_inputs *inputs);

/* Constants that became parameters of the function @main, in order. */
typedef struct isthmus_weights isthmus_weights;

/* Turns constants into parameters after the function's own, except splats,
 * bools and those with less than `min_bytes`. */
isthmus_error *isthmus_model_hoist_weights(isthmus_model *model,
                                           int64_t min_bytes,
                                           isthmus_weights **weights);
/* Likewise turns the constants of floating-point or complex numbers that the
 * model names into parameters: parameters and buffers of PyTorch, initializers
 * of ONNX; and the buffers of any numbers that the program mutates. A program
 * that is not lowered has all of them. */
isthmus_error *isthmus_model_hoist_named_weights(isthmus_model *model,
                                                 isthmus_weights **weights);
/* The number of weights. */
size_t isthmus_weights_count(const isthmus_weights *weights);
/* The name of a weight. Null beyond the last. */
const char *isthmus_weights_name(const isthmus_weights *weights, size_t index);
/* The dtype in MLIR's spelling: "f32", "i8". Null beyond the last. */
const char *isthmus_weights_dtype(const isthmus_weights *weights, size_t index);
/* The elements, row-major, which must not be written to; with strides of 0 if
 * all are equal. The element type is -1 if isthmus_element_type lacks the
 * dtype. Null beyond the last. */
const isthmus_tensor *isthmus_weights_tensor(const isthmus_weights *weights,
                                             size_t index);
/* Frees a list and its tensors. It may live longer than the model. */
void isthmus_weights_free(isthmus_weights *weights);

/*===----------------------------------------------------------------------===
 * Facts
 *
 * These are JSON. A text in it has the bytes of the model, so it is UTF-8 if
 * the model's names are.
 *===----------------------------------------------------------------------===*/

/* Writes the ops that this build lowers, and how each target lowers them, as
 * toJSON of isthmus/Api/Coverage.h describes. */
isthmus_error *isthmus_write_coverage(isthmus_write write, void *context);

/* Writes other names of PyTorch's operators that are read, each with the name
 * that programs have: {"aten.multiply.Tensor": "aten.mul.Tensor", …}. */
isthmus_error *isthmus_write_operator_aliases(isthmus_write write,
                                              void *context);

/* Writes how often a program has each op: {"func.func": 1, …}. */
isthmus_error *isthmus_model_write_op_counts(const isthmus_model *model,
                                             isthmus_write write,
                                             void *context);

/* Writes the nodes of an ONNX graph or a torch program, in order: the op, and
 * how messages about the node start.
 * [["onnx.Conv", "model.onnx: node 'Conv_0': "], …] */
isthmus_error *isthmus_model_write_nodes(const isthmus_model *model,
                                         isthmus_write write, void *context);

/* Writes a program's graph: the inputs and outputs of the first function, the
 * constants that are tensors, and the nodes, with how messages about each
 * start.
 * {"inputs": [{"id": 0, "name": "x", "dtype": "f32", "bits": 32, "sizes":
 * ["batch", "8"]}], "outputs": […], "weights": […], "nodes": [{"op":
 * "onnx.Conv", "name": "Conv_0", "place": "model.onnx: node 'Conv_0': ",
 * "scopes": [["torch.nn.modules.conv.Conv2d", "encoder.conv"]], "inputs": [0],
 * "outputs": […]}]}. Sizes are null if the rank is unknown, and bits are 0 if
 * the dtype is. */
isthmus_error *isthmus_model_write_graph(const isthmus_model *model,
                                         isthmus_write write, void *context);

/* Writes the attributes that a model left on the first function: {"function":
 * {…}, "arguments": [{"onnx.name": "x"}, …], "results": […]}. An attribute that
 * JSON lacks is null, and so is a program without functions. */
isthmus_error *isthmus_model_write_notes(const isthmus_model *model,
                                         isthmus_write write, void *context);

/*===----------------------------------------------------------------------===
 * Output
 *===----------------------------------------------------------------------===*/

/* How a program is written. */
enum isthmus_format {
  ISTHMUS_TEXT,
  ISTHMUS_BYTECODE,
  ISTHMUS_ELIDED_TEXT, /* without the elements of large constants */
  ISTHMUS_TARGET_FILE, /* the target's own format: a flatbuffer of TOSA 1.0 */
  ISTHMUS_GENERIC_TEXT /* with every op in MLIR's generic form */
};

/* Takes the bytes written of a file and its total bytes, 0 if unknown. Nonzero
 * ends the work with ISTHMUS_STOPPED. */
typedef int (*isthmus_progress)(void *context, uint64_t written,
                                uint64_t total);

/* Writes the program, piece by piece, with its weights as resources. */
isthmus_error *isthmus_model_write(const isthmus_model *model, int32_t format,
                                   isthmus_write write, void *context);

/* How a file is saved. */
typedef struct isthmus_save_options isthmus_save_options;

/* Makes options with their defaults. */
isthmus_error *isthmus_save_options_create(isthmus_save_options **options);
/* Frees options. */
void isthmus_save_options_free(isthmus_save_options *options);
/* ISTHMUS_TEXT, ISTHMUS_BYTECODE, ISTHMUS_TARGET_FILE or ISTHMUS_GENERIC_TEXT.
 * By default, the file's name decides: ".mlirbc" is bytecode, and ".tosa" a
 * flatbuffer of TOSA. */
isthmus_error *isthmus_save_options_set_format(isthmus_save_options *options,
                                               int32_t format);
/* "auto", "inline", "resource", "argument", "external", "iree" or "none":
 * docs/weights.md. */
isthmus_error *isthmus_save_options_set_weights(isthmus_save_options *options,
                                                const char *form);
/* Nonzero leaves weights in their files if these are in the program's folder.
 */
isthmus_error *isthmus_save_options_set_in_place(isthmus_save_options *options,
                                                 int in_place);
/* Nonzero stores a checksum of every weight in the manifest. */
isthmus_error *isthmus_save_options_set_checksums(isthmus_save_options *options,
                                                  int checksums);
/* The smallest constant, in bytes, that goes to a file. */
isthmus_error *
isthmus_save_options_set_min_weight_bytes(isthmus_save_options *options,
                                          int64_t bytes);
/* Reports how much is written. Null removes it. */
isthmus_error *isthmus_save_options_set_progress(isthmus_save_options *options,
                                                 isthmus_progress progress,
                                                 void *context);

/* Where a saved program has its weights. */
typedef struct isthmus_saved isthmus_saved;

/* Writes a file and those beside it: all of them, or none. "-" is standard
 * output. Null options are the defaults. `saved` may be null. */
isthmus_error *isthmus_model_save(const isthmus_model *model, const char *path,
                                  const isthmus_save_options *options,
                                  isthmus_saved **saved);
/* The form, such as "resource". Null for null. */
const char *isthmus_saved_form(const isthmus_saved *saved);
/* The path of the manifest; empty if there is none, null for null. */
const char *isthmus_saved_manifest(const isthmus_saved *saved);
/* The path of the weight file; empty if there is none, null for null. */
const char *isthmus_saved_file(const isthmus_saved *saved);
/* The number of weights outside the program. */
uint64_t isthmus_saved_count(const isthmus_saved *saved);
/* The number of those in the weight file. */
uint64_t isthmus_saved_written(const isthmus_saved *saved);
/* The bytes of those in the weight file. */
uint64_t isthmus_saved_written_bytes(const isthmus_saved *saved);
/* Frees a description. */
void isthmus_saved_free(isthmus_saved *saved);

/* Writes to a file descriptor. Nonzero ends the work with ISTHMUS_STOPPED. */
typedef int (*isthmus_write_to)(void *context, int file);

/* Writes another file as isthmus_model_save does: all of it, or none. */
isthmus_error *isthmus_write_file(const char *path, isthmus_write_to write,
                                  void *context);

/*===----------------------------------------------------------------------===
 * Running
 *===----------------------------------------------------------------------===*/

/* How a program is compiled for this machine. */
typedef struct isthmus_jit_options isthmus_jit_options;

/* A kernel that is called with a pointer of the caller's. */
typedef const char *(*isthmus_kernel_with_context)(isthmus_kernel_call *call,
                                                   void *context);

/* Asked periodically: nonzero ends the work with ISTHMUS_STOPPED. */
typedef int (*isthmus_interrupted)(void *context);

/* Makes options with their defaults. */
isthmus_error *isthmus_jit_options_create(isthmus_jit_options **options);
/* Frees options. Executables keep what they need. */
void isthmus_jit_options_free(isthmus_jit_options *options);
/* The most threads of a run: more than any machine has cores. */
#define ISTHMUS_MOST_THREADS 4096
/* Threads of a run; 0 is one per core. The default is 1. */
isthmus_error *isthmus_jit_options_set_threads(isthmus_jit_options *options,
                                               uint32_t threads);
/* Nonzero checks each memory access, which is slow. */
isthmus_error *
isthmus_jit_options_set_check_bounds(isthmus_jit_options *options,
                                     int check_bounds);
/* Zero compiles in less time and runs more slowly. The default is 1. */
isthmus_error *isthmus_jit_options_set_optimize(isthmus_jit_options *options,
                                                int optimize);
/* Nonzero runs a program that does more than compute: docs/security.md. */
isthmus_error *isthmus_jit_options_set_trust(isthmus_jit_options *options,
                                             int trust);
/* Computes the custom ops of a name, such as "torch.aten.layer_norm". It may be
 * called on any thread while an executable of these options lives. */
isthmus_error *isthmus_jit_options_set_kernel(isthmus_jit_options *options,
                                              const char *name,
                                              isthmus_kernel kernel);
/* The same for a kernel with a context. */
isthmus_error *isthmus_jit_options_set_kernel_with_context(
    isthmus_jit_options *options, const char *name,
    isthmus_kernel_with_context kernel, void *context);
/* Asks on the thread that compiles or runs, while it does. Null removes it. */
isthmus_error *
isthmus_jit_options_set_interrupted(isthmus_jit_options *options,
                                    isthmus_interrupted interrupted,
                                    void *context);

/* Native code of a program on Linalg or TOSA. */
typedef struct isthmus_executable isthmus_executable;

/* Compiles for this machine. Null options are the defaults. The executable does
 * not change with the model, and may live longer. */
isthmus_error *isthmus_model_compile(const isthmus_model *model,
                                     const isthmus_jit_options *options,
                                     isthmus_executable **executable);
/* Frees an executable, but not the results of its runs. */
void isthmus_executable_free(isthmus_executable *executable);

/* Whether the program has values that change from run to run; 0 for null. Runs
 * of such a program wait for each other. */
int isthmus_executable_is_stateful(const isthmus_executable *executable);

/* The functions that can run. */
size_t isthmus_executable_function_count(const isthmus_executable *executable);
/* The name of a function, such as "main". Null beyond the last. */
const char *
isthmus_executable_function_name(const isthmus_executable *executable,
                                 size_t index);

/* The inputs and outputs of a function. It belongs to the executable. */
typedef struct isthmus_signature isthmus_signature;
/* An input or an output. It belongs to the executable. */
typedef struct isthmus_parameter isthmus_parameter;

/* The signature of a function, or of the first for a null name. Null if there
 * is no such function. */
const isthmus_signature *
isthmus_executable_signature(const isthmus_executable *executable,
                             const char *function);
/* The number of inputs. */
size_t isthmus_signature_input_count(const isthmus_signature *signature);
/* The number of outputs. */
size_t isthmus_signature_output_count(const isthmus_signature *signature);
/* An input. Null beyond the last. */
const isthmus_parameter *
isthmus_signature_input(const isthmus_signature *signature, size_t index);
/* An output. Null beyond the last. */
const isthmus_parameter *
isthmus_signature_output(const isthmus_signature *signature, size_t index);

/* The name in the model; empty for an unnamed one, null for null. */
const char *isthmus_parameter_name(const isthmus_parameter *parameter);
/* An isthmus_element_type; -1 for null. */
int32_t isthmus_parameter_element_type(const isthmus_parameter *parameter);
/* The model's dtype in MLIR's spelling if the element type does not say it:
 * "ui8" for I8, or for I32 on TOSA. Else empty; null for null. The caller
 * converts: tensors have the element type. */
const char *isthmus_parameter_dtype(const isthmus_parameter *parameter);
/* The number of sizes. */
size_t isthmus_parameter_rank(const isthmus_parameter *parameter);
/* A size; -1 if it is known only at run time, or beyond the last. */
int64_t isthmus_parameter_dim(const isthmus_parameter *parameter, size_t dim);

/* The outputs of a run. */
typedef struct isthmus_results isthmus_results;

/* Runs a function; a null name is the first. The inputs are only read, and only
 * during the call. Null strides are row-major; strides may be negative. A
 * tensor without elements may have no data. The data of an input must have the
 * elements that its dims and strides say: this cannot be checked. */
isthmus_error *isthmus_executable_run(isthmus_executable *executable,
                                      const char *function,
                                      const isthmus_tensor *inputs,
                                      size_t num_inputs,
                                      isthmus_results **results);
/* The number of outputs. */
size_t isthmus_results_count(const isthmus_results *results);
/* A row-major tensor, which belongs to the results. Null beyond the last. */
const isthmus_tensor *isthmus_results_tensor(const isthmus_results *results,
                                             size_t index);
/* Frees the outputs, except the memory that tensors of DLPack share. */
void isthmus_results_free(isthmus_results *results);

/* DLPack's tensor with its deleter, as dlpack.h defines it. */
struct DLManagedTensor;

/* The same with tensors of DLPack in the memory of the CPU. The inputs stay the
 * caller's: the library does not call their deleters. Integers must have the
 * sign of the model's dtype. */
isthmus_error *
isthmus_executable_run_dlpack(isthmus_executable *executable,
                              const char *function,
                              struct DLManagedTensor *const *inputs,
                              size_t num_inputs, isthmus_results **results);

/* An output as a tensor of DLPack, which shares its memory and keeps it. The
 * caller calls its deleter, before or after the results are freed. */
isthmus_error *isthmus_results_dlpack(const isthmus_results *results,
                                      size_t index,
                                      struct DLManagedTensor **tensor);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ISTHMUS_H */
