"""Finds the programs and Python libraries to compare with, and their versions."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent
TEXEL = ROOT / ".build/release/texel"
RESIZE_TIMER = BENCHMARKS / ".build/release/ResizeTimer"
DECODE_TIMER = BENCHMARKS / ".build/release/DecodeTimer"
OPERATION_TIMER = BENCHMARKS / ".build/release/OperationTimer"
ENVIRONMENT = BENCHMARKS / ".venv/bin/python"


@dataclass(frozen=True)
class Tool:
    name: str
    path: str
    version: str


class Tools:
    """The peers installed on this machine. Missing ones are reported once, and their entries are skipped."""

    def __init__(self) -> None:
        self.found: dict[str, Tool] = {}
        for name, candidates, arguments, pattern in PROGRAMS:
            self._add(name, find_program(candidates, arguments, pattern))
        python = str(ENVIRONMENT) if ENVIRONMENT.exists() else sys.executable
        for name, code in LIBRARIES:
            version = said([python, "-c", code]).strip()
            self._add(name, (python, version) if re.fullmatch(r"[\w. ,()]+", version) else None)

    def _add(self, name: str, found: tuple[str, str] | None) -> None:
        if found:
            self.found[name] = Tool(name, *found)
        else:
            print(f"{name} is missing and is skipped; `make bench-dependencies` installs it.", file=sys.stderr)

    def __contains__(self, name: str) -> bool:
        return name in self.found

    def path(self, name: str) -> str:
        return self.found[name].path


# Name, possible commands, arguments that print the version, and the pattern of the version.
PROGRAMS = [
    ("vips", ["vips"], ["--version"], r"vips-([\d.]+)"),
    ("vipsthumbnail", ["vipsthumbnail"], ["--vips-version"], r"libvips ([\d.]+)"),
    ("ImageMagick", ["magick", "convert"], ["-version"], r"ImageMagick ([\d.-]+)"),
    ("GraphicsMagick", ["gm"], ["version"], r"GraphicsMagick ([\d.]+)"),
    ("djpeg", ["djpeg"], ["-version"], r"libjpeg-turbo version ([\d.]+)"),
    ("cjpeg", ["cjpeg"], ["-version"], r"libjpeg-turbo version ([\d.]+)"),
    # It prints no version; it comes with djpeg.
    ("tjbench", ["tjbench"], [], r"USAGE: \S*(tjbench)"),
    ("ffmpeg", ["ffmpeg"], ["-version"], r"ffmpeg version ([\d.]+)"),
]

LIBRARIES = [
    (
        "pyvips",
        "import pyvips; print(pyvips.__version__, 'libvips', '.'.join(str(pyvips.version(i)) for i in range(3)))",
    ),
    ("OpenCV", "import cv2; print(cv2.__version__)"),
    ("Pillow", "import PIL; print(PIL.__version__)"),
    (
        "fast_image_resize",
        "import importlib.metadata as m, cykooz_resizer; print('cykooz.resizer', m.version('cykooz-resizer'))",
    ),
    ("NumPy", "import numpy; print(numpy.__version__)"),
]


PEERS = {name for name, *_ in PROGRAMS} | {name for name, _ in LIBRARIES}
"""The names of all programs and libraries, with which their versions begin."""


def find_program(candidates: list[str], arguments: list[str], pattern: str) -> tuple[str, str] | None:
    """The first program with one of these names on PATH whose version output matches the pattern."""
    for name in candidates:
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            path = Path(folder) / name
            answer = said([str(path), *arguments]) if os.access(path, os.X_OK) else ""
            if match := re.search(pattern, answer):
                return str(path), match.group(1)
    return None


def said(command: list[str]) -> str:
    """The output of a command on both streams; empty if it cannot be run."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
