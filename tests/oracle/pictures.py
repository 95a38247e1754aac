"""Pictures of every kind that quantc reads or refuses, made with a fixed seed for
preprocess_oracle.py. What Pillow does not write is put together here byte by byte."""
import io
import struct
import zlib

import numpy as np
from PIL import Image

ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
         (1, 0, 2, 1))  # first row and column, steps of both


def noise(random, height, width, channels):
    """Smooth noise with sharp edges: JPEG and resize both have something to do."""
    coarse = random.integers(0, 256, (height // 7 + 1, width // 7 + 1, channels), np.uint8)
    pixels = coarse.repeat(7, 0).repeat(7, 1)[:height, :width].astype(int)
    return np.clip(pixels + random.integers(-20, 20, pixels.shape), 0, 255).astype(np.uint8)


def packed(samples, depth):
    """Rows of samples [height, row] as bytes, the leftmost sample in the highest bits."""
    if depth == 16:
        return samples.astype(">u2").view(np.uint8)
    if depth == 8:
        return samples.astype(np.uint8)
    bits = samples[..., None] >> np.arange(depth)[::-1] & 1
    return np.packbits(bits.reshape(len(samples), -1).astype(np.uint8), axis=1)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(samples, depth, color_type, extra=b"", interlaced=False):
    """A PNG of samples [height, width, channels], for what Pillow does not write."""
    height, width, _ = samples.shape
    parts = ADAM7 if interlaced else ((0, 0, 1, 1),)
    data = b""
    for y, x, step_y, step_x in parts:
        part = samples[y::step_y, x::step_x]
        for row in packed(part.reshape(len(part), -1), depth) if part.size else ():
            data += b"\0" + row.tobytes()
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def bmp(rows, width, height, bits, between=b"", compression=0, colors=0):
    """A BMP around rows in file order; `between` is the palette or the masks."""
    pitch = (width * bits + 31) // 32 * 4
    data = b"".join(row.tobytes().ljust(pitch, b"\0") for row in rows)
    offset = 54 + len(between)
    return (struct.pack("<2sIII", b"BM", offset + len(data), 0, offset)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(data), 0, 0,
                          colors, 0) + between + data)


def jpeg(picture, **options):
    out = io.BytesIO()
    picture.save(out, "JPEG", **options)
    return out.getvalue()


def segments_dropped(data, code):
    """The JPEG without its segments of one code."""
    while (start := data.find(bytes((0xFF, code)))) >= 0:
        data = data[:start] + data[start + 2 + int.from_bytes(data[start + 2:start + 4], "big"):]
    return data


def adobe(transform):
    return b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0" + bytes((transform,))


def many_scans(picture):
    """A progressive JPEG of one gray whose last scan comes 600 times, each time as a first one."""
    data = jpeg(picture, progressive=True)
    start = data.rindex(b"\xff\xda")
    scan = bytearray(data[start:-2])
    scan[2 + int.from_bytes(scan[2:4], "big") - 1] = 0  # successive approximation 1 -> 0 bits
    return data[:-2] + bytes(scan) * 600 + data[-2:]


def jpeg_pictures(rgb, gray):
    cmyk = jpeg(rgb.convert("CMYK"), quality=90)
    full = jpeg(rgb, quality=90, subsampling=0)
    turned = Image.Exif()
    turned[0x0112] = 6  # orientation, which Pillow does not apply
    for subsampling in (0, 1, 2):
        yield f"s{subsampling}.jpg", jpeg(rgb, quality=85, subsampling=subsampling)
    yield "progressive.jpg", jpeg(rgb, quality=70, progressive=True)
    yield "gray.jpg", jpeg(gray, quality=90)
    yield "gray_progressive.jpg", jpeg(gray, quality=30, progressive=True)
    yield "turned.jpg", jpeg(rgb, exif=turned.tobytes())
    yield "cmyk.jpg", cmyk
    yield "cmyk_without_adobe.jpg", segments_dropped(cmyk, 0xEE)
    yield "ycck.jpg", cmyk[:2] + adobe(2) + segments_dropped(cmyk, 0xEE)[2:]
    yield "untransformed.jpg", full[:2] + adobe(0) + segments_dropped(full, 0xE0)[2:]
    yield "extraneous_bytes.jpg", full[:20] + b"\0\0\0" + full[20:]
    yield "after_the_end.jpg", full + b"more"


def png_pictures(random, rgb, rgba, gray):
    deep = random.integers(0, 65536, (53, 61, 4), np.uint16)
    palette = chunk(b"PLTE", random.integers(0, 256, 37 * 3, np.uint8).tobytes())
    indices = random.integers(0, 37, (50, 43, 1))
    for name, picture in (("rgb", rgb), ("rgba", rgba), ("gray", gray),
                          ("gray_alpha", rgba.convert("LA")), ("palette", rgb.quantize(200)),
                          ("bits", gray.convert("1"))):
        out = io.BytesIO()
        picture.save(out, "PNG")
        yield f"{name}.png", out.getvalue()
    for depth in (1, 2, 4):
        samples = random.integers(0, 1 << depth, (41, 45, 1))
        yield f"gray{depth}.png", png(samples, depth, 0)
        yield f"gray{depth}_interlaced.png", png(samples, depth, 0, interlaced=True)
        colors = chunk(b"PLTE", bytes(range(3 << depth)))
        yield f"palette{depth}.png", png(samples, depth, 3, colors)
    for color_type, channels in ((2, 3), (4, 2), (6, 4)):
        yield f"deep{channels}.png", png(deep[..., :channels], 16, color_type)
        yield f"deep{channels}_interlaced.png", png(deep[..., :channels], 16, color_type,
                                                    interlaced=True)
    yield "interlaced.png", png(np.asarray(rgb), 8, 2, interlaced=True)
    yield "interlaced_2x1.png", png(np.asarray(rgb)[:1, :2], 8, 2, interlaced=True)
    yield "palette_transparent.png", png(indices, 8, 3, palette + chunk(b"tRNS", b"\0\x80\xff"))
    yield "rgb_transparent.png", png(np.asarray(rgb), 8, 2, chunk(b"tRNS", bytes(6)))
    yield "gamma.png", png(np.asarray(rgb), 8, 2, chunk(b"gAMA", struct.pack(">I", 100000)))
    for size in ((1, 1), (1, 40), (40, 1), (2, 3), (63, 64), (257, 256), (1000, 3)):
        out = io.BytesIO()
        rgb.resize(size).save(out, "PNG")
        yield f"size_{size[0]}_{size[1]}.png", out.getvalue()


def bmp_pictures(random, rgb, rgba, gray):
    for name, picture in (("rgb", rgb), ("gray", gray), ("palette", rgb.quantize(256)),
                          ("rgba", rgba), ("bits", gray.convert("1"))):
        out = io.BytesIO()
        picture.save(out, "BMP")
        yield f"{name}.bmp", out.getvalue()
    pixels = np.asarray(rgba)
    height, width = pixels.shape[:2]
    masks = struct.pack("<III", 0xFF0000, 0xFF00, 0xFF)
    yield "top_down.bmp", bmp(pixels[..., :3], width, -height, 24)
    yield "top_down32.bmp", bmp(pixels, width, -height, 32)
    yield "masks.bmp", bmp(pixels, width, height, 32, masks, compression=3)
    for width in (1, 7, 8, 33):
        for bits in (1, 4, 8):
            rows = packed(random.integers(0, 1 << bits, (9, width)), bits)
            palette = random.integers(0, 256, 4 << bits, np.uint8).tobytes()
            yield f"palette{bits}_{width}.bmp", bmp(rows, width, 9, bits, palette)
        rows = random.integers(0, 256, (5, width * 3), np.uint8)
        yield f"rgb_{width}.bmp", bmp(rows, width, 5, 24)
        yield f"few_colors_{width}.bmp", bmp(rows[:, :width] % 5, width, 5, 8, bytes(range(20)),
                                             colors=5)


def refused(random, rgb):
    """Name, content and a part of the message; Pillow refuses them too, or makes values up."""
    full = jpeg(rgb)
    one_gray = Image.new("L", (64, 64), 128)
    indices = random.integers(0, 2, (3, 50), np.uint8)
    indices[1, 9] = 2
    two_colors = chunk(b"PLTE", bytes(6))
    masks = struct.pack("<III", 0xFF, 0xFF00, 0xFF0000)
    wide = chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0))
    huge = full.replace(struct.pack(">HH", rgb.height, rgb.width), b"\xff\xdc\xff\xdc", 1)
    damaged = bytearray(png(np.asarray(rgb), 8, 2))
    damaged[len(damaged) // 2] ^= 1
    yield "cut.jpg", full[:-1], "damaged JPEG: Premature end"
    yield "huge.jpg", huge, "expected a picture of 1 to 178956970 pixels, found 65500 x 65500"
    yield "scans.jpg", many_scans(one_gray), "expected at most 500 scans"
    yield "hole.jpg", full[:2000] + full[4000:], "damaged JPEG"
    yield "gray16.png", png(random.integers(0, 65536, (3, 3, 1)), 16, 0), "16-bit gray"
    yield "colors.png", png(indices[..., None], 8, 3, two_colors), "expected colors below 2"
    yield "huge.png", b"\x89PNG\r\n\x1a\n" + wide, "damaged PNG"
    yield "huge2.png", b"\x89PNG\r\n\x1a\n" + wide + chunk(b"IDAT", b""), "expected a picture of 1"
    yield "damaged.png", bytes(damaged), "damaged PNG"
    yield "colors.bmp", bmp(indices, 50, 3, 8, bytes(8), colors=2), "expected colors below 2"
    yield "masks.bmp", bmp(indices, 12, 3, 32, masks, compression=3), "32 bits, compression 3"
    yield "rle.bmp", bmp(indices, 50, 3, 8, bytes(1024), compression=1), "8 bits, compression 1"
    yield "bits16.bmp", bmp(indices, 25, 3, 16), "16 bits, compression 0"


def make_pictures(folder):
    """Writes all; gives the paths to read and, of those to refuse, (path, part of the message)."""
    random = np.random.default_rng(11)
    rgb = Image.fromarray(noise(random, 301, 407, 3))
    rgba = Image.fromarray(noise(random, 97, 160, 4), "RGBA")
    gray = Image.fromarray(noise(random, 120, 90, 1)[:, :, 0])

    def save(name, content):
        (folder / name).write_bytes(content)
        return folder / name

    readable = [save(*row) for row in (*jpeg_pictures(rgb, gray),
                                       *png_pictures(random, rgb, rgba, gray),
                                       *bmp_pictures(random, rgb, rgba, gray))]
    return readable, [(save(f"refused_{name}", content), message)
                      for name, content, message in refused(random, rgb)]
