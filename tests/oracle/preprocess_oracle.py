#!/usr/bin/env python3
"""Compares quantc's decoding, resize, crop and normalization with Pillow and TorchVision, bit for bit.

    preprocess_oracle.py IMAGE_DUMP FOLDER [PHOTO ...]

IMAGE_DUMP is the test program of that name. The photos named, and pictures of many kinds made here
with a fixed seed, go through both; pictures that must be refused follow. FOLDER keeps the pictures
made and, for each comparison that failed, the bytes expected and found.
"""
import argparse
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
from PIL import Image
from torchvision import transforms
from torchvision.transforms import InterpolationMode

from pictures import make_pictures

SETTINGS = [
    (256, 224, "bilinear"),
    (232, 224, "bilinear"),
    (384, 380, "bicubic"),
    (518, 518, "bicubic"),
]
SMALL_SETTINGS = [
    (33, 31, "bilinear"),
    (48, 63, "bicubic"),  # a crop beyond the image: padded with black
    (301, 224, "bicubic"),  # one side of the largest picture made here: not resampled
]
MODES = {"bilinear": InterpolationMode.BILINEAR, "bicubic": InterpolationMode.BICUBIC}


def expected(picture, resize, crop, filter_name):
    """The stages of TorchVision's classification preset on a Pillow RGB picture."""
    resized = transforms.Resize(resize, interpolation=MODES[filter_name])(picture)
    rest = transforms.Compose([
        transforms.CenterCrop(crop),
        transforms.ToTensor(),
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    ])
    return {"decoded": np.asarray(picture), "resized": np.asarray(resized),
            "tensor": rest(resized).numpy()}


def run(dump, path, setting, out):
    return subprocess.run([dump, path, *map(str, setting), out], capture_output=True, text=True,
                          check=False)


def difference(dump, path, picture, setting, folder):
    """An empty string, or how quantc differs from TorchVision, at the first stage that does."""
    answer = run(dump, path, setting, folder / "found")
    if answer.returncode != 0:
        return f"exit code {answer.returncode}: {answer.stderr.strip()}"
    for stage, want in expected(picture, *setting).items():
        found = np.fromfile(folder / f"found.{stage}", want.dtype)
        if found.tobytes() == want.tobytes():
            continue
        name = f"{path.name}.{'_'.join(map(str, setting))}.{stage}"
        want.tofile(folder / f"{name}.expected")
        found.tofile(folder / f"{name}.found")
        if found.size != want.size:
            return f"{stage}: expected {want.size} values, found {found.size}"
        return f"{stage}: {(found != want.ravel()).sum()} of {want.size} values differ"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image_dump")
    parser.add_argument("folder", type=Path)
    parser.add_argument("photos", nargs="*", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)

    readable, refused = make_pictures(folder)

    warnings.simplefilter("ignore")  # Pillow's about transparency that convert("RGB") drops
    faults = []
    cases = ([(path, SETTINGS + SMALL_SETTINGS) for path in arguments.photos]
             + [(path, SMALL_SETTINGS) for path in readable])
    for path, settings in cases:
        picture = Image.open(path).convert("RGB")
        for setting in settings:
            if fault := difference(arguments.image_dump, path, picture, setting, folder):
                faults.append(f"{path.name} {setting}: {fault}")
    for path, message in refused:
        answer = run(arguments.image_dump, path, SMALL_SETTINGS[0], folder / "found")
        if answer.returncode != 1 or message not in answer.stderr or path.name not in answer.stderr:
            faults.append(f"{path.name}: expected a refusal with {message!r}, found exit code "
                          f"{answer.returncode}, {answer.stderr.strip()!r}")
    for fault in faults:
        print(fault)
    print(f"{sum(len(settings) for _, settings in cases)} comparisons, {len(refused)} refusals, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
