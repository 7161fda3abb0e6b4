#!/usr/bin/env python3
"""Records what Pillow makes of the PNG files of a corpus: path, width, height, SHA-256 of the RGBA bytes.

    pip install pillow numpy
    Scripts/record-png-goldens.py CORPORA > Tests/TexelCodecsTests/Goldens/png-pixels.tsv

Files that Pillow refuses are left out, and the corrupt ones of PngSuite. Pillow cuts 16-bit samples to 8 bits, so those files are decoded here instead, by
the specification's own words, and rounded: (v * 255 + 32767) / 65535. Large ones of them are left out. It also compares
tRNS of 1 to 4 bits with grown samples, which makes nothing transparent: those files are decoded here as well."""
import hashlib
import os
import struct
import sys
import warnings
import zlib

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
warnings.simplefilter("ignore")
FOLDERS = ["pngsuite", "png-valid", "photos"]
LARGEST_DEEP = 200_000
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunks(data):
    position = 8
    while position + 12 <= len(data):
        length, = struct.unpack(">I", data[position:position + 4])
        yield data[position + 4:position + 8], data[position + 8:position + 8 + length]
        position += 12 + length


def unfiltered(data, position, rows, row_bytes, distance):
    """The rows of one pass, by section 9.2, and where the next pass begins."""
    previous = bytearray(row_bytes)
    result = []
    for _ in range(rows):
        kind = data[position]
        row = bytearray(data[position + 1:position + 1 + row_bytes])
        position += 1 + row_bytes
        for i in range(row_bytes):
            left = row[i - distance] if i >= distance else 0
            corner = previous[i - distance] if i >= distance else 0
            up = previous[i]
            if kind == 1: guess = left
            elif kind == 2: guess = up
            elif kind == 3: guess = (left + up) // 2
            elif kind == 4: guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            else: guess = 0
            row[i] = (row[i] + guess) & 255
        result.append(bytes(row))
        previous = row
    return result, position


def specified(data):
    """The 8-bit RGBA pixels, from the specification, of a file without a palette."""
    header = transparent = None
    stream = b""
    for name, body in chunks(data):
        if name == b"IHDR": header = struct.unpack(">IIBBBBB", body)
        if name == b"tRNS": transparent = np.frombuffer(body, ">u2").astype(np.int64)
        if name == b"IDAT": stream += body
    width, height, depth, color, _, _, interlace = header
    channels = CHANNELS[color]
    top = (1 << depth) - 1
    if transparent is not None: transparent = transparent & top
    samples = np.zeros((height, width, channels), np.int64)
    rows = zlib.decompress(stream)
    position = 0
    for x, y, across, down in PASSES if interlace else [(0, 0, 1, 1)]:
        columns, lines = len(range(x, width, across)), len(range(y, height, down))
        if columns == 0 or lines == 0: continue
        row_bytes = (columns * channels * depth + 7) // 8
        block, position = unfiltered(rows, position, lines, row_bytes, max(1, channels * depth // 8))
        bits = np.unpackbits(np.frombuffer(b"".join(block), np.uint8).reshape(lines, row_bytes), axis=1)
        bits = bits[:, :columns * channels * depth].reshape(lines, columns, channels, depth)
        samples[y::down, x::across] = bits.astype(np.int64) @ (1 << np.arange(depth)[::-1])
    alpha = np.full((height, width), top)
    if color in (4, 6): alpha = samples[..., -1]
    elif transparent is not None: alpha = np.where((samples == transparent).all(axis=2), 0, top)
    colors = samples[..., :3] if color in (2, 6) else samples[..., [0, 0, 0]]
    return ((np.dstack([colors, alpha]) * 255 + top // 2) // top).astype(np.uint8)


def pixels(path):
    with open(path, "rb") as file: data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n": return None
    width, height, depth, color = struct.unpack(">IIBB", data[16:26])
    if depth == 16 or (color == 0 and depth < 8 and any(name == b"tRNS" for name, _ in chunks(data))):
        return specified(data) if width * height <= LARGEST_DEEP else None
    with Image.open(path) as image: return np.asarray(image.convert("RGBA"))


def main():
    root = sys.argv[1]
    paths = [os.path.join(folder, name) for top in FOLDERS for folder, _, names in os.walk(os.path.join(root, top))
             for name in names if name.endswith((".png", ".apng")) and not (top == "pngsuite" and name[0] == "x")]
    print("path\twidth\theight\tsha256")
    for path in sorted(paths):
        try:
            rgba = pixels(path)
        except Exception as error:
            print(f"{os.path.relpath(path, root)}: {error}", file=sys.stderr)
            continue
        if rgba is None: continue
        digest = hashlib.sha256(rgba.tobytes()).hexdigest()
        print(f"{os.path.relpath(path, root)}\t{rgba.shape[1]}\t{rgba.shape[0]}\t{digest}")


if __name__ == "__main__":
    main()
