#!/usr/bin/env python3
"""Asks TorchVision what the zoo's networks are and what they compute.

usage: torchvision_oracle.py facts MODEL_FACTS
       torchvision_oracle.py logits FLOAT_LOGITS FOLDER (--all | MODEL...)

MODEL_FACTS and FLOAT_LOGITS are the programs of tests/frontend/zoo.

facts: every row of the model table against TorchVision's metadata of the default weights; every state_dict key
and shape, in order; parameters, multiply-accumulates and weight bytes counted on TorchVision's modules.

logits: each network with random weights and BatchNorm statistics of a random batch, saved by torch.save into
FOLDER, executed from there by FLOAT_LOGITS as it is and with BatchNorm folded. Both logits must have TorchVision's
top-5 classes in order and be near in relative L2. Files are removed as soon as they have been compared.
"""
import json
import pathlib
import subprocess
import sys

import numpy
import torch
import torchvision
from torch._subclasses import FakeTensorMode  # tensors of a shape, without values

SEED = 20240229
TOLERANCE = 1e-5  # relative L2 of float32 logits
MULTIPLYING = (torch.nn.Conv2d, torch.nn.Linear)


def modules_of(network, kinds):
    return [module for module in network.modules() if isinstance(module, kinds)]


def count_macs(network, size):
    """Multiply-accumulates: for each output element as many as an output channel has weights."""
    macs = []
    for module in modules_of(network, MULTIPLYING):
        module.register_forward_hook(
            lambda module, _, output: macs.append(output.numel() * module.weight[0].numel()))
    network.eval()(torch.zeros(1, 3, size, size))
    return sum(macs)


def torchvision_facts(name):
    weights = torchvision.models.get_model_weights(name).DEFAULT
    transforms = weights.transforms()
    with FakeTensorMode():
        network = torchvision.models.get_model(name, weights=None)
        macs = count_macs(network, transforms.crop_size[0])
    return {
        "name": name,
        "weights_file": weights.url.rsplit("/", 1)[1],
        "parameters": weights.meta["num_params"],
        "gmac": round(macs / 1e9, 3),
        "top1": weights.meta["_metrics"]["ImageNet-1K"]["acc@1"],
        "min_size": weights.meta["min_size"][0],
        "resize": transforms.resize_size[0],
        "crop": transforms.crop_size[0],
        "filter": transforms.interpolation.value,
        "mean": transforms.mean,
        "std": transforms.std,
        "graph_parameters": sum(parameter.numel() for parameter in network.parameters()),
        "graph_macs": macs,
        "graph_int8_weight_bytes": sum(module.weight.numel()
                                       for module in modules_of(network, MULTIPLYING)),
        "tensors": [[key, list(tensor.shape)] for key, tensor in network.state_dict().items()
                    if not key.endswith("num_batches_tracked")],
    }


def same(found, expected):
    if isinstance(expected, list) and len(found) == len(expected):
        return all(map(same, found, expected))
    if isinstance(expected, float):
        return bool(numpy.float32(found) == numpy.float32(expected))
    return found == expected


def difference(found, expected):
    if isinstance(expected, list) and len(found) == len(expected):
        found, expected = next(pair for pair in zip(found, expected) if not same(*pair))
    return f"expected {str(expected)[:200]}, found {str(found)[:200]}"


def check_facts(program):
    rows = json.loads(subprocess.run([program], check=True, capture_output=True).stdout)
    failures = 0 if rows else 1
    for row in rows:
        expected = torchvision_facts(row["name"])
        wrong = [key for key in expected if not same(row[key], expected[key])]
        for key in wrong:
            print(f"{row['name']}: {key}: {difference(row[key], expected[key])}")
        if not wrong:
            print(f"{row['name']}: {len(row['tensors'])} tensors, {row['graph_macs']} MACs agree")
        failures += len(wrong)
    print(f"{len(rows)} networks, {failures} differences")
    return failures


def random_network(name):
    """No parameter keeps a value that could hide a mistake, such as a bias of zero."""
    torch.manual_seed(SEED)
    network = torchvision.models.get_model(name, weights=None)
    for module in modules_of(network, MULTIPLYING):
        if module.bias is not None:
            torch.nn.init.uniform_(module.bias, -0.1, 0.1)
    norms = modules_of(network, torch.nn.BatchNorm2d)
    for norm in norms:
        norm.momentum = None  # statistics of the batch, unmixed with the initial ones
        torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
        # Around 0, each layer would amplify rounding errors: resnet152 in PyTorch's float32 is then
        # 3e-4 off its own float64, around 1 it is 1e-6.
        torch.nn.init.uniform_(norm.bias, 0.5, 1.5)
    if norms:
        with torch.no_grad():
            network.train()(torch.randn(4, 3, 224, 224))
    return network.eval()


def compare(label, found, expected):
    error = numpy.linalg.norm(found - expected) / numpy.linalg.norm(expected)
    top5 = [list(numpy.argsort(-logits, kind="stable")[:5]) for logits in (found, expected)]
    agrees = bool(error <= TOLERANCE) and top5[0] == top5[1]
    print(f"{label:32} relative L2 {error:.2e} (at most {TOLERANCE:.0e}), top-5 "
          f"{'equal' if top5[0] == top5[1] else f'{top5[0]} instead of {top5[1]}'}"
          f"{'' if agrees else ': FAILED'}", flush=True)
    return agrees


def check_logits(program, folder, name):
    network = random_network(name)
    image = torch.randn(1, 3, 224, 224)
    with torch.no_grad():
        expected = network(image)[0].numpy()
    files = [folder / f"{name}.{suffix}" for suffix in ("pth", "input", "logits", "folded")]
    checkpoint, image_file, logits, folded = files
    try:
        torch.save(network.state_dict(), checkpoint)
        image_file.write_bytes(image.numpy().tobytes())
        subprocess.run([program, name, *files], check=True)
        return all([compare(label, numpy.fromfile(file, numpy.float32), expected)
                    for label, file in ((name, logits), (f"{name} folded", folded))])
    finally:
        for file in files:
            file.unlink(missing_ok=True)


def zoo_names(float_logits):
    facts = pathlib.Path(float_logits).with_name("model_facts")
    rows = json.loads(subprocess.run([facts], check=True, capture_output=True).stdout)
    return [row["name"] for row in rows]


def check_all_logits(program, folder, names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = zoo_names(program) if names == ["--all"] else names
    return sum(not check_logits(program, folder, name) for name in names)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "facts":
        return check_facts(sys.argv[2])
    if len(sys.argv) > 4 and sys.argv[1] == "logits":
        return check_all_logits(sys.argv[2], sys.argv[3], sys.argv[4:])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(min(main(), 125))
