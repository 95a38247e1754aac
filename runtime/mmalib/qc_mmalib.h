/* The MMALIB path: planar NCHW, N = 1, int8 with int32 accumulators. On the host the library is
 * emulated by mmalib_emulation.c; on the board the same entry points wrap TI's kernels.
 *   v = (acc + bias[o]) * scale[o]            in int64
 *   y = sat(round(v, shift[o]), lo, hi)
 * round half up: shift > 0 ? ((v >> (shift - 1)) + 1) >> 1 : v; truncating: v >> shift.
 * Padding reads as pad_fill (the input's zero point); bias already holds -z_x * sum(q_w) and the
 * output's zero point in accumulator units. */
#ifndef QC_MMALIB_H
#define QC_MMALIB_H

#include "qc_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qc_mma_rounding { QC_MMA_HALF_UP, QC_MMA_TRUNCATE } qc_mma_rounding;

typedef struct qc_mma_output {
  qc_mma_rounding rounding;
  int32_t lo, hi; /* pSatMin, pSatMax */
} qc_mma_output;

/* Sizes of one dense planar image. */
typedef struct qc_mma_conv2d_params {
  int32_t c_in, h_in, w_in;
  int32_t c_out, h_out, w_out;
  int32_t kernel_h, kernel_w;
  int32_t stride; /* equal along both dimensions */
  int32_t pad_top, pad_left, pad_bottom, pad_right;
  int32_t groups;
  int32_t pad_fill;
  int32_t channels_per_call; /* output channels of one library call: 1024 at stride 1, else 32 */
} qc_mma_conv2d_params;

/* weights: [c_out][c_in / groups][kernel_h][kernel_w]; bias, scale, shift: [c_out]. Loops over
 * groups and over tiles of channels_per_call output channels. scratch, aligned to 4:
 * qc_mma_conv2d_scratch_bytes(), which depends on w_out only. */
size_t qc_mma_conv2d_scratch_bytes(const qc_mma_conv2d_params* p);
qc_status qc_mma_conv2d_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out, const int8_t* x,
                           const int8_t* weights, const int32_t* bias, const uint8_t* scale,
                           const uint8_t* shift, int8_t* scratch, int8_t* y);

/* One input channel makes one output channel (groups == c_in == c_out): 3x3 and 5x5 at stride 1 and
 * 2, 7x7 at stride 1. */
qc_status qc_mma_depthwise_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                              const int8_t* x, const int8_t* weights, const int32_t* bias,
                              const uint8_t* scale, const uint8_t* shift, int8_t* scratch,
                              int8_t* y);

/* y[n] from x[k]. weights: [n_padded][k_padded], bias, scale, shift: [n_padded], padded at compile
 * time to multiples of 32 (weights with 0, scale with 1, which the library does not refuse).
 * scratch holds the padded x and y: k_padded + n_padded bytes. */
typedef struct qc_mma_fc_params {
  int32_t k, n;
  int32_t k_padded, n_padded;
} qc_mma_fc_params;
qc_status qc_mma_fc_i8(const qc_mma_fc_params* p, const qc_mma_output* out, const int8_t* x,
                       const int8_t* weights, const int32_t* bias, const uint8_t* scale,
                       const uint8_t* shift, int8_t* scratch, int8_t* y);

#ifdef __cplusplus
}
#endif

#endif
