"""Bytes at equal visual quality: python -m peers.compression [--side N] PICTURE ...

Each image is reduced to N pixels (its longest side), encoded at several qualities by every encoder, and compared with
the reduced one by `texel compare` (SSIMULACRA2). The bytes at each score are interpolated: the logarithm of the bytes
over the score. Prints geometric means of the bytes relative to libjpeg-turbo's default.
"""

import argparse
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from PIL import Image, ImageOps

from .encoders import Encode, encoders
from .tools import TEXEL

SCORES = [50, 60, 70, 80, 85]
QUALITIES = [20, 35, 50, 62, 72, 80, 86, 91, 95]
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
    print(f"| encoder | {' | '.join(str(score) for score in SCORES)} |\n|---|{'---:|' * len(SCORES)}")
    for name in known:
        relative = numpy.exp(numpy.nanmean([row[name] - row[BASE] for row in rows], axis=0))
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in relative)} |")
    peers = [name for name in known if name.startswith(("mozjpeg", "jpegli"))]
    if peers:
        best = [numpy.nanmin([row[name] for name in peers], axis=0) - row[BASE] for row in rows]
        relative = numpy.exp(numpy.nanmean(best, axis=0))
        print(f"| the best of those peers, picked a picture | {' | '.join(f'{value:.3f}' for value in relative)} |")


def reduced(path: Path, side: int) -> Image.Image:
    """The image as displayed, scaled down, without a profile."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    scale = min(1, side / max(picture.size))
    size = [max(1, round(length * scale)) for length in picture.size]
    return picture.resize(size, Image.Resampling.LANCZOS)


def measured(picture: Image.Image, known: dict[str, Encode]) -> dict[str, numpy.ndarray]:
    """The logarithm of each encoder's bytes at each score; NaN for scores outside the range of its qualities."""
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder, "original.png")
        picture.save(original, compress_level=1)
        curves = {}
        for name, encode in known.items():
            files = [encode(picture, quality) for quality in QUALITIES]
            points = sorted((score(original, file), len(file)) for file in files)
            scores, sizes = zip(*points, strict=True)
            curves[name] = numpy.interp(SCORES, scores, numpy.log(sizes), left=numpy.nan, right=numpy.nan)
        return curves


def score(original: Path, file: bytes) -> float:
    with tempfile.NamedTemporaryFile(suffix=".jpg") as encoded:
        encoded.write(file)
        encoded.flush()
        command = [str(TEXEL), "compare", str(original), encoded.name, "--json"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(said)["ssimulacra2"]


if __name__ == "__main__":
    main()
