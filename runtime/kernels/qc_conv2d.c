#include <string.h>

#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

size_t qc_conv2d_scratch_bytes(const qc_conv2d_params *p) {
  return (size_t)p->kernel_h * (size_t)p->kernel_w * (size_t)p->x.c;
}

static int fits(const qc_conv2d_params *p) {
  return p->groups > 0 && p->x.c % p->groups == 0 && p->y.c % p->groups == 0 &&
         p->x.n == p->y.n && (p->x.c_stride == 1 || p->x.c == 1);
}

/* One tap of every group: the pixel's channels, or the zero point outside of the image. */
static void gather_tap(const qc_conv2d_params *p, const int8_t *image, int32_t h, int32_t w,
                       int32_t tap, int8_t *patch) {
  const size_t channels = (size_t)(p->x.c / p->groups);
  const size_t group_pitch = (size_t)(p->kernel_h * p->kernel_w) * channels;
  const int inside = h >= 0 && h < p->x.h && w >= 0 && w < p->x.w;
  for (int32_t g = 0; g < p->groups; ++g) {
    int8_t *to = patch + (size_t)g * group_pitch + (size_t)tap * channels;
    if (inside) {
      memcpy(to, image + qc_at(&p->x, 0, 0, h, w) + (ptrdiff_t)g * (ptrdiff_t)channels, channels);
    } else {
      memset(to, p->x_zero_point, channels);
    }
  }
}

/* The inputs of one output pixel as [group][kernel_h][kernel_w][c_in / groups]. */
static void gather_patch(const qc_conv2d_params *p, const int8_t *image, int32_t y, int32_t x,
                         int8_t *patch) {
  int32_t tap = 0;
  for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
    for (int32_t kw = 0; kw < p->kernel_w; ++kw) {
      gather_tap(p, image, y * p->stride_h - p->pad_top + kh * p->dilation_h,
                 x * p->stride_w - p->pad_left + kw * p->dilation_w, tap++, patch);
    }
  }
}

static int32_t dot(const int8_t *a, const int8_t *b, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/* The accumulator of output channel o for a gathered patch. */
static int32_t accumulate(const qc_conv2d_params *p, const int8_t *patch, const int8_t *weights,
                          const int32_t *bias, int32_t o) {
  const size_t depth = (size_t)(p->kernel_h * p->kernel_w) * (size_t)(p->x.c / p->groups);
  const int32_t group = o / (p->y.c / p->groups);
  return dot(patch + (size_t)group * depth, weights + (size_t)o * depth, depth) + bias[o];
}

qc_status qc_conv2d_i8(const qc_conv2d_params *p, const qc_requant *out, const int8_t *x,
                       const int8_t *weights, const int32_t *bias, const float *multiplier,
                       int8_t *scratch, int8_t *y) {
  if (!fits(p)) return QC_ERR_SHAPE;
  for (int32_t n = 0; n < p->y.n; ++n) {
    for (int32_t h = 0; h < p->y.h; ++h) {
      for (int32_t w = 0; w < p->y.w; ++w) {
        gather_patch(p, x + qc_at(&p->x, n, 0, 0, 0), h, w, scratch);
        for (int32_t o = 0; o < p->y.c; ++o) {
          const float acc = (float)accumulate(p, scratch, weights, bias, o);
          y[qc_at(&p->y, n, o, h, w)] =
              qc_requantize(acc * multiplier[o], out->zero_point, out->lo, out->hi);
        }
      }
    }
  }
  return QC_OK;
}

qc_status qc_conv2d_i8_f32(const qc_conv2d_params *p, const qc_float_clip *out, const int8_t *x,
                           const int8_t *weights, const int32_t *bias, const float *multiplier,
                           int8_t *scratch, float *y) {
  if (!fits(p)) return QC_ERR_SHAPE;
  for (int32_t n = 0; n < p->y.n; ++n) {
    for (int32_t h = 0; h < p->y.h; ++h) {
      for (int32_t w = 0; w < p->y.w; ++w) {
        gather_patch(p, x + qc_at(&p->x, n, 0, 0, 0), h, w, scratch);
        for (int32_t o = 0; o < p->y.c; ++o) {
          const float v = (float)accumulate(p, scratch, weights, bias, o) * multiplier[o];
          y[qc_at(&p->y, n, o, h, w)] = v < out->lo ? out->lo : (v > out->hi ? out->hi : v);
        }
      }
    }
  }
  return QC_OK;
}
