"""python -m peers [--rounds N] [--report | --check] [JOB ...]"""

import argparse
import datetime
import sys
import tempfile
from pathlib import Path

from . import chart, machine, memory_chart, report, results
from .clips import Clips
from .jobs import JOBS
from .kitchen import Job, Kitchen
from .measuring import race
from .pictures import Pictures
from .tools import OPERATION_TIMER, RESIZE_TIMER, ROOT, TEXEL, Tools


def main() -> None:
    keys = [job.key for job in JOBS]
    parser = argparse.ArgumentParser(prog="make bench", description="Runs Texel and its peers in turns.")
    parser.add_argument("jobs", nargs="*", help=f"which of {', '.join(keys)}; all by default")
    parser.add_argument("--rounds", type=int, help="how often each program runs, instead of the job's own number")
    parser.add_argument("--report", action="store_true", help="measure nothing, write the reports anew")
    parser.add_argument("--check", action="store_true", help="measure nothing, fail if a report is not up to date")
    parser.add_argument("--prepare", action="store_true", help="measure nothing, make the test pictures")
    options = parser.parse_args()
    if unknown := set(options.jobs) - set(keys):
        parser.error(f"no such job: {', '.join(sorted(unknown))}; there are {', '.join(keys)}")
    if options.check:
        return check()
    for program in (TEXEL, RESIZE_TIMER, OPERATION_TIMER):
        if not program.exists():
            parser.error(f"{program.name} is not built; `make bench` builds it")

    known = results.load()
    if not options.report:
        chosen = [job for job in JOBS if not options.jobs or job.key in options.jobs]
        measure(chosen, options.rounds, options.prepare, known)
    if not options.prepare:
        for file, text in reports(known).items():
            file.write_text(text)


def reports(known: dict[str, results.Result]) -> dict[Path, str]:
    """All that is made from the results."""
    return report.files(known) | chart.files(known) | memory_chart.files(known)


def check() -> None:
    stale = [file for file, text in reports(results.load()).items() if file.read_text() != text]
    for file in stale:
        print(f"{file.relative_to(ROOT)} differs from {results.STORE.relative_to(ROOT)}", file=sys.stderr)
    if stale:
        raise SystemExit("`cd Benchmarks && python3 -m peers --report` writes them anew.")


def measure(jobs: list[Job], rounds: int | None, only_prepares: bool, known: dict[str, results.Result]) -> None:
    tools = Tools()
    pictures, clips = Pictures(), Clips(tools)
    for job in jobs:
        with tempfile.TemporaryDirectory() as output:
            entries = job.entries(Kitchen(tools, pictures, clips, Path(output)))
            if only_prepares:
                continue
            if not entries:
                print(f"{job.key} is skipped: its requirements are missing.", file=sys.stderr)
                continue
            print(f"\n{job.title}", flush=True)
            count = rounds or job.rounds
            result = results.Result(
                race(entries, count),
                count,
                results.Conditions(
                    datetime.date.today().isoformat(),
                    machine.description(),
                    machine.commit(),
                    tuple(machine.versions(tools)),
                    pictures.are_real,
                ),
            )
        for line in report.growth(job, result) if job.unit else report.comparison(job, result):
            print(line, flush=True)
        known[job.key] = result
        # Save after each job, so that an interruption loses only the current one.
        results.save(known)


if __name__ == "__main__":
    main()
