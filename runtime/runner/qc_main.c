/* Host program around a generated model: runs it on raw files. The model itself needs none of this.
 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier) */

#include <time.h>

#include "qc_io.h"
#include "qc_model.h"

enum { kAlignment = 64, kArenaFill = 0x55, kOutputFill = 0xA5, kMostRuns = 1000000 };

static const char kUsage[] =
    "usage: model --weights weights.bin --input x.bin [--input ...] --output y.bin [--output ...]\n"
    "             [--repeat N] [--trace F]\n"
    "       model --weights weights.bin --layers IN OUT\n"
    "\n"
    "Runs the model on raw float32 NCHW files, and prints one line of JSON.\n"
    "  --repeat N       runs N times and reports each time\n"
    "  --trace F        writes every layer's output, dense NCHW, in order\n"
    "  --layers IN OUT  runs every layer alone: its inputs, constants aside, are read from IN, "
    "its\n"
    "                   output is written to OUT, dense NCHW, in order\n"
    "Exit code: 0 done, 1 a layer failed, 2 an argument or a file is wrong.\n"
    "\n"
    "example: model --weights weights.bin --input dog.bin --output logits.bin\n";

typedef struct options {
  const char* weights;
  const char **inputs, **outputs; /* input_count and output_count names */
  int32_t input_count, output_count;
  const char *trace, *layers_in, *layers_out;
  long repeat;
} options;

typedef struct run_state {
  qc_memory memory;
  void **inputs, **outputs;
  uint8_t* dense; /* room for the largest tensor */
} run_state;

/* ---- Arguments ---- */

/* Takes one option; the number of words used, 0 if it is unknown or lacks a value. */
static int take_option(options* o, char** words, int left) {
  const char* name = words[0];
  if (left > 2 && strcmp(name, "--layers") == 0) {
    o->layers_in = words[1];
    o->layers_out = words[2];
    return 3;
  }
  if (left < 2) return 0;
  const char* value = words[1];
  if (strcmp(name, "--weights") == 0) {
    o->weights = value;
  } else if (strcmp(name, "--input") == 0) {
    o->inputs[o->input_count++] = value;
  } else if (strcmp(name, "--output") == 0) {
    o->outputs[o->output_count++] = value;
  } else if (strcmp(name, "--trace") == 0) {
    o->trace = value;
  } else if (strcmp(name, "--repeat") == 0) {
    char* end = NULL;
    o->repeat = strtol(value, &end, 10);
    if (*value == 0 || *end != 0) o->repeat = 0;
  } else {
    return 0;
  }
  return 2;
}

static int check_options(const options* o) {
  if (*o->weights == 0) return refuse("--weights", "is missing; see --help");
  if (o->repeat < 1 || o->repeat > kMostRuns) {
    return refuse("--repeat", "expected a number from 1 to %d", kMostRuns);
  }
  if (o->layers_in != NULL) {
    const int alone = o->input_count == 0 && o->output_count == 0 && o->trace == NULL;
    return alone ? 0 : refuse("--layers", "expected no --input, --output or --trace beside it");
  }
  if (o->input_count != qc_model_input_count) {
    return refuse("--input", "expected %d files, found %d", qc_model_input_count, o->input_count);
  }
  if (o->output_count != qc_model_output_count) {
    return refuse("--output", "expected %d files, found %d", qc_model_output_count,
                  o->output_count);
  }
  return 0;
}

static int parse(int argc, char** argv, options* o) {
  for (int i = 1; i < argc;) {
    const int used = take_option(o, argv + i, argc - i);
    if (used == 0) return refuse(argv[i], "unknown option, or its value is missing; see --help");
    i += used;
  }
  return check_options(o);
}

/* ---- Memory ---- */

static void* allocate(size_t bytes, int fill) {
  const size_t rounded = (bytes / kAlignment + 1) * kAlignment;
  void* memory = aligned_alloc(kAlignment, rounded);
  if (memory == NULL) exit(refuse("memory", "expected %zu free bytes", rounded));
  memset(memory, fill, rounded);
  return memory;
}

static size_t largest_tensor(void) {
  size_t most = 0;
  for (int32_t i = 0; i < qc_model_program.layer_count; ++i) {
    const qc_layer* layer = &qc_model_program.layers[i];
    for (int32_t j = 0; j <= layer->input_count; ++j) {
      const qc_tensor* t = j < layer->input_count ? &layer->inputs[j] : &layer->output;
      const size_t bytes = qc_tensor_dense_bytes(t);
      if (bytes > most) most = bytes;
    }
  }
  return most;
}

static void** allocate_all(const size_t* bytes, int32_t count, int fill) {
  void** buffers = allocate((size_t)count * sizeof(*buffers), 0);
  for (int32_t i = 0; i < count; ++i) buffers[i] = allocate(bytes[i], fill);
  return buffers;
}

static void allocate_state(run_state* s) {
  s->inputs = allocate_all(qc_model_input_bytes, qc_model_input_count, kArenaFill);
  s->outputs = allocate_all(qc_model_output_bytes, qc_model_output_count, kOutputFill);
  s->memory.arena = allocate(qc_model_arena_bytes, kArenaFill);
  s->memory.inputs = (const void* const*)s->inputs;
  s->memory.outputs = s->outputs;
  s->dense = allocate(largest_tensor(), 0);
}

static void release_state(run_state* s) {
  for (int32_t i = 0; i < qc_model_input_count; ++i) free(s->inputs[i]);
  for (int32_t i = 0; i < qc_model_output_count; ++i) free(s->outputs[i]);
  free(s->inputs);
  free(s->outputs);
  free(s->memory.arena);
  free(s->dense);
}

