#!/usr/bin/env python3
"""Asks TorchVision what the zoo's networks are and what they compute.

usage: torchvision_oracle.py facts MODEL_FACTS [MODEL...]
       torchvision_oracle.py logits FLOAT_LOGITS FOLDER (--all | MODEL...)

MODEL_FACTS and FLOAT_LOGITS are the programs of tests/frontend/zoo.

facts: every row of the model table against TorchVision's metadata of the default weights; every state_dict key
and shape, in order; parameters, multiply-accumulates and weight bytes counted on TorchVision's modules.

logits: each network with random weights and BatchNorm statistics of a random batch, saved by torch.save into
FOLDER as the published file is (old keys, heads for training), executed from there by FLOAT_LOGITS as it is and
with BatchNorm folded. Both logits must have TorchVision's top-5 classes in order and be near in relative L2. Files
are removed as soon as they have been compared. MODEL:version1 is a MnasNet as TorchVision 0.2 built it.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest.mock
import warnings

import numpy
import torch
import torchvision
from torch.utils._python_dispatch import TorchDispatchMode

SEED = 20240229
TOLERANCE = 1e-5  # relative L2 of float32 logits
LEAST_CHANGE = 0.01  # of the logits, from picture to picture
NORMS = (torch.nn.BatchNorm2d, torch.nn.LayerNorm)

# Their files were uploaded again, with other hashes, after the TorchVision that is asked here.
REUPLOADED = {f"efficientnet_b{i}" for i in (0, 2, 3, 4, 5, 6, 7)}

# Keys as in the files that are published: (pattern, replacement) from TorchVision's present keys.
PUBLISHED_KEYS = {
    "densenet": (r"\.(norm|conv)([12])\.", r".\1.\2."),
    "vit": (r"\.mlp\.(?:(0)|3)\.", lambda match: f".mlp.linear_{1 if match[1] else 2}."),
}


def modules_of(network, kinds):
    return [module for module in network.modules() if isinstance(module, kinds)]


def family_of(name):
    return re.match("[a-z]+", name)[0]


def weights_of(name):
    return torchvision.models.get_model_weights(name).DEFAULT


def built(name, training_heads):
    """The network as its default weights want it."""
    options = {
        "googlenet": {"transform_input": True, "aux_logits": training_heads, "init_weights": True},
        "inception": {"transform_input": True, "aux_logits": training_heads, "init_weights": True},
        "vit": {"image_size": weights_of(name.split(":")[0]).transforms().crop_size[0]},
    }
    name, _, version = name.partition(":version")
    network = torchvision.models.get_model(name, weights=None, **options.get(family_of(name), {}))
    if version:  # loading nothing gives the network that version's layers
        network._load_from_state_dict({}, "", {"version": int(version)}, False, [], [], [])
    return network


class MacCounter(TorchDispatchMode):
    """Multiply-accumulates: for each output element as many as there are products in its sum."""
    aten = torch.ops.aten
    terms = {
        aten.convolution.default: lambda x, weight, *_: weight[0].numel(),
        aten.mm.default: lambda a, b: a.shape[-1],
        aten.bmm.default: lambda a, b: a.shape[-1],
        aten.addmm.default: lambda bias, a, b: a.shape[-1],
    }
    macs = 0

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        output = function(*arguments, **(options or {}))
        if function in self.terms:
            self.macs += output.numel() * self.terms[function](*arguments)
        return output


def count_macs(network, size):
    with MacCounter() as counter:
        network.eval()(torch.zeros(1, 3, size, size, device="meta"))
    return counter.macs


def weight_bytes(network):
    """Of convolutions and matrices."""
    return sum(parameter.numel() for name, parameter in network.named_parameters()
               if parameter.dim() > 1 and name.endswith("weight"))


def without_values(name):
    """The network of tensors that have a shape and nothing else."""
    initializers = {name: lambda tensor, *_, **__: tensor for name in dir(torch.nn.init)
                    if name.endswith("_") and not name.startswith("_")}
    with unittest.mock.patch.multiple(torch.nn.init, **initializers):
        return built(name, training_heads=False).to("meta")


def torchvision_facts(name):
    weights = weights_of(name)
    transforms = weights.transforms()
    network = without_values(name)
    macs = count_macs(network, transforms.crop_size[0])
    buffers = {name for name, _ in network.named_buffers() if "relative_" in name}
    state = [[key, list(tensor.shape)] for key, tensor in network.state_dict().items()
             if not key.endswith("num_batches_tracked")]
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
        "graph_int8_weight_bytes": weight_bytes(network),
        "tensors": [entry for entry in state if entry[0] not in buffers],
        "buffers": [entry for entry in state if entry[0] in buffers],
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


def wrong_facts(row):
    expected = torchvision_facts(row["name"])
    if row["name"] in REUPLOADED:
        for facts in (row, expected):
            facts["weights_file"] = facts["weights_file"].rsplit("-", 1)[0]
    return [f"{row['name']}: {key}: {difference(row[key], expected[key])}"
            for key in expected if not same(row[key], expected[key])]


def rows_of(model_facts):
    return json.loads(subprocess.run([model_facts], check=True, capture_output=True).stdout)


def check_facts(program, names):
    rows = [row for row in rows_of(program) if not names or row["name"] in names]
    failures = 0 if rows else 1
    for row in rows:
        wrong = wrong_facts(row)
        print("\n".join(wrong) if wrong else
              f"{row['name']}: {len(row['tensors'])} tensors, {row['graph_macs']} MACs agree")
        failures += len(wrong)
    print(f"{len(rows)} networks, {failures} differences")
    return failures


def randomize(network):
    """No parameter keeps a value that could hide a mistake, such as a bias of zero."""
    for name, parameter in network.named_parameters():
        if not name.endswith("weight"):  # biases, embeddings, scales
            parameter.data += torch.empty_like(parameter).uniform_(-0.1, 0.1)
        elif not parameter.any():  # ViT's head
            torch.nn.init.xavier_uniform_(parameter)
    for norm in modules_of(network, NORMS):
        # BatchNorm's around 0 would let each layer amplify rounding errors: resnet152 in PyTorch's
        # float32 is then 3e-4 off its own float64, around 1 it is 1e-6. LayerNorm's around 1 would
        # drown the picture: swin_v2_t's logits then change by 2e-3 from one to another.
        mean = 1.0 if isinstance(norm, torch.nn.BatchNorm2d) else 0.0
        torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
        torch.nn.init.uniform_(norm.bias, mean - 0.5, mean + 0.5)


def pictures(count, size):
    """Noise on large spots, so that a mean over the whole picture differs from picture to picture."""
    spots = torch.nn.functional.interpolate(torch.randn(count, 3, 4, 4), size, mode="bilinear")
    return 2 * spots + torch.randn(count, 3, size, size)


def take_statistics(network, size):
    """BatchNorm's statistics of a batch; everything else works as at inference."""
    norms = modules_of(network, torch.nn.BatchNorm2d)
    for norm in norms:
        norm.momentum = None  # unmixed with the initial ones
        norm.train()
    if norms:
        network(pictures(2, size))
    for norm in norms:
        norm.eval()


