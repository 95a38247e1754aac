/* The integer kernels of the generic path. The comment of each is its numeric contract: a variant
 * for some instruction set gives the same bytes. q is an int8 code, z a zero point, s a scale;
 * rne() rounds to nearest, ties to even; all float arithmetic is IEEE float32, in the order
 * written, without fused multiply-add. */
#ifndef QC_KERNELS_H
#define QC_KERNELS_H

#include "qc_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds that carry fused activations: lo = max(qmin, code of the clip's minimum), hi likewise. */
typedef struct qc_requant {
  int32_t zero_point;
  int32_t lo, hi;
} qc_requant;

/* Bounds of a float32 output that carry fused activations; -inf and +inf where there is none. */
typedef struct qc_float_clip {
  float lo, hi;
} qc_float_clip;

/* y = clamp(rne(x * inv_scale) + zero_point, lo, hi). QC_ERR_NOT_FINITE on a NaN or infinity. */
typedef struct qc_quantize_params {
  qc_layout x, y;
  float inv_scale;
  qc_requant out;
} qc_quantize_params;
qc_status qc_quantize_f32_i8(const qc_quantize_params* p, const float* x, int8_t* y);

/* y = (x - zero_point) * scale. */
typedef struct qc_dequantize_params {
  qc_layout x, y;
  float scale;
  int32_t zero_point;
} qc_dequantize_params;
qc_status qc_dequantize_i8_f32(const qc_dequantize_params* p, const int8_t* x, float* y);

/* Convolution of any geometry; a linear layer is a convolution whose kernel covers its input.
 *   acc = sum over (kh, kw, c) of q_x * q_w + bias[o]   in int32, exact
 * where x outside of the image is x_zero_point, and bias[o] already holds -x_zero_point * sum(q_w).
 * weights: [c_out][kernel_h][kernel_w][c_in / groups]; bias and multiplier: [c_out].
 * scratch: qc_conv2d_scratch_bytes() bytes. x needs c_stride 1. */
typedef struct qc_conv2d_params {
  qc_layout x, y;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t pad_top, pad_left;
  int32_t dilation_h, dilation_w;
  int32_t groups;
  int32_t x_zero_point;
} qc_conv2d_params;
size_t qc_conv2d_scratch_bytes(const qc_conv2d_params* p);

/* y = clamp(rne((float)acc * multiplier[o]) + zero_point, lo, hi). */
qc_status qc_conv2d_i8(const qc_conv2d_params* p, const qc_requant* out, const int8_t* x,
                       const int8_t* weights, const int32_t* bias, const float* multiplier,
                       int8_t* scratch, int8_t* y);

/* y = clamp((float)acc * multiplier[o], lo, hi) in float32. */
qc_status qc_conv2d_i8_f32(const qc_conv2d_params* p, const qc_float_clip* out, const int8_t* x,
                           const int8_t* weights, const int32_t* bias, const float* multiplier,
                           int8_t* scratch, float* y);

/* y = table[(uint8_t)(x + 128)]; moves between layouts on the way. */
typedef struct qc_lut_params {
  qc_layout x, y;
} qc_lut_params;
qc_status qc_lut_i8(const qc_lut_params* p, const int8_t* x, const int8_t* table, int8_t* y);

/* y = x under another layout. */
typedef struct qc_copy_params {
  qc_layout x, y;
} qc_copy_params;
qc_status qc_copy_i8(const qc_copy_params* p, const int8_t* x, int8_t* y);

/* y = clamp(rne(((a - z_a) * s_a + (b - z_b) * s_b) * inv_scale) + zero_point, lo, hi); layouts a
 * and b have the sizes of y, with stride 0 where they are broadcast. */
typedef struct qc_add_params {
  qc_layout a, b, y;
  float a_scale, b_scale, inv_scale;
  int32_t a_zero_point, b_zero_point;
  qc_requant out;
} qc_add_params;
qc_status qc_add_i8(const qc_add_params* p, const int8_t* a, const int8_t* b, int8_t* y);

/* The maximum of the codes inside of the image; padding never wins. Every window must touch the
 * image (QC_ERR_SHAPE). */
typedef struct qc_max_pool_params {
  qc_layout x, y;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t pad_top, pad_left;
  int32_t dilation_h, dilation_w;
} qc_max_pool_params;
qc_status qc_max_pool_i8(const qc_max_pool_params* p, const int8_t* x, int8_t* y);

/* Windows of average pooling along one dimension: output i covers [begin[i], end[i]) of the input
 * and divides by the product of divisor_h[i] and divisor_w[j] (padding may count). */
typedef struct qc_avg_pool_params {
  qc_layout x, y;
  const int32_t *begin_h, *end_h, *divisor_h; /* [y.h] */
  const int32_t *begin_w, *end_w, *divisor_w; /* [y.w] */
  int32_t x_zero_point;
  float scale; /* s_x * inv(s_y) for int8 output, s_x for float32 output */
} qc_avg_pool_params;
/* acc = sum of (q - z_x) in int32;
 * y = clamp(rne((float)acc * scale / (float)divisor) + zero_point, lo, hi). */
qc_status qc_avg_pool_i8(const qc_avg_pool_params* p, const qc_requant* out, const int8_t* x,
                         int8_t* y);
/* y = (float)acc * scale / (float)divisor. */
qc_status qc_avg_pool_i8_f32(const qc_avg_pool_params* p, const int8_t* x, float* y);

#ifdef __cplusplus
}
#endif

#endif
