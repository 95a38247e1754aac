/* Emulation of MMALIB: checks of the limits first, then the arithmetic. */
#include "mmalib_emulation.h"

#include <string.h>

#include "qc_dot.h"

/* Input codes that are widened together. */
enum { kChunk = 1024 };

/* ---- Limits ---- */

static qc_status check_output(const qc_mma_output* out, const uint8_t* scale, const uint8_t* shift,
                              int32_t channels) {
  if (out->lo < -128 || out->hi > 127 || out->lo > out->hi) return MMALIB_ERR_INVALID_VALUE;
  for (int32_t i = 0; i < channels; ++i) {
    if (scale[i] == 0) return MMALIB_ERR_INVALID_VALUE;
    if (shift[i] > MMALIB_MAX_SHIFT) return MMALIB_ERR_INVALID_SHIFT;
  }
  return MMALIB_SUCCESS;
}

static int32_t output_size(int32_t in, int32_t pads, int32_t kernel, int32_t stride) {
  return (in + pads - kernel) / stride + 1;
}

static qc_status check_sizes(const qc_mma_conv2d_params* p) {
  const int32_t pads_h = p->pad_top + p->pad_bottom;
  const int32_t pads_w = p->pad_left + p->pad_right;
  const int positive = p->c_in > 0 && p->h_in > 0 && p->w_in > 0 && p->c_out > 0 &&
                       p->kernel_h > 0 && p->kernel_w > 0 && p->stride > 0 && p->groups == 1 &&
                       p->pad_top >= 0 && p->pad_left >= 0 && p->pad_bottom >= 0 &&
                       p->pad_right >= 0 && p->h_in + pads_h >= p->kernel_h &&
                       p->w_in + pads_w >= p->kernel_w;
  if (!positive || p->h_out != output_size(p->h_in, pads_h, p->kernel_h, p->stride) ||
      p->w_out != output_size(p->w_in, pads_w, p->kernel_w, p->stride)) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  if (p->pad_fill < -128 || p->pad_fill > 127) return MMALIB_ERR_INVALID_VALUE;
  return MMALIB_SUCCESS;
}

static qc_status check_strided(const qc_mma_conv2d_params* p) {
  int listed = 0;
  for (size_t i = 0; i < sizeof(kMmalibStridedKernels) / sizeof(mmalib_kernel); ++i) {
    const mmalib_kernel row = kMmalibStridedKernels[i];
    listed |= p->kernel_h == row.size && p->kernel_w == row.size && p->stride == row.stride;
  }
  if (!listed) return MMALIB_ERR_NOT_IMPLEMENTED;
  if (p->c_out > MMALIB_MAX_CHANNELS_STRIDED) return MMALIB_ERR_INVALID_DIMENSION;
  if (p->pad_top != 0 && p->pad_bottom != 0 && p->pad_bottom != (p->kernel_h - 1) / 2) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  if (p->kernel_w == 1 && p->pad_left != p->pad_right) return MMALIB_ERR_INVALID_DIMENSION;
  return MMALIB_SUCCESS;
}

static qc_status check_stride1(const qc_mma_conv2d_params* p) {
  if (p->c_out > MMALIB_MAX_CHANNELS_STRIDE1) return MMALIB_ERR_INVALID_DIMENSION;
  const int padded = p->pad_top > 0 || p->pad_left > 0 || p->pad_bottom > 0 || p->pad_right > 0;
  const int64_t computed =
      (int64_t)p->h_in * p->w_in - (int64_t)p->w_in * (p->kernel_h - 1) - (p->kernel_w - 1);
  if (!padded && (p->kernel_h > 1 || p->kernel_w > 1) && computed > (int64_t)p->h_out * p->w_out) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  return MMALIB_SUCCESS;
}

