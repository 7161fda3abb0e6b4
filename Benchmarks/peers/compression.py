"""Bytes at equal visual quality: python -m peers.compression [--side N] PICTURE ...

Each image is reduced to N pixels (its longest side), encoded at several qualities by every encoder, and compared with
the reduced one by `texel compare`: SSIMULACRA2, Butteraugli's 3-norm, HaarPSI and SSIM. The bytes at each value are
interpolated: their logarithm over a function of the value that is about linear in it. Prints geometric means of the bytes
relative to libjpeg-turbo's default, and how many more bytes Texel needs than the best peer of each image.
"""

import argparse
import json
import math
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy
from PIL import Image, ImageOps

from .encoders import Encode, encoders
from .tools import TEXEL


@dataclass(frozen=True)
class Metric:
    name: str
    key: str
    """The key of `texel compare --json`."""
    values: list[float]
    """Where encoders are compared."""
    scale: Callable[[float], float]
    """Rises with quality, about linearly with the logarithm of the bytes."""


METRICS = [
    Metric("SSIMULACRA2", "ssimulacra2", [60, 70, 80, 90], lambda value: value),
    Metric("Butteraugli", "butteraugli3Norm", [2.5, 1.5, 1.0], lambda value: -math.log(max(value, 1e-6))),
    Metric("HaarPSI", "haarpsi", [0.90, 0.95, 0.98], lambda value: -math.log(max(1 - value, 1e-6))),
    Metric("SSIM", "ssim", [0.95, 0.98], lambda value: -math.log(max(1 - value, 1e-6))),
]
COLUMNS = [(metric, value) for metric in METRICS for value in metric.values]
QUALITIES = [20, 35, 50, 62, 72, 80, 86, 91, 95, 98]
BASE = "libjpeg-turbo"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m peers.compression", description="Bytes at equal visual quality.")
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--side", type=int, default=768)
    options = parser.parse_args()
    known = encoders()
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda path: measured(reduced(path, options.side), known), options.pictures))
    print(f"{len(rows)} pictures, {options.side} pixels on the longest side.\n")
    heads = [f"{metric.name} {value:g}" for metric, value in COLUMNS]
    print(f"| encoder | {' | '.join(heads)} |\n|---|{'---:|' * len(COLUMNS)}")
    for name in known:
        print(line(name, [row[name] - row[BASE] for row in rows]))
    peers = [name for name in known if name.startswith(("mozjpeg", "jpegli"))]
    if not peers:
        return
    best = [numpy.nanmin([row[name] for name in peers], axis=0) for row in rows]
    print(line("the best of those peers, for each picture", [least - row[BASE] for least, row in zip(best, rows)]))
    for name in known:
        if name.startswith("Texel"):
            gaps = numpy.nanmean([row[name] - least for least, row in zip(best, rows)], axis=0)
            print(f"| {name}, over them | {' | '.join(f'{100 * math.expm1(gap):+.1f} %' for gap in gaps)} |")


def line(name: str, logarithms: list[numpy.ndarray]) -> str:
    means = numpy.exp(numpy.nanmean(logarithms, axis=0))
    return f"| {name} | {' | '.join(f'{mean:.3f}' for mean in means)} |"


def reduced(path: Path, side: int) -> Image.Image:
    """The image as displayed, scaled down, without a profile."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    scale = min(1, side / max(picture.size))
    size = [max(1, round(length * scale)) for length in picture.size]
    return picture.resize(size, Image.Resampling.LANCZOS)


def measured(picture: Image.Image, known: dict[str, Encode]) -> dict[str, numpy.ndarray]:
    """The logarithm of each encoder's bytes at each value; NaN for values outside the range of its qualities."""
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder, "original.png")
        picture.save(original, compress_level=1)
        curves = {}
        for name, encode in known.items():
            files = [encode(picture, quality) for quality in QUALITIES]
            comparisons = [compared(original, file) for file in files]
            curves[name] = numpy.array(
                [bytes_at(metric, value, files, comparisons) for metric, value in COLUMNS])
        return curves


def bytes_at(metric: Metric, value: float, files: list[bytes], comparisons: list[dict]) -> float:
    points = sorted((metric.scale(said[metric.key]), len(file)) for said, file in zip(comparisons, files))
    places, sizes = zip(*points, strict=True)
    return numpy.interp(metric.scale(value), places, numpy.log(sizes), left=numpy.nan, right=numpy.nan)


def compared(original: Path, file: bytes) -> dict:
    with tempfile.NamedTemporaryFile(suffix=".jpg") as encoded:
        encoded.write(file)
        encoded.flush()
        command = [str(TEXEL), "compare", str(original), encoded.name, "--json"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(said)


if __name__ == "__main__":
    main()
