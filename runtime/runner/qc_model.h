/* What a generated model offers; model.h includes this. */
#ifndef QC_MODEL_H
#define QC_MODEL_H

#include "qc_run.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const qc_program qc_model_program;
extern const size_t qc_model_arena_bytes;
extern const size_t qc_model_weights_bytes;
extern const int32_t qc_model_input_count;
extern const int32_t qc_model_output_count;
extern const size_t qc_model_input_bytes[];
extern const size_t qc_model_output_bytes[];

#ifdef __cplusplus
}
#endif

#endif