def random_network(name, size):
    torch.manual_seed(SEED)
    network = built(name, training_heads=True).eval()
    randomize(network)
    take_statistics(network, size)
    return network


def published_state(network, name):
    state = network.state_dict()
    pattern, replacement = PUBLISHED_KEYS.get(family_of(name), ("$^", ""))
    for key in list(state):
        state[re.sub(pattern, replacement, key)] = state.pop(key)
    return state


def relative_l2(found, expected):
    return numpy.linalg.norm(found - expected) / numpy.linalg.norm(expected)


def compare(label, found, expected):
    error = relative_l2(found, expected)
    top5 = [list(numpy.argsort(-logits, kind="stable")[:5]) for logits in (found, expected)]
    agrees = bool(error <= TOLERANCE) and top5[0] == top5[1]
    print(f"{label:32} relative L2 {error:.2e} (at most {TOLERANCE:.0e}), top-5 "
          f"{'equal' if top5[0] == top5[1] else f'{top5[0]} instead of {top5[1]}'}"
          f"{'' if agrees else ': FAILED'}", flush=True)
    return agrees


def write_case(name, checkpoint, image_file):
    """The network's checkpoint and an image; returns its logits."""
    size = weights_of(name.split(":")[0]).transforms().crop_size[0]
    with torch.no_grad():
        network = random_network(name, size)
        image, another = pictures(2, size).split(1)
        logits = network(image)[0].numpy()
        change = relative_l2(network(another)[0].numpy(), logits)
    if change < LEAST_CHANGE:
        sys.exit(f"{name}: another picture changes the logits by {change:.1e}: a test of constants")
    torch.save(published_state(network, name), checkpoint)
    image_file.write_bytes(image.numpy().tobytes())
    return logits


def check_logits(program, folder, name):
    files = [folder / f"{name}.{suffix}" for suffix in ("pth", "input", "logits", "folded")]
    checkpoint, image_file, logits, folded = files
    try:
        expected = write_case(name, checkpoint, image_file)
        subprocess.run([program, name.split(":")[0], *files], check=True)
        return all([compare(label, numpy.fromfile(file, numpy.float32), expected)
                    for label, file in ((name, logits), (f"{name} folded", folded))])
    finally:
        for file in files:
            file.unlink(missing_ok=True)


def check_all_logits(program, folder, names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if names == ["--all"]:
        names = [row["name"] for row in rows_of(pathlib.Path(program).with_name("model_facts"))]
    return sum(not check_logits(program, folder, name) for name in names)


def main():
    warnings.simplefilter("ignore")
    if len(sys.argv) > 2 and sys.argv[1] == "facts":
        return check_facts(sys.argv[2], sys.argv[3:])
    if len(sys.argv) > 4 and sys.argv[1] == "logits":
        return check_all_logits(sys.argv[2], sys.argv[3], sys.argv[4:])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(min(main(), 125))
