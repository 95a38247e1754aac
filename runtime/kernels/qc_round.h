/* Rounding, clamping and checking of values, shared by the kernels. */
#ifndef QC_ROUND_H
#define QC_ROUND_H

#include <float.h>
#include <stdint.h>

#include "qc_types.h"

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "the kernels need IEEE float32 arithmetic, as written"
#endif

/* Nearest integer, ties to even, of |v| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction. */
static inline float qc_rne(float v) {
  const float magic = 12582912.0f;
  return (v + magic) - magic;
}

/* clamp(rne(v) + zero_point, lo, hi). The bounds are integers, so clamping first gives the same and
 * keeps v in the range of qc_rne. A NaN gives lo. */
static inline int8_t qc_requantize(float v, int32_t zero_point, int32_t lo, int32_t hi) {
  const float least = (float)(lo - zero_point);
  const float most = (float)(hi - zero_point);
  const float above = v > least ? v : least;
  const float clamped = above < most ? above : most;
  return (int8_t)((int32_t)qc_rne(clamped) + zero_point);
}

static inline int qc_is_code(int32_t v) { return v >= -128 && v <= 127; }

/* Bounds and zero point that qc_requantize may be called with. */
static inline int qc_is_requant(int32_t zero_point, int32_t lo, int32_t hi) {
  return qc_is_code(zero_point) && qc_is_code(lo) && qc_is_code(hi) && lo <= hi;
}

static inline int qc_is_finite(float v) { return v - v == 0.0f; }

static inline int qc_is_scale(float v) { return v > 0.0f && qc_is_finite(v); }

#endif
