"""What a job is, and what its entries are made from."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .clips import Clips
from .measuring import Entry
from .pictures import Pictures
from .tools import TEXEL, Tools

BEST_PEER = "the best peer"


@dataclass(frozen=True)
class Target:
    """Texel's time over that of another entry must not be above this."""

    against: str
    ratio: float


@dataclass(frozen=True)
class Job:
    key: str
    title: str
    entries: Callable[["Kitchen"], list[Entry]]
    targets: tuple[Target, ...] = ()
    peak_megabytes: float | None = None
    """Texel's peak memory must not be above this."""
    rounds: int = 11
    unit: str | None = None
    """What the entries do different amounts of."""
    in_memory: bool = False
    """Timed from within: the process is shared with what prepares the picture, and its memory says nothing."""


@dataclass(frozen=True)
class Kitchen:
    """What the entries of a job are made from."""

    tools: Tools
    pictures: Pictures
    clips: Clips
    output: Path
    """A folder for what the entries write."""

    def texel(self, name: str, verb: str, source: Path, result: str, *flags: str, work: float | None = None) -> Entry:
        target = self.output / result
        command = [str(TEXEL), verb, str(source), "-o", str(target), *flags, "--overwrite", "--progress", "none"]
        return Entry(name, command, target, work=work)

    def peer(self, name: str, needs: tuple[str, ...], command: str, result: str | None = None) -> list[Entry]:
        """An entry for a shell command whose {words} are programs and `out`; none where a program is missing."""
        if any(need not in self.tools for need in needs):
            return []
        target = self.output / result if result else None
        words = {need: shlex.quote(self.tools.path(need)) for need in needs}
        line = command.format(**words, out=shlex.quote(str(target)))
        # Without a pipe the shell becomes the program.
        line = line if "|" in line else f"exec {line}"
        return [Entry(name, ["sh", "-c", line], target)]

    def script(self, name: str, needs: str, script: str, *arguments: str, timer: bool = False) -> list[Entry]:
        if needs not in self.tools or (timer and "NumPy" not in self.tools):
            return []
        file = Path(__file__).with_name(script)
        return [Entry(name, [self.tools.path(needs), str(file), *arguments], prints_times=timer)]
