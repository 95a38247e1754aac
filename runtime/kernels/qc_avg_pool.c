#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

static int windows_fit(const qc_avg_pool_params *p) {
  if (p->x.n != p->y.n || p->x.c != p->y.c) return 0;
  for (int32_t i = 0; i < p->y.h; ++i) {
    if (p->begin_h[i] < 0 || p->end_h[i] > p->x.h || p->divisor_h[i] <= 0) return 0;
  }
  for (int32_t i = 0; i < p->y.w; ++i) {
    if (p->begin_w[i] < 0 || p->end_w[i] > p->x.w || p->divisor_w[i] <= 0) return 0;
  }
  return 1;
}

static float window_mean(const qc_avg_pool_params *p, const int8_t *plane, int32_t i, int32_t j) {
  int32_t acc = 0;
  for (int32_t h = p->begin_h[i]; h < p->end_h[i]; ++h) {
    for (int32_t w = p->begin_w[j]; w < p->end_w[j]; ++w) {
      acc += plane[qc_at(&p->x, 0, 0, h, w)] - p->x_zero_point;
    }
  }
  return (float)acc * p->scale / (float)(p->divisor_h[i] * p->divisor_w[j]);
}

qc_status qc_avg_pool_i8(const qc_avg_pool_params *p, const qc_requant *out, const int8_t *x,
                         int8_t *y) {
  if (!windows_fit(p)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    const float mean = window_mean(p, x + qc_at(&p->x, n, c, 0, 0), h, w);
    y[qc_at(&p->y, n, c, h, w)] = qc_requantize(mean, out->zero_point, out->lo, out->hi);
  }
  return QC_OK;
}

qc_status qc_avg_pool_i8_f32(const qc_avg_pool_params *p, const int8_t *x, float *y) {
  if (!windows_fit(p)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    y[qc_at(&p->y, n, c, h, w)] = window_mean(p, x + qc_at(&p->x, n, c, 0, 0), h, w);
  }
  return QC_OK;
}
