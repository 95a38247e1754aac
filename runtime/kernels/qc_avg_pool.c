/* Average pooling of int8 codes, to int8 or float32. */
#include "qc_kernels.h"
#include "qc_layout.h"
#include "qc_round.h"

/* Channels that are summed together. */
enum { kBlock = 64 };

typedef void (*store_fn)(const void* out, const float* mean, int32_t count, void* y, ptrdiff_t at,
                         ptrdiff_t step);

typedef struct avg_output {
  store_fn store;
  const void* out;
  void* y;
} avg_output;

/* Windows of one dimension lie in the image and have divisors; *area and *divisor are multiplied by
 * the largest window and divisor. */
static int windows_fit(const int32_t* begin, const int32_t* end, const int32_t* divisor,
                       int32_t count, int32_t size, int64_t* area, int64_t* divisors) {
  int32_t widest = 0;
  int32_t largest = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (begin[i] < 0 || end[i] < begin[i] || end[i] > size || divisor[i] <= 0) return 0;
    if (end[i] - begin[i] > widest) widest = end[i] - begin[i];
    if (divisor[i] > largest) largest = divisor[i];
  }
  *area *= widest;
  *divisors *= largest;
  return 1;
}

static qc_status check(const qc_avg_pool_params* p) {
  int64_t area = 1;
  int64_t divisors = 1;
  if (!qc_is_readable(&p->x) || !qc_is_writable(&p->y) || p->x.n != p->y.n || p->x.c != p->y.c ||
      !windows_fit(p->begin_h, p->end_h, p->divisor_h, p->y.h, p->x.h, &area, &divisors) ||
      !windows_fit(p->begin_w, p->end_w, p->divisor_w, p->y.w, p->x.w, &area, &divisors)) {
    return QC_ERR_SHAPE;
  }
  const int sums_fit = area <= INT32_MAX / 255 && divisors <= INT32_MAX;
  return sums_fit && qc_is_scale(p->scale) && qc_is_code(p->x_zero_point) ? QC_OK
                                                                          : QC_ERR_PARAMETER;
}

/* Means of `count` channels over window (i, j). */
static void average(const qc_avg_pool_params* p, const int8_t* x, int32_t i, int32_t j,
                    int32_t count, float* mean) {
  int32_t acc[kBlock] = {0};
  const ptrdiff_t step = p->x.c_stride;
  for (int32_t h = p->begin_h[i]; h < p->end_h[i]; ++h) {
    for (int32_t w = p->begin_w[j]; w < p->end_w[j]; ++w) {
      const int8_t* pixel = x + qc_at(&p->x, 0, 0, h, w);
      for (int32_t c = 0; c < count; ++c) acc[c] += pixel[c * step] - p->x_zero_point;
    }
  }
  const float divisor = (float)(p->divisor_h[i] * p->divisor_w[j]);
  for (int32_t c = 0; c < count; ++c) mean[c] = (float)acc[c] * p->scale / divisor;
}

/* `count` channels of one image. */
static void pool_image(const qc_avg_pool_params* p, const int8_t* x, int32_t count,
                       const avg_output* to, ptrdiff_t at) {
  float mean[kBlock];
  for (int32_t h = 0; h < p->y.h; ++h) {
    for (int32_t w = 0; w < p->y.w; ++w) {
      average(p, x, h, w, count, mean);
      to->store(to->out, mean, count, to->y, at + qc_at(&p->y, 0, 0, h, w), p->y.c_stride);
    }
  }
}

static qc_status pool(const qc_avg_pool_params* p, const int8_t* x, const avg_output* to) {
  const qc_status status = check(p);
  if (status != QC_OK) return status;
  /* A planar tensor is worked on as so many images of one channel. */
  const int32_t block = qc_is_planar(&p->y) ? 1 : kBlock;
  for (int32_t n = 0; n < p->y.n; ++n) {
    for (int32_t c = 0; c < p->y.c; c += block) {
      const int32_t count = p->y.c - c < block ? p->y.c - c : block;
      pool_image(p, x + qc_at(&p->x, n, c, 0, 0), count, to, qc_at(&p->y, n, c, 0, 0));
    }
  }
  return QC_OK;
}

static void store_i8(const void* out, const float* mean, int32_t count, void* y, ptrdiff_t at,
                     ptrdiff_t step) {
  const qc_requant r = *(const qc_requant*)out;
  int8_t* to = (int8_t*)y + at;
  for (int32_t c = 0; c < count; ++c) {
    to[c * step] = qc_requantize(mean[c], r.zero_point, r.lo, r.hi);
  }
}

static void store_f32(const void* out, const float* mean, int32_t count, void* y, ptrdiff_t at,
                      ptrdiff_t step) {
  (void)out;
  float* to = (float*)y + at;
  for (int32_t c = 0; c < count; ++c) to[c * step] = mean[c];
}

qc_status qc_avg_pool_i8(const qc_avg_pool_params* p, const qc_requant* out, const int8_t* x,
                         int8_t* y) {
  if (!qc_is_requant(out->zero_point, out->lo, out->hi)) return QC_ERR_PARAMETER;
  const avg_output to = {store_i8, out, y};
  return pool(p, x, &to);
}

qc_status qc_avg_pool_i8_f32(const qc_avg_pool_params* p, const int8_t* x, float* y) {
  const avg_output to = {store_f32, 0, y};
  return pool(p, x, &to);
}
