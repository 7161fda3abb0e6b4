"""Resizes an image in memory with one library on one thread, and prints the milliseconds of each run.

in_memory.py fast_image_resize|opencv|pillow|pyvips opaque|straight WIDTHxHEIGHT WIDTHxHEIGHT COUNT
"""

import os
import sys
from collections.abc import Callable

os.environ["VIPS_CONCURRENCY"] = "1"

import numpy  # noqa: E402  (after the environment, which libvips reads when it is loaded)

from timing import print_times  # noqa: E402

Size = tuple[int, int]


def pixels(size: Size) -> numpy.ndarray:
    """BGRA pixels: a gradient with noise. The content does not affect the times."""
    generator = numpy.random.default_rng(1)
    width, height = size
    slope = numpy.add.outer(numpy.arange(height), numpy.arange(width)) // 40
    noise = generator.integers(0, 60, (height, width, 4))
    return ((slope[:, :, None] + noise) % 256).astype(numpy.uint8)


def fast_image_resize(source: numpy.ndarray, target: Size, has_alpha: bool) -> Callable[[], object]:
    from cykooz_resizer import FilterType, ImageData, PixelType, ResizeAlg, ResizeOptions, Resizer

    height, width = source.shape[:2]
    picture = ImageData(width, height, PixelType.U8x4, source.tobytes())
    result = ImageData(target[0], target[1], PixelType.U8x4)
    # By default it uses one thread and the best instruction set it supports on this processor (AVX2).
    resizer = Resizer()
    options = ResizeOptions(resize_alg=ResizeAlg.convolution(FilterType.lanczos3), use_alpha=has_alpha)
    return lambda: resizer.resize(picture, result, options)


def opencv(source: numpy.ndarray, target: Size, has_alpha: bool) -> Callable[[], object]:
    import cv2

    if has_alpha:
        raise SystemExit("OpenCV does not premultiply")
    cv2.setNumThreads(1)
    # OpenCV's Lanczos is not widened when shrinking; INTER_AREA is its only filter that reads all pixels.
    return lambda: cv2.resize(source, target, interpolation=cv2.INTER_AREA)


def pillow(source: numpy.ndarray, target: Size, has_alpha: bool) -> Callable[[], object]:
    from PIL import Image

    height, width = source.shape[:2]
    # Pillow premultiplies RGBA itself.
    picture = Image.frombytes("RGBA" if has_alpha else "RGBX", (width, height), source.tobytes())
    return lambda: picture.resize(target, Image.Resampling.LANCZOS)


def pyvips_resize(source: numpy.ndarray, target: Size, has_alpha: bool) -> Callable[[], object]:
    import pyvips

    pyvips.cache_set_max(0)
    height, width = source.shape[:2]
    picture = pyvips.Image.new_from_memory(source.tobytes(), width, height, 4, "uchar")
    if not has_alpha:
        scale = {"vscale": target[1] / height, "kernel": "lanczos3"}
        return lambda: picture.resize(target[0] / width, **scale).write_to_memory()
    picture = picture.copy(interpretation="srgb")

    def resize() -> object:
        # premultiply() returns floats; 8 bits give the filter enough precision and are much faster.
        premultiplied = picture.premultiply().cast("uchar")
        resized = premultiplied.resize(target[0] / width, vscale=target[1] / height, kernel="lanczos3")
        return resized.unpremultiply().cast("uchar").write_to_memory()

    return resize


LIBRARIES = {"fast_image_resize": fast_image_resize, "opencv": opencv, "pillow": pillow, "pyvips": pyvips_resize}


def size(text: str) -> Size:
    width, height = text.split("x")
    return int(width), int(height)


def main(library: str, alpha: str, source: str, target: str, count: str) -> None:
    resize = LIBRARIES[library](pixels(size(source)), size(target), alpha == "straight")
    print_times(resize, int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
