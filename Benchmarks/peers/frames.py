"""The jobs on streams of frames, compared with ffmpeg.

Texel writes its results to /dev/null. ffmpeg uses the null muxer, which copies nothing and is by far its fastest
output. Both use their default number of threads.
"""

import shlex
from collections.abc import Callable
from pathlib import Path

from .kitchen import Kitchen
from .measuring import Entry
from .tools import TEXEL

ACCURATE = "accurate_rnd+full_chroma_int+full_chroma_inp"
"""The swscale flags for exact rounding and interpolated chroma, which Texel always uses."""


def to_pixels(kitchen: Kitchen) -> list[Entry]:
    if "ffmpeg" not in kitchen.tools:
        return []
    clip = kitchen.clips.ultra_high_definition
    return [
        texel(clip, "--to", "bgra"),
        *ffmpeg(kitchen, "ffmpeg", clip, "-pix_fmt bgra -f null -"),
        *ffmpeg(kitchen, "ffmpeg, accurate", clip, f"-sws_flags bicubic+{ACCURATE} -pix_fmt bgra -f null -"),
        *ffmpeg(kitchen, "ffmpeg, writing to /dev/null", clip, "-pix_fmt bgra -f rawvideo -y /dev/null"),
    ]


def to_half_size(filter: str, *flags: str) -> Callable[[Kitchen], list[Entry]]:
    """`flags`: swscale flags, starting with a filter."""

    def entries(kitchen: Kitchen) -> list[Entry]:
        if "ffmpeg" not in kitchen.tools:
            return []
        clip = kitchen.clips.ultra_high_definition
        result = [texel(clip, "--width", "1920", "--filter", filter, "--to", "bgra")]
        for flag in flags:
            name = f"ffmpeg {flag}".replace(f"+{ACCURATE}", ", accurate")
            result += ffmpeg(kitchen, name, clip, f"-vf scale=1920:1080:flags={flag} -pix_fmt bgra -f null -")
        return result

    return entries


# The filters work on BGRA in ffmpeg too, because Texel's results are BGRA.


def blurred(kitchen: Kitchen) -> list[Entry]:
    return filtered(kitchen, ("--blur", "5"), "format=bgra,gblur=sigma=5,format=bgra")


def overlaid(kitchen: Kitchen) -> list[Entry]:
    mark = kitchen.pictures.watermark
    graph = f"[in]format=bgra[frames];movie={mark}[mark];[frames][mark]overlay=W-w:H-h:format=rgb,format=bgra[out]"
    return filtered(kitchen, ("--overlay", str(mark), "--overlay-gravity", "southeast"), graph)


def through_table(kitchen: Kitchen) -> list[Entry]:
    table = kitchen.pictures.color_table
    return filtered(kitchen, ("--lut", str(table)), f"format=bgra,lut3d=file={table},format=bgra")


def filtered(kitchen: Kitchen, flags: tuple[str, ...], graph: str) -> list[Entry]:
    if "ffmpeg" not in kitchen.tools:
        return []
    clip = kitchen.clips.ultra_high_definition
    return [
        texel(clip, *flags, "--to", "bgra"),
        *ffmpeg(kitchen, "ffmpeg", clip, f"-vf {shlex.quote(graph)} -f null -"),
    ]


def from_h264(kitchen: Kitchen) -> list[Entry]:
    if "ffmpeg" not in kitchen.tools:
        return []
    clip = kitchen.clips.h264
    return [
        texel(clip, "--width", "640", "--to", "y4m"),
        *ffmpeg(kitchen, "ffmpeg", clip, "-vf scale=640:360 -f yuv4mpegpipe -y /dev/null"),
        *ffmpeg(kitchen, "ffmpeg (decoding alone)", clip, "-f null -"),
        # The part of the work that ffmpeg does for Texel, through a pipe.
        *ffmpeg(kitchen, "ffmpeg | cat (decoding alone)", clip, "-f nut -c:v rawvideo - | cat"),
    ]


def texel(clip: Path, *flags: str) -> Entry:
    command = [str(TEXEL), "frames", str(clip), "-o", "/dev/null", "--overwrite", "--stats", "none", *flags]
    return Entry("Texel", command)


def ffmpeg(kitchen: Kitchen, name: str, clip: Path, flags: str) -> list[Entry]:
    return kitchen.peer(name, ("ffmpeg",), f"{{ffmpeg}} -nostdin -v error -i {shlex.quote(str(clip))} {flags}")
