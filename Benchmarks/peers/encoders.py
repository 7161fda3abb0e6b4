"""JPEG encoders as functions of the quality: Texel at each effort, and the libraries it is compared with.

All encode the same pixels. Requires Pillow; pyvips with a libvips that includes mozjpeg, and pyjpegli, are optional.
"""

import importlib.util
import io
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from .tools import TEXEL

Encode = Callable[[Image.Image, int], bytes]


def encoders() -> dict[str, Encode]:
    found: dict[str, Encode] = {"libjpeg-turbo": libjpeg_turbo(), "libjpeg-turbo, progressive": libjpeg_turbo(True)}
    if importlib.util.find_spec("pyjpegli"):
        found["jpegli"] = jpegli
    if importlib.util.find_spec("pyvips"):
        found |= {f"mozjpeg, table {table}": mozjpeg(table) for table in (3, 2, 4)}
    return found | {f"Texel, {effort}": texel(effort) for effort in ("balanced", "best")}


def libjpeg_turbo(is_small: bool = False) -> Encode:
    def encode(picture: Image.Image, quality: int) -> bytes:
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=quality, optimize=is_small, progressive=is_small)
        return file.getvalue()

    return encode


def jpegli(picture: Image.Image, quality: int) -> bytes:
    import pyjpegli

    return pyjpegli.encode(picture.tobytes(), picture.width, picture.height, quality)


def mozjpeg(table: int) -> Encode:
    """mozjpeg with all size optimisations. Table 3 is its default; 2 and 4 are tuned to metrics."""

    def encode(picture: Image.Image, quality: int) -> bytes:
        import numpy
        import pyvips

        return pyvips.Image.new_from_array(numpy.asarray(picture)).jpegsave_buffer(
            Q=quality,
            quant_table=table,
            interlace=True,
            optimize_coding=True,
            optimize_scans=True,
            trellis_quant=True,
            overshoot_deringing=True,
        )

    return encode


def texel(effort: str) -> Encode:
    """The texel program, which reads a PNG."""

    def encode(picture: Image.Image, quality: int) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            source, result = Path(folder, "in.png"), Path(folder, "out.jpg")
            picture.save(source, compress_level=1)
            flags = ["-q", str(quality), "--effort", effort, "--progress", "none"]
            command = [str(TEXEL), "compress", str(source), "-f", "jpeg", "-o", str(result), *flags]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            return result.read_bytes()

    return encode
