/* Types shared by every kernel of a compiled model: status codes, tensor layouts, layers. */
#ifndef QC_TYPES_H
#define QC_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* 0 is success, negative values are quantc's own, positive values are MMALIB's status codes. */
typedef int32_t qc_status;
enum {
  QC_OK = 0,
  QC_ERR_SHAPE = -1,      /* shapes of a call that do not fit each other */
  QC_ERR_PARAMETER = -2,  /* a parameter outside of its range */
  QC_ERR_NOT_FINITE = -3, /* a NaN or an infinity in a float input */
  QC_ERR_IO = -4          /* a file that cannot be read or written (runner only) */
};

/* Element (n, c, h, w) stands at n * n_stride + c * c_stride + h * h_stride + w * w_stride,
 * counted in elements. NHWC has c_stride 1, planar NCHW has w_stride 1, a slice of a concatenation
 * has the strides of the whole, a broadcast dimension has stride 0. */
typedef struct qc_layout {
  int32_t n, c, h, w;
  int32_t n_stride, c_stride, h_stride, w_stride;
} qc_layout;

/* Where the bytes of a tensor live. */
typedef enum qc_space { QC_ARENA, QC_INPUT, QC_OUTPUT, QC_CONSTANT } qc_space;

/* A tensor of the program. `index` selects the model's input or output; `offset` counts bytes, of a
 * constant in the weights. */
typedef struct qc_tensor {
  qc_space space;
  int32_t index;
  size_t offset;
  int32_t element_bytes; /* 1: int8, 4: float32 */
  qc_layout layout;
} qc_tensor;

/* The memory a run works on. Nothing is allocated: the caller owns all of it. */
typedef struct qc_memory {
  uint8_t* arena;         /* MODEL_ARENA_BYTES, aligned to 64 */
  const uint8_t* weights; /* the content of weights.bin, aligned to 64 */
  const void* const* inputs;
  void* const* outputs;
} qc_memory;

/* One kernel call. */
typedef struct qc_layer {
  const char* name;   /* the layer in the model, for example "features.3.squeeze" */
  const char* kernel; /* the function that is called */
  qc_status (*run)(const qc_memory* memory);
  int32_t input_count;
  const qc_tensor* inputs;
  qc_tensor output;
} qc_layer;

typedef struct qc_program {
  int32_t layer_count;
  const qc_layer* layers;
} qc_program;

/* What went wrong, for the caller's message. */
typedef struct qc_failure {
  const char* layer;
  const char* kernel;
  qc_status status;
} qc_failure;

#endif
