#include "qc_run.h"

#include <string.h>

#include "qc_layout.h"

void *qc_tensor_data(const qc_tensor *t, const qc_memory *memory) {
  switch (t->space) {
    case QC_INPUT:
      /* Inputs are only read by kernels; the layer runner owns what it writes. */
      return (uint8_t *)(uintptr_t)memory->inputs[t->index] + t->offset;
    case QC_OUTPUT:
      return (uint8_t *)memory->outputs[t->index] + t->offset;
    default:
      return memory->arena + t->offset;
  }
}

size_t qc_tensor_dense_bytes(const qc_tensor *t) {
  return qc_elements(&t->layout) * (size_t)t->element_bytes;
}

/* Calls memcpy between the tensor's elements and their dense places. */
static void copy_dense(const qc_tensor *t, uint8_t *data, uint8_t *dense, int to_dense) {
  const qc_layout *l = &t->layout;
  const ptrdiff_t size = t->element_bytes;
  QC_FOR_EACH(l) {
    uint8_t *element = data + qc_at(l, n, c, h, w) * size;
    uint8_t *place =
        dense + ((((ptrdiff_t)n * l->c + c) * l->h + h) * l->w + w) * size;
    memcpy(to_dense ? place : element, to_dense ? element : place, (size_t)size);
  }
}

void qc_tensor_gather(const qc_tensor *t, const qc_memory *memory, void *dense) {
  copy_dense(t, qc_tensor_data(t, memory), dense, 1);
}

void qc_tensor_scatter(const qc_tensor *t, const qc_memory *memory, const void *dense) {
  copy_dense(t, qc_tensor_data(t, memory), (uint8_t *)(uintptr_t)dense, 0);
}

void qc_tensor_fill(const qc_tensor *t, const qc_memory *memory, uint8_t byte) {
  uint8_t *data = qc_tensor_data(t, memory);
  const ptrdiff_t size = t->element_bytes;
  QC_FOR_EACH(&t->layout) {
    memset(data + qc_at(&t->layout, n, c, h, w) * size, byte, (size_t)size);
  }
}

qc_status qc_run_layer(const qc_program *program, int32_t index, const qc_memory *memory,
                       qc_failure *failure) {
  const qc_layer *layer = &program->layers[index];
#ifdef QC_POISON
  qc_tensor_fill(&layer->output, memory, 0xA5);
#endif
  const qc_status status = layer->run(memory);
  if (status != QC_OK && failure != 0) {
    failure->layer = layer->name;
    failure->kernel = layer->kernel;
    failure->status = status;
  }
  return status;
}

qc_status qc_run(const qc_program *program, const qc_memory *memory, qc_failure *failure) {
  for (int32_t i = 0; i < program->layer_count; ++i) {
    const qc_status status = qc_run_layer(program, i, memory, failure);
    if (status != QC_OK) return status;
  }
  return QC_OK;
}

typedef struct status_text {
  qc_status status;
  const char *text;
} status_text;

const char *qc_status_text(qc_status status) {
  static const status_text kTexts[] = {
      {QC_OK, "success"},
      {QC_ERR_SHAPE, "shapes that do not fit each other"},
      {QC_ERR_PARAMETER, "a parameter outside of its range"},
      {QC_ERR_NOT_FINITE, "a NaN or an infinity in a float input"},
      {QC_ERR_IO, "a file that cannot be read or written"},
      {2, "MMALIB: not implemented"},
      {4, "MMALIB: invalid dimension"},
      {6, "MMALIB: invalid scale or shift"},
  };
  for (size_t i = 0; i < sizeof(kTexts) / sizeof(kTexts[0]); ++i) {
    if (kTexts[i].status == status) return kTexts[i].text;
  }
  return "unknown status";
}
