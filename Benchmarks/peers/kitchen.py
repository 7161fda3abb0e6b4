"""Jobs, and the parts that their entries are made from."""

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
    """The maximum ratio of Texel's time to that of another entry."""

    against: str
    ratio: float


@dataclass(frozen=True)
class Job:
    key: str
    title: str
    entries: Callable[["Kitchen"], list[Entry]]
    targets: tuple[Target, ...] = ()
    peak_megabytes: float | None = None
    """The maximum of Texel's peak memory."""
    rounds: int = 11
    unit: str | None = None
    """The unit of work, if the entries do different amounts of it."""
    in_memory: bool = False
    """Whether entries print their times. Their processes also prepare the image, so peak memory is not reported."""


@dataclass(frozen=True)
class Kitchen:
    """The inputs, tools and output folder for the entries of a job."""

    tools: Tools
    pictures: Pictures
    clips: Clips
    output: Path
    """The folder for the output files of entries."""

    def texel(self, name: str, verb: str, source: Path, result: str, *flags: str, work: float | None = None) -> Entry:
        target = self.output / result
        command = [str(TEXEL), verb, str(source), "-o", str(target), *flags, "--overwrite", "--progress", "none"]
        return Entry(name, command, target, work=work)

    def peer(self, name: str, needs: tuple[str, ...], command: str, result: str | None = None) -> list[Entry]:
        """An entry for a shell command with placeholders for programs and {out}; empty if a program is missing."""
        if any(need not in self.tools for need in needs):
            return []
        target = self.output / result if result else None
        words = {need: shlex.quote(self.tools.path(need)) for need in needs}
        line = command.format(**words, out=shlex.quote(str(target)))
        # With exec the shell process is not measured; a pipeline still needs it.
        line = line if "|" in line else f"exec {line}"
        return [Entry(name, ["sh", "-c", line], target)]

    def script(self, name: str, needs: str, script: str, *arguments: str, timer: bool = False) -> list[Entry]:
        if needs not in self.tools or (timer and "NumPy" not in self.tools):
            return []
        file = Path(__file__).with_name(script)
        return [Entry(name, [self.tools.path(needs), str(file), *arguments], prints_times=timer)]
