#include "mmalib_emulation.h"

typedef struct strided_kernel {
  int32_t kernel, stride;
} strided_kernel;

static const strided_kernel kStrided[] = {{1, 2}, {3, 2}, {5, 2}, {7, 2}, {11, 4}};
/* The largest stride of each depthwise kernel. */
static const strided_kernel kDepthwise[] = {{3, 2}, {5, 2}, {7, 1}};

static int8_t scaled(int32_t acc, uint8_t scale, uint8_t shift, const qc_mma_output *out) {
  int64_t v = (int64_t)acc * scale;
  if (shift > 0) {
    /* Division by a power of two that rounds down, whatever the sign. */
    v = out->rounding == QC_MMA_TRUNCATE ? v >> shift : ((v >> (shift - 1)) + 1) >> 1;
  }
  return (int8_t)(v < out->lo ? out->lo : (v > out->hi ? out->hi : v));
}

static qc_status check_scales(const uint8_t *scale, const uint8_t *shift, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (scale[i] == 0 || shift[i] > MMALIB_MAX_SHIFT) return MMALIB_ERR_INVALID_SHIFT;
  }
  return MMALIB_SUCCESS;
}

static int listed(const strided_kernel *rows, int32_t count, const qc_mma_conv2d_params *p,
                  int any_smaller_stride) {
  for (int32_t i = 0; i < count; ++i) {
    const int stride_fits =
        any_smaller_stride ? p->stride <= rows[i].stride : p->stride == rows[i].stride;
    if (p->kernel_h == rows[i].kernel && p->kernel_w == rows[i].kernel && stride_fits) return 1;
  }
  return 0;
}

static qc_status check_strided(const qc_mma_conv2d_params *p) {
  if (!listed(kStrided, 5, p, 0)) return MMALIB_ERR_NOT_IMPLEMENTED;
  if (p->c_out > MMALIB_MAX_CHANNELS_STRIDED) return MMALIB_ERR_INVALID_DIMENSION;
  if (p->pad_top != 0 && p->pad_bottom != 0 && p->pad_bottom != (p->kernel_h - 1) / 2) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  if (p->kernel_w == 1 && p->pad_left != p->pad_right) return MMALIB_ERR_INVALID_DIMENSION;
  return MMALIB_SUCCESS;
}

static qc_status check_stride1(const qc_mma_conv2d_params *p) {
  const int padded = p->pad_top || p->pad_left || p->pad_bottom || p->pad_right;
  const int64_t computed = (int64_t)p->h_in * p->w_in -
                           (int64_t)p->w_in * (p->kernel_h - 1) - (p->kernel_w - 1);
  if (p->c_out > MMALIB_MAX_CHANNELS_STRIDE1) return MMALIB_ERR_INVALID_DIMENSION;
  if (!padded && (p->kernel_h > 1 || p->kernel_w > 1) &&
      computed > (int64_t)p->h_out * p->w_out) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  return MMALIB_SUCCESS;
}

static int32_t output_size(int32_t in, int32_t pads, int32_t kernel, int32_t stride) {
  return (in + pads - kernel) / stride + 1;
}

static int sizes_fit(const qc_mma_conv2d_params *p) {
  return p->stride > 0 && p->groups == 1 &&
         p->h_out == output_size(p->h_in, p->pad_top + p->pad_bottom, p->kernel_h, p->stride) &&
         p->w_out == output_size(p->w_in, p->pad_left + p->pad_right, p->kernel_w, p->stride);
}

/* Adds weight * input to the accumulators of one output row; input columns outside of the image read
 * as pad_fill. */
static void add_tap(const qc_mma_conv2d_params *p, const int8_t *line, int32_t first, int32_t weight,
                    int32_t *row) {
  for (int32_t x = 0; x < p->w_out; ++x) {
    const int32_t column = x * p->stride + first;
    const int inside = line != 0 && column >= 0 && column < p->w_in;
    row[x] += weight * (inside ? line[column] : p->pad_fill);
  }
}

