#!/usr/bin/env python3
"""Asks PyTorch what each op of the graph computes.

usage: reference_oracle.py FOLDER

For each row of CASES and of random_cases(), FOLDER gets NAME.graph (the text form of a one-op graph), NAME.input0, NAME.input1,
... and NAME.output (raw row-major elements); cases.txt lists "NAME TOLERANCE". The tolerance is a
relative L2 error; 0 asks for equal values. Sums of products are computed in float64 and rounded once,
so that the judge shares no float32 kernel with the code under test.
"""
import math
import pathlib
import random
import sys

import torch
import torch.nn.functional as F

SUM = 1e-6  # relative L2 error of float32 sums
EXACT = 0.0
DTYPES = {torch.float32: "f32", torch.int8: "i8", torch.uint8: "u8", torch.int16: "i16",
          torch.int32: "i32", torch.int64: "i64"}


def attribute(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ",".join(attribute(item) for item in value) + "]"
    return repr(value) if isinstance(value, float) else str(value)


def dtype_named(name):
    return next(dtype for dtype, text in DTYPES.items() if text == name)


def type_text(tensor):
    return DTYPES[tensor.dtype] + str(list(tensor.shape)).replace(" ", "")


def graph_text(name, op, attributes, inputs, output):
    lines = [f"graph @{name}"]
    lines += [f"input %in{i} : {type_text(tensor)}" for i, tensor in enumerate(inputs)]
    arguments = [f"%in{i}" for i in range(len(inputs))]
    arguments += [f"{key}={attribute(value)}" for key, value in attributes.items()]
    lines += [f"%y : {type_text(output)} = {op}({', '.join(arguments)}) # y", "output %y", ""]
    return "\n".join(lines)


def padded(x, padding, value=0.0):
    """x with [top,left,bottom,right] elements around each plane."""
    top, left, bottom, right = padding
    return F.pad(x, (left, right, top, bottom), value=value)


# One function per op, called with the attributes of the text form.


def conv2d(x, weight, bias=None, stride=(1, 1), padding=(0, 0, 0, 0), dilation=(1, 1), groups=1):
    return F.conv2d(padded(x, padding), weight, bias, tuple(stride), 0, tuple(dilation), groups)


def conv_transpose2d(x, weight, bias=None, stride=(1, 1), padding=(0, 0, 0, 0),
                     output_padding=(0, 0), dilation=(1, 1), groups=1):
    """PyTorch pads both sides alike, so unequal padding is computed without and then cropped."""
    top, left, bottom, right = padding
    if (top, left) == (bottom, right):
        return F.conv_transpose2d(x, weight, bias, tuple(stride), (top, left),
                                  tuple(output_padding), groups, tuple(dilation))
    full = F.conv_transpose2d(x, weight, None, tuple(stride), 0, 0, groups, tuple(dilation))
    full = padded(full, [0, 0, *output_padding])
    cropped = full[:, :, top:full.shape[2] - bottom, left:full.shape[3] - right]
    return cropped if bias is None else cropped + bias.view(1, -1, 1, 1)


def batch_norm(x, weight, bias, mean, var, eps=1e-5):
    return F.batch_norm(x, mean, var, weight, bias, False, 0.0, eps)


def max_pool2d(x, kernel, stride, padding=(0, 0, 0, 0), dilation=(1, 1), ceil_mode=False):
    top, left, bottom, right = padding
    if (top, left) == (bottom, right):
        return F.max_pool2d(x, tuple(kernel), tuple(stride), (top, left), tuple(dilation),
                            ceil_mode)
    x = padded(x, padding, -torch.inf)
    return F.max_pool2d(x, tuple(kernel), tuple(stride), 0, tuple(dilation), ceil_mode)


def avg_pool2d(x, kernel, stride, padding=(0, 0, 0, 0), ceil_mode=False, count_include_pad=True):
    top, left, bottom, right = padding
    if (top, left) == (bottom, right):
        return F.avg_pool2d(x, tuple(kernel), tuple(stride), (top, left), ceil_mode,
                            count_include_pad)
    sums = F.avg_pool2d(padded(x, padding), tuple(kernel), tuple(stride), 0, ceil_mode)
    if count_include_pad:
        return sums
    inside = padded(torch.ones_like(x), padding)
    return sums / F.avg_pool2d(inside, tuple(kernel), tuple(stride), 0, ceil_mode)


def layer_norm(x, weight, bias, eps=1e-5, normalized_dims=1):
    return F.layer_norm(x, x.shape[x.dim() - normalized_dims:], weight, bias, eps)


def slice_of(x, axis, start, end, step=1):
    return x[(slice(None),) * axis + (slice(start, end, step),)]


def pad(x, before, after, value=0.0):
    """F.pad lists the last dimension first."""
    sides = [side for pair in zip(reversed(before), reversed(after)) for side in pair]
    return F.pad(x, sides, value=value)


def gather(x, indices, axis):
    rows = torch.index_select(x, axis, indices.flatten())
    return rows.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def quantize(x, dtype, scale, zero_point, qmin, qmax, axis=None):
    """As quantized_decomposed.quantize_per_tensor and quantize_per_channel write it."""
    scale = torch.tensor(scale)
    if axis is None:
        codes = torch.round(x * (1.0 / scale.item())) + zero_point[0]
    else:
        shape = [-1 if i == axis else 1 for i in range(x.dim())]
        codes = torch.round(x * (1.0 / scale).view(shape)) + torch.tensor(zero_point).view(shape)
    return torch.clamp(codes, qmin, qmax).to(dtype_named(dtype))


def dequantize(q, dtype, scale, zero_point, qmin, qmax, axis=None):
    shape = [-1 if i == axis else 1 for i in range(q.dim())]
    return (q.float() - torch.tensor(zero_point).view(shape)) * torch.tensor(scale).view(shape)


FUNCTIONS = {
    "conv2d": conv2d,
    "conv_transpose2d": conv_transpose2d,
    "linear": F.linear,
    "batch_norm": batch_norm,
    "relu": F.relu,
    "clip": lambda x, min, max: torch.clamp(x, min, max),
    "sigmoid": torch.sigmoid,
    "hard_sigmoid": F.hardsigmoid,
    "hard_swish": F.hardswish,
    "silu": F.silu,
    "gelu": lambda x, tanh_form=False: F.gelu(x, approximate="tanh" if tanh_form else "none"),
    "tanh": torch.tanh,
    "exp": torch.exp,
    "sqrt": torch.sqrt,
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "matmul": torch.matmul,
    "layer_norm": layer_norm,
    "softmax": lambda x, axis: torch.softmax(x, axis),
    "mean": lambda x, axes, keepdim=False: torch.mean(x, axes, keepdim),
    "reduce_l2": lambda x, axes, keepdim=False: torch.linalg.vector_norm(x, 2, axes, keepdim),
    "max_pool2d": max_pool2d,
    "avg_pool2d": avg_pool2d,
    "adaptive_avg_pool2d": lambda x, output: F.adaptive_avg_pool2d(x, output),
    "flatten": torch.flatten,
    "reshape": torch.reshape,
    "transpose": lambda x, perm: x.permute(perm),
    "slice": slice_of,
    "pad": pad,
    "expand": lambda x, shape: torch.broadcast_to(x, shape),
    "gather": gather,
    "concat": lambda *parts, axis: torch.cat(parts, axis),
    "quantize": quantize,
    "dequantize": dequantize,
}

INT8 = dict(dtype="i8", qmin=-128, qmax=127)
NARROW_INT8 = dict(dtype="i8", qmin=-127, qmax=127)
UINT8 = dict(dtype="u8", qmin=0, qmax=255)
INT16 = dict(dtype="i16", qmin=-32768, qmax=32767)
INT32 = dict(dtype="i32", qmin=-2147483648, qmax=2147483647)

# Name, op, attributes, input shapes, tolerance.
CASES = [
    ("conv_plain", "conv2d", {}, [[1, 3, 9, 9], [4, 3, 3, 3]], SUM),
    ("conv_bias", "conv2d", dict(padding=[1, 1, 1, 1]), [[1, 16, 14, 14], [32, 16, 3, 3], [32]],
     SUM),
    ("conv_batch", "conv2d", dict(stride=[2, 2], padding=[3, 3, 3, 3]),
     [[3, 3, 30, 34], [16, 3, 7, 7], [16]], SUM),
    ("conv_1x1", "conv2d", {}, [[1, 64, 7, 7], [100, 64, 1, 1], [100]], SUM),
    ("conv_1x1_stride_2", "conv2d", dict(stride=[2, 2]), [[1, 64, 9, 9], [32, 64, 1, 1], [32]],
     SUM),
    ("conv_long_sum", "conv2d", dict(padding=[1, 1, 1, 1]),
     [[1, 512, 7, 7], [64, 512, 3, 3], [64]], SUM),
    ("conv_one_row_kernel", "conv2d", dict(stride=[1, 2], padding=[0, 3, 0, 3]),
     [[1, 8, 12, 12], [8, 8, 1, 7], [8]], SUM),
    ("conv_asymmetric_padding", "conv2d", dict(stride=[2, 1], padding=[0, 1, 2, 3]),
     [[1, 5, 9, 10], [7, 5, 3, 2], [7]], SUM),
    ("conv_padding_wider_than_kernel", "conv2d", dict(padding=[4, 4, 5, 4]),
     [[1, 3, 5, 5], [4, 3, 3, 3], [4]], SUM),
    ("conv_dilation", "conv2d", dict(padding=[2, 4, 2, 4], dilation=[2, 3]),
     [[1, 6, 17, 19], [10, 6, 3, 3], [10]], SUM),
    ("conv_groups", "conv2d", dict(padding=[1, 1, 1, 1], groups=2),
     [[2, 4, 8, 8], [6, 2, 3, 3], [6]], SUM),
    ("conv_groups_of_4", "conv2d", dict(stride=[2, 2], padding=[1, 1, 1, 1], groups=32),
     [[1, 128, 14, 14], [128, 4, 3, 3], [128]], SUM),
    ("conv_groups_dilation", "conv2d", dict(padding=[2, 2, 2, 2], dilation=[2, 2], groups=3),
     [[1, 9, 11, 11], [12, 3, 3, 3]], SUM),
    ("conv_depthwise", "conv2d", dict(stride=[2, 2], padding=[2, 2, 2, 2], groups=24),
     [[1, 24, 15, 15], [24, 1, 5, 5], [24]], SUM),
    ("conv_depthwise_multiplier", "conv2d", dict(padding=[1, 0, 0, 1], groups=5),
     [[1, 5, 8, 8], [10, 1, 2, 2], [10]], SUM),
    ("conv_to_one_pixel", "conv2d", {}, [[1, 32, 6, 6], [48, 32, 6, 6], [48]], SUM),
    ("conv_one_channel_in", "conv2d", {}, [[1, 1, 2, 2], [1030, 1, 1, 1], [1030]], SUM),
    ("deconv_plain", "conv_transpose2d", {}, [[1, 3, 5, 5], [3, 4, 3, 3]], SUM),
    ("deconv_upsampling", "conv_transpose2d", dict(stride=[2, 2], padding=[1, 1, 1, 1]),
     [[2, 16, 7, 9], [16, 8, 4, 4], [8]], SUM),
    ("deconv_output_padding", "conv_transpose2d",
     dict(stride=[2, 3], padding=[1, 1, 1, 1], output_padding=[1, 2]),
     [[1, 6, 5, 6], [6, 7, 3, 3], [7]], SUM),
    ("deconv_output_padding_beyond_kernel", "conv_transpose2d",
     dict(stride=[3, 3], output_padding=[2, 2]), [[1, 4, 4, 4], [4, 5, 1, 1], [5]], SUM),
    ("deconv_groups", "conv_transpose2d", dict(stride=[2, 2], groups=2),
     [[1, 6, 5, 5], [6, 4, 2, 2], [8]], SUM),
    ("deconv_depthwise", "conv_transpose2d",
     dict(stride=[2, 2], padding=[1, 1, 1, 1], output_padding=[1, 1], groups=8),
     [[1, 8, 6, 6], [8, 1, 3, 3], [8]], SUM),
    ("deconv_dilation", "conv_transpose2d", dict(stride=[2, 1], padding=[1, 2, 1, 2],
                                                 dilation=[2, 3]),
     [[1, 5, 6, 7], [5, 3, 3, 2], [3]], SUM),
    ("deconv_asymmetric_padding", "conv_transpose2d", dict(stride=[2, 2], padding=[0, 1, 1, 2]),
     [[1, 5, 6, 7], [5, 3, 3, 4], [3]], SUM),
    ("matmul_plain", "matmul", {}, [[5, 7], [7, 3]], SUM),
    ("matmul_one_by_one", "matmul", {}, [[1, 1], [1, 1]], SUM),
    ("matmul_heads", "matmul", {}, [[2, 3, 49, 32], [2, 3, 32, 49]], SUM),
    ("matmul_shared_right", "matmul", {}, [[4, 3, 17, 65], [65, 33]], SUM),
    ("matmul_shared_right_of_higher_rank", "matmul", {}, [[17, 65], [1, 1, 65, 33]], SUM),
    ("matmul_shared_left", "matmul", {}, [[17, 65], [4, 3, 65, 33]], SUM),
    ("matmul_both_stretched", "matmul", {}, [[4, 1, 5, 9], [3, 9, 6]], SUM),
    ("matmul_long_sum", "matmul", {}, [[2, 3, 4096], [2, 4096, 5]], SUM),
    ("linear_vector", "linear", {}, [[64], [10, 64], [10]], SUM),
    ("linear_batch", "linear", {}, [[4, 512], [1000, 512], [1000]], SUM),
    ("linear_tokens", "linear", {}, [[2, 5, 7, 48], [33, 48]], SUM),
    ("linear_long_sum", "linear", {}, [[1, 9216], [64, 9216], [64]], SUM),
    ("batch_norm_image", "batch_norm", dict(eps=1e-3), [[2, 7, 5, 6], [7], [7], [7], [7]], SUM),
    ("batch_norm_vector", "batch_norm", {}, [[3, 9], [9], [9], [9], [9]], SUM),
    ("layer_norm_tokens", "layer_norm", dict(eps=1e-6), [[2, 50, 768], [768], [768]], SUM),
    ("layer_norm_three_dims", "layer_norm", dict(normalized_dims=3),
     [[2, 3, 5, 7], [3, 5, 7], [3, 5, 7]], SUM),
    ("layer_norm_large_eps", "layer_norm", dict(eps=0.7), [[9, 3], [3], [3]], SUM),
    ("softmax_attention", "softmax", dict(axis=3), [[4, 3, 49, 49]], SUM),
    ("softmax_channels", "softmax", dict(axis=1), [[2, 16, 5, 21]], SUM),
    ("softmax_of_one", "softmax", dict(axis=1), [[5, 1, 3]], SUM),
    ("mean_image", "mean", dict(axes=[2, 3]), [[2, 9, 7, 7]], SUM),
    ("mean_image_kept", "mean", dict(axes=[2, 3], keepdim=True), [[2, 9, 7, 7]], SUM),
    ("mean_of_all", "mean", dict(axes=[1, 0, 2]), [[2, 300, 7]], SUM),
    ("mean_channels", "mean", dict(axes=[1]), [[2, 30, 7, 5]], SUM),
    ("mean_not_neighbors", "mean", dict(axes=[0, 2], keepdim=True), [[4, 3, 5, 6]], SUM),
    ("reduce_l2_last", "reduce_l2", dict(axes=[3], keepdim=True), [[2, 3, 64, 32]], SUM),
    ("reduce_l2_outer", "reduce_l2", dict(axes=[0]), [[5, 11]], SUM),
    ("relu", "relu", {}, [[2, 3, 17]], EXACT),
    ("relu6", "clip", dict(min=0.0, max=6.0), [[1, 3, 40, 40]], EXACT),
    ("clip_one_sided", "clip", dict(min=-0.5, max=float("inf")), [[70]], EXACT),
    ("gelu_tanh_form", "gelu", dict(tanh_form=True), [[3, 77]], SUM),
    ("add_same", "add", {}, [[2, 3, 5, 7], [2, 3, 5, 7]], EXACT),
    ("add_channel", "add", {}, [[2, 3, 5, 7], [3, 1, 1]], EXACT),
    ("add_both_stretched", "add", {}, [[1, 3, 1, 1], [2, 1, 1, 4]], EXACT),
    ("add_rank_2_and_4", "add", {}, [[5, 7], [2, 3, 5, 7]], EXACT),
    ("add_scalar", "add", {}, [[], [2, 3]], EXACT),
    ("add_two_scalars", "add", {}, [[], []], EXACT),
    ("max_pool", "max_pool2d", dict(kernel=[3, 3], stride=[2, 2], padding=[1, 1, 1, 1]),
     [[2, 5, 14, 15]], EXACT),
    ("max_pool_ceil", "max_pool2d", dict(kernel=[3, 3], stride=[2, 2], ceil_mode=True),
     [[1, 3, 54, 53]], EXACT),
    ("max_pool_ceil_drops_window", "max_pool2d",
     dict(kernel=[2, 2], stride=[3, 3], padding=[1, 1, 1, 1], ceil_mode=True), [[1, 2, 2, 5]],
     EXACT),
    ("max_pool_dilation", "max_pool2d",
     dict(kernel=[3, 2], stride=[1, 2], padding=[1, 1, 1, 1], dilation=[2, 3]), [[1, 2, 9, 12]],
     EXACT),
    ("max_pool_asymmetric", "max_pool2d",
     dict(kernel=[3, 3], stride=[2, 2], padding=[0, 1, 1, 0]), [[1, 3, 8, 9]], EXACT),
    ("avg_pool", "avg_pool2d", dict(kernel=[3, 2], stride=[2, 1]), [[2, 3, 9, 8]], SUM),
    ("avg_pool_pad", "avg_pool2d", dict(kernel=[3, 3], stride=[1, 1], padding=[1, 1, 1, 1]),
     [[1, 3, 7, 7]], SUM),
    ("avg_pool_pad_not_counted", "avg_pool2d",
     dict(kernel=[3, 3], stride=[1, 1], padding=[1, 1, 1, 1], count_include_pad=False),
     [[1, 3, 7, 7]], SUM),
    ("avg_pool_ceil", "avg_pool2d",
     dict(kernel=[3, 3], stride=[2, 2], padding=[1, 1, 1, 1], ceil_mode=True), [[1, 3, 4, 6]],
     SUM),
    ("avg_pool_ceil_not_counted", "avg_pool2d",
     dict(kernel=[3, 3], stride=[2, 2], padding=[1, 1, 1, 1], ceil_mode=True,
          count_include_pad=False), [[1, 3, 4, 6]], SUM),
    ("avg_pool_ceil_no_pad", "avg_pool2d", dict(kernel=[3, 3], stride=[2, 2], ceil_mode=True),
     [[1, 2, 8, 6]], SUM),
    ("avg_pool_asymmetric", "avg_pool2d",
     dict(kernel=[2, 3], stride=[1, 2], padding=[0, 1, 1, 0]), [[1, 2, 6, 7]], SUM),
    ("avg_pool_asymmetric_not_counted", "avg_pool2d",
     dict(kernel=[2, 3], stride=[1, 2], padding=[0, 1, 1, 0], count_include_pad=False),
     [[1, 2, 6, 7]], SUM),
    ("adaptive_to_one", "adaptive_avg_pool2d", dict(output=[1, 1]), [[2, 9, 7, 7]], SUM),
    ("adaptive_divisible", "adaptive_avg_pool2d", dict(output=[6, 3]), [[1, 4, 12, 12]], SUM),
    ("adaptive_not_divisible", "adaptive_avg_pool2d", dict(output=[5, 7]), [[1, 4, 13, 10]],
     SUM),
    ("adaptive_grows", "adaptive_avg_pool2d", dict(output=[7, 7]), [[1, 4, 3, 5]], SUM),
    ("flatten", "flatten", dict(start_dim=1), [[2, 3, 4, 5]], EXACT),
    ("reshape", "reshape", dict(shape=[3, -1, 4]), [[2, 3, 4, 5]], EXACT),
    ("transpose_to_nhwc", "transpose", dict(perm=[0, 2, 3, 1]), [[2, 37, 9, 11]], EXACT),
    ("transpose_to_nchw", "transpose", dict(perm=[0, 3, 1, 2]), [[2, 9, 11, 37]], EXACT),
    ("transpose_windows", "transpose", dict(perm=[0, 1, 3, 2, 4, 5]), [[2, 3, 7, 3, 7, 5]], EXACT),
    ("transpose_reversed", "transpose", dict(perm=[4, 3, 2, 1, 0]), [[3, 4, 5, 17, 33]], EXACT),
    ("transpose_identity", "transpose", dict(perm=[0, 1, 2]), [[3, 4, 5]], EXACT),
    ("transpose_scalar", "transpose", dict(perm=[]), [[]], EXACT),
    ("slice_first_half", "slice", dict(axis=1, start=0, end=4), [[2, 8, 3, 3]], EXACT),
    ("slice_every_second", "slice", dict(axis=2, start=1, end=9, step=2), [[2, 3, 9, 5]], EXACT),
    ("slice_last_axis", "slice", dict(axis=1, start=2, end=11, step=4), [[5, 11]], EXACT),
    ("slice_one", "slice", dict(axis=0, start=6, end=7), [[9]], EXACT),
    ("pad_image", "pad", dict(before=[0, 0, 0, 0], after=[0, 2, 3, 0]), [[2, 5, 6, 3]], EXACT),
    ("pad_all_sides", "pad", dict(before=[1, 0, 2], after=[0, 3, 1], value=-2.5), [[2, 3, 4]],
     EXACT),
    ("pad_scalar", "pad", dict(before=[], after=[]), [[]], EXACT),
    ("expand_class_token", "expand", dict(shape=[3, 1, 40]), [[1, 1, 40]], EXACT),
    ("expand_plane", "expand", dict(shape=[2, 3, 20, 21]), [[3, 1, 1]], EXACT),
    ("expand_scalar", "expand", dict(shape=[4, 5]), [[]], EXACT),
    ("gather_rows", "gather", dict(axis=0), [[13, 3], [49, 49]], EXACT),
    ("gather_middle", "gather", dict(axis=1), [[2, 7, 5], [4]], EXACT),
    ("gather_last", "gather", dict(axis=2), [[2, 7, 5], [2, 3]], EXACT),
    ("gather_one", "gather", dict(axis=1), [[2, 7, 5], []], EXACT),
    ("concat_channels", "concat", dict(axis=1), [[2, 3, 4, 5], [2, 1, 4, 5], [2, 6, 4, 5]],
     EXACT),
    ("concat_batch", "concat", dict(axis=0), [[2, 3], [1, 3]], EXACT),
    ("concat_last", "concat", dict(axis=3), [[2, 3, 2, 5], [2, 3, 2, 1]], EXACT),
    ("quantize_int8", "quantize", dict(INT8, scale=[0.019607844], zero_point=[-17]),
     [[1, 3, 20, 20]], EXACT),
    ("quantize_uint8", "quantize", dict(UINT8, scale=[0.011], zero_point=[128]),
     [[1, 3, 20, 20]], EXACT),
    ("quantize_int16", "quantize", dict(INT16, scale=[3.1e-5], zero_point=[0]),
     [[1, 3, 20, 20]], EXACT),
    ("quantize_int32", "quantize", dict(INT32, scale=[1.7e-7], zero_point=[0]), [[64]], EXACT),
    ("quantize_narrow", "quantize", dict(NARROW_INT8, scale=[0.02], zero_point=[0]), [[400]],
     EXACT),
    ("quantize_axis_0", "quantize",
     dict(NARROW_INT8, scale=[0.02, 0.03, 0.007], zero_point=[0, 0, 0], axis=0), [[3, 4, 5, 5]],
     EXACT),
    ("quantize_axis_1", "quantize",
     dict(INT8, scale=[0.02, 0.03, 0.007], zero_point=[3, -100, 0], axis=1), [[2, 3, 9]], EXACT),
    ("dequantize_int8", "dequantize", dict(INT8, scale=[0.019607844], zero_point=[-17]),
     [[1, 3, 20, 20]], EXACT),
    ("dequantize_uint8", "dequantize", dict(UINT8, scale=[0.011], zero_point=[128]), [[300]],
     EXACT),
    ("dequantize_int16", "dequantize", dict(INT16, scale=[3.1e-5], zero_point=[0]), [[300]],
     EXACT),
    ("dequantize_int32_axis_0", "dequantize",
     dict(INT32, scale=[1e-7, 2e-5, 0.3], zero_point=[0, 0, 0], axis=0), [[3]], EXACT),
    ("dequantize_axis_1", "dequantize",
     dict(INT8, scale=[0.02, 0.03, 0.007], zero_point=[3, -100, 0], axis=1), [[2, 3, 9]], EXACT),
]


ELEMENTWISE = {"sigmoid": SUM, "hard_sigmoid": SUM, "hard_swish": SUM, "silu": SUM, "gelu": SUM,
               "tanh": SUM, "exp": SUM, "sqrt": EXACT}
BINARY = ["add", "sub", "mul", "div"]


def random_attributes(op, shape, choice):
    """Attributes for an input of `shape`, and the shapes of further inputs."""
    rank = len(shape)
    axis = choice.randrange(rank)
    axes = choice.sample(range(rank), choice.randint(1, rank))
    start = choice.randrange(shape[axis])
    return {
        "softmax": (dict(axis=axis), []),
        "layer_norm": (dict(normalized_dims=axis + 1), [shape[-axis - 1:]] * 2),
        "mean": (dict(axes=axes, keepdim=choice.random() < 0.5), []),
        "reduce_l2": (dict(axes=axes, keepdim=choice.random() < 0.5), []),
        "transpose": (dict(perm=choice.sample(range(rank), rank)), []),
        "slice": (dict(axis=axis, start=start, end=choice.randint(start + 1, shape[axis]),
                       step=choice.randint(1, 3)), []),
        "pad": (dict(before=[choice.randrange(4) for _ in shape],
                     after=[choice.randrange(4) for _ in shape], value=choice.random()), []),
        "expand": (dict(shape=[choice.randint(1, 3)] + [size if size > 1 else choice.randint(1, 20)
                                                        for size in shape]), []),
        "gather": (dict(axis=axis), [[choice.randint(1, 6)] * choice.randrange(3)]),
    }[op]


REDUCING = {"softmax", "layer_norm", "mean", "reduce_l2"}
ANY_RANK = [*sorted(REDUCING), "transpose", "slice", "pad", "expand", "gather"]


def random_cases(choice):
    """Every op that takes any rank, on ranks 1 to 5 and odd sizes."""
    def random_shape(rank):
        return [choice.choice([1, 2, 3, 5, 7, 17, 19, 33][:8 if rank < 4 else 6])
                for _ in range(rank)]

    def broadcasting(shape):
        """A shape that broadcasts to `shape`."""
        kept = shape[choice.randint(0, len(shape)):]
        return [size if choice.random() < 0.6 else 1 for size in kept]

    for rank in range(1, 6):
        for op, tolerance in ELEMENTWISE.items():
            yield f"{op}_rank_{rank}", op, {}, [random_shape(rank)], tolerance
        for op in BINARY:
            for i in range(4):
                whole = random_shape(rank)
                other = broadcasting(whole)
                operands = [whole, other] if i < 2 else [other, whole]
                yield f"{op}_rank_{rank}_{i}", op, {}, operands, EXACT
            yield (f"{op}_rank_{rank}_both", op, {}, [broadcasting(whole), broadcasting(whole)],
                   EXACT)
        for op in ANY_RANK:
            for i in range(4):
                shape = random_shape(rank)
                if op == "softmax":
                    shape[-1] += 4  # so that the axis is not always of size 1
                attributes, further = random_attributes(op, shape, choice)
                yield (f"{op}_rank_{rank}_{i}", op, attributes, [shape, *further],
                       SUM if op in REDUCING else EXACT)
        batch = random_shape(rank - 1)
        m, k, n = random_shape(3)
        yield (f"matmul_batch_rank_{rank - 1}", "matmul", {},
               [[*broadcasting(batch), m, k], [*broadcasting(batch), k, n]], SUM)


def random_inputs(op, attributes, shapes, generator):
    if op == "dequantize":
        low, high = attributes["qmin"], attributes["qmax"] + 1
        codes = torch.randint(low, high, shapes[0], generator=generator)
        return [codes.to(dtype_named(attributes["dtype"]))]
    inputs = [torch.randn(shape, generator=generator) * 2 + 0.5 for shape in shapes]
    if op == "batch_norm":
        inputs[4] = inputs[4].abs()
    if op == "sqrt":
        inputs[0] = inputs[0].abs()
    if op == "gather":
        inputs[1] = torch.randint(0, shapes[0][attributes["axis"]], shapes[1], generator=generator)
        if math.prod(shapes[1]) % 2:  # both types of indices
            inputs[1] = inputs[1].to(torch.int32)
    return inputs


def write_case(folder, case, generator):
    name, op, attributes, shapes, tolerance = case
    inputs = random_inputs(op, attributes, shapes, generator)
    in_double = tolerance != EXACT
    operands = [tensor.double() for tensor in inputs] if in_double else inputs
    output = FUNCTIONS[op](*operands, **attributes)
    output = (output.float() if in_double else output).contiguous()
    folder.joinpath(f"{name}.graph").write_text(graph_text(name, op, attributes, inputs, output))
    for i, tensor in enumerate(inputs):
        folder.joinpath(f"{name}.input{i}").write_bytes(tensor.numpy().tobytes())
    folder.joinpath(f"{name}.output").write_bytes(output.numpy().tobytes())
    return f"{name} {tolerance}\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    generator = torch.Generator().manual_seed(20240229)
    cases = [*CASES, *random_cases(random.Random(20240229))]
    rows = [write_case(folder, case, generator) for case in cases]
    folder.joinpath("cases.txt").write_text("".join(rows))


if __name__ == "__main__":
    main()
