/* A function of one int8 code, as a table. */
#include "qc_kernels.h"
#include "qc_layout.h"

static void look_up_row(const int8_t* table, const int8_t* x, ptrdiff_t x_step, int8_t* y,
                        ptrdiff_t y_step, int32_t count) {
  for (int32_t i = 0; i < count; ++i) y[i * y_step] = table[x[i * x_step] + 128];
}

qc_status qc_lut_i8(const qc_lut_params* p, const int8_t* x, const int8_t* table, int8_t* y) {
  if (!qc_is_elementwise(&p->x, &p->y)) return QC_ERR_SHAPE;
  const int turn = qc_is_planar(&p->y);
  const qc_layout from = qc_turned(&p->x, turn);
  const qc_layout to = qc_turned(&p->y, turn);
  QC_FOR_EACH_ROW(&to) {
    look_up_row(table, x + qc_at(&from, n, 0, h, w), from.c_stride, y + qc_at(&to, n, 0, h, w),
                to.c_stride, to.c);
  }
  return QC_OK;
}