static void convolve_row(const qc_mma_conv2d_params *p, const int8_t *x, const int8_t *weights,
                         int32_t bias, int32_t y, int32_t *row) {
  for (int32_t i = 0; i < p->w_out; ++i) row[i] = bias;
  for (int32_t c = 0; c < p->c_in; ++c) {
    for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
      const int32_t h = y * p->stride + kh - p->pad_top;
      const int inside = h >= 0 && h < p->h_in;
      const int8_t *line = inside ? x + ((ptrdiff_t)c * p->h_in + h) * p->w_in : 0;
      for (int32_t kw = 0; kw < p->kernel_w; ++kw) {
        add_tap(p, line, kw - p->pad_left, *weights++, row);
      }
    }
  }
}

static void convolve(const qc_mma_conv2d_params *p, const qc_mma_output *out, const int8_t *x,
                     const int8_t *weights, const int32_t *bias, const uint8_t *scale,
                     const uint8_t *shift, int32_t *row, int8_t *y) {
  const ptrdiff_t filter = (ptrdiff_t)p->c_in * p->kernel_h * p->kernel_w;
  for (int32_t o = 0; o < p->c_out; ++o) {
    for (int32_t h = 0; h < p->h_out; ++h) {
      convolve_row(p, x, weights + o * filter, bias[o], h, row);
      for (int32_t w = 0; w < p->w_out; ++w) *y++ = scaled(row[w], scale[o], shift[o], out);
    }
  }
}

qc_status mmalib_convolve_bias_row_i8(const qc_mma_conv2d_params *p, const qc_mma_output *out,
                                      const int8_t *x, const int8_t *weights, const int32_t *bias,
                                      const uint8_t *scale, const uint8_t *shift, int32_t *row,
                                      int8_t *y) {
  qc_status status = sizes_fit(p) ? MMALIB_SUCCESS : MMALIB_ERR_INVALID_DIMENSION;
  if (status == MMALIB_SUCCESS) status = p->stride > 1 ? check_strided(p) : check_stride1(p);
  if (status == MMALIB_SUCCESS) status = check_scales(scale, shift, p->c_out);
  if (status == MMALIB_SUCCESS) convolve(p, out, x, weights, bias, scale, shift, row, y);
  return status;
}

qc_status mmalib_convolve_col_i8(const qc_mma_conv2d_params *p, const qc_mma_output *out,
                                 const int8_t *x, const int8_t *weights, const int32_t *bias,
                                 const uint8_t *scale, const uint8_t *shift, int32_t *row,
                                 int8_t *y) {
  qc_status status = sizes_fit(p) && p->c_in == 1 && p->c_out == 1 ? MMALIB_SUCCESS
                                                                   : MMALIB_ERR_INVALID_DIMENSION;
  if (status == MMALIB_SUCCESS && !listed(kDepthwise, 3, p, 1)) status = MMALIB_ERR_NOT_IMPLEMENTED;
  if (status == MMALIB_SUCCESS) status = check_scales(scale, shift, 1);
  if (status == MMALIB_SUCCESS) convolve(p, out, x, weights, bias, scale, shift, row, y);
  return status;
}

qc_status mmalib_matrix_multiply_bias_i8(int32_t n, int32_t k, const qc_mma_output *out,
                                         const int8_t *x, const int8_t *weights,
                                         const int32_t *bias, const uint8_t *scale,
                                         const uint8_t *shift, int8_t *y) {
  if (n % MMALIB_FC_MULTIPLE != 0 || k % MMALIB_FC_MULTIPLE != 0) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  const qc_status status = check_scales(scale, shift, n);
  if (status != MMALIB_SUCCESS) return status;
  for (int32_t i = 0; i < n; ++i) {
    const int8_t *row = weights + (ptrdiff_t)i * k;
    int32_t acc = bias[i];
    for (int32_t j = 0; j < k; ++j) acc += row[j] * x[j];
    y[i] = scaled(acc, scale[i], shift[i], out);
  }
  return MMALIB_SUCCESS;
}
