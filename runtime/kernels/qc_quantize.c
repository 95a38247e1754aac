/* float32 to int8. */
#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

static int row_is_finite(const float* x, ptrdiff_t step, int32_t count) {
  int finite = 1;
  for (int32_t i = 0; i < count; ++i) finite &= qc_is_finite(x[i * step]);
  return finite;
}

static void quantize_row(const qc_quantize_params* p, const float* x, ptrdiff_t x_step, int8_t* y,
                         ptrdiff_t y_step, int32_t count) {
  const float inv_scale = p->inv_scale;
  const qc_requant out = p->out;
  for (int32_t i = 0; i < count; ++i) {
    y[i * y_step] = qc_requantize(x[i * x_step] * inv_scale, out.zero_point, out.lo, out.hi);
  }
}

qc_status qc_quantize_f32_i8(const qc_quantize_params* p, const float* x, int8_t* y) {
  if (!qc_is_elementwise(&p->x, &p->y)) return QC_ERR_SHAPE;
  if (!qc_is_scale(p->inv_scale) || !qc_is_requant(p->out.zero_point, p->out.lo, p->out.hi)) {
    return QC_ERR_PARAMETER;
  }
  const int turn = qc_is_planar(&p->y);
  const qc_layout from = qc_turned(&p->x, turn);
  const qc_layout to = qc_turned(&p->y, turn);
  QC_FOR_EACH_ROW(&to) {
    const float* row = x + qc_at(&from, n, 0, h, w);
    if (!row_is_finite(row, from.c_stride, to.c)) return QC_ERR_NOT_FINITE;
    quantize_row(p, row, from.c_stride, y + qc_at(&to, n, 0, h, w), to.c_stride, to.c);
  }
  return QC_OK;
}
