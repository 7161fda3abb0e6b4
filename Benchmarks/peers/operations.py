"""Carries an operation out on an image of 12 megapixels with one library on one thread, and prints the milliseconds of
each run.

operations.py opencv|pillow|pyvips blur-2|blur-20|sharpen|colours|overlay COUNT

The operations have the parameters of OperationTimer. Opaque images have three channels, which is the libraries' fastest
form.
"""

import os
import sys
from collections.abc import Callable

os.environ["VIPS_CONCURRENCY"] = "1"

import numpy  # noqa: E402  (after the environment, which libvips reads when it is loaded)

from in_memory import pixels  # noqa: E402
from timing import print_times  # noqa: E402

SIZE = (4000, 3000)
MATRIX = [[0.9, 0.1, 0.0], [0.05, 0.9, 0.05], [0.0, 0.1, 0.9]]
CURVE = numpy.interp(numpy.arange(256), [0, 128, 255], [0, 150, 255]).round().astype(numpy.uint8)
OPACITY = 0.8

Work = Callable[[], object]


def saturation(factor: float) -> list[list[float]]:
    """The matrix of CSS's filter `saturate`."""
    weights = (0.213, 0.715, 0.072)
    return [
        [weight * (1 - factor) + factor * (row == column) for column, weight in enumerate(weights)] for row in range(3)
    ]


def opencv(operation: str) -> Work:
    import cv2

    cv2.setNumThreads(1)
    image = numpy.ascontiguousarray(pixels(SIZE)[:, :, :3])

    def blur(sigma: float) -> numpy.ndarray:
        return cv2.GaussianBlur(image, (0, 0), sigma)

    def colours() -> object:
        mixed = cv2.LUT(cv2.transform(image, numpy.array(MATRIX)), CURVE)
        return cv2.transform(mixed, numpy.array(saturation(1.3)))

    def overlay(top: numpy.ndarray, weight: numpy.ndarray) -> object:
        # The fastest way with NumPy: 16-bit integers, rounded.
        mixed = image * (255 - weight) + top * weight + 127
        return (mixed // 255).astype(numpy.uint8)

    if operation == "overlay":
        top = pixels(SIZE)
        weight = (top[:, :, 3:].astype(numpy.uint16) * OPACITY).astype(numpy.uint16)
        return lambda: overlay(top[:, :, :3], weight)
    return {
        "blur-2": lambda: blur(2),
        "blur-20": lambda: blur(20),
        "sharpen": lambda: cv2.addWeighted(image, 2, blur(2), -1, 0),
        "colours": colours,
    }[operation]


def pillow(operation: str) -> Work:
    from PIL import Image, ImageFilter

    image = Image.fromarray(pixels(SIZE)[:, :, :3])
    if operation == "overlay":
        top = Image.fromarray(pixels(SIZE), "RGBA")
        top.putalpha(top.getchannel("A").point([round(value * OPACITY) for value in range(256)]))
        image = image.convert("RGBA")
        return lambda: Image.alpha_composite(image, top)

    def colours() -> object:
        matrix = [number for row in MATRIX for number in [*row, 0]]
        mixed = image.convert("RGB", matrix).point(list(CURVE) * 3)
        return mixed.convert("RGB", [number for row in saturation(1.3) for number in [*row, 0]])

    return {
        "blur-2": lambda: image.filter(ImageFilter.GaussianBlur(2)),
        "blur-20": lambda: image.filter(ImageFilter.GaussianBlur(20)),
        "sharpen": lambda: image.filter(ImageFilter.UnsharpMask(2, 100, 0)),
        "colours": colours,
    }[operation]


def pyvips_work(operation: str) -> Work:
    import pyvips

    pyvips.cache_set_max(0)

    def image(channels: int) -> "pyvips.Image":
        data = numpy.ascontiguousarray(pixels(SIZE)[:, :, :channels])
        return pyvips.Image.new_from_memory(data.tobytes(), *SIZE, channels, "uchar").copy(interpretation="srgb")

    picture = image(3)
    if operation == "overlay":
        top = (image(4) * [1, 1, 1, OPACITY]).cast("uchar").copy_memory()
        return lambda: picture.composite2(top, "over").write_to_memory()
    curve = pyvips.Image.new_from_memory(CURVE.tobytes(), 256, 1, 1, "uchar")
    return {
        "blur-2": lambda: picture.gaussblur(2).write_to_memory(),
        "blur-20": lambda: picture.gaussblur(20).write_to_memory(),
        "sharpen": lambda: picture.sharpen(sigma=2).write_to_memory(),
        "colours": lambda: picture.recomb(MATRIX)
        .cast("uchar")
        .maplut(curve)
        .recomb(saturation(1.3))
        .cast("uchar")
        .write_to_memory(),
    }[operation]


LIBRARIES = {"opencv": opencv, "pillow": pillow, "pyvips": pyvips_work}


def main(library: str, operation: str, count: str) -> None:
    run = LIBRARIES[library](operation)
    print_times(run, int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
