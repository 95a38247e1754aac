#include "qc_kernels.h"
#include "qc_layout.h"

qc_status qc_dequantize_i8_f32(const qc_dequantize_params *p, const int8_t *x, float *y) {
  if (!qc_same_sizes(&p->x, &p->y)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    y[qc_at(&p->y, n, c, h, w)] =
        (float)(x[qc_at(&p->x, n, c, h, w)] - p->zero_point) * p->scale;
  }
  return QC_OK;
}
