/* Depthwise convolution on MMALIB: one library call per channel. */
#include "mmalib_emulation.h"

qc_status qc_mma_depthwise_i8(const qc_mma_conv2d_params* p, const qc_mma_output* out,
                              const int8_t* x, const int8_t* weights, const int32_t* bias,
                              const uint8_t* scale, const uint8_t* shift, int8_t* scratch,
                              int8_t* y) {
  if (p->groups < 1 || p->groups != p->c_in || p->groups != p->c_out) return QC_ERR_PARAMETER;
  const ptrdiff_t x_plane = (ptrdiff_t)p->h_in * p->w_in;
  const ptrdiff_t y_plane = (ptrdiff_t)p->h_out * p->w_out;
  const ptrdiff_t filter = (ptrdiff_t)p->kernel_h * p->kernel_w;
  int32_t* row = (int32_t*)(void*)scratch;
  qc_mma_conv2d_params call = *p;
  call.groups = 1;
  call.c_in = 1;
  call.c_out = 1;
  for (int32_t c = 0; c < p->groups; ++c) {
    const qc_status status =
        mmalib_convolve_col_small_no_i8(&call, out, x + c * x_plane, weights + c * filter, bias + c,
                                        scale + c, shift + c, row, y + c * y_plane);
    if (status != QC_OK) return status;
  }
  return QC_OK;
}