static qc_status check_depthwise(const qc_mma_conv2d_params* p) {
  if (p->c_in != 1 || p->c_out != 1) return MMALIB_ERR_INVALID_DIMENSION;
  for (size_t i = 0; i < sizeof(kMmalibDepthwiseKernels) / sizeof(mmalib_kernel); ++i) {
    const mmalib_kernel row = kMmalibDepthwiseKernels[i];
    if (p->kernel_h == row.size && p->kernel_w == row.size && p->stride <= row.stride) {
      return MMALIB_SUCCESS;
    }
  }
  return MMALIB_ERR_NOT_IMPLEMENTED;
}

/* ---- Arithmetic ---- */

/* See qc_mmalib.h. Right shifts of negative values are arithmetic in every compiler we build with.
 */
static int8_t requantize(int32_t acc, uint8_t scale, uint8_t shift, const qc_mma_output* out) {
  int64_t v = (int64_t)acc * scale;
  if (shift > 0) {
    v = out->rounding == QC_MMA_TRUNCATE ? v >> shift : ((v >> (shift - 1)) + 1) >> 1;
  }
  return (int8_t)(v < out->lo ? out->lo : (v > out->hi ? out->hi : v));
}

/* Taps of a filter, or a part of them. */
typedef struct block {
  int32_t c, h, w;
} block;

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* The most taps that are contiguous in a filter and fit a chunk: whole channels, else whole rows of
 * one channel, else a part of one row. */
static block chunk_of(const qc_mma_conv2d_params* p) {
  block most;
  most.w = smaller(p->kernel_w, kChunk);
  most.h = smaller(p->kernel_h, kChunk / most.w);
  most.c = smaller(p->c_in, kChunk / (most.w * most.h));
  return most;
}

/* The codes of the block's taps, whose first one is over (top, left) of `plane`. */
static void gather(const qc_mma_conv2d_params* p, const int8_t* plane, int32_t top, int32_t left,
                   block taps, int16_t* wide) {
  const int16_t fill = (int16_t)p->pad_fill;
  for (int32_t c = 0; c < taps.c; ++c, plane += (ptrdiff_t)p->h_in * p->w_in) {
    for (int32_t h = top; h < top + taps.h; ++h) {
      const int inside = h >= 0 && h < p->h_in;
      for (int32_t w = left; w < left + taps.w; ++w) {
        const int read = inside && w >= 0 && w < p->w_in;
        *wide++ = read ? plane[(ptrdiff_t)h * p->w_in + w] : fill;
      }
    }
  }
}

/* Accumulators of every output channel at output (h, w). */
static void convolve_pixel(const qc_mma_conv2d_params* p, const int8_t* x, const int8_t* weights,
                           int32_t h, int32_t w, int32_t* acc) {
  int16_t wide[kChunk];
  const block most = chunk_of(p);
  const int32_t top = h * p->stride - p->pad_top;
  const int32_t left = w * p->stride - p->pad_left;
  const size_t filter = (size_t)p->c_in * (size_t)p->kernel_h * (size_t)p->kernel_w;
  for (int32_t c = 0; c < p->c_in; c += most.c) {
    for (int32_t kh = 0; kh < p->kernel_h; kh += most.h) {
      for (int32_t kw = 0; kw < p->kernel_w; kw += most.w) {
        const block taps = {smaller(p->c_in - c, most.c), smaller(p->kernel_h - kh, most.h),
                            smaller(p->kernel_w - kw, most.w)};
        const size_t count = (size_t)taps.c * (size_t)taps.h * (size_t)taps.w;
        gather(p, x + (ptrdiff_t)c * p->h_in * p->w_in, top + kh, left + kw, taps, wide);
        qc_add_products(wide, weights, count, filter, p->c_out, acc);
        weights += count;
      }
    }
  }
}

