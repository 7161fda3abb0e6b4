"""The input images of the jobs: real photographs if available, else synthetic ones. Made once, kept in .cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .tools import BENCHMARKS, ENVIRONMENT, ROOT, TEXEL

CACHE = BENCHMARKS / ".cache"
# The number of files in the folder of photographs.
FOLDER_COUNT = 68
DRAWING = Path(__file__).with_name("drawing.py")


class Pictures:
    def __init__(self) -> None:
        corpora = Path(os.environ.get("TEXEL_CORPORA", ROOT.parent / "shared/corpora"))
        self._large = sorted((corpora / "photos/large").glob("*/*.jpg"), key=lambda file: file.name.lower())
        self.are_real = bool(self._large)
        self._folder = CACHE / ("photographs" if self.are_real else "drawn")
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self._large:
            # The same pixel counts as the photographs that they replace: 12, 16 and 22 million.
            self._large = [self._made(f"drawn-{side}.jpg", "photo", str(side)) for side in (4256, 4928, 5760)]

    @property
    def photograph(self) -> Path:
        """A camera's JPEG of 12 megapixels, stored with a rotated orientation."""
        return self._named("dog") or self._large[0]

    @property
    def sixteen_megapixel_png(self) -> Path:
        return self._made("16mp.png", "png", str(self._named("leica") or self._large[1]))

    @property
    def progressive(self) -> Path:
        """The largest photograph, encoded as on the web: progressive, 4:2:0."""
        return self._made("progressive.jpg", "progressive", str(self._named("issue") or self._large[-1]))

    @property
    def hundred_megapixel_png(self) -> Path:
        """A drawing of 10,000 × 10,000 pixels."""
        return self._made("10000.png", "chart", "10000")

    @property
    def watermark(self) -> Path:
        """A translucent badge of 240 × 80 pixels."""
        return self._made("watermark.png", "watermark", "240")

    @property
    def color_table(self) -> Path:
        """A `.cube` table of 33 × 33 × 33 colours."""
        return self._made("table.cube", "table", "33")

    def tiled(self, megapixels: int, suffix: str) -> Path:
        """A JPEG or PNG that repeats one megapixel, so that only the number of pixels differs."""
        source = self._named("issue") or self._large[-1]
        return self._made(f"tiled-{megapixels}.{suffix}", "tiles", str(source), str(megapixels))

    def converted(self, suffix: str) -> Path | None:
        """The photograph in another format, quality 80; `None` for HEIC without the program that writes it."""
        target = self._folder / f"photograph.{suffix}"
        if target.exists():
            return target
        if suffix == "heic":
            if not shutil.which("heif-enc"):
                return None
            run(["heif-enc", "-q", "80", str(self.photograph), "-o", str(target)])
        else:
            run([str(TEXEL), "compress", str(self.photograph), "-f", suffix, "-q", "80", "-o", str(target)])
        return target

    def folder(self, count: int) -> Path:
        """A folder of `count` files: copies of all photographs in turn."""
        folder = self._folder / f"files-{count}"
        if not folder.exists():
            unfinished = self._folder / "files-unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            for index in range(count):
                shutil.copyfile(self._large[index % len(self._large)], unfinished / f"{index:02}.jpg")
            unfinished.rename(folder)
        return folder

    def _named(self, part: str) -> Path | None:
        return next((file for file in self._large if part in file.name.lower()), None)

    def _made(self, name: str, *arguments: str) -> Path:
        target = self._folder / name
        if not target.exists():
            python = str(ENVIRONMENT) if ENVIRONMENT.exists() else sys.executable
            run([python, str(DRAWING), arguments[0], str(target), *arguments[1:]])
        return target


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    print(Pictures().folder(FOLDER_COUNT))
