/* Calls every kernel on pseudo-random data and prints a checksum of each output. Compilers and
 * their options must not change a line. */
#include <stdio.h>
#include <stdlib.h>

#include "qc_kernels.h"
#include "qc_mmalib.h"

enum { kPool = 1 << 16, kChannels = 64 };

static uint32_t state = 2463534242u;

static uint32_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/* Zero points, scales and layouts that leave fractions everywhere. */
static int8_t codes[kPool], weights[kPool], table[256], out_i8[kPool];
static _Alignas(64) int8_t scratch[kPool];
static int32_t bias[kChannels];
static uint8_t scale[kChannels], shift[kChannels];
static float reals[kPool], multiplier[kChannels], out_f32[kPool];

static void fill_data(void) {
  for (int i = 0; i < kPool; ++i) {
    codes[i] = (int8_t)(next_random() >> 24);
    weights[i] = (int8_t)(next_random() >> 24);
    reals[i] = (float)(int32_t)next_random() * 0x1p-28f;
  }
  for (int i = 0; i < 256; ++i) table[i] = (int8_t)(next_random() >> 24);
  for (int i = 0; i < kChannels; ++i) {
    bias[i] = (int32_t)(next_random() >> 18) - 8192;
    scale[i] = (uint8_t)(next_random() >> 24 | 1);
    shift[i] = (uint8_t)(12 + i % 8);
    multiplier[i] = (float)(next_random() >> 8) * 0x1p-34f;
  }
}

static void report(const char* kernel, qc_status status, const void* out, int bytes) {
  const uint8_t* byte = out;
  uint64_t hash = 1469598103934665603u; /* FNV-1a */
  for (int i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
  printf("%s %d %016llx\n", kernel, (int)status, (unsigned long long)hash);
}

static qc_layout nhwc(int32_t n, int32_t c, int32_t h, int32_t w) {
  const qc_layout l = {n, c, h, w, c * h * w, 1, w * c, c};
  return l;
}

static qc_layout planar(int32_t n, int32_t c, int32_t h, int32_t w) {
  const qc_layout l = {n, c, h, w, c * h * w, h * w, w, 1};
  return l;
}

static void elementwise(void) {
  const qc_layout from = planar(2, 19, 9, 11);
  const qc_layout to = nhwc(2, 19, 9, 11);
  const int count = 2 * 19 * 9 * 11;
  const qc_requant out = {-7, -120, 113};
  const qc_quantize_params quantize = {from, to, 17.31f, out};
  report("quantize", qc_quantize_f32_i8(&quantize, reals, out_i8), out_i8, count);
  const qc_dequantize_params dequantize = {to, from, 0.0173f, 5};
  report("dequantize", qc_dequantize_i8_f32(&dequantize, codes, out_f32), out_f32, 4 * count);
  const qc_lut_params lut = {from, to};
  report("lut", qc_lut_i8(&lut, codes, table, out_i8), out_i8, count);
  const qc_copy_params copy = {to, from};
  report("copy", qc_copy_i8(&copy, codes, out_i8), out_i8, count);
  const qc_add_params add = {to, from, to, 0.0213f, 0.0371f, 31.7f, 3, -11, out};
  report("add", qc_add_i8(&add, codes, codes + 999, out_i8), out_i8, count);
}

static void convolutions(void) {
  const qc_requant out = {3, -128, 100};
  const qc_float_clip clip = {-0.5f, 1.75f};
  qc_conv2d_params conv = {nhwc(2, 24, 9, 7), nhwc(2, 40, 5, 7), 3, 3, 2, 1, 1, 2, 1, 2, 4, -9};
  report("conv2d", qc_conv2d_i8(&conv, &out, codes, weights, bias, multiplier, scratch, out_i8),
         out_i8, 2 * 40 * 5 * 7);
  conv.y = planar(2, 40, 5, 7);
  report("conv2d_f32",
         qc_conv2d_i8_f32(&conv, &clip, codes, weights, bias, multiplier, scratch, out_f32),
         out_f32, 4 * 2 * 40 * 5 * 7);
  conv.y = nhwc(2, 24, 5, 7);
  conv.groups = 24;
  report("conv2d_depthwise",
         qc_conv2d_i8(&conv, &out, codes, weights, bias, multiplier, scratch, out_i8), out_i8,
         2 * 24 * 5 * 7);
}

static void pools(void) {
  static const int32_t kBegin[] = {0, 1, 3}, kEnd[] = {2, 4, 7}, kDivisor[] = {3, 3, 4};
  const qc_requant out = {-3, -128, 127};
  const qc_max_pool_params max_pool = {
      nhwc(2, 33, 9, 7), nhwc(2, 33, 4, 4), 3, 3, 2, 2, 0, 1, 1, 1};
  report("max_pool", qc_max_pool_i8(&max_pool, codes, out_i8), out_i8, 2 * 33 * 4 * 4);
  qc_avg_pool_params avg_pool = {nhwc(2, 33, 7, 7),
                                 nhwc(2, 33, 3, 3),
                                 kBegin,
                                 kEnd,
                                 kDivisor,
                                 kBegin,
                                 kEnd,
                                 kDivisor,
                                 -5,
                                 1.37f};
  report("avg_pool", qc_avg_pool_i8(&avg_pool, &out, codes, out_i8), out_i8, 2 * 33 * 3 * 3);
  avg_pool.y = planar(2, 33, 3, 3);
  report("avg_pool_f32", qc_avg_pool_i8_f32(&avg_pool, codes, out_f32), out_f32,
         4 * 2 * 33 * 3 * 3);
}

static void mma(qc_mma_rounding rounding) {
  const qc_mma_output out = {rounding, -100, 127};
  const qc_mma_conv2d_params conv = {24, 9, 7, 48, 5, 4, 3, 3, 2, 1, 1, 1, 1, 2, -9, 32};
  report("mma_conv2d",
         qc_mma_conv2d_i8(&conv, &out, codes, weights, bias, scale, shift, scratch, out_i8), out_i8,
         48 * 5 * 4);
  const qc_mma_conv2d_params depthwise = {24, 9, 7, 24, 9, 7, 5, 5, 1, 2, 2, 2, 2, 24, 17, 1024};
  report("mma_depthwise",
         qc_mma_depthwise_i8(&depthwise, &out, codes, weights, bias, scale, shift, scratch, out_i8),
         out_i8, 24 * 9 * 7);
  const qc_mma_fc_params fc = {70, 50, 96, 64};
  report("mma_fc", qc_mma_fc_i8(&fc, &out, codes, weights, bias, scale, shift, scratch, out_i8),
         out_i8, 50);
}

int main(void) {
  fill_data();
  elementwise();
  convolutions();
  pools();
  mma(QC_MMA_HALF_UP);
  mma(QC_MMA_TRUNCATE);
  return 0;
}
