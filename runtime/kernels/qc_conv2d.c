/* Convolution of int8 codes, to int8 or float32. */
#include <string.h>

#include "qc_dot.h"
#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

/* Output channels whose accumulators are made together; input codes that are widened together. */
enum { kBlock = 64, kChunk = 1024 };

typedef struct conv_call {
  const qc_conv2d_params* p;
  const int8_t* x;
  const int8_t* weights;
  const int32_t* bias;
  const float* multiplier;
  int8_t* scratch;
} conv_call;

/* Writes y for `count` accumulators of channel o and those after it, at element `at` of y. */
typedef void (*store_fn)(const void* out, const int32_t* acc, const float* multiplier,
                         int32_t count, void* y, ptrdiff_t at, ptrdiff_t step);

typedef struct conv_output {
  store_fn store;
  const void* out;
  void* y;
} conv_output;

size_t qc_conv2d_scratch_bytes(const qc_conv2d_params* p) {
  return (size_t)p->kernel_h * (size_t)p->kernel_w * (size_t)p->x.c;
}

static qc_status check(const conv_call* call) {
  const qc_conv2d_params* p = call->p;
  if (!qc_is_readable(&p->x) || !qc_is_writable(&p->y) || p->x.n != p->y.n || p->groups < 1 ||
      p->x.c % p->groups != 0 || p->y.c % p->groups != 0 || (p->x.c_stride != 1 && p->x.c != 1)) {
    return QC_ERR_SHAPE;
  }
  if (p->kernel_h < 1 || p->kernel_w < 1 || p->stride_h < 1 || p->stride_w < 1 ||
      p->dilation_h < 1 || p->dilation_w < 1 || p->pad_top < 0 || p->pad_left < 0 ||
      !qc_is_code(p->x_zero_point)) {
    return QC_ERR_PARAMETER;
  }
  for (int32_t o = 0; o < p->y.c; ++o) {
    if (!qc_is_finite(call->multiplier[o])) return QC_ERR_PARAMETER;
  }
  return QC_OK;
}

/* The pixel under a tap of output (y, x), or NULL where that is padding. */
static const int8_t* pixel_under(const qc_conv2d_params* p, const int8_t* image, int32_t y,
                                 int32_t x, int32_t kh, int32_t kw) {
  const int32_t h = y * p->stride_h - p->pad_top + kh * p->dilation_h;
  const int32_t w = x * p->stride_w - p->pad_left + kw * p->dilation_w;
  const int inside = h >= 0 && h < p->x.h && w >= 0 && w < p->x.w;
  return inside ? image + qc_at(&p->x, 0, 0, h, w) : NULL;
}

/* The inputs of one output pixel as [group][kernel_h][kernel_w][c_in / groups]. */
static void gather_patch(const qc_conv2d_params* p, const int8_t* image, int32_t y, int32_t x,
                         int8_t* patch) {
  const size_t channels = (size_t)(p->x.c / p->groups);
  const size_t depth = (size_t)p->kernel_h * (size_t)p->kernel_w * channels;
  for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
    for (int32_t kw = 0; kw < p->kernel_w; ++kw, patch += channels) {
      const int8_t* pixel = pixel_under(p, image, y, x, kh, kw);
      for (size_t g = 0; g < (size_t)p->groups; ++g) {
        if (pixel != NULL) {
          memcpy(patch + g * depth, pixel + g * channels, channels);
        } else {
          memset(patch + g * depth, p->x_zero_point, channels);
        }
      }
    }
  }
}

/* Adds the products of one group's patch with its filters. */
static void add_group(const int8_t* patch, const int8_t* filters, size_t depth,
                      int32_t filter_count, int32_t* acc) {
  int16_t wide[kChunk];
  for (size_t first = 0; first < depth; first += kChunk) {
    const size_t count = depth - first < kChunk ? depth - first : kChunk;
    for (size_t i = 0; i < count; ++i) wide[i] = (int16_t)patch[first + i];
    qc_add_products(wide, filters + first, count, depth, filter_count, acc);
  }
}

/* Accumulators of the channels [first, first + count), whatever groups they are in. */
static void accumulate(const conv_call* call, int32_t first, int32_t count, int32_t* acc) {
  const qc_conv2d_params* p = call->p;
  const size_t depth = (size_t)p->kernel_h * (size_t)p->kernel_w * (size_t)(p->x.c / p->groups);
  const int32_t group_size = p->y.c / p->groups;
  const int32_t end = first + count;
  memcpy(acc, call->bias + first, (size_t)count * sizeof(*acc));
  for (int32_t o = first; o < end;) {
    const int32_t group = o / group_size;
    const int32_t group_end = (group + 1) * group_size;
    const int32_t run = (group_end < end ? group_end : end) - o;
    add_group(call->scratch + (size_t)group * depth, call->weights + (size_t)o * depth, depth, run,
              acc + (o - first));
    o += run;
  }
}

