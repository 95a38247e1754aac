/* Convolution on MMALIB: one library call per group and tile of output channels. */
#include "mmalib_emulation.h"

size_t qc_mma_conv2d_scratch_bytes(const qc_mma_conv2d_params* p) {
  return (size_t)p->w_out * sizeof(int32_t);
}

qc_status qc_mma_conv2d_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out, const int8_t* x,
                           const int8_t* weights, const int32_t* bias, const uint8_t* scale,
                           const uint8_t* shift, int8_t* scratch, int8_t* y) {
  (void)scratch; /* the depthwise kernel's */
  if (p->groups < 1 || p->c_in % p->groups != 0 || p->c_out % p->groups != 0 ||
      p->channels_per_call < 1) {
    return QC_ERR_PARAMETER;
  }
  const int32_t group_in = p->c_in / p->groups;
  const int32_t group_out = p->c_out / p->groups;
  const ptrdiff_t filter = (ptrdiff_t)group_in * p->kernel_h * p->kernel_w;
  const ptrdiff_t plane = (ptrdiff_t)p->h_out * p->w_out;
  qc_mma_conv2d_params call = *p;
  call.groups = 1;
  call.c_in = group_in;
  for (int32_t g = 0; g < p->groups; ++g) {
    const int8_t* group_x = x + (ptrdiff_t)g * group_in * p->h_in * p->w_in;
    for (int32_t first = 0; first < group_out; first += p->channels_per_call) {
      const int32_t o = g * group_out + first;
      const int32_t left = group_out - first;
      call.c_out = left < p->channels_per_call ? left : p->channels_per_call;
      const qc_status status = mmalib_convolve_bias_row_i8(
          &call, out, group_x, weights + o * filter, bias + o, scale + o, shift + o, y + o * plane);
      if (status != QC_OK) return status;
    }
  }
  return QC_OK;
}
