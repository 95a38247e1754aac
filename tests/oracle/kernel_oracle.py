#!/usr/bin/env python3
"""Asks PyTorch and NumPy what the integer kernels compute.

usage: kernel_oracle.py FILE

Writes one record per case of the tables below: a line "case KERNEL NAME", lines "int KEY VALUE...",
"float KEY VALUE..." (C hex floats) and "word KEY VALUE", tensors as "tensor KEY DTYPE DIMS..." followed by a line
end and the raw row-major elements, and a line "end". x, weight and y are dense NCHW and OIHW; the
layouts that the kernel works on are words.

Sums are computed by PyTorch in float64, where sums of int8 products are exact. Scaling to codes
follows the contracts in runtime/kernels/qc_kernels.h and runtime/mmalib/qc_mmalib.h, in NumPy.
"""
import sys

import numpy as np
import torch
import torch.nn.functional as F

f32 = np.float32


class Writer:
    def __init__(self, path):
        self.file = open(path, "wb")
        self.names = set()

    def line(self, text):
        self.file.write(text.encode() + b"\n")

    def case(self, kernel, name, words, ints, floats, tensors):
        assert name not in self.names, name
        self.names.add(name)
        self.line(f"case {kernel} {name}")
        for key, value in words.items():
            self.line(f"word {key} {value}")
        for key, value in ints.items():
            self.line(" ".join(["int", key, *(str(int(v)) for v in np.ravel(value))]))
        for key, value in floats.items():
            self.line(" ".join(["float", key, *(float(v).hex() for v in np.ravel(value))]))
        for key, value in tensors.items():
            array = np.ascontiguousarray(value)
            self.line(" ".join(["tensor", key, array.dtype.name, *map(str, array.shape)]))
            self.file.write(array.tobytes() + b"\n")
        self.line("end")


def codes(rng, *shape, lo=-128, hi=127):
    return rng.integers(lo, hi, shape, dtype=np.int8, endpoint=True)


def requantize(reals, out):
    """clamp(rne(reals) + zero_point, lo, hi) of float32 reals."""
    zero_point, lo, hi = out
    assert reals.dtype == f32
    return np.clip(np.rint(reals).astype(np.float64) + zero_point, lo, hi).astype(np.int8)


def require_spread(y, name):
    """A case whose outputs are nearly all alike would pass with a broken kernel."""
    values, counts = np.unique(y, return_counts=True)
    assert len(values) > 4 or y.size < 8, f"{name}: only {len(values)} different outputs"


# ---- Convolution ----


def pad(x, padding, value):
    top, left, bottom, right = padding
    return F.pad(x, (left, right, top, bottom), value=float(value))


def accumulators(x, weight, bias, row, zero_point):
    """sum((x - z) * w) + bias with zeros as padding, exact."""
    reals = torch.from_numpy(x).double() - zero_point
    sums = F.conv2d(pad(reals, row["padding"], 0), torch.from_numpy(weight).double(), None,
                    row["stride"], 0, row["dilation"], row["groups"])
    acc = sums.long().numpy() + bias.reshape(1, -1, 1, 1)
    assert np.abs(acc).max() < 2**31
    return acc


CONV_DEFAULTS = dict(n=1, kernel=(3, 3), stride=(1, 1), padding=(0, 0, 0, 0), dilation=(1, 1),
                     groups=1, zero_point=0, out=(0, -128, 127), x_layout="nhwc", y_layout="nhwc",
                     unit=None)

