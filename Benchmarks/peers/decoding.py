"""Decodes a JPEG from memory to pixels with one library on one thread, and prints the milliseconds of each run.

decoding.py opencv|pillow|pyvips FILE COUNT

Images have three channels, which is the libraries' fastest form. None of the programs applies the orientation.
"""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

from timing import print_times

os.environ["VIPS_CONCURRENCY"] = "1"

Work = Callable[[], object]


def opencv(file: bytes) -> Work:
    import cv2
    import numpy

    cv2.setNumThreads(1)
    data = numpy.frombuffer(file, numpy.uint8)
    return lambda: cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)


def pillow(file: bytes) -> Work:
    from PIL import Image

    return lambda: Image.open(io.BytesIO(file)).load()


def pyvips_work(file: bytes) -> Work:
    import pyvips

    pyvips.cache_set_max(0)
    return lambda: pyvips.Image.new_from_buffer(file, "", access="sequential").write_to_memory()


LIBRARIES = {"opencv": opencv, "pillow": pillow, "pyvips": pyvips_work}


def main(library: str, file: str, count: str) -> None:
    run = LIBRARIES[library](Path(file).read_bytes())
    print_times(run, int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
