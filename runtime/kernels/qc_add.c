#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

qc_status qc_add_i8(const qc_add_params *p, const int8_t *a, const int8_t *b, int8_t *y) {
  if (!qc_same_sizes(&p->a, &p->y) || !qc_same_sizes(&p->b, &p->y)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    const float left = (float)(a[qc_at(&p->a, n, c, h, w)] - p->a_zero_point) * p->a_scale;
    const float right = (float)(b[qc_at(&p->b, n, c, h, w)] - p->b_zero_point) * p->b_scale;
    y[qc_at(&p->y, n, c, h, w)] = qc_requantize((left + right) * p->inv_scale, p->out.zero_point,
                                                p->out.lo, p->out.hi);
  }
  return QC_OK;
}
