#include "qc_kernels.h"
#include "qc_layout.h"

qc_status qc_lut_i8(const qc_lut_params *p, const int8_t *x, const int8_t *table, int8_t *y) {
  if (!qc_same_sizes(&p->x, &p->y)) return QC_ERR_SHAPE;
  QC_FOR_EACH(&p->y) {
    y[qc_at(&p->y, n, c, h, w)] = table[x[qc_at(&p->x, n, c, h, w)] + 128];
  }
  return QC_OK;
}
