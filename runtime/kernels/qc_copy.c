/* int8 from one layout to another: concatenation, and changes between planar and NHWC. */
#include "qc_kernels.h"
#include "qc_layout.h"

static void copy_row(const int8_t* x, ptrdiff_t x_step, int8_t* y, ptrdiff_t y_step,
                     int32_t count) {
  for (int32_t i = 0; i < count; ++i) y[i * y_step] = x[i * x_step];
}

qc_status qc_copy_i8(const qc_copy_params* p, const int8_t* x, int8_t* y) {
  if (!qc_is_elementwise(&p->x, &p->y)) return QC_ERR_SHAPE;
  const int turn = qc_is_planar(&p->y);
  const qc_layout from = qc_turned(&p->x, turn);
  const qc_layout to = qc_turned(&p->y, turn);
  QC_FOR_EACH_ROW(&to) {
    copy_row(x + qc_at(&from, n, 0, h, w), from.c_stride, y + qc_at(&to, n, 0, h, w), to.c_stride,
             to.c);
  }
  return QC_OK;
}
