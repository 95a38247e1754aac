/* Rounding and clamping shared by the kernels. */
#ifndef QC_ROUND_H
#define QC_ROUND_H

#include <stdint.h>

/* Nearest integer, ties to even, of |v| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction. */
static inline float qc_rne(float v) {
  const float magic = 12582912.0f;
  return (v + magic) - magic;
}

/* clamp(rne(v) + zero_point, lo, hi). The bounds are integers, so clamping first gives the same and
 * keeps v in the range of qc_rne. */
static inline int8_t qc_requantize(float v, int32_t zero_point, int32_t lo, int32_t hi) {
  const float least = (float)(lo - zero_point);
  const float most = (float)(hi - zero_point);
  const float clamped = v < least ? least : (v > most ? most : v);
  return (int8_t)((int32_t)qc_rne(clamped) + zero_point);
}

#endif
