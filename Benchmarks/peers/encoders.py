"""JPEG encoders as functions of the quality: Texel, and the libraries it is compared with.

All encode the same pixels. Requires Pillow; pyvips with a libvips that includes mozjpeg, and pyjpegli with jpegtran, are
optional.
"""

import importlib.util
import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from .tools import TEXEL

Encode = Callable[[Image.Image, int], bytes]


def encoders() -> dict[str, Encode]:
    found: dict[str, Encode] = {"libjpeg-turbo": libjpeg_turbo(), "libjpeg-turbo, progressive": libjpeg_turbo(True)}
    if importlib.util.find_spec("pyjpegli") and shutil.which("jpegtran"):
        found["jpegli"] = jpegli
    if importlib.util.find_spec("pyvips"):
        found |= {"mozjpeg": mozjpeg(), "mozjpeg, 4:4:4": mozjpeg("off")}
    return found | {"Texel, balanced": texel}


def libjpeg_turbo(is_small: bool = False) -> Encode:
    def encode(picture: Image.Image, quality: int) -> bytes:
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=quality, optimize=is_small, progressive=is_small)
        return file.getvalue()

    return encode


def jpegli(picture: Image.Image, quality: int) -> bytes:
    """jpegli without chroma subsampling, its default; its Python package writes baseline files."""
    import pyjpegli

    file = pyjpegli.encode(picture.tobytes(), picture.width, picture.height, quality)
    command = ["jpegtran", "-copy", "none", "-optimize", "-progressive"]
    return subprocess.run(command, input=file, check=True, capture_output=True).stdout


def mozjpeg(subsampling: str = "on") -> Encode:
    """mozjpeg with all size optimisations and its default quantisation table."""

    def encode(picture: Image.Image, quality: int) -> bytes:
        import numpy
        import pyvips

        return pyvips.Image.new_from_array(numpy.asarray(picture)).jpegsave_buffer(
            Q=quality,
            quant_table=3,
            subsample_mode=subsampling,
            interlace=True,
            optimize_coding=True,
            optimize_scans=True,
            trellis_quant=True,
            overshoot_deringing=True,
        )

    return encode


def texel(picture: Image.Image, quality: int) -> bytes:
    """The texel program, which reads a PNG."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "in.png"), Path(folder, "out.jpg")
        picture.save(source, compress_level=1)
        flags = ["-q", str(quality), "--progress", "none"]
        command = [str(TEXEL), "compress", str(source), "-f", "jpeg", "-o", str(result), *flags]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return result.read_bytes()
