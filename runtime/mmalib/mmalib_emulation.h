/* A host stand-in for the entry points of TI's MMALIB that quantc uses, with their limits and status
 * codes, so that a call the board would refuse is refused here too. */
#ifndef MMALIB_EMULATION_H
#define MMALIB_EMULATION_H

#include "qc_mmalib.h"

enum {
  MMALIB_SUCCESS = 0,
  MMALIB_ERR_NOT_IMPLEMENTED = 2,
  MMALIB_ERR_INVALID_DIMENSION = 4,
  MMALIB_ERR_INVALID_SHIFT = 6
};

/* The limits. */
enum {
  MMALIB_MAX_CHANNELS_STRIDE1 = 1024,
  MMALIB_MAX_CHANNELS_STRIDED = 32,
  MMALIB_FC_MULTIPLE = 32,
  MMALIB_MAX_SHIFT = 31
};

/* Convolution with bias of one group; p->c_out is the number of output channels of this call. */
qc_status mmalib_convolve_bias_row_i8(const qc_mma_conv2d_params *p, const qc_mma_output *out,
                                      const int8_t *x, const int8_t *weights, const int32_t *bias,
                                      const uint8_t *scale, const uint8_t *shift, int32_t *row,
                                      int8_t *y);

/* As above with one channel in and one out: the depthwise kernel. */
qc_status mmalib_convolve_col_i8(const qc_mma_conv2d_params *p, const qc_mma_output *out,
                                 const int8_t *x, const int8_t *weights, const int32_t *bias,
                                 const uint8_t *scale, const uint8_t *shift, int32_t *row,
                                 int8_t *y);

/* y[n] = W[n][k] x[k] + bias[n], n and k multiples of MMALIB_FC_MULTIPLE. */
qc_status mmalib_matrix_multiply_bias_i8(int32_t n, int32_t k, const qc_mma_output *out,
                                         const int8_t *x, const int8_t *weights,
                                         const int32_t *bias, const uint8_t *scale,
                                         const uint8_t *shift, int8_t *y);

#endif
