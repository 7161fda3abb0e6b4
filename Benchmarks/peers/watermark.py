"""Shrinks a photograph to 1280 pixels, sharpens it, and lays a watermark into its corner, with libvips.

watermark.py PHOTOGRAPH WATERMARK RESULT

As sharp does it: shrink on load, `sharpen`, `composite`, JPEG.
"""

import sys

import pyvips


def main(photograph: str, watermark: str, result: str) -> None:
    image = pyvips.Image.thumbnail(photograph, 1280, height=10_000_000)
    image = image.sharpen(sigma=1)
    mark = pyvips.Image.new_from_file(watermark)
    image = image.composite2(mark, "over", x=image.width - mark.width, y=image.height - mark.height)
    image.flatten().write_to_file(result, Q=80)


if __name__ == "__main__":
    main(*sys.argv[1:])
