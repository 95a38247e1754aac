#!/usr/bin/env python3
"""Asks PyTorch what the imported programs compute and which arguments its operators have.

usage: pt2_oracle.py signatures PT2_SIGNATURES
       pt2_oracle.py programs PT2_LOGITS [MODEL.pt2 ...]

PT2_SIGNATURES and PT2_LOGITS are the programs of tests/frontend/pt2.

signatures: names, order and defaults of the arguments of each imported ATen operator against PyTorch's own schemas.

programs: each archive (those in tests/data/pt2 if none is named) is read by this script, with zipfile and json, and
its nodes are called one by one as PyTorch operators on the archive's sample inputs. All outputs of PT2_LOGITS must be
near in relative L2. This PyTorch is older than torch.export; what it lacks is written out below.
"""
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy
import torch

TOLERANCE = 1e-6  # relative L2
DATA = pathlib.Path("tests/data/pt2")

# The format's numbers of element types.
DTYPES = {1: torch.uint8, 2: torch.int8, 3: torch.int16, 4: torch.int32, 5: torch.int64, 6: torch.float16,
          7: torch.float32, 8: torch.float64, 12: torch.bool}

# Newer files of torch.save name it.
torch._utils._rebuild_parameter_with_state = lambda data, requires_grad, hooks, state: data


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return torch.softmax(query @ key.transpose(-2, -1) * scale, -1) @ value


def batch_norm(input, weight, bias, running_mean, running_var, momentum, eps):
    return torch.batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps, False), None, None


def squeeze(self, dim):
    return self.reshape([size for i, size in enumerate(self.shape)
                         if size != 1 or i not in [axis % self.dim() for axis in dim]])


def channels(values, like, axis):
    shape = [1] * like.dim()
    shape[axis] = -1
    return values.reshape(shape)


def quantize(x, inverse, zero_point, quant_min, quant_max, dtype):
    return torch.clamp(torch.round(x * inverse) + zero_point, quant_min, quant_max).to(dtype)


def quantize_per_tensor(input, scale, zero_point, quant_min, quant_max, dtype):
    inverse = torch.tensor(1.0 / scale, dtype=torch.float32)
    return quantize(input, inverse, zero_point, quant_min, quant_max, dtype)


def dequantize_per_tensor(input, scale, zero_point, quant_min, quant_max, dtype):
    return (input.to(torch.float32) - zero_point) * torch.tensor(scale, dtype=torch.float32)


def dequantize_per_channel(input, scales, zero_points, axis, quant_min, quant_max, dtype):
    zero_points = channels(zero_points, input, axis)
    return (input.to(torch.float32) - zero_points) * channels(scales, input, axis)


# Operators that this PyTorch does not have.
WRITTEN_OUT = {
    "aten._native_batch_norm_legit_no_training.default": batch_norm,
    "aten._scaled_dot_product_flash_attention_for_cpu.default": lambda *q, **k: (attention(*q, **k), None),
    "aten.scaled_dot_product_attention.default": attention,
    "aten.squeeze.dims": squeeze,
    "quantized_decomposed.quantize_per_tensor.default": quantize_per_tensor,
    "quantized_decomposed.dequantize_per_tensor.default": dequantize_per_tensor,
    "quantized_decomposed.dequantize_per_channel.default": dequantize_per_channel,
}


def operator(target):
    if target in WRITTEN_OUT:
        return WRITTEN_OUT[target]
    namespace, name, overload = target.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), name), overload)


