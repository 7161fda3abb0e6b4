"""Makes one test image with Pillow. Run as a separate process, so that the measuring process stays small.

drawing.py photo TARGET SIDE | chart TARGET SIDE | png TARGET SOURCE | progressive TARGET SOURCE
           | tiles TARGET SOURCE MEGAPIXELS | watermark TARGET WIDTH | table TARGET SIZE
"""

import random
import sys
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

TILE = (1152, 864)


def photo(width: int) -> Image.Image:
    """Large shapes, and finer texture with lower contrast, as in a photograph; 3:2."""
    size = (width, width * 2 // 3)
    generator = random.Random(1)
    channels = []
    for _ in range(3):
        channel = Image.new("L", size, 128)
        for period, contrast in ((512, 90), (128, 50), (32, 26), (8, 13), (2, 6)):
            small = (size[0] // period + 2, size[1] // period + 2)
            noise = Image.frombytes("L", small, generator.randbytes(small[0] * small[1]))
            noise = noise.resize(size, Image.Resampling.BICUBIC).point(
                [128 + (v - 128) * contrast // 128 for v in range(256)]
            )
            channel = ImageChops.add(channel, noise, offset=-128)
        channels.append(channel)
    return Image.merge("RGB", channels)


def tiles(source: str, megapixels: int) -> Image.Image:
    """The central megapixel of an image, tiled in both directions, a square number of times."""
    count = round(megapixels**0.5)
    with Image.open(source) as picture:
        left, top = (picture.width - TILE[0]) // 2, (picture.height - TILE[1]) // 2
        tile = picture.convert("RGB").crop((left, top, left + TILE[0], top + TILE[1]))
    mosaic = Image.new("RGB", (TILE[0] * count, TILE[1] * count))
    for index in range(count * count):
        mosaic.paste(tile, (index % count * TILE[0], index // count * TILE[1]))
    return mosaic


def chart(side: int) -> Image.Image:
    """A large drawing: flat shapes, lines and blurred patches."""
    generator = random.Random(2)
    picture = Image.new("RGB", (side, side), "white")
    draw = ImageDraw.Draw(picture)
    for _ in range(400):
        x, y = generator.randrange(side), generator.randrange(side)
        reach = generator.randrange(20, side // 12)
        color = tuple(generator.randrange(256) for _ in range(3))
        shape = generator.choice((draw.ellipse, draw.rectangle))
        shape((x, y, x + reach, y + reach), fill=color)
        draw.line((x, y, generator.randrange(side), generator.randrange(side)), fill=color, width=reach // 40 + 1)
    for _ in range(12):
        x, y, reach = generator.randrange(side), generator.randrange(side), side // 10
        patch = picture.crop((x, y, x + reach, y + reach)).filter(ImageFilter.GaussianBlur(25))
        picture.paste(patch, (x, y))
    return picture


def watermark(width: int) -> Image.Image:
    """A translucent badge with soft edges, a third as high as wide."""
    picture = Image.new("RGBA", (width, width // 3), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((4, 4, width - 5, width // 3 - 5), width // 8, fill=(255, 255, 255, 150))
    draw.ellipse((width // 12, width // 12, width // 4, width // 4), fill=(200, 40, 40, 220))
    return picture.filter(ImageFilter.GaussianBlur(1))


def table(size: int) -> str:
    """A `.cube` file with a smooth change of colours."""
    steps = [index / (size - 1) for index in range(size)]
    rows = [f"{r**0.8:.6f} {(g + 0.1 * r * (1 - g)):.6f} {b**1.2:.6f}" for b in steps for g in steps for r in steps]
    return "\n".join([f"LUT_3D_SIZE {size}", *rows, ""])


def made(kind: str, arguments: list[str]) -> Image.Image:
    if kind == "photo":
        return photo(int(arguments[0]))
    if kind == "tiles":
        return tiles(arguments[0], int(arguments[1]))
    if kind == "watermark":
        return watermark(int(arguments[0]))
    if kind == "chart":
        return chart(int(arguments[0]))
    with Image.open(arguments[0]) as opened:
        return opened.convert("RGB")


def main(kind: str, target: Path, arguments: list[str]) -> None:
    unfinished = target.with_suffix(".unfinished" + target.suffix)
    if kind == "table":
        unfinished.write_text(table(int(arguments[0])))
        unfinished.rename(target)
        return
    # Pillow ignores the options of the other format.
    is_progressive = kind == "progressive"
    made(kind, arguments).save(
        unfinished, quality=92, subsampling="4:2:0", progressive=is_progressive, compress_level=6
    )
    unfinished.rename(target)


if __name__ == "__main__":
    Image.MAX_IMAGE_PIXELS = None
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
