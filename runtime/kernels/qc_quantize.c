#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

qc_status qc_quantize_f32_i8(const qc_quantize_params *p, const float *x, int8_t *y) {
  if (!qc_same_sizes(&p->x, &p->y)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    const float v = x[qc_at(&p->x, n, c, h, w)];
    if (!(v - v == 0.0f)) return QC_ERR_NOT_FINITE;
    y[qc_at(&p->y, n, c, h, w)] =
        qc_requantize(v * p->inv_scale, p->out.zero_point, p->out.lo, p->out.hi);
  }
  return QC_OK;
}