# c: channels in, h, w, o: channels out; padding: top, left, bottom, right; out: zero point, lo, hi;
# unit: a multiplier for all channels (0.5 makes ties).
CONVS = dict(
    plain_3x3=dict(c=16, h=9, w=11, o=24, padding=(1, 1, 1, 1)),
    zero_point_in_the_padding=dict(c=5, h=6, w=7, o=9, padding=(1, 1, 1, 1), zero_point=-77,
                                   out=(13, -128, 127)),
    zero_point_at_the_end=dict(c=5, h=6, w=7, o=9, padding=(2, 2, 2, 2), zero_point=127,
                               out=(-128, -128, 127)),
    padding_top_left=dict(c=3, h=7, w=8, o=8, padding=(2, 1, 0, 0), zero_point=9),
    padding_bottom_right=dict(c=3, h=7, w=8, o=8, padding=(0, 0, 1, 2), zero_point=9),
    padding_all_different=dict(c=3, h=9, w=8, o=8, kernel=(4, 5), padding=(1, 2, 3, 4),
                               zero_point=-30),
    padding_wider_than_kernel=dict(c=3, h=3, w=3, o=8, kernel=(2, 2), padding=(3, 3, 3, 3),
                                   zero_point=-30),
    strides_differ=dict(c=8, h=13, w=12, o=10, stride=(3, 2), padding=(1, 1, 1, 1), zero_point=3),
    stem_7x7_stride_2=dict(c=3, h=23, w=21, o=64, kernel=(7, 7), stride=(2, 2),
                           padding=(3, 3, 3, 3), zero_point=-14),
    stem_11x11_stride_4=dict(c=3, h=35, w=35, o=16, kernel=(11, 11), stride=(4, 4),
                             padding=(2, 2, 2, 2), zero_point=-14),
    dilation=dict(c=6, h=14, w=13, o=12, dilation=(2, 3), padding=(2, 3, 2, 3), zero_point=-5),
    row_1x7=dict(c=8, h=9, w=9, o=12, kernel=(1, 7), padding=(0, 3, 0, 3), zero_point=21),
    column_7x1=dict(c=8, h=9, w=9, o=12, kernel=(7, 1), padding=(3, 0, 3, 0), zero_point=21),
    even_kernel=dict(c=4, h=8, w=8, o=6, kernel=(2, 4), padding=(0, 1, 1, 2), zero_point=6),
    pointwise_stride_2=dict(c=33, h=8, w=7, o=65, kernel=(1, 1), stride=(2, 2)),
    batch_2=dict(n=2, c=7, h=6, w=5, o=9, padding=(1, 1, 1, 1), zero_point=4),
    groups_2=dict(c=4, h=6, w=6, o=6, groups=2, padding=(1, 1, 1, 1), zero_point=-8),
    groups_8_across_blocks=dict(c=32, h=5, w=5, o=200, groups=8, padding=(1, 1, 1, 1),
                                zero_point=11),
    groups_narrowing=dict(c=48, h=5, w=5, o=12, groups=4, padding=(1, 1, 1, 1), zero_point=11),
    groups_32=dict(n=2, c=64, h=5, w=5, o=64, groups=32, padding=(1, 1, 1, 1), zero_point=-3),
    depthwise_3x3=dict(c=70, h=7, w=6, o=70, groups=70, padding=(1, 1, 1, 1), zero_point=40),
    depthwise_5x5_stride_2=dict(n=2, c=129, h=9, w=8, o=129, groups=129, kernel=(5, 5),
                                stride=(2, 2), padding=(2, 2, 2, 2), zero_point=-40),
    depthwise_dilated=dict(c=9, h=9, w=9, o=9, groups=9, dilation=(2, 2), padding=(2, 1, 2, 3),
                           zero_point=5),
    depthwise_multiplier_2=dict(c=9, h=6, w=6, o=18, groups=9, padding=(1, 1, 1, 1), zero_point=5),
    depthwise_to_planar=dict(c=20, h=6, w=6, o=20, groups=20, padding=(1, 1, 1, 1), zero_point=5,
                             x_layout="nhwc_slice", y_layout="planar"),
    one_channel=dict(c=1, h=6, w=6, o=1, zero_point=5, padding=(1, 1, 1, 1), x_layout="planar",
                     y_layout="planar"),
    from_a_slice=dict(n=2, c=12, h=5, w=6, o=20, padding=(1, 1, 1, 1), x_layout="nhwc_slice",
                      zero_point=7),
    into_a_slice=dict(n=2, c=12, h=5, w=6, o=70, padding=(1, 1, 1, 1), y_layout="nhwc_slice",
                      zero_point=7),
    to_planar=dict(n=2, c=12, h=5, w=6, o=70, padding=(1, 1, 1, 1), y_layout="planar"),
    into_a_planar_slice=dict(n=2, c=12, h=5, w=6, o=20, y_layout="planar_slice"),
    ties=dict(c=2, h=9, w=9, o=8, kernel=(1, 1), unit=0.5, out=(1, -128, 127)),
    ties_across_the_bounds=dict(c=1, h=16, w=16, o=4, kernel=(1, 1), unit=0.5, out=(-3, -21, 17)),
    relu_at_zero_point=dict(c=9, h=6, w=6, o=12, out=(-20, -20, 127), zero_point=2),
    relu6_inside=dict(c=9, h=6, w=6, o=12, out=(-64, -64, 32), zero_point=2),
    everything_saturates=dict(c=9, h=6, w=6, o=12, unit=1e30, out=(5, -100, 90)),
    linear=dict(n=3, c=600, h=1, w=1, o=1000, kernel=(1, 1), zero_point=-12),
    linear_over_an_image=dict(c=32, h=6, w=6, o=50, kernel=(6, 6), zero_point=-12),
    deep=dict(c=1025, h=3, w=3, o=5, zero_point=1, padding=(1, 1, 1, 1)),
    channels_1023=dict(c=3, h=2, w=2, o=1023, kernel=(1, 1)),
    channels_1025=dict(c=3, h=2, w=2, o=1025, kernel=(1, 1)),
    channels_4097=dict(c=3, h=2, w=2, o=4097, kernel=(1, 1)),
)


