/*===- Kernel.h - Kernels of custom ops, in C -------------------------------===
 *
 * A program may contain custom ops (docs/custom_ops.md). The runtime calls a
 * kernel for each: a plain C function on strided buffers.
 *
 *   const char *relu(isthmus_kernel_call *call) {
 *     const isthmus_tensor *x = &call->inputs[0];
 *     isthmus_tensor *y = &call->outputs[0];
 *     if (x->element_type != ISTHMUS_F32)
 *       return "expected f32";
 *     ...
 *     return 0;
 *   }
 *
 *===----------------------------------------------------------------------===*/

#ifndef ISTHMUS_RUNTIME_KERNEL_H
#define ISTHMUS_RUNTIME_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the elements. Integers are signless. */
enum isthmus_element_type {
  ISTHMUS_I1, /* one byte, 0 or 1 */
  ISTHMUS_I8,
  ISTHMUS_I16,
  ISTHMUS_I32,
  ISTHMUS_I64,
  ISTHMUS_F16,
  ISTHMUS_BF16,
  ISTHMUS_F32,
  ISTHMUS_F64,
  ISTHMUS_C64,
  ISTHMUS_C128,
  ISTHMUS_F8E4M3FN,
  ISTHMUS_F8E4M3FNUZ,
  ISTHMUS_F8E5M2,
  ISTHMUS_F8E5M2FNUZ
};

/* A strided buffer. */
typedef struct isthmus_tensor {
  void *data;
  int32_t element_type;
  int32_t rank;
  int64_t *dims;
  int64_t *strides; /* in elements */
} isthmus_tensor;

/* A call of a kernel: the op, its inputs and its outputs. */
typedef struct isthmus_kernel_call {
  const char *name;       /* "torch.aten.layer_norm" */
  const char *attributes; /* JSON: non-tensor arguments */
  int32_t num_inputs;
  int32_t num_outputs;
  const isthmus_tensor *inputs; /* only read, and only during the call */
  /* Row-major. An output with unknown sizes has dims of -1 and no data: the
   * kernel sets its dims and calls `allocate`. */
  isthmus_tensor *outputs;
  /* Allocates the memory of an output; null if there is none. */
  void *(*allocate)(struct isthmus_kernel_call *call, int32_t output);
} isthmus_kernel_call;

/* Computes the outputs. Returns null, or an error message. */
typedef const char *(*isthmus_kernel)(isthmus_kernel_call *call);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ISTHMUS_RUNTIME_KERNEL_H */
