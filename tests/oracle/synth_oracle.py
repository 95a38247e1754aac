#!/usr/bin/env python3
"""Asks PyTorch whether `quantc synth` wrote the BatchNorm statistics of the photos.

usage: synth_oracle.py QUANTC PHOTOS MODEL...

Loads each synthetic checkpoint into TorchVision's network, strictly, lets the network see the same photos in training
mode, and compares the statistics it gathers with those in the file. Also compares what `quantc synth` says about
the logits.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import torch
import torchvision
from PIL import Image

DTYPES = {"F32": numpy.float32, "I64": numpy.int64}
TOLERANCE = 1e-4  # of a statistic, relative to the largest of its layer


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for key, entry in header.items():
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[8 + length + begin:8 + length + end], DTYPES[entry["dtype"]])
        tensors[key] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return tensors


def photos(folder, name):
    transforms = torchvision.models.get_model_weights(name).DEFAULT.transforms()
    files = sorted(file for file in pathlib.Path(folder).iterdir() if file.suffix in (".jpg", ".png", ".bmp"))
    return torch.stack([transforms(Image.open(file).convert("RGB")) for file in files])


def gathered(network, batch):
    """Name of each BatchNorm to its input's mean and biased variance."""
    counts = {}
    for name, module in network.named_modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = None
            module.reset_running_stats()
            module.register_forward_hook(
                lambda _, inputs, __, name=name: counts.update({name: inputs[0].numel() // inputs[0].shape[1]}))
    with torch.no_grad():
        network.train()(batch)
    return {name: (module.running_mean, module.running_var * (counts[name] - 1) / counts[name])
            for name, module in network.named_modules() if name in counts}


def error(found, expected):
    return float((found - expected).abs().max() / expected.abs().max())


def check(quantc, folder, name):
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "synthetic.safetensors"
        report = subprocess.run([quantc, "synth", name, "-o", path, "--calib", folder, "--seed", "3"],
                                check=True, capture_output=True, text=True).stdout
        tensors = read_safetensors(path)
    network = torchvision.models.get_model(name, weights=None)
    network.load_state_dict(tensors, strict=True)
    batch = photos(folder, name)
    with torch.no_grad():
        spread = network.eval()(batch).std(dim=1, unbiased=False).mean().item()
    said = float(re.search(r"logits spread by ([\d.e+-]+)", report).group(1))
    statistics = gathered(network, batch)
    worst = max((max(error(tensors[f"{norm}.running_mean"], mean), error(tensors[f"{norm}.running_var"], variance))
                 for norm, (mean, variance) in statistics.items()), default=0.0)
    agrees = worst <= TOLERANCE and abs(said - spread) <= 5e-3 * spread
    print(f"{name}: {len(statistics)} BatchNorms, worst statistic off by {worst:.1e}; logits spread by {said}, "
          f"PyTorch {spread:.4g}{'' if agrees else ': FAILED'}")
    return agrees


def main():
    if len(sys.argv) < 4:
        print(__doc__)
        return 2
    quantc, folder, *names = sys.argv[1:]
    return 0 if all([check(quantc, folder, name) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
