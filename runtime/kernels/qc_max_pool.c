#include "qc_kernels.h"
#include "qc_layout.h"

/* The largest code of one window, or -129 if the window does not touch the image. */
static int32_t window_max(const qc_max_pool_params *p, const int8_t *plane, int32_t top,
                          int32_t left) {
  int32_t most = -129;
  for (int32_t kh = 0; kh < p->kernel_h; ++kh) {
    const int32_t h = top + kh * p->dilation_h;
    if (h < 0 || h >= p->x.h) continue;
    for (int32_t kw = 0; kw < p->kernel_w; ++kw) {
      const int32_t w = left + kw * p->dilation_w;
      if (w < 0 || w >= p->x.w) continue;
      const int32_t code = plane[qc_at(&p->x, 0, 0, h, w)];
      if (code > most) most = code;
    }
  }
  return most;
}

qc_status qc_max_pool_i8(const qc_max_pool_params *p, const int8_t *x, int8_t *y) {
  if (p->x.n != p->y.n || p->x.c != p->y.c) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    const int32_t most = window_max(p, x + qc_at(&p->x, n, c, 0, 0), h * p->stride_h - p->pad_top,
                                    w * p->stride_w - p->pad_left);
    if (most < -128) return QC_ERR_SHAPE;
    y[qc_at(&p->y, n, c, h, w)] = (int8_t)most;
  }
  return QC_OK;
}
