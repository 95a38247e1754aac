/* Runs the layers of a compiled model, one after another, and stops at the first that fails. */
#ifndef QC_RUN_H
#define QC_RUN_H

#include "qc_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills outputs from inputs. On failure the status is returned and *failure says where; failure may
 * be NULL. Built with QC_POISON, every output is filled with 0xA5 before its layer runs, so that an
 * element that no kernel wrote is seen. */
qc_status qc_run(const qc_program* program, const qc_memory* memory, qc_failure* failure);

/* As qc_run, for the one layer `index`. */
qc_status qc_run_layer(const qc_program* program, int32_t index, const qc_memory* memory,
                       qc_failure* failure);

/* Address of the tensor's element (0,0,0,0); a constant's may not be written to. */
void* qc_tensor_data(const qc_tensor* tensor, const qc_memory* memory);

/* Copies between a tensor and a dense NCHW array of its elements. */
void qc_tensor_gather(const qc_tensor* tensor, const qc_memory* memory, void* dense);
void qc_tensor_scatter(const qc_tensor* tensor, const qc_memory* memory, const void* dense);
size_t qc_tensor_dense_bytes(const qc_tensor* tensor);

/* Sets every byte of the tensor's elements, and no other. */
void qc_tensor_fill(const qc_tensor* tensor, const qc_memory* memory, uint8_t byte);

/* "a parameter outside of its range", "MMALIB: invalid dimension". */
const char* qc_status_text(qc_status status);

#ifdef __cplusplus
}
#endif

#endif