/* ---- Runs: 0 or an exit code ---- */

static int report_failure(const qc_failure* failure) {
  printf("{\"status\": \"error\", \"layer\": ");
  print_json_string(failure->layer);
  printf(", \"kernel\": ");
  print_json_string(failure->kernel);
  printf(", \"code\": %d, \"message\": ", (int)failure->status);
  print_json_string(qc_status_text(failure->status));
  printf("}\n");
  return kExitFailed;
}

/* Runs layer i and writes its output. */
static int run_and_write(run_state* s, int32_t i, sink* out) {
  const qc_tensor* output = &qc_model_program.layers[i].output;
  qc_failure failure;
  if (qc_run_layer(&qc_model_program, i, &s->memory, &failure) != QC_OK) {
    return report_failure(&failure);
  }
  qc_tensor_gather(output, &s->memory, s->dense);
  return write_sink(out, s->dense, qc_tensor_dense_bytes(output));
}

static int read_layer_inputs(run_state* s, const qc_layer* layer, FILE* in, const char* path) {
  for (int32_t j = 0; j < layer->input_count; ++j) {
    if (layer->inputs[j].space == QC_CONSTANT) continue;
    const size_t bytes = qc_tensor_dense_bytes(&layer->inputs[j]);
    if (fread(s->dense, 1, bytes, in) != bytes) {
      return refuse(path, "ends before input %d of layer %s", (int)j, layer->name);
    }
    qc_tensor_scatter(&layer->inputs[j], &s->memory, s->dense);
  }
  return 0;
}

static int run_each_layer(const options* o, run_state* s, FILE* in, sink* out) {
  for (int32_t i = 0; i < qc_model_program.layer_count; ++i) {
    const qc_layer* layer = &qc_model_program.layers[i];
    int failed = read_layer_inputs(s, layer, in, o->layers_in);
    if (failed) return failed;
    qc_tensor_fill(&layer->output, &s->memory, kOutputFill);
    failed = run_and_write(s, i, out);
    if (failed) return failed;
  }
  return fgetc(in) == EOF ? 0 : refuse(o->layers_in, "goes on after the last layer's inputs");
}

static int run_layers(const options* o, run_state* s) {
  FILE* in = fopen(o->layers_in, "rb");
  if (in == NULL) return refuse(o->layers_in, "cannot be read: %s", strerror(errno));
  sink out;
  int failed = open_sink(&out, o->layers_out);
  if (!failed) failed = run_each_layer(o, s, in, &out);
  fclose(in);
  const int unfinished = close_sink(&out, !failed);
  if (failed || unfinished) return failed ? failed : unfinished;
  printf("{\"status\": \"ok\"}\n");
  return 0;
}

static int run_traced(const options* o, run_state* s) {
  sink out;
  int failed = open_sink(&out, o->trace);
  for (int32_t i = 0; !failed && i < qc_model_program.layer_count; ++i) {
    failed = run_and_write(s, i, &out);
  }
  const int unfinished = close_sink(&out, !failed);
  return failed ? failed : unfinished;
}

static int write_outputs(const options* o, const run_state* s) {
  sink* sinks = allocate((size_t)o->output_count * sizeof(*sinks), 0);
  int32_t opened = 0;
  int failed = 0;
  while (!failed && opened < o->output_count) {
    sink* to = &sinks[opened];
    failed = open_sink(to, o->outputs[opened]);
    if (!failed) failed = write_sink(to, s->outputs[opened], qc_model_output_bytes[opened]);
    ++opened;
  }
  for (int32_t i = 0; i < opened; ++i) {
    const int unfinished = close_sink(&sinks[i], !failed);
    if (!failed) failed = unfinished;
  }
  free(sinks);
  return failed;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int run_timed(run_state* s, long repeat, double* times) {
  for (long i = 0; i < repeat; ++i) {
    qc_failure failure;
    const double start = now_ms();
    if (qc_run(&qc_model_program, &s->memory, &failure) != QC_OK) return report_failure(&failure);
    times[i] = now_ms() - start;
  }
  return 0;
}

static int run_model(const options* o, run_state* s) {
  int failed = 0;
  for (int32_t i = 0; !failed && i < o->input_count; ++i) {
    failed = read_exactly(o->inputs[i], s->inputs[i], qc_model_input_bytes[i]);
  }
  if (!failed && o->trace != NULL) failed = run_traced(o, s);
  double* times = allocate((size_t)o->repeat * sizeof(double), 0);
  if (!failed) failed = run_timed(s, o->repeat, times);
  if (!failed) failed = write_outputs(o, s);
  if (!failed) {
    printf("{\"status\": \"ok\", \"run_ms\": [");
    for (long i = 0; i < o->repeat; ++i) printf("%s%.3f", i > 0 ? ", " : "", times[i]);
    printf("]}\n");
  }
  free(times);
  return failed;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(kUsage, stdout);
    return 0;
  }
  const char** names = allocate(2 * (size_t)argc * sizeof(*names), 0);
  options o = {.weights = "", .inputs = names, .outputs = names + argc, .repeat = 1};
  int failed = parse(argc, argv, &o);
  run_state s = {.dense = NULL};
  if (!failed) failed = map_exactly(o.weights, qc_model_weights_bytes, &s.memory.weights);
  if (!failed) {
    allocate_state(&s);
    failed = o.layers_in != NULL ? run_layers(&o, &s) : run_model(&o, &s);
    release_state(&s);
  }
  free(names);
  return failed;
}
