"""What is done to streams of frames, beside ffmpeg.

Texel's results go to /dev/null, where they are written and cost nothing more. ffmpeg lets the null muxer have its own,
which copies nothing: by far the fastest that it can do. Each has as many threads as it takes by itself.
"""

import shlex
from collections.abc import Callable
from pathlib import Path

from .kitchen import Kitchen
from .measuring import Entry
from .tools import TEXEL

ACCURATE = "accurate_rnd+full_chroma_int+full_chroma_inp"
"""What swscale needs to round right and to interpolate colour differences, as Texel always does."""


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
    """`flags` are those of swscale, a filter first."""

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


def from_h264(kitchen: Kitchen) -> list[Entry]:
    if "ffmpeg" not in kitchen.tools:
        return []
    clip = kitchen.clips.h264
    return [
        texel(clip, "--width", "640", "--to", "y4m"),
        *ffmpeg(kitchen, "ffmpeg", clip, "-vf scale=640:360 -f yuv4mpegpipe -y /dev/null"),
        *ffmpeg(kitchen, "ffmpeg (decoding alone)", clip, "-f null -"),
        # What Texel has from ffmpeg, through a pipe.
        *ffmpeg(kitchen, "ffmpeg | cat (decoding alone)", clip, "-f nut -c:v rawvideo - | cat"),
    ]


def texel(clip: Path, *flags: str) -> Entry:
    command = [str(TEXEL), "frames", str(clip), "-o", "/dev/null", "--overwrite", "--stats", "none", *flags]
    return Entry("Texel", command)


def ffmpeg(kitchen: Kitchen, name: str, clip: Path, flags: str) -> list[Entry]:
    return kitchen.peer(name, ("ffmpeg",), f"{{ffmpeg}} -nostdin -v error -i {shlex.quote(str(clip))} {flags}")
