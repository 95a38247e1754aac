/* Sums of products of int8 codes. */
#ifndef QC_DOT_H
#define QC_DOT_H

#include <stddef.h>
#include <stdint.h>

/* One operand comes widened: compilers know a multiply-add instruction for int16. */
static inline int32_t qc_dot(const int16_t* a, const int8_t* b, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/* acc[o] += a . row o of the matrix b, whose rows are `pitch` elements apart. */
static inline void qc_add_products(const int16_t* a, const int8_t* b, size_t count, size_t pitch,
                                   int32_t rows, int32_t* acc) {
  for (int32_t o = 0; o < rows; ++o) acc[o] += qc_dot(a, b + (size_t)o * pitch, count);
}

#endif
