/* Max pooling of int8 codes. */
#include "qc_kernels.h"
#include "qc_layout.h"

static qc_status check(const qc_max_pool_params* p) {
  if (!qc_is_readable(&p->x) || !qc_is_writable(&p->y) || p->x.n != p->y.n || p->x.c != p->y.c) {
    return QC_ERR_SHAPE;
  }
  const int positive = p->kernel_h > 0 && p->kernel_w > 0 && p->stride_h > 0 && p->stride_w > 0 &&
                       p->dilation_h > 0 && p->dilation_w > 0;
  return positive && p->pad_top >= 0 && p->pad_left >= 0 ? QC_OK : QC_ERR_PARAMETER;
}

static void raise_to(int8_t* y, ptrdiff_t y_step, const int8_t* x, ptrdiff_t x_step,
                     int32_t count) {
  for (int32_t c = 0; c < count; ++c) {
    const int8_t code = x[c * x_step];
    if (code > y[c * y_step]) y[c * y_step] = code;
  }
}

/* The maxima of `count` channels in the window at (top, left); false if it is all padding. */
static int pool_window(const qc_max_pool_params* p, const int8_t* x, int32_t top, int32_t left,
                       int32_t count, int8_t* y) {
  int touches_image = 0;
  for (int32_t c = 0; c < count; ++c) y[(ptrdiff_t)c * p->y.c_stride] = -128;
  for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
    const int32_t h = top + kh * p->dilation_h;
    if (h < 0 || h >= p->x.h) continue;
    for (int32_t kw = 0; kw < p->kernel_w; ++kw) {
      const int32_t w = left + kw * p->dilation_w;
      if (w < 0 || w >= p->x.w) continue;
      raise_to(y, p->y.c_stride, x + qc_at(&p->x, 0, 0, h, w), p->x.c_stride, count);
      touches_image = 1;
    }
  }
  return touches_image;
}

static int pool_image(const qc_max_pool_params* p, const int8_t* x, int32_t count, int8_t* y) {
  for (int32_t h = 0; h < p->y.h; ++h) {
    for (int32_t w = 0; w < p->y.w; ++w) {
      const int32_t top = h * p->stride_h - p->pad_top;
      const int32_t left = w * p->stride_w - p->pad_left;
      if (!pool_window(p, x, top, left, count, y + qc_at(&p->y, 0, 0, h, w))) return 0;
    }
  }
  return 1;
}

qc_status qc_max_pool_i8(const qc_max_pool_params* p, const int8_t* x, int8_t* y) {
  const qc_status status = check(p);
  if (status != QC_OK) return status;
  /* A planar tensor is worked on as so many images of one channel. */
  const int32_t count = qc_is_planar(&p->y) ? 1 : p->y.c;
  for (int32_t n = 0; n < p->y.n; ++n) {
    for (int32_t c = 0; c < p->y.c; c += count) {
      if (!pool_image(p, x + qc_at(&p->x, n, c, 0, 0), count, y + qc_at(&p->y, n, c, 0, 0))) {
        return QC_ERR_SHAPE;
      }
    }
  }
  return QC_OK;
}
