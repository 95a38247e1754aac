#!/usr/bin/env python3
"""Compares quantc's decoding, resize, crop and normalization with Pillow and TorchVision, bit for bit.

    preprocess_oracle.py IMAGE_DUMP FOLDER [PHOTO ...]

IMAGE_DUMP is the test program of that name; FOLDER is for temporary files. The photos named, and
pictures of many kinds made here with a fixed seed, go through both.
"""
import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image
from torchvision import transforms
from torchvision.transforms import InterpolationMode

SETTINGS = [
    (256, 224, "bilinear"),
    (232, 224, "bilinear"),
    (384, 380, "bicubic"),
    (518, 518, "bicubic"),
    (33, 31, "bilinear"),
    (48, 63, "bicubic"),  # a crop beyond the image: padded with black
]


def expected(path, resize, crop, filter_name):
    """TorchVision's classification preset on Pillow."""
    modes = {"bilinear": InterpolationMode.BILINEAR, "bicubic": InterpolationMode.BICUBIC}
    preset = transforms.Compose([
        transforms.Resize(resize, interpolation=modes[filter_name]),
        transforms.CenterCrop(crop),
        transforms.ToTensor(),
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    ])
    return preset(Image.open(path).convert("RGB")).numpy()


def noise(random, height, width, channels):
    """Smooth noise with sharp edges: JPEG and resize both have something to do."""
    coarse = random.integers(0, 256, (height // 7 + 1, width // 7 + 1, channels), np.uint8)
    pixels = coarse.repeat(7, 0).repeat(7, 1)[:height, :width].astype(int)
    return np.clip(pixels + random.integers(-20, 20, pixels.shape), 0, 255).astype(np.uint8)


def make_pictures(folder):
    """Pictures of every kind that the readers know."""
    random = np.random.default_rng(11)
    rgb = Image.fromarray(noise(random, 301, 207, 3))
    rgba = Image.fromarray(noise(random, 97, 160, 4), "RGBA")
    gray = Image.fromarray(noise(random, 120, 90, 1)[:, :, 0])
    saved = []

    def save(picture, name, **options):
        picture.save(folder / name, **options)
        saved.append(folder / name)

    for subsampling in (0, 1, 2):
        save(rgb, f"s{subsampling}.jpg", quality=85, subsampling=subsampling)
    save(rgb, "progressive.jpg", quality=70, progressive=True)
    save(gray, "gray.jpg", quality=90)
    save(rgb.convert("CMYK"), "cmyk.jpg", quality=90)
    save(rgb, "rgb.png")
    save(rgba, "rgba.png")
    save(gray, "gray.png")
    save(rgba.convert("LA"), "gray_alpha.png")
    save(rgb.quantize(37), "palette.png")
    save(gray.convert("1"), "bits.png")
    save(rgb, "rgb.bmp")
    save(gray, "gray.bmp")
    save(rgb.quantize(256), "palette.bmp")
    save(rgba, "rgba.bmp")
    for size in ((1, 1), (1, 40), (40, 1), (63, 64), (257, 256)):
        save(rgb.resize(size), f"size_{size[0]}_{size[1]}.png")
    return saved


def difference(dump, path, setting, out):
    """An empty string, or how quantc's tensor differs from TorchVision's."""
    resize, crop, filter_name = setting
    answer = subprocess.run([dump, path, str(resize), str(crop), filter_name, out],
                            capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        return answer.stderr.strip()
    want = expected(path, *setting)
    got = np.fromfile(out, np.float32).reshape(want.shape)
    if np.array_equal(got, want):
        return ""
    wrong = got != want
    return f"{wrong.sum()} of {wrong.size} values differ, by up to {np.abs(got - want).max():.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image_dump")
    parser.add_argument("folder", type=Path)
    parser.add_argument("photos", nargs="*", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    compared = 0
    for path in arguments.photos + make_pictures(arguments.folder):
        for setting in SETTINGS:
            fault = difference(arguments.image_dump, path, setting, arguments.folder / "out.bin")
            compared += 1
            if fault:
                failures += 1
                print(f"{path.name} {setting}: {fault}")
    print(f"{compared} compared, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
