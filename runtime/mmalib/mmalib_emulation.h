/* A host stand-in for the entry points of TI's MMALIB that quantc uses, with their limits and
 * status codes, so that a call that the board would refuse is refused here too. */
#ifndef MMALIB_EMULATION_H
#define MMALIB_EMULATION_H

#include "qc_mmalib.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MMALIB_STATUS, as far as it is used. */
enum {
  MMALIB_SUCCESS = 0,
  MMALIB_ERR_INVALID_VALUE = 2,
  MMALIB_ERR_INVALID_DIMENSION = 4,
  MMALIB_ERR_NOT_IMPLEMENTED = 6,
  MMALIB_ERR_INVALID_SHIFT = 12
};

/* ---- The limits, which src/target/mmalib.cc states for the compiler; tests compare both ---- */

enum {
  MMALIB_MAX_CHANNELS_STRIDE1 = 1024, /* output channels of one call */
  MMALIB_MAX_CHANNELS_STRIDED = 32,
  MMALIB_FC_MULTIPLE = 32, /* of both sizes of a fully connected layer */
  MMALIB_MAX_SHIFT = 31
};

typedef struct mmalib_kernel {
  int32_t size; /* height and width */
  int32_t stride;
} mmalib_kernel;

/* Stride 1 takes any kernel. Without padding and beyond 1x1, the columns that are computed, h_in *
 * w_in - w_in * (kernel_h - 1) - (kernel_w - 1), must not be more than h_out * w_out. */

/* Convolutions beyond stride 1. pad_top is 0, or pad_bottom is 0 or (kernel_h - 1) / 2; 1x1 has
 * pad_left == pad_right. */
static const mmalib_kernel kMmalibStridedKernels[] = {{1, 2}, {3, 2}, {3, 3},
                                                      {5, 2}, {7, 2}, {11, 4}};
/* Depthwise kernels, with the largest stride of each. */
static const mmalib_kernel kMmalibDepthwiseKernels[] = {{3, 2}, {5, 2}, {7, 1}};

/* ---- The entry points; arguments as in qc_mmalib.h, groups is 1. ---- */

/* Convolution; p->c_out is the number of output channels of this call. */
qc_status mmalib_convolve_bias_row_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                                      const int8_t* x, const int8_t* weights, const int32_t* bias,
                                      const uint8_t* scale, const uint8_t* shift, int8_t* y);

/* Depthwise convolution of one channel; row holds w_out accumulators. */
qc_status mmalib_convolve_col_small_no_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                                          const int8_t* x, const int8_t* weights,
                                          const int32_t* bias, const uint8_t* scale,
                                          const uint8_t* shift, int32_t* row, int8_t* y);

/* y[n] = W[n][k] x[k] + bias[n]. */
qc_status mmalib_matrix_multiply_bias_i8(int32_t n, int32_t k, const qc_mma_output* out,
                                         const int8_t* x, const int8_t* weights,
                                         const int32_t* bias, const uint8_t* scale,
                                         const uint8_t* shift, int8_t* y);

#ifdef __cplusplus
}
#endif

#endif
