/* Sum of two int8 tensors of different scales. */
#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

static void add_row(const qc_add_params* p, const int8_t* a, ptrdiff_t a_step, const int8_t* b,
                    ptrdiff_t b_step, int8_t* y, ptrdiff_t y_step, int32_t count) {
  const qc_add_params q = *p;
  for (int32_t i = 0; i < count; ++i) {
    const float left = (float)(a[i * a_step] - q.a_zero_point) * q.a_scale;
    const float right = (float)(b[i * b_step] - q.b_zero_point) * q.b_scale;
    y[i * y_step] =
        qc_requantize((left + right) * q.inv_scale, q.out.zero_point, q.out.lo, q.out.hi);
  }
}

static qc_status check(const qc_add_params* p) {
  if (!qc_is_elementwise(&p->a, &p->y) || !qc_is_elementwise(&p->b, &p->y)) return QC_ERR_SHAPE;
  if (!qc_is_scale(p->a_scale) || !qc_is_scale(p->b_scale) || !qc_is_scale(p->inv_scale) ||
      !qc_is_code(p->a_zero_point) || !qc_is_code(p->b_zero_point) ||
      !qc_is_requant(p->out.zero_point, p->out.lo, p->out.hi)) {
    return QC_ERR_PARAMETER;
  }
  return QC_OK;
}

qc_status qc_add_i8(const qc_add_params* p, const int8_t* a, const int8_t* b, int8_t* y) {
  const qc_status status = check(p);
  if (status != QC_OK) return status;
  const int turn = qc_is_planar(&p->y);
  const qc_layout left = qc_turned(&p->a, turn);
  const qc_layout right = qc_turned(&p->b, turn);
  const qc_layout to = qc_turned(&p->y, turn);
  QC_FOR_EACH_ROW(&to) {
    add_row(p, a + qc_at(&left, n, 0, h, w), left.c_stride, b + qc_at(&right, n, 0, h, w),
            right.c_stride, y + qc_at(&to, n, 0, h, w), to.c_stride, to.c);
  }
  return QC_OK;
}
