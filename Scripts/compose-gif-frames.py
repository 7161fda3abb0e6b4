#!/usr/bin/env python3
"""Composes the frames of all GIFs of a folder with Pillow, for GIFConformanceTests.

    Scripts/compose-gif-frames.py corpora/gif/pillow

Beside NAME.gif, NAME.bgra gets a line of JSON (width, height, delays in hundredths of a second, loop) and the pixels of
all frames: blue, green, red, alpha, and 0 for transparent pixels. A file that Pillow does not open gets none. Needs
Pillow and NumPy.
"""

import json
import pathlib
import sys

import numpy
from PIL import Image


def main(folder):
    for path in sorted(pathlib.Path(folder).glob("*.gif")):
        header, pixels = {"delays": [], "loop": None}, []
        try:
            with Image.open(path) as image:
                for index in range(image.n_frames):
                    image.seek(index)
                    frame = numpy.array(image.convert("RGBA"))[:, :, [2, 1, 0, 3]]
                    frame[frame[:, :, 3] == 0] = 0
                    header["height"], header["width"] = frame.shape[:2]
                    header["delays"].append(image.info.get("duration", 0) // 10)
                    pixels.append(frame.tobytes())
                header["loop"] = image.info.get("loop")
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            print(f"{path.name}: {error}")
            continue
        path.with_suffix(".bgra").write_bytes(json.dumps(header).encode() + b"\n" + b"".join(pixels))


if __name__ == "__main__":
    main(*sys.argv[1:])
