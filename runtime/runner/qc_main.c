/* Host program around a generated model: runs it on raw files. The model itself needs none of this. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "qc_model.h"

enum { kMaxTensors = 16, kExitFailed = 1, kExitUsage = 2, kAlignment = 64 };

static const char kUsage[] =
    "usage: model --weights weights.bin --input x.bin [--input ...] --output y.bin [--output ...]\n"
    "             [--repeat N] [--trace F] [--layers IN OUT]\n"
    "\n"
    "Runs the model on raw float32 NCHW files and prints one line of JSON.\n"
    "  --repeat N       runs N times and reports each time\n"
    "  --trace F        writes every layer's output, dense NCHW, in order\n"
    "  --layers IN OUT  runs every layer alone: its inputs are read from IN, its output is written\n"
    "                   to OUT, dense NCHW, in order\n"
    "\n"
    "example: model --weights weights.bin --input dog.bin --output logits.bin\n";

typedef struct options {
  const char *weights;
  const char *inputs[kMaxTensors], *outputs[kMaxTensors];
  int input_count, output_count;
  const char *trace, *layers_in, *layers_out;
  int repeat;
} options;

typedef struct run_state {
  qc_memory memory;
  const void *inputs[kMaxTensors];
  void *outputs[kMaxTensors];
  uint8_t *dense; /* room for the largest tensor */
} run_state;

static int fail(const char *what, const char *name) {
  printf("{\"status\": \"error\", \"message\": \"%s: %s\"}\n", what, name);
  return kExitUsage;
}

static int parse(int argc, char **argv, options *o) {
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    const int left = argc - i - 1;
    if (strcmp(word, "--weights") == 0 && left >= 1) {
      o->weights = argv[++i];
    } else if (strcmp(word, "--input") == 0 && left >= 1 && o->input_count < kMaxTensors) {
      o->inputs[o->input_count++] = argv[++i];
    } else if (strcmp(word, "--output") == 0 && left >= 1 && o->output_count < kMaxTensors) {
      o->outputs[o->output_count++] = argv[++i];
    } else if (strcmp(word, "--repeat") == 0 && left >= 1) {
      o->repeat = atoi(argv[++i]);
    } else if (strcmp(word, "--trace") == 0 && left >= 1) {
      o->trace = argv[++i];
    } else if (strcmp(word, "--layers") == 0 && left >= 2) {
      o->layers_in = argv[++i];
      o->layers_out = argv[++i];
    } else {
      return 0;
    }
  }
  return o->weights != NULL && o->repeat > 0;
}

/* Reads exactly `bytes` bytes; a file of another size is refused. */
static int read_exactly(const char *path, void *to, size_t bytes) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  const size_t got = fread(to, 1, bytes, file);
  const int at_end = fgetc(file) == EOF;
  fclose(file);
  return got == bytes && at_end;
}

static int write_all(const char *path, const void *from, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) return 0;
  const size_t put = fwrite(from, 1, bytes, file);
  return fclose(file) == 0 && put == bytes;
}

static void *allocate(size_t bytes, int fill) {
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void *memory = aligned_alloc(kAlignment, rounded > 0 ? rounded : kAlignment);
  if (memory == NULL) {
    fprintf(stderr, "out of memory: %zu bytes\n", rounded);
    exit(kExitUsage);
  }
  memset(memory, fill, rounded);
  return memory;
}

static size_t largest_tensor(void) {
  size_t most = 0;
  for (int32_t i = 0; i < qc_model_program.layer_count; ++i) {
    const qc_layer *layer = &qc_model_program.layers[i];
    for (int32_t j = 0; j <= layer->input_count; ++j) {
      const qc_tensor *t = j < layer->input_count ? &layer->inputs[j] : &layer->output;
      const size_t bytes = qc_tensor_dense_bytes(t);
      if (bytes > most) most = bytes;
    }
  }
  return most;
}

static int prepare(const options *o, run_state *s) {
  uint8_t *weights = allocate(qc_model_weights_bytes, 0);
  if (!read_exactly(o->weights, weights, qc_model_weights_bytes)) {
    return fail("weights missing or of another size", o->weights);
  }
  s->memory.weights = weights;
  s->memory.arena = allocate(qc_model_arena_bytes, 0x55);
  for (int32_t i = 0; i < qc_model_input_count; ++i) {
    s->inputs[i] = allocate(qc_model_input_bytes[i], 0x55);
  }
  for (int32_t i = 0; i < qc_model_output_count; ++i) {
    s->outputs[i] = allocate(qc_model_output_bytes[i], 0x55);
  }
  s->memory.inputs = s->inputs;
  s->memory.outputs = s->outputs;
  s->dense = allocate(largest_tensor(), 0);
  return 0;
}