class Archive:
    """Program, tensors and sample inputs of a .pt2 file of either layout."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path)
        names = self.zip.namelist()
        if "serialized_exported_program.json" in names:
            self.program = json.loads(self.zip.read("serialized_exported_program.json"))
            self.weights = self.pickled("serialized_state_dict.pt")
            self.constants = self.pickled("serialized_constants.pt")
            self.inputs = self.pickled("serialized_example_inputs.pt")[0]
        else:
            self.root = next(name for name in names if name.endswith("/archive_format")).rsplit("/", 1)[0]
            self.program = json.loads(self.zip.read(self.root + "/models/model.json"))
            self.weights = self.raw("weights")
            self.constants = self.raw("constants")
            self.inputs = self.pickled(self.root + "/data/sample_inputs/model.pt")[0]

    def pickled(self, name):
        return torch.load(io.BytesIO(self.zip.read(name)))

    def raw(self, kind):
        folder = f"{self.root}/data/{kind}/"
        config = json.loads(self.zip.read(f"{folder}model_{kind}_config.json"))["config"]
        tensors = {}
        for key, payload in config.items():
            meta = payload["tensor_meta"]
            storage = bytearray(self.zip.read(folder + payload["path_name"]))
            flat = torch.frombuffer(storage, dtype=DTYPES[meta["dtype"]])
            tensors[key] = flat.as_strided([size["as_int"] for size in meta["sizes"]],
                                           [stride["as_int"] for stride in meta["strides"]],
                                           meta["storage_offset"]["as_int"])
        return tensors


def value_of(argument, values):
    (kind, value), = argument.items()
    if kind == "as_tensor":
        return values[value["name"]]
    if kind == "as_tensors":
        return [values[item["name"]] for item in value]
    if kind == "as_optional_tensors":
        return [value_of(item, values) for item in value]
    if kind == "as_none":
        return None
    if kind == "as_scalar_type":
        return DTYPES[value]
    if kind in ("as_device", "as_layout", "as_memory_format"):
        return LEFT_OUT
    return value


LEFT_OUT = object()


def call(node, values):
    arguments = {item["name"]: value_of(item["arg"], values) for item in node["inputs"]}
    arguments = {name: value for name, value in arguments.items() if value is not LEFT_OUT}
    function = operator(node["target"].removeprefix("torch.ops."))
    if "self" in arguments:  # the name is taken by Python's method
        results = function(arguments.pop("self"), **arguments)
    else:
        results = function(**arguments)
    names = []
    for output in node["outputs"]:
        (kind, value), = output.items()
        names += [item["name"] for item in value] if kind == "as_tensors" else [value["name"]]
    results = results if isinstance(results, (list, tuple)) else [results]
    values.update(zip(names, results))


def execute(archive):
    module = archive.program["graph_module"]
    inputs = iter(archive.inputs)
    values = {}
    for spec in module["signature"]["input_specs"]:
        (kind, spec), = spec.items()
        if kind == "user_input":
            values[spec["arg"]["as_tensor"]["name"]] = next(inputs)
        elif kind == "parameter":
            values[spec["arg"]["name"]] = archive.weights[spec["parameter_name"]]
        elif kind == "buffer":
            stored = archive.weights if spec.get("persistent", True) else archive.constants
            values[spec["arg"]["name"]] = stored[spec["buffer_name"]]
        else:
            values[spec["arg"]["name"]] = archive.constants[spec["tensor_constant_name"]]
    for node in module["graph"]["nodes"]:
        call(node, values)
    return [values[spec["user_output"]["arg"]["as_tensor"]["name"]]
            for spec in module["signature"]["output_specs"]]


def compare_programs(program, paths):
    failures = 0
    for path in paths:
        with tempfile.NamedTemporaryFile() as file, torch.no_grad():
            subprocess.run([program, path, file.name], check=True)
            found = numpy.fromfile(file.name, numpy.float32)
            expected = numpy.concatenate([output.flatten().numpy() for output in execute(Archive(path))])
        start = "ok" if found.shape == expected.shape else "FAIL"
        error = numpy.linalg.norm(found - expected) / numpy.linalg.norm(expected) if start == "ok" else math.inf
        verdict = "ok" if error <= TOLERANCE else "FAIL"
        print(f"{verdict} {path}: relative L2 {error:.2e} of {expected.size} numbers")
        failures += verdict != "ok"
    return failures


def written(argument):
    """A parameter of a PyTorch schema as the importer writes it."""
    if not argument.has_default_value():
        return argument.name
    default = argument.default_value
    if isinstance(default, list) and default and all(item == default[0] for item in default):
        default = default[0]  # of a list of fixed length one number may stand for all
    if isinstance(default, list):
        return f"{argument.name}=[{','.join(map(str, default))}]"
    return f"{argument.name}={default!r}"


def compare_signatures(program):
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    failures = checked = 0
    for line in lines:
        target, found = line.split("\t")
        if not target.startswith("aten.") or target in WRITTEN_OUT:
            continue
        expected = " ".join(written(argument) for argument in operator(target)._schema.arguments)
        checked += 1
        if found != expected:
            failures += 1
            print(f"FAIL {target}: expected '{expected}', found '{found}'")
    print(f"{checked} operators, {failures} differ")
    return failures if checked else 1


def main(arguments):
    if arguments[:1] == ["signatures"] and len(arguments) == 2:
        return compare_signatures(arguments[1])
    if arguments[:1] == ["programs"] and len(arguments) >= 2:
        return compare_programs(arguments[1], arguments[2:] or sorted(map(str, DATA.glob("*.pt2"))))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 2))