def conv_operands(rng, row):
    kh, kw = row["kernel"]
    x = codes(rng, row["n"], row["c"], row["h"], row["w"])
    weight = codes(rng, row["o"], row["c"] // row["groups"], kh, kw, lo=-127)
    depth = weight[0].size
    bias = rng.integers(-400, 400, row["o"]) * int(np.sqrt(depth) + 1)
    # The standard deviation of the accumulators is near 70 * 70 * sqrt(depth).
    multiplier = (40 / (5400 * np.sqrt(depth)) * rng.uniform(0.5, 2, row["o"])).astype(f32)
    if row["unit"] is not None:
        multiplier = np.full(row["o"], row["unit"], f32)
    if row["unit"] in (0.5, 1):
        x, weight, bias = x // 8, weight // 60, bias // 100
    return x, weight, bias, multiplier


def conv_cases(writer, rng):
    for name, given in CONVS.items():
        row = CONV_DEFAULTS | given
        x, weight, bias, multiplier = conv_operands(rng, row)
        acc = accumulators(x, weight, bias, row, row["zero_point"])
        reals = acc.astype(f32) * multiplier.reshape(1, -1, 1, 1)
        folded = bias - row["zero_point"] * weight.astype(np.int64).sum((1, 2, 3))
        words = dict(x_layout=row["x_layout"], y_layout=row["y_layout"])
        ints = dict(kernel=row["kernel"], stride=row["stride"], pad=row["padding"][:2],
                    dilation=row["dilation"], groups=row["groups"], zero_point=row["zero_point"])
        tensors = dict(x=x, weight=weight, bias=folded.astype(np.int32), multiplier=multiplier)
        y = requantize(reals, row["out"])
        if row["unit"] != 1e30:
            require_spread(y, name)
        if row["unit"] == 0.5:
            assert (acc % 2 != 0).any()
        writer.case("conv2d", name, words, ints | dict(out=row["out"]), {}, tensors | dict(y=y))
        bound = f32(np.abs(reals).max() * 0.7)
        clip = dict(clip=(-np.inf, np.inf) if len(name) % 2 else (-bound / 2, bound))
        clipped = np.clip(reals, f32(clip["clip"][0]), f32(clip["clip"][1]))
        writer.case("conv2d_f32", name + "_f32", words, ints, clip, tensors | dict(y=clipped))


# ---- MMALIB ----

MMA_DEFAULTS = CONV_DEFAULTS | dict(rounding="half_up", out=(0, -128, 127))

MMA_CONVS = dict(
    mma_3x3=dict(c=16, h=9, w=11, o=24, padding=(1, 1, 1, 1), zero_point=-19),
    mma_3x3_truncated=dict(c=16, h=9, w=11, o=24, padding=(1, 1, 1, 1), zero_point=-19,
                           rounding="truncate"),
    mma_1x1=dict(c=40, h=7, w=7, o=100, kernel=(1, 1), zero_point=20),
    mma_1x1_stride_2=dict(c=40, h=8, w=7, o=70, kernel=(1, 1), stride=(2, 2), zero_point=20),
    mma_3x3_stride_2_tiles=dict(c=10, h=9, w=8, o=100, stride=(2, 2), padding=(1, 1, 1, 1),
                                zero_point=4),
    mma_3x3_stride_2_bottom_right=dict(c=10, h=8, w=8, o=33, stride=(2, 2), padding=(0, 0, 1, 1),
                                       zero_point=4),
    mma_5x5_stride_2=dict(c=4, h=11, w=11, o=40, kernel=(5, 5), stride=(2, 2),
                          padding=(2, 2, 2, 2), zero_point=-9),
    mma_7x7_stride_2=dict(c=3, h=23, w=21, o=64, kernel=(7, 7), stride=(2, 2),
                          padding=(3, 3, 3, 3), zero_point=-14),
    mma_11x11_stride_4=dict(c=3, h=35, w=35, o=64, kernel=(11, 11), stride=(4, 4), zero_point=-14),
    mma_1x7=dict(c=8, h=9, w=9, o=12, kernel=(1, 7), padding=(0, 3, 0, 3), zero_point=21),
    mma_groups=dict(c=12, h=7, w=6, o=20, groups=4, padding=(1, 1, 1, 1), zero_point=3),
    mma_groups_stride_2_tiles=dict(c=6, h=8, w=8, o=80, groups=2, stride=(2, 2),
                                   padding=(1, 1, 1, 1), zero_point=-3),
    mma_deep=dict(c=1025, h=3, w=3, o=5, padding=(1, 1, 1, 1), zero_point=1),
    mma_relu=dict(c=16, h=6, w=6, o=24, padding=(1, 1, 1, 1), zero_point=-19, out=(-30, -30, 90)),
    mma_tiles_1025=dict(c=3, h=2, w=2, o=1025, kernel=(1, 1), zero_point=2),
    mma_tiles_2500=dict(c=3, h=2, w=2, o=2500, kernel=(1, 1), zero_point=2, rounding="truncate"),
    mma_ties=dict(c=2, h=9, w=9, o=8, kernel=(1, 1), unit=0.5),
    mma_ties_truncated=dict(c=2, h=9, w=9, o=8, kernel=(1, 1), unit=0.5, rounding="truncate"),
    mma_shift_0=dict(c=2, h=9, w=9, o=8, kernel=(1, 1), unit=1),
    mma_depthwise_3x3=dict(c=30, h=9, w=8, o=30, groups=30, padding=(1, 1, 1, 1), zero_point=33),
    mma_depthwise_3x3_stride_2=dict(c=30, h=9, w=8, o=30, groups=30, stride=(2, 2),
                                    padding=(1, 1, 1, 1), zero_point=33),
    mma_depthwise_5x5_stride_2=dict(c=9, h=12, w=9, o=9, groups=9, kernel=(5, 5), stride=(2, 2),
                                    padding=(2, 2, 2, 2), zero_point=-33),
    mma_depthwise_7x7=dict(c=9, h=12, w=5, o=9, groups=9, kernel=(7, 7), padding=(3, 3, 3, 3),
                           zero_point=-33),
    mma_depthwise_padding=dict(c=9, h=6, w=9, o=9, groups=9, stride=(2, 2), padding=(0, 2, 1, 0),
                               zero_point=-33),
    mma_depthwise_narrow=dict(c=9, h=6, w=1, o=9, groups=9, kernel=(5, 5), padding=(2, 2, 2, 2),
                              zero_point=-33),
)


def fixed_point(multiplier):
    """The scale in [128, 255] (or 1 for powers of two) and shift next to each multiplier."""
    if multiplier[0] in (0.5, 1):
        return np.full(multiplier.size, 1), np.full(multiplier.size, int(multiplier[0] == 0.5))
    shift = np.floor(np.log2(255 / multiplier)).astype(np.int64)
    return np.rint(multiplier * 2.0**shift).astype(np.int64), shift


def mma_requantize(acc, scale, shift, row):
    """((acc * scale) >> shift), half up or truncated, with channels along axis 1, in int64."""
    shape = [1, -1] + [1] * (acc.ndim - 2)
    v, shift = acc * scale.reshape(shape), shift.reshape(shape)
    if row["rounding"] == "half_up":
        v = np.where(shift > 0, (v + (1 << np.maximum(shift, 1) - 1)) >> shift, v)
    else:
        v = v >> shift
    return np.clip(v, row["out"][1], row["out"][2]).astype(np.int8)


def mma_operands(multiplier, bias, weight_sum, row):
    scale, shift = fixed_point(multiplier)
    assert scale.min() > 0 and scale.max() < 256 and shift.max() < 32
    # The zero point of the output, in accumulator units.
    offset = np.rint(row["out"][0] / (scale / 2.0**shift)).astype(np.int64)
    return scale, shift, bias + offset, bias + offset - row["zero_point"] * weight_sum


def mma_conv_cases(writer, rng):
    for name, given in MMA_CONVS.items():
        row = MMA_DEFAULTS | given
        x, weight, bias, multiplier = conv_operands(rng, row)
        scale, shift, real_bias, folded = mma_operands(
            multiplier, bias, weight.astype(np.int64).sum((1, 2, 3)), row)
        acc = accumulators(x, weight, real_bias, row, row["zero_point"])
        y = mma_requantize(acc, scale, shift, row)
        require_spread(y, name)
        ints = dict(kernel=row["kernel"], stride=row["stride"][0], pad=row["padding"],
                    groups=row["groups"], zero_point=row["zero_point"], out=row["out"][1:])
        depthwise = row["groups"] == row["c"] == row["o"]
        writer.case("mma_depthwise" if depthwise else "mma_conv2d", name,
                    dict(rounding=row["rounding"]), ints, {},
                    dict(x=x, weight=weight, bias=folded.astype(np.int32),
                         scale=scale.astype(np.uint8), shift=shift.astype(np.uint8), y=y))


MMA_FCS = dict(
    fc_aligned=dict(k=64, n=32),
    fc_padded=dict(k=70, n=50, zero_point=-9),
    fc_one=dict(k=1, n=10),
    fc_head_1000=dict(k=513, n=1000, zero_point=17, rounding="truncate"),
)


def mma_fc_cases(writer, rng):
    for name, given in MMA_FCS.items():
        row = MMA_DEFAULTS | dict(zero_point=0) | given
        k, n = row["k"], row["n"]
        x, weight = codes(rng, 1, k), codes(rng, n, k, lo=-127)
        bias = rng.integers(-2000, 2000, n)
        multiplier = 40 / (5400 * np.sqrt(k)) * rng.uniform(0.5, 2, n)
        scale, shift, real_bias, folded = mma_operands(multiplier, bias,
                                                       weight.astype(np.int64).sum(1), row)
        reals = torch.from_numpy(x).double() - row["zero_point"]
        acc = F.linear(reals, torch.from_numpy(weight).double()).long().numpy() + real_bias
        y = mma_requantize(acc, scale, shift, row)
        require_spread(y, name)
        writer.case("mma_fc", name, dict(rounding=row["rounding"]), dict(out=row["out"][1:]), {},
                    dict(x=x, weight=weight, bias=folded.astype(np.int32),
                         scale=scale.astype(np.uint8), shift=shift.astype(np.uint8), y=y))


# ---- Pools ----

POOLS = dict(
    pool_2x2=dict(c=9, h=8, w=6, kernel=(2, 2), stride=(2, 2)),
    pool_3x3_padded=dict(n=2, c=70, h=9, w=7, kernel=(3, 3), stride=(2, 2), padding=(1, 1)),
    pool_ceil=dict(c=64, h=12, w=13, kernel=(3, 3), stride=(2, 2), ceil=True),
    pool_ceil_padded=dict(c=5, h=12, w=10, kernel=(3, 3), stride=(2, 2), padding=(1, 1), ceil=True),
    pool_unequal=dict(c=5, h=9, w=14, kernel=(2, 5), stride=(1, 3), padding=(1, 2)),
    pool_of_slices=dict(n=2, c=6, h=7, w=7, kernel=(3, 3), stride=(1, 1), padding=(1, 1),
                        x_layout="nhwc_slice", y_layout="nhwc_slice"),
    pool_planar=dict(n=2, c=6, h=7, w=7, kernel=(3, 3), stride=(2, 2), padding=(1, 1),
                     x_layout="planar", y_layout="planar"),
    pool_to_planar=dict(c=6, h=7, w=7, kernel=(3, 3), stride=(2, 2), y_layout="planar_slice"),
    pool_from_planar=dict(c=66, h=7, w=7, kernel=(3, 3), stride=(2, 2), x_layout="planar"),
)
POOL_DEFAULTS = dict(n=1, padding=(0, 0), ceil=False, x_layout="nhwc", y_layout="nhwc")


def max_pool_cases(writer, rng):
    rows = dict(POOLS)
    rows["pool_dilated"] = dict(c=5, h=11, w=12, kernel=(3, 2), stride=(1, 2), padding=(1, 1),
                                dilation=(3, 2))
    for name, given in rows.items():
        row = POOL_DEFAULTS | dict(dilation=(1, 1)) | given
        # Low codes, so that a padding of 0 would win.
        x = codes(rng, row["n"], row["c"], row["h"], row["w"], hi=-3)
        y = F.max_pool2d(torch.from_numpy(x).float(), row["kernel"], row["stride"], row["padding"],
                         row["dilation"], row["ceil"]).numpy().astype(np.int8)
        require_spread(y, name)
        writer.case("max_pool", "max_" + name,
                    dict(x_layout=row["x_layout"], y_layout=row["y_layout"]),
                    dict(kernel=row["kernel"], stride=row["stride"], pad=row["padding"],
                         dilation=row["dilation"]), {}, dict(x=x, y=y))


def pool_windows(size, out, kernel, stride, padding, count_padding):
    """PyTorch's windows of average pooling along one dimension."""
    start = np.arange(out) * stride - padding
    end = np.minimum(start + kernel, size + padding)
    begin, inside_end = np.maximum(start, 0), np.minimum(end, size)
    return begin, inside_end, end - start if count_padding else inside_end - begin


def adaptive_windows(size, out):
    begin = np.arange(out) * size // out
    end = -(-(np.arange(out) + 1) * size // out)
    return begin, end, end - begin


def avg_pool_rows():
    for name, given in POOLS.items():
        for count_padding in (True, False):
            row = POOL_DEFAULTS | given
            yield name + ("_counted" if count_padding else ""), row, count_padding
    for size in (1, 3, 7):
        yield f"pool_adaptive_{size}", POOL_DEFAULTS | dict(n=2, c=67, h=10, w=8, adaptive=size), None


def avg_pool_cases(writer, rng):
    for name, row, count_padding in avg_pool_rows():
        zero_point, out = int(rng.integers(-90, 90)), (int(rng.integers(-40, 40)), -128, 120)
        x = codes(rng, row["n"], row["c"], row["h"], row["w"])
        reals = torch.from_numpy(x).double() - zero_point
        if count_padding is None:
            means = F.adaptive_avg_pool2d(reals, row["adaptive"])
            windows = [adaptive_windows(row[d], row["adaptive"]) for d in "hw"]
        else:
            means = F.avg_pool2d(reals, row["kernel"], row["stride"], row["padding"], row["ceil"],
                                 count_padding)
            windows = [pool_windows(row[d], means.shape[2 + i], row["kernel"][i], row["stride"][i],
                                    row["padding"][i], count_padding) for i, d in enumerate("hw")]
        divisor = windows[0][2].reshape(-1, 1) * windows[1][2]
        acc = np.rint(means.numpy() * divisor)
        assert np.abs(acc - means.numpy() * divisor).max() < 1e-6
        scale = f32(rng.uniform(0.4, 1.6))
        pooled = acc.astype(f32) * scale / divisor.astype(f32)
        words = dict(x_layout=row["x_layout"], y_layout=row["y_layout"])
        ints = dict(zero_point=zero_point)
        for dimension, (begin, end, size) in zip("hw", windows):
            ints |= {"begin_" + dimension: begin, "end_" + dimension: end,
                     "divisor_" + dimension: size}
        y = requantize(pooled, out)
        require_spread(y, name)
        writer.case("avg_pool", "avg_" + name, words, ints | dict(out=out), dict(scale=scale),
                    dict(x=x, y=y))
        writer.case("avg_pool_f32", "avg_" + name + "_f32", words, ints, dict(scale=scale),
                    dict(x=x, y=pooled))


# ---- Elementwise ----


LAYOUTS = ("nhwc", "planar", "nhwc_slice", "planar_slice")


def layout_pairs():
    for x_layout in LAYOUTS:
        for y_layout in LAYOUTS:
            yield f"{x_layout}_to_{y_layout}", dict(x_layout=x_layout, y_layout=y_layout)


def quantize_cases(writer, rng):
    """Scales that are no powers of two, and inputs that lie on ties, beyond the range, and at 0."""
    for i, (name, words) in enumerate(layout_pairs()):
        scale, out = f32(rng.uniform(0.01, 0.2)), (int(rng.integers(-128, 127)), -128, 127)
        if i % 3 == 0:
            scale = f32(0.25)  # every eighth is a tie
            out = (out[0], -90, 101)
        x = (rng.standard_normal((2, 19, 5, 7)) * 60 * scale).astype(f32)
        x[0] = np.rint(x[0] / scale * 2) * scale / f32(2)
        x.ravel()[:6] = [0, -0.0, 3e38, -3e38, 1e-40, 127.5 * scale]
        # As PyTorch does, with int64 codes; it clips to [-128, 127], the rest is ours.
        y = torch.quantize_per_tensor(torch.from_numpy(x), float(scale), out[0], torch.qint8)
        y = np.clip(y.int_repr().numpy(), out[1], out[2])
        inverse = f32(1) / scale
        # PyTorch's conversion of huge values is undefined; they saturate.
        y.ravel()[2:4] = [out[2], out[1]]
        require_spread(y, name)
        writer.case("quantize", "quantize_" + name, words, dict(out=out), dict(inv_scale=inverse),
                    dict(x=x, y=y))


def dequantize_cases(writer, rng):
    for name, words in layout_pairs():
        scale, zero_point = f32(rng.uniform(0.01, 0.2)), int(rng.integers(-128, 127))
        x = codes(rng, 2, 19, 5, 7)
        codes_of = torch._make_per_tensor_quantized_tensor(torch.from_numpy(x), float(scale),
                                                           zero_point)
        writer.case("dequantize", "dequantize_" + name, words, dict(zero_point=zero_point),
                    dict(scale=scale), dict(x=x, y=codes_of.dequantize().numpy()))


def copy_and_lut_cases(writer, rng):
    for name, words in layout_pairs():
        x, table = codes(rng, 2, 19, 5, 7), codes(rng, 256)
        writer.case("copy", "copy_" + name, words, {}, {}, dict(x=x, y=x))
        y = table[x.astype(np.int64) + 128]
        writer.case("lut", "lut_" + name, words, {}, {}, dict(x=x, table=table, y=y))


ADDS = dict(
    add_equal=dict(a=(2, 19, 5, 7), b=(2, 19, 5, 7)),
    add_planar=dict(a=(2, 19, 5, 7), b=(2, 19, 5, 7), a_layout="planar", b_layout="planar",
                    y_layout="planar"),
    add_mixed=dict(a=(2, 19, 5, 7), b=(2, 19, 5, 7), a_layout="planar_slice", y_layout="nhwc_slice"),
    add_to_planar=dict(a=(2, 19, 5, 7), b=(2, 19, 5, 7), y_layout="planar"),
    add_channels=dict(a=(2, 19, 5, 7), b=(1, 19, 1, 1)),
    add_channels_planar=dict(a=(1, 19, 1, 1), b=(2, 19, 5, 7), b_layout="planar",
                             y_layout="planar"),
    add_outer=dict(a=(1, 3, 1, 1), b=(1, 1, 1, 2)),
    add_batch=dict(a=(1, 1, 2, 2), b=(2, 1, 2, 2)),
    add_scalar=dict(a=(2, 4, 3, 3), b=(1, 1, 1, 1), out=(5, 0, 99)),
    add_image=dict(a=(2, 4, 3, 3), b=(1, 1, 3, 3)),
    # Means of two codes: half of them are ties but for the rounding of each float operation.
    add_near_ties=dict(a=(1, 64, 9, 9), b=(1, 64, 9, 9), scales=(0.1, 0.1, 0.2)),
    add_near_ties_of_thirds=dict(a=(1, 64, 9, 9), b=(1, 64, 9, 9), scales=(0.03, 0.09, 0.06)),
)


def add_cases(writer, rng):
    """PyTorch dequantizes, adds and quantizes in float32."""
    for name, given in ADDS.items():
        row = dict(a_layout="nhwc", b_layout="nhwc", y_layout="nhwc", out=(-7, -128, 127)) | given
        scales = [f32(s) for s in row.get("scales", rng.uniform(0.01, 0.05, 3))]
        points = [int(rng.integers(-60, 60)) for _ in range(2)]
        a, b = codes(rng, *row["a"]), codes(rng, *row["b"])
        reals = [torch._make_per_tensor_quantized_tensor(torch.from_numpy(q), float(s), z)
                 .dequantize() for q, s, z in zip((a, b), scales, points)]
        y = torch.quantize_per_tensor(reals[0] + reals[1], float(scales[2]), row["out"][0],
                                      torch.qint8).int_repr().numpy()
        y = np.clip(y, row["out"][1], row["out"][2])
        writer.case("add", name, {key: row[key] for key in ("a_layout", "b_layout", "y_layout")},
                    dict(zero_points=points, out=row["out"]),
                    dict(scales=scales[:2], inv_scale=f32(1) / scales[2]), dict(a=a, b=b, y=y))


def main(path):
    rng = np.random.default_rng(20240607)
    torch.set_num_threads(1)
    writer = Writer(path)
    for cases in (conv_cases, mma_conv_cases, mma_fc_cases, max_pool_cases, avg_pool_cases,
                  quantize_cases, dequantize_cases, copy_and_lut_cases, add_cases):
        cases(writer, rng)
    print(f"{len(writer.names)} cases")


if __name__ == "__main__":
    main(sys.argv[1])