qc_status mmalib_convolve_bias_row_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                                      const int8_t* x, const int8_t* weights, const int32_t* bias,
                                      const uint8_t* scale, const uint8_t* shift, int8_t* y) {
  qc_status status = check_sizes(p);
  if (status == MMALIB_SUCCESS) status = p->stride > 1 ? check_strided(p) : check_stride1(p);
  if (status == MMALIB_SUCCESS) status = check_output(out, scale, shift, p->c_out);
  if (status != MMALIB_SUCCESS) return status;
  int32_t acc[MMALIB_MAX_CHANNELS_STRIDE1];
  const ptrdiff_t plane = (ptrdiff_t)p->h_out * p->w_out;
  for (int32_t h = 0; h < p->h_out; ++h) {
    for (int32_t w = 0; w < p->w_out; ++w, ++y) {
      memcpy(acc, bias, (size_t)p->c_out * sizeof(*acc));
      convolve_pixel(p, x, weights, h, w, acc);
      for (int32_t o = 0; o < p->c_out; ++o) {
        y[o * plane] = requantize(acc[o], scale[o], shift[o], out);
      }
    }
  }
  return MMALIB_SUCCESS;
}

/* Adds weight * input to the accumulators of one output row. `line` is an input row, NULL in the
 * padding; its column `first` is under the first output. */
static void add_tap(const qc_mma_conv2d_params* p, const int8_t* line, int32_t first,
                    int16_t weight, int32_t* row) {
  const int32_t stride = p->stride;
  int32_t begin = p->w_out; /* outputs from begin to end read the row, the others padding */
  int32_t end = p->w_out;
  if (line != NULL && first < p->w_in) {
    begin = first < 0 ? (stride - 1 - first) / stride : 0;
    end = (p->w_in - 1 - first) / stride + 1;
    if (end > p->w_out) end = p->w_out;
    if (begin > end) begin = end;
    if (stride == 1) {
      for (int32_t x = begin; x < end; ++x) row[x] += (int16_t)(weight * line[x + first]);
    } else {
      for (int32_t x = begin; x < end; ++x) row[x] += weight * line[x * stride + first];
    }
  }
  for (int32_t x = 0; x < begin; ++x) row[x] += weight * p->pad_fill;
  for (int32_t x = end; x < p->w_out; ++x) row[x] += weight * p->pad_fill;
}

qc_status mmalib_convolve_col_small_no_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                                          const int8_t* x, const int8_t* weights,
                                          const int32_t* bias, const uint8_t* scale,
                                          const uint8_t* shift, int32_t* row, int8_t* y) {
  qc_status status = check_sizes(p);
  if (status == MMALIB_SUCCESS) status = check_depthwise(p);
  if (status == MMALIB_SUCCESS) status = check_output(out, scale, shift, 1);
  if (status != MMALIB_SUCCESS) return status;
  for (int32_t h = 0; h < p->h_out; ++h, y += p->w_out) {
    const int8_t* weight = weights;
    for (int32_t w = 0; w < p->w_out; ++w) row[w] = *bias;
    for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
      const int32_t h_in = h * p->stride - p->pad_top + kh;
      const int inside = h_in >= 0 && h_in < p->h_in;
      const int8_t* line = inside ? x + (ptrdiff_t)h_in * p->w_in : NULL;
      for (int32_t kw = 0; kw < p->kernel_w; ++kw)
        add_tap(p, line, kw - p->pad_left, *weight++, row);
    }
    for (int32_t w = 0; w < p->w_out; ++w) y[w] = requantize(row[w], *scale, *shift, out);
  }
  return MMALIB_SUCCESS;
}

qc_status mmalib_matrix_multiply_bias_i8(int32_t n, int32_t k, const qc_mma_output* out,
                                         const int8_t* x, const int8_t* weights,
                                         const int32_t* bias, const uint8_t* scale,
                                         const uint8_t* shift, int8_t* y) {
  if (n < 1 || k < 1 || n % MMALIB_FC_MULTIPLE != 0 || k % MMALIB_FC_MULTIPLE != 0) {
    return MMALIB_ERR_INVALID_DIMENSION;
  }
  const qc_status status = check_output(out, scale, shift, n);
  if (status != MMALIB_SUCCESS) return status;
  for (int32_t i = 0; i < n; ++i) {
    const int8_t* row = weights + (ptrdiff_t)i * k;
    int32_t acc = bias[i];
    for (int32_t j = 0; j < k; ++j) acc += row[j] * x[j];
    y[i] = requantize(acc, scale[i], shift[i], out);
  }
  return MMALIB_SUCCESS;
}
