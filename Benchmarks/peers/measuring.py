"""Runs commands in turns and measures each."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO


@dataclass(frozen=True)
class Entry:
    """A program that does a job."""

    name: str
    command: list[str]
    result: Path | None = None
    """The output: a file, or a folder of files."""
    prints_times: bool = False
    """Whether it prints the milliseconds of the measured work, one per line, instead of being timed as a whole."""
    work: float | None = None
    """The amount of work in the job's unit, if the entries of the job differ."""


@dataclass
class Outcome:
    """The measurements of an entry over all rounds, in milliseconds and bytes."""

    name: str
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    result_bytes: int | None = None
    work: float | None = None

    @property
    def milliseconds(self) -> float:
        return statistics.median(self.wall)

    @property
    def processor_milliseconds(self) -> float:
        return statistics.median(self.processor)

    @property
    def peak_bytes(self) -> float:
        return statistics.median(self.peak)

    def ratio_to(self, other: "Outcome") -> float:
        """The median of the rounds' ratios, so that slow rounds cancel out."""
        return statistics.median(mine / theirs for mine, theirs in zip(self.wall, other.wall, strict=True))


class Failed(Exception):
    """A command failed."""


def race(entries: list[Entry], rounds: int) -> list[Outcome]:
    """Runs every entry once per round, starting each round with another entry. A warm-up round is not counted.

    An entry that fails in the warm-up round is skipped with a message.
    """
    runners = []
    for entry in entries:
        try:
            run_once(entry)
            runners.append(entry)
        except Failed as failure:
            print(f"  {entry.name} is skipped: {failure}", file=sys.stderr)
    outcomes = {entry.name: Outcome(entry.name, work=entry.work) for entry in runners}
    for turn in range(rounds):
        first = turn % max(1, len(runners))
        for entry in runners[first:] + runners[:first]:
            wall, processor, peak = run_once(entry)
            outcome = outcomes[entry.name]
            outcome.wall.append(wall)
            outcome.processor.append(processor)
            outcome.peak.append(peak)
            outcome.result_bytes = size_of(entry.result)
    return list(outcomes.values())


def run_once(entry: Entry) -> tuple[float, float, int]:
    """Runs an entry once; returns wall and processor milliseconds and peak bytes, including child processes."""
    output = subprocess.PIPE if entry.prints_times else subprocess.DEVNULL
    start = time.perf_counter()
    # wait4 returns the usage of this child only, so Popen must not reap it first.
    with subprocess.Popen(entry.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE) as process:
        printed = process.stdout.read() if process.stdout else b""
        said = drain(process.stderr)
        _, status, usage = os.wait4(process.pid, 0)
        wall = (time.perf_counter() - start) * 1000
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        last_words = said.decode(errors="replace").strip().splitlines()[-1:] or ["no error output"]
        raise Failed(f"exit code {process.returncode}, {last_words[0][:160]}")
    if entry.prints_times:
        wall = statistics.median(float(line) for line in printed.split())
    return wall, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss * 1024


def drain(stream: IO[bytes] | None) -> bytes:
    return stream.read() if stream else b""


def size_of(result: Path | None) -> int | None:
    if result is None:
        return None
    if result.is_dir():
        return sum(file.stat().st_size for file in result.iterdir())
    return result.stat().st_size if result.exists() else None
