/* int8 to float32. */
#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

static void dequantize_row(const qc_dequantize_params* p, const int8_t* x, ptrdiff_t x_step,
                           float* y, ptrdiff_t y_step, int32_t count) {
  const int32_t zero_point = p->zero_point;
  const float scale = p->scale;
  for (int32_t i = 0; i < count; ++i) {
    y[i * y_step] = (float)(x[i * x_step] - zero_point) * scale;
  }
}

qc_status qc_dequantize_i8_f32(const qc_dequantize_params* p, const int8_t* x, float* y) {
  if (!qc_is_elementwise(&p->x, &p->y)) return QC_ERR_SHAPE;
  if (!qc_is_scale(p->scale) || !qc_is_code(p->zero_point)) return QC_ERR_PARAMETER;
  const int turn = qc_is_planar(&p->y);
  const qc_layout from = qc_turned(&p->x, turn);
  const qc_layout to = qc_turned(&p->y, turn);
  QC_FOR_EACH_ROW(&to) {
    dequantize_row(p, x + qc_at(&from, n, 0, h, w), from.c_stride, y + qc_at(&to, n, 0, h, w),
                   to.c_stride, to.c);
  }
  return QC_OK;
}