static int report(const qc_failure *failure) {
  printf("{\"status\": \"error\", \"layer\": \"%s\", \"kernel\": \"%s\", \"code\": %d, \"message\": "
         "\"%s\"}\n",
         failure->layer, failure->kernel, (int)failure->status, qc_status_text(failure->status));
  return kExitFailed;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int run_layers(const options *o, run_state *s) {
  FILE *in = fopen(o->layers_in, "rb");
  FILE *out = fopen(o->layers_out, "wb");
  if (in == NULL || out == NULL) return fail("cannot open", in == NULL ? o->layers_in : o->layers_out);
  for (int32_t i = 0; i < qc_model_program.layer_count; ++i) {
    const qc_layer *layer = &qc_model_program.layers[i];
    for (int32_t j = 0; j < layer->input_count; ++j) {
      const size_t bytes = qc_tensor_dense_bytes(&layer->inputs[j]);
      if (fread(s->dense, 1, bytes, in) != bytes) return fail("data ends early", o->layers_in);
      qc_tensor_scatter(&layer->inputs[j], &s->memory, s->dense);
    }
    qc_tensor_fill(&layer->output, &s->memory, 0xA5);
    qc_failure failure;
    if (qc_run_layer(&qc_model_program, i, &s->memory, &failure) != QC_OK) return report(&failure);
    const size_t bytes = qc_tensor_dense_bytes(&layer->output);
    qc_tensor_gather(&layer->output, &s->memory, s->dense);
    if (fwrite(s->dense, 1, bytes, out) != bytes) return fail("cannot write", o->layers_out);
  }
  fclose(in);
  if (fclose(out) != 0) return fail("cannot write", o->layers_out);
  printf("{\"status\": \"ok\"}\n");
  return 0;
}

static int run_traced(const options *o, run_state *s) {
  FILE *out = fopen(o->trace, "wb");
  if (out == NULL) return fail("cannot open", o->trace);
  for (int32_t i = 0; i < qc_model_program.layer_count; ++i) {
    qc_failure failure;
    if (qc_run_layer(&qc_model_program, i, &s->memory, &failure) != QC_OK) return report(&failure);
    const qc_tensor *output = &qc_model_program.layers[i].output;
    const size_t bytes = qc_tensor_dense_bytes(output);
    qc_tensor_gather(output, &s->memory, s->dense);
    if (fwrite(s->dense, 1, bytes, out) != bytes) return fail("cannot write", o->trace);
  }
  return fclose(out) == 0 ? 0 : fail("cannot write", o->trace);
}

static int run_model(const options *o, run_state *s) {
  if (o->input_count != qc_model_input_count || o->output_count != qc_model_output_count) {
    return fail("another number of inputs or outputs than the model has", "--input, --output");
  }
  for (int i = 0; i < o->input_count; ++i) {
    if (!read_exactly(o->inputs[i], (void *)(uintptr_t)s->inputs[i], qc_model_input_bytes[i])) {
      return fail("input missing or of another size", o->inputs[i]);
    }
  }
  if (o->trace != NULL) {
    const int failed = run_traced(o, s);
    if (failed) return failed;
  }
  double *times = allocate((size_t)o->repeat * sizeof(double), 0);
  for (int i = 0; i < o->repeat; ++i) {
    qc_failure failure;
    const double start = now_ms();
    if (qc_run(&qc_model_program, &s->memory, &failure) != QC_OK) return report(&failure);
    times[i] = now_ms() - start;
  }
  for (int i = 0; i < o->output_count; ++i) {
    if (!write_all(o->outputs[i], s->outputs[i], qc_model_output_bytes[i])) {
      return fail("cannot write", o->outputs[i]);
    }
  }
  printf("{\"status\": \"ok\", \"run_ms\": [");
  for (int i = 0; i < o->repeat; ++i) printf("%s%.3f", i > 0 ? ", " : "", times[i]);
  printf("]}\n");
  free(times);
  return 0;
}

static void release(run_state *s) {
  free((void *)(uintptr_t)s->memory.weights);
  free(s->memory.arena);
  free(s->dense);
  for (int i = 0; i < kMaxTensors; ++i) {
    free((void *)(uintptr_t)s->inputs[i]);
    free(s->outputs[i]);
  }
}

int main(int argc, char **argv) {
  options o = {.repeat = 1};
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(kUsage, stdout);
    return 0;
  }
  if (!parse(argc, argv, &o)) {
    fputs(kUsage, stderr);
    return kExitUsage;
  }
  run_state s = {.inputs = {NULL}};
  int status = prepare(&o, &s);
  if (status == 0) status = o.layers_in != NULL ? run_layers(&o, &s) : run_model(&o, &s);
  release(&s);
  return status;
}
