"""What `--quality` means in each format: python -m peers.qualities [--side N] PICTURE ...

Each image is reduced to N pixels (its longest side), written by `texel compress` at several qualities in each format
with loss, and compared with the reduced one by `texel compare` (SSIMULACRA2). Prints the mean score and all bytes.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .compression import reduced
from .tools import TEXEL

FORMATS = {"jpeg": "JPEG", "webp": "WebP", "avif": "AVIF", "jxl": "JPEG XL"}
QUALITIES = [30, 50, 65, 75, 80, 90, 95]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m peers.qualities", description="Scores of qualities.")
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--side", type=int, default=1000)
    options = parser.parse_args()
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda path: measured(path, options.side), options.pictures))
    print(f"{len(rows)} pictures, {options.side} pixels on the longest side: mean SSIMULACRA2, and kilobytes.\n")
    print(f"| quality | {' | '.join(FORMATS.values())} |\n|---:|{'---:|' * len(FORMATS)}")
    for quality in QUALITIES:
        cells = []
        for key in FORMATS:
            points = [row[key, quality] for row in rows]
            score = statistics.mean(score for score, _ in points)
            cells.append(f"{score:.1f} ({sum(size for _, size in points) / 1000:,.0f})")
        print(f"| {quality} | {' | '.join(cells)} |")


def measured(path: Path, side: int) -> dict[tuple[str, int], tuple[float, int]]:
    """The score and the bytes of each format and quality."""
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder, "original.png")
        reduced(path, side).save(original, compress_level=1)
        points = {}
        for key in FORMATS:
            for quality in QUALITIES:
                encoded = Path(folder, f"{quality}.{key}")
                run("compress", original, "-f", key, "-q", quality, "-o", encoded, "--progress", "none")
                score = json.loads(run("compare", original, encoded, "--json"))["ssimulacra2"]
                points[key, quality] = (score, encoded.stat().st_size)
        return points


def run(*arguments: object) -> str:
    command = [str(TEXEL), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
