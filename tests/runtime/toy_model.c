/* A model as the compiler writes them, small enough to know its outputs: two float inputs of
 * [1,1,2,2] and two outputs. quantize  q = clamp(x0, -128, 127) conv      c = 3 q + 1, on MMALIB;
 * scale and shift come from the weights file sum       s = c + x1, after a quantize of x1 Outputs:
 * c and s, each in float32. */
#include "qc_kernels.h"
#include "qc_mmalib.h"
#include "qc_model.h"

#define PLANE \
  { 1, 1, 2, 2, 4, 4, 2, 1 }

enum { kQ = 0, kC = 64, kX1 = 128, kS = 192, kScratch = 256, kArenaBytes = 320 };
/* Offsets in the weights file: a weight, a bias, a scale, a shift. */
enum { kWeight = 0, kBias = 64, kScale = 128, kShift = 192, kWeightsBytes = 256 };

static int8_t* code(const qc_memory* m, int offset) { return (int8_t*)(void*)(m->arena + offset); }

static const qc_quantize_params quantize = {PLANE, PLANE, 1.0f, {0, -128, 127}};
static const qc_dequantize_params dequantize = {PLANE, PLANE, 1.0f, 0};
static const qc_add_params add = {PLANE, PLANE, PLANE, 1.0f, 1.0f, 1.0f, 0, 0, {0, -128, 127}};
static const qc_mma_conv2d_params conv = {1, 2, 2, 1, 2, 2, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1024};
static const qc_mma_output conv_output = {QC_MMA_HALF_UP, -128, 127};

static qc_status layer0(const qc_memory* m) {
  return qc_quantize_f32_i8(&quantize, (const float*)m->inputs[0], code(m, kQ));
}

static qc_status layer1(const qc_memory* m) {
  return qc_mma_conv2d_i8(&conv, &conv_output, code(m, kQ),
                          (const int8_t*)(const void*)(m->weights + kWeight),
                          (const int32_t*)(const void*)(m->weights + kBias), m->weights + kScale,
                          m->weights + kShift, code(m, kScratch), code(m, kC));
}

static qc_status layer2(const qc_memory* m) {
  return qc_dequantize_i8_f32(&dequantize, code(m, kC), (float*)m->outputs[0]);
}

static qc_status layer3(const qc_memory* m) {
  return qc_quantize_f32_i8(&quantize, (const float*)m->inputs[1], code(m, kX1));
}

static qc_status layer4(const qc_memory* m) {
  return qc_add_i8(&add, code(m, kC), code(m, kX1), code(m, kS));
}

static qc_status layer5(const qc_memory* m) {
  return qc_dequantize_i8_f32(&dequantize, code(m, kS), (float*)m->outputs[1]);
}

static const qc_tensor inputs0[] = {{QC_INPUT, 0, 0, 4, PLANE}};
static const qc_tensor inputs1[] = {{QC_ARENA, 0, kQ, 1, PLANE}};
static const qc_tensor inputs2[] = {{QC_ARENA, 0, kC, 1, PLANE}};
static const qc_tensor inputs3[] = {{QC_INPUT, 1, 0, 4, PLANE}};
static const qc_tensor inputs4[] = {{QC_ARENA, 0, kC, 1, PLANE}, {QC_ARENA, 0, kX1, 1, PLANE}};
static const qc_tensor inputs5[] = {{QC_ARENA, 0, kS, 1, PLANE}};

static const qc_layer layers[] = {
    {"x0.quantize", "qc_quantize_f32_i8", layer0, 1, inputs0, {QC_ARENA, 0, kQ, 1, PLANE}},
    {"stem \"conv\"", "qc_mma_conv2d_i8", layer1, 1, inputs1, {QC_ARENA, 0, kC, 1, PLANE}},
    {"c", "qc_dequantize_i8_f32", layer2, 1, inputs2, {QC_OUTPUT, 0, 0, 4, PLANE}},
    {"x1.quantize", "qc_quantize_f32_i8", layer3, 1, inputs3, {QC_ARENA, 0, kX1, 1, PLANE}},
    {"sum", "qc_add_i8", layer4, 2, inputs4, {QC_ARENA, 0, kS, 1, PLANE}},
    {"s", "qc_dequantize_i8_f32", layer5, 1, inputs5, {QC_OUTPUT, 1, 0, 4, PLANE}},
};

const qc_program qc_model_program = {6, layers};
const size_t qc_model_arena_bytes = kArenaBytes;
const size_t qc_model_weights_bytes = kWeightsBytes;
const int32_t qc_model_input_count = 2;
const int32_t qc_model_output_count = 2;
const size_t qc_model_input_bytes[] = {16, 16};
const size_t qc_model_output_bytes[] = {16, 16};
