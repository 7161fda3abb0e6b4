"""The input clips of the frame jobs: ffmpeg's moving test pattern. Made once, kept in .cache."""

from pathlib import Path

from .pictures import CACHE, run
from .tools import Tools

FRAME_COUNT = 60
H264_FRAME_COUNT = 300


class Clips:
    """Requires ffmpeg."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._folder = CACHE / "clips"

    @property
    def ultra_high_definition(self) -> Path:
        """Y4M, 4:2:0, 3840×2160; 746 MB, read from the page cache."""
        return self._made(f"2160p-{FRAME_COUNT}.y4m", "3840x2160", FRAME_COUNT)

    @property
    def high_definition(self) -> Path:
        """Y4M, 4:2:0, 1920×1080, one second."""
        return self._made(f"1080p-{FRAME_COUNT}.y4m", "1920x1080", FRAME_COUNT)

    @property
    def h264(self) -> Path:
        return self._made(f"1080p-{H264_FRAME_COUNT}.mp4", "1920x1080", H264_FRAME_COUNT, "-c:v", "libx264")

    def _made(self, name: str, size: str, count: int, *encoding: str) -> Path:
        target = self._folder / name
        if not target.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = target.with_stem("unfinished")
            source = ["-f", "lavfi", "-i", f"testsrc2=size={size}:rate=60", "-frames:v", str(count)]
            ffmpeg = [self._tools.path("ffmpeg"), "-nostdin", "-v", "error"]
            run([*ffmpeg, *source, "-pix_fmt", "yuv420p", *encoding, "-y", str(unfinished)])
            unfinished.rename(target)
        return target


if __name__ == "__main__":
    print(Clips(Tools()).high_definition)
