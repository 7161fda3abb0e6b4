"""Profiles a job with perf: python -m peers.profile [JOB], `make profile JOB=...`."""

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from .clips import Clips
from .jobs import JOBS
from .kitchen import Kitchen
from .pictures import Pictures
from .tools import Tools

RUNS = 20
LEAST_SHARE = 0.8
"""The smallest share that is listed, in percent."""


def main(key: str = "thumbnail") -> None:
    perf = shutil.which("perf")
    job = next((job for job in JOBS if job.key == key), None)
    if perf is None or job is None:
        names = ", ".join(job.key for job in JOBS)
        raise SystemExit(
            f"no such job: {key}; there are {names}" if perf else "perf is missing: apt-get install linux-perf"
        )
    tools = Tools()
    with tempfile.TemporaryDirectory() as output:
        entry = job.entries(Kitchen(tools, Pictures(), Clips(tools), Path(output)))[0]
        loop = f"for run in $(seq {RUNS}); do {shlex.join(entry.command)} || exit; done"
        data = str(Path(output) / "perf.data")
        record = [perf, "record", "--quiet", "--freq=4000", "--output", data, "--", "sh", "-c", loop]
        subprocess.run(record, check=True, stdout=subprocess.DEVNULL)
        samples = read(perf, data)
    print(f"{job.title}: {RUNS} runs of {entry.name}")
    for title, shares in (("By library", by_library(samples)), ("By function", by_function(samples))):
        print(f"\n| {title.lower()} | share |\n|---|---:|")
        for name, share in sorted(shares.items(), key=lambda one: -one[1]):
            if share >= LEAST_SHARE:
                print(f"| {name} | {share:.1f} % |")


def read(perf: str, data: str) -> list[tuple[float, str, str]]:
    """The percentage, function and library of all samples."""
    report = [perf, "report", "--stdio", "--quiet", "--fields", "overhead,symbol,dso", "--field-separator", "\t"]
    lines = subprocess.run([*report, "--input", data], check=True, capture_output=True, text=True).stdout
    swift = shutil.which("swift")
    if swift:
        demangle = [swift, "demangle", "--simplified"]
        lines = subprocess.run(demangle, input=lines, check=True, capture_output=True, text=True).stdout
    samples = []
    for fields in (line.split("\t") for line in lines.splitlines()):
        if len(fields) >= 3 and fields[0].strip().endswith("%"):
            # The first four characters of the symbol are the prefix that marks kernel functions.
            samples.append((float(fields[0].strip(" %")), fields[1].strip()[4:], fields[2].strip()))
    return samples


def by_library(samples: list[tuple[float, str, str]]) -> dict[str, float]:
    shares: dict[str, float] = defaultdict(float)
    for share, _, library in samples:
        shares[library] += share
    return shares


def by_function(samples: list[tuple[float, str, str]]) -> dict[str, float]:
    """Adds up the shares by function. Functions of stripped libraries, which have addresses as names, count as one."""
    shares: dict[str, float] = defaultdict(float)
    for share, function, library in samples:
        known = "functions without names" if function.startswith("0x") else f"`{function[:80]}`"
        shares[f"{known}, {library}"] += share
    return shares


if __name__ == "__main__":
    main(*sys.argv[1:2])
