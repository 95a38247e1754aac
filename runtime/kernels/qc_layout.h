/* Checking tensor layouts, and walking over tensors of different layouts. */
#ifndef QC_LAYOUT_H
#define QC_LAYOUT_H

#include "qc_types.h"

static inline int qc_same_sizes(const qc_layout* a, const qc_layout* b) {
  return a->n == b->n && a->c == b->c && a->h == b->h && a->w == b->w;
}

static inline size_t qc_elements(const qc_layout* l) {
  return (size_t)l->n * (size_t)l->c * (size_t)l->h * (size_t)l->w;
}

static inline ptrdiff_t qc_at(const qc_layout* l, int32_t n, int32_t c, int32_t h, int32_t w) {
  return (ptrdiff_t)n * l->n_stride + (ptrdiff_t)c * l->c_stride + (ptrdiff_t)h * l->h_stride +
         (ptrdiff_t)w * l->w_stride;
}

/* A layout that can be read: it has elements, none of them before its address. */
static inline int qc_is_readable(const qc_layout* l) {
  return l->n > 0 && l->c > 0 && l->h > 0 && l->w > 0 && l->n_stride >= 0 && l->c_stride >= 0 &&
         l->h_stride >= 0 && l->w_stride >= 0;
}

/* A layout that can be written: nothing in it is broadcast. */
static inline int qc_is_writable(const qc_layout* l) {
  return qc_is_readable(l) && (l->n == 1 || l->n_stride > 0) && (l->c == 1 || l->c_stride > 0) &&
         (l->h == 1 || l->h_stride > 0) && (l->w == 1 || l->w_stride > 0);
}

/* Operand and result of a kernel that computes every element of y from one of x. */
static inline int qc_is_elementwise(const qc_layout* x, const qc_layout* y) {
  return qc_is_readable(x) && qc_is_writable(y) && qc_same_sizes(x, y);
}

/* True if elements of one image row stand closer together than the channels of one pixel. */
static inline int qc_is_planar(const qc_layout* l) {
  return l->c == 1 || (l->w > 1 && l->w_stride < l->c_stride);
}

/* The layout with (w, c, h) in the places of (c, h, w). Elementwise kernels turn the layouts of all
 * operands if y is planar, and so write y in the order of its memory. */
static inline qc_layout qc_turned(const qc_layout* l, int turn) {
  const qc_layout turned = {l->n,        l->w,        l->c,        l->h,
                            l->n_stride, l->w_stride, l->c_stride, l->h_stride};
  return turn ? turned : *l;
}

/* The body runs for every row of channels; n, h, w are its indices. */
#define QC_FOR_EACH_ROW(layout)               \
  for (int32_t n = 0; n < (layout)->n; ++n)   \
    for (int32_t h = 0; h < (layout)->h; ++h) \
      for (int32_t w = 0; w < (layout)->w; ++w)

/* The body runs for every element, in NCHW order; n, c, h, w are its indices. */
#define QC_FOR_EACH(layout)                     \
  for (int32_t n = 0; n < (layout)->n; ++n)     \
    for (int32_t c = 0; c < (layout)->c; ++c)   \
      for (int32_t h = 0; h < (layout)->h; ++h) \
        for (int32_t w = 0; w < (layout)->w; ++w)

#endif
