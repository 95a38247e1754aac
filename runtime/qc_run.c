/* Running the layers, and access to their tensors. */
#include "qc_run.h"

#include <string.h>

#include "qc_layout.h"

void* qc_tensor_data(const qc_tensor* t, const qc_memory* memory) {
  switch (t->space) {
    case QC_INPUT:
      /* Inputs are only read by kernels; the layer runner owns what it writes. */
      return (uint8_t*)memory->inputs[t->index] + t->offset;
    case QC_OUTPUT:
      return (uint8_t*)memory->outputs[t->index] + t->offset;
    case QC_CONSTANT:
      return (uint8_t*)memory->weights + t->offset; /* no layer's output */
    default:
      return memory->arena + t->offset;
  }
}

size_t qc_tensor_dense_bytes(const qc_tensor* t) {
  return qc_elements(&t->layout) * (size_t)t->element_bytes;
}

void qc_tensor_gather(const qc_tensor* t, const qc_memory* memory, void* dense) {
  const qc_layout* l = &t->layout;
  const uint8_t* data = qc_tensor_data(t, memory);
  const ptrdiff_t size = t->element_bytes;
  uint8_t* to = dense;
  QC_FOR_EACH(l) {
    memcpy(to, data + qc_at(l, n, c, h, w) * size, (size_t)size);
    to += size;
  }
}

void qc_tensor_scatter(const qc_tensor* t, const qc_memory* memory, const void* dense) {
  const qc_layout* l = &t->layout;
  uint8_t* data = qc_tensor_data(t, memory);
  const ptrdiff_t size = t->element_bytes;
  const uint8_t* from = dense;
  QC_FOR_EACH(l) {
    memcpy(data + qc_at(l, n, c, h, w) * size, from, (size_t)size);
    from += size;
  }
}

void qc_tensor_fill(const qc_tensor* t, const qc_memory* memory, uint8_t byte) {
  const qc_layout* l = &t->layout;
  uint8_t* data = qc_tensor_data(t, memory);
  const ptrdiff_t size = t->element_bytes;
  QC_FOR_EACH(l) { memset(data + qc_at(l, n, c, h, w) * size, byte, (size_t)size); }
}

qc_status qc_run_layer(const qc_program* program, int32_t index, const qc_memory* memory,
                       qc_failure* failure) {
  if (index < 0 || index >= program->layer_count) {
    if (failure != NULL) *failure = (qc_failure){"", "qc_run_layer", QC_ERR_PARAMETER};
    return QC_ERR_PARAMETER;
  }
  const qc_layer* layer = &program->layers[index];
#ifdef QC_POISON
  qc_tensor_fill(&layer->output, memory, 0xA5);
#endif
  const qc_status status = layer->run(memory);
  if (status != QC_OK && failure != NULL) {
    *failure = (qc_failure){layer->name, layer->kernel, status};
  }
  return status;
}

qc_status qc_run(const qc_program* program, const qc_memory* memory, qc_failure* failure) {
  for (int32_t i = 0; i < program->layer_count; ++i) {
    const qc_status status = qc_run_layer(program, i, memory, failure);
    if (status != QC_OK) return status;
  }
  return QC_OK;
}

typedef struct status_row {
  qc_status status;
  const char* text;
} status_row;

const char* qc_status_text(qc_status status) {
  static const status_row kRows[] = {
      {QC_OK, "success"},
      {QC_ERR_SHAPE, "shapes that do not fit each other"},
      {QC_ERR_PARAMETER, "a parameter outside of its range"},
      {QC_ERR_NOT_FINITE, "a NaN or an infinity in a float input"},
      {QC_ERR_IO, "a file that cannot be read or written"},
      {2, "MMALIB: invalid value"},
      {4, "MMALIB: invalid dimension"},
      {6, "MMALIB: not implemented"},
      {12, "MMALIB: invalid shift"},
  };
  for (size_t i = 0; i < sizeof(kRows) / sizeof(kRows[0]); ++i) {
    if (kRows[i].status == status) return kRows[i].text;
  }
  return status > 0 ? "MMALIB: another status" : "unknown status";
}
