/* Kernels in C, as a backend vendor writes them. */

#include "isthmus/Runtime/Kernel.h"
#include <math.h>
#include <string.h>

/* Element i of a tensor in row-major order. */
static float *at(const isthmus_tensor *tensor, int64_t i) {
  int64_t offset = 0;
  for (int32_t dim = tensor->rank - 1; dim >= 0; --dim) {
    offset += i % tensor->dims[dim] * tensor->strides[dim];
    i /= tensor->dims[dim];
  }
  return (float *)tensor->data + offset;
}

static int64_t count(const isthmus_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t dim = 0; dim < tensor->rank; ++dim)
    elements *= tensor->dims[dim];
  return elements;
}

/* Sizes that only the run knows are the kernel's to say. */
const char *gelu(isthmus_kernel_call *call) {
  const isthmus_tensor *x = &call->inputs[0];
  isthmus_tensor *y = &call->outputs[0];
  if (x->element_type != ISTHMUS_F32)
    return "expected f32";
  if (!strstr(call->attributes, "\"value\":\"none\""))
    return "expected the exact form";
  if (!y->data) {
    memcpy(y->dims, x->dims, x->rank * sizeof(int64_t));
    if (!call->allocate(call, 0))
      return "out of memory";
  }
  for (int64_t i = 0; i < count(x); ++i)
    *at(y, i) = 0.5f * *at(x, i) * (1 + erff(*at(x, i) * 0.70710678f));
  return 0;
}