/* ---- Depthwise: patches of one code are not worth gathering. Scratch holds the weights as
 * [kernel_h][kernel_w][c], and pixels are multiplied where they are. ---- */

static int is_depthwise(const qc_conv2d_params* p) {
  return p->groups > 1 && p->groups == p->x.c && p->groups == p->y.c;
}

static void transpose_weights(const conv_call* call) {
  const size_t channels = (size_t)call->p->x.c;
  const size_t taps = (size_t)call->p->kernel_h * (size_t)call->p->kernel_w;
  for (size_t c = 0; c < channels; ++c) {
    for (size_t t = 0; t < taps; ++t) {
      call->scratch[t * channels + c] = call->weights[c * taps + t];
    }
  }
}

static void accumulate_depthwise(const conv_call* call, const int8_t* image, int32_t y, int32_t x,
                                 int32_t first, int32_t count, int32_t* acc) {
  const qc_conv2d_params* p = call->p;
  const int8_t* filter = call->scratch + first;
  memcpy(acc, call->bias + first, (size_t)count * sizeof(*acc));
  for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
    for (int32_t kw = 0; kw < p->kernel_w; ++kw, filter += p->x.c) {
      const int8_t* pixel = pixel_under(p, image, y, x, kh, kw);
      if (pixel != NULL) {
        for (int32_t c = 0; c < count; ++c) acc[c] += pixel[first + c] * filter[c];
      } else {
        for (int32_t c = 0; c < count; ++c) acc[c] += p->x_zero_point * filter[c];
      }
    }
  }
}

/* ---- All of it ---- */

static void convolve_pixel(const conv_call* call, const conv_output* to, int32_t n, int32_t h,
                           int32_t w) {
  const qc_conv2d_params* p = call->p;
  const int8_t* image = call->x + qc_at(&p->x, n, 0, 0, 0);
  const int depthwise = is_depthwise(p);
  int32_t acc[kBlock];
  if (!depthwise) gather_patch(p, image, h, w, call->scratch);
  for (int32_t o = 0; o < p->y.c; o += kBlock) {
    const int32_t count = p->y.c - o < kBlock ? p->y.c - o : kBlock;
    if (depthwise) {
      accumulate_depthwise(call, image, h, w, o, count, acc);
    } else {
      accumulate(call, o, count, acc);
    }
    to->store(to->out, acc, call->multiplier + o, count, to->y, qc_at(&p->y, n, o, h, w),
              p->y.c_stride);
  }
}

static qc_status convolve(const conv_call* call, const conv_output* to) {
  const qc_status status = check(call);
  if (status != QC_OK) return status;
  if (is_depthwise(call->p)) transpose_weights(call);
  QC_FOR_EACH_ROW(&call->p->y) { convolve_pixel(call, to, n, h, w); }
  return QC_OK;
}

static void store_i8(const void* out, const int32_t* acc, const float* multiplier, int32_t count,
                     void* y, ptrdiff_t at, ptrdiff_t step) {
  const qc_requant r = *(const qc_requant*)out;
  int8_t* to = (int8_t*)y + at;
  for (int32_t o = 0; o < count; ++o) {
    to[o * step] = qc_requantize((float)acc[o] * multiplier[o], r.zero_point, r.lo, r.hi);
  }
}

static void store_f32(const void* out, const int32_t* acc, const float* multiplier, int32_t count,
                      void* y, ptrdiff_t at, ptrdiff_t step) {
  const qc_float_clip clip = *(const qc_float_clip*)out;
  float* to = (float*)y + at;
  for (int32_t o = 0; o < count; ++o) {
    const float v = (float)acc[o] * multiplier[o];
    to[o * step] = v < clip.lo ? clip.lo : (v > clip.hi ? clip.hi : v);
  }
}

qc_status qc_conv2d_i8(const qc_conv2d_params* p, const qc_requant* out, const int8_t* x,
                       const int8_t* weights, const int32_t* bias, const float* multiplier,
                       int8_t* scratch, int8_t* y) {
  if (!qc_is_requant(out->zero_point, out->lo, out->hi)) return QC_ERR_PARAMETER;
  const conv_call call = {p, x, weights, bias, multiplier, scratch};
  const conv_output to = {store_i8, out, y};
  return convolve(&call, &to);
}

qc_status qc_conv2d_i8_f32(const qc_conv2d_params* p, const qc_float_clip* out, const int8_t* x,
                           const int8_t* weights, const int32_t* bias, const float* multiplier,
                           int8_t* scratch, float* y) {
  if (!(out->lo <= out->hi)) return QC_ERR_PARAMETER;
  const conv_call call = {p, x, weights, bias, multiplier, scratch};
  const conv_output to = {store_f32, out, y};
  return convolve(&call, &to);
}
