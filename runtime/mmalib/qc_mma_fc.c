/* Fully connected layer on MMALIB: input and output padded to the sizes that the library takes. */
#include <string.h>

#include "mmalib_emulation.h"

qc_status qc_mma_fc_i8(const qc_mma_fc_params* p, const qc_mma_output* out, const int8_t* x,
                       const int8_t* weights, const int32_t* bias, const uint8_t* scale,
                       const uint8_t* shift, int8_t* scratch, int8_t* y) {
  if (p->k < 1 || p->n < 1 || p->k > p->k_padded || p->n > p->n_padded) return QC_ERR_PARAMETER;
  int8_t* padded_x = scratch;
  int8_t* padded_y = scratch + p->k_padded;
  memcpy(padded_x, x, (size_t)p->k);
  memset(padded_x + p->k, 0, (size_t)(p->k_padded - p->k));
  const qc_status status = mmalib_matrix_multiply_bias_i8(p->n_padded, p->k_padded, out, padded_x,
                                                          weights, bias, scale, shift, padded_y);
  if (status != QC_OK) return status;
  memcpy(y, padded_y, (size_t)p->n);
  return QC_OK;
}
