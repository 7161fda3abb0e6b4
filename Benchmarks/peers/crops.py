"""Crops of images encoded to the same number of bytes, side by side: python -m peers.crops OUT PICTURE[:X,Y] ...

Writes OUT/index.html. Each image is reduced as for `peers.compression`; libjpeg-turbo's file at --quality sets the
bytes, which all others must not exceed. X,Y is the top left corner of the crop in the reduced image.
"""

import argparse
import html
import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from .compression import BASE, reduced
from .encoders import Encode, encoders

CROP = 128
ZOOM = 3
STYLE = """
body { margin: 2rem; background: #808080; color: #fff; font: 14px system-ui, sans-serif; }
section { display: grid; grid-template-columns: repeat(auto-fill, 384px); gap: 1rem; margin-bottom: 3rem; }
h2 { grid-column: 1 / -1; margin: 0; }
figure { margin: 0; }
img { display: block; image-rendering: pixelated; }
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m peers.crops", description="Crops at the same bytes.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--side", type=int, default=768)
    parser.add_argument("--quality", type=int, default=50)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    known = encoders()
    sections = []
    for number, argument in enumerate(options.pictures):
        path, _, corner = argument.partition(":")
        picture = reduced(Path(path), options.side)
        x, y = (int(part) for part in corner.split(",")) if corner else (picture.width // 2, picture.height // 2)
        sections.append(section(options.folder, number, Path(path).name, picture, (x, y), options.quality, known))
    page = f"<!doctype html><meta charset=utf-8><title>At the same bytes</title><style>{STYLE}</style>{''.join(sections)}"
    (options.folder / "index.html").write_text(page)
    print(options.folder / "index.html")


def section(
    folder: Path, number: int, name: str, picture: Image.Image, corner: tuple[int, int], quality: int,
    known: dict[str, Encode],
) -> str:
    allowed = len(known[BASE](picture, quality))
    figures = [figure(folder, f"{number}-0", "original", crop(picture, corner))]
    for index, (encoder, encode) in enumerate(known.items(), 1):
        file = largest(lambda quality: encode(picture, quality), allowed)
        caption = f"{encoder}: {len(file):,} bytes" if file else f"{encoder}: not that small"
        decoded = Image.open(io.BytesIO(file)).convert("RGB") if file else picture
        figures.append(figure(folder, f"{number}-{index}", caption, crop(decoded, corner)))
    return f"<section><h2>{html.escape(name)}, at most {allowed:,} bytes</h2>{''.join(figures)}</section>"


def largest(encode: Callable[[int], bytes], allowed: int) -> bytes | None:
    """The file of the highest quality that does not exceed the number of bytes."""
    low, high, best = 1, 100, None
    while low <= high:
        middle = (low + high) // 2
        file = encode(middle)
        if len(file) <= allowed:
            low, best = middle + 1, file
        else:
            high = middle - 1
    return best


def crop(picture: Image.Image, corner: tuple[int, int]) -> Image.Image:
    x = min(max(0, corner[0]), max(0, picture.width - CROP))
    y = min(max(0, corner[1]), max(0, picture.height - CROP))
    part = picture.crop((x, y, min(x + CROP, picture.width), min(y + CROP, picture.height)))
    return part.resize((part.width * ZOOM, part.height * ZOOM), Image.Resampling.NEAREST)


def figure(folder: Path, name: str, caption: str, picture: Image.Image) -> str:
    picture.save(folder / f"{name}.png")
    return f"<figure><img src={name}.png><figcaption>{html.escape(caption)}</figcaption></figure>"


if __name__ == "__main__":
    main()
