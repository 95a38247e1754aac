/* Walking over tensors of different layouts. */
#ifndef QC_LAYOUT_H
#define QC_LAYOUT_H

#include "qc_types.h"

static inline int qc_same_sizes(const qc_layout *a, const qc_layout *b) {
  return a->n == b->n && a->c == b->c && a->h == b->h && a->w == b->w;
}

static inline size_t qc_elements(const qc_layout *l) {
  return (size_t)l->n * (size_t)l->c * (size_t)l->h * (size_t)l->w;
}

static inline ptrdiff_t qc_at(const qc_layout *l, int32_t n, int32_t c, int32_t h, int32_t w) {
  return (ptrdiff_t)n * l->n_stride + (ptrdiff_t)c * l->c_stride + (ptrdiff_t)h * l->h_stride +
         (ptrdiff_t)w * l->w_stride;
}

/* The body runs for every element; n, c, h, w are its indices. */
#define QC_FOR_EACH(layout)                          \
  for (int32_t n = 0; n < (layout)->n; ++n)          \
    for (int32_t h = 0; h < (layout)->h; ++h)        \
      for (int32_t w = 0; w < (layout)->w; ++w)      \
        for (int32_t c = 0; c < (layout)->c; ++c)

#endif
