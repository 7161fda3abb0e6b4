"""Writes the results as Markdown, between markers in the README, in docs/benchmarking.md and in the reference."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from .jobs import JOBS
from .kitchen import BEST_PEER, Job
from .measuring import Outcome
from .results import Conditions, Result
from .tools import PEERS, ROOT

BEGIN, END = "<!-- benchmark:begin -->", "<!-- benchmark:end -->"
README = ROOT / "README.md"
LINE_LENGTH = 120
PAGE = ROOT / "docs/benchmarking.md"
REFERENCE = ROOT / "Sources/Texel/Texel.docc/Performance.md"
REFERENCE_JOBS = ("resize-opaque", "thumbnail", "recompress", "folder", "frames-bgra")
"""The jobs that the reference names."""


def files(results: dict[str, Result]) -> dict[Path, str]:
    """The pages, with the figures in their places."""
    return {
        README: replaced(README, "\n".join(summary(results))),
        PAGE: replaced(PAGE, "\n".join(page(results))),
        REFERENCE: replaced(REFERENCE, "\n".join(reference(results))),
    }


def replaced(file: Path, text: str) -> str:
    before = file.read_text()
    if before.count(BEGIN) != 1 or before.count(END) != 1:
        raise SystemExit(f"{file.name} needs the lines {BEGIN} and {END} once each.")
    head, rest = before.split(BEGIN)
    return f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}"


def reference(results: dict[str, Result]) -> Iterator[str]:
    """One line for each of some jobs: the first peer of its targets."""
    yield "| work | Texel's share of the time | beside | time | peak memory |"
    yield "|---|---:|---|---:|---:|"
    for job, result in measured(results):
        texel = result.outcomes[0]
        other = next((found for target in job.targets if (found := opponent(result, target.against))), None)
        if job.key in REFERENCE_JOBS and other:
            peak = "" if job.in_memory else megabytes(texel.peak_bytes)
            yield row(
                job.title, f"{texel.ratio_to(other):.2f}", cell(other.name), milliseconds(texel.milliseconds), peak)
    yield ""
    yield from conditions(results, of_peers=True)


def summary(results: dict[str, Result]) -> Iterator[str]:
    yield "| work | beside | Texel's share of its time | Texel | the other |"
    yield "|---|---|---:|---:|---:|"
    peaks = []
    for job, result in measured(results):
        texel = result.outcomes[0]
        times = milliseconds(texel.milliseconds)
        for target in job.targets:
            if other := opponent(result, target.against):
                share = f"**{texel.ratio_to(other):.2f}**"
                yield row(job.title, cell(other.name), share, times, milliseconds(other.milliseconds))
        if job.peak_megabytes:
            peaks.append(f"{job.title}: {megabytes(texel.peak_bytes)}")
    yield ""
    if peaks:
        yield textwrap.fill(f"Peak memory: {'; '.join(peaks)}.", LINE_LENGTH)
        yield ""
    yield from conditions(results, of_peers=True)


def page(results: dict[str, Result]) -> Iterator[str]:
    latest = newest(results)
    yield from conditions(results)
    yield ""
    yield "#### Targets"
    yield ""
    yield "| work | what | measured | target | |"
    yield "|---|---|---:|---:|---|"
    for job, result in measured(results):
        texel = result.outcomes[0]
        for target in job.targets:
            if other := opponent(result, target.against):
                ratio = texel.ratio_to(other)
                name = cell(other.name) if target.against != BEST_PEER else f"the best peer, {other.name}"
                met = verdict(ratio <= target.ratio)
                yield row(job.title, f"time over {name}", f"{ratio:.2f}", f"{target.ratio:.2f}", met)
        if job.peak_megabytes:
            peak, allowed = texel.peak_bytes, job.peak_megabytes * 1e6
            yield row(job.title, "peak memory", megabytes(peak), megabytes(allowed), verdict(peak <= allowed))
    for job, result in measured(results):
        yield ""
        yield f"#### {job.title}"
        yield ""
        yield from (growth(job, result) if job.unit else comparison(job, result))
        yield ""
        yield textwrap.fill(origin(result, latest), LINE_LENGTH)


def comparison(job: Job, result: Result) -> Iterator[str]:
    texel = result.outcomes[0]
    writes = any(outcome.result_bytes for outcome in result.outcomes)
    columns = ["program", "Texel's share of its time", "time"]
    columns += [] if job.in_memory else ["processor time", "peak memory"]
    columns += ["result"] if writes else []
    yield row(*columns)
    yield f"|---|{'---:|' * (len(columns) - 1)}"
    for outcome in result.outcomes:
        cells = [cell(outcome.name), f"{texel.ratio_to(outcome):.2f}", milliseconds(outcome.milliseconds)]
        if not job.in_memory:
            cells += [milliseconds(outcome.processor_milliseconds), megabytes(outcome.peak_bytes)]
        if writes:
            cells.append(kilobytes(outcome.result_bytes) if outcome.result_bytes else "")
        yield row(*cells)


def growth(job: Job, result: Result) -> Iterator[str]:
    yield row("", f"time for one {job.unit}", "time", "processor time", "peak memory")
    yield "|---|---:|---:|---:|---:|"
    for outcome in result.outcomes:
        each = milliseconds(outcome.milliseconds / (outcome.work or 1))
        times = milliseconds(outcome.milliseconds), milliseconds(outcome.processor_milliseconds)
        yield row(outcome.name, each, *times, megabytes(outcome.peak_bytes))


def conditions(results: dict[str, Result], of_peers: bool = False) -> Iterator[str]:
    """The machine, the versions (of peers only, or of Texel's libraries too) and the date of the latest run."""
    if not (latest := newest(results)):
        return
    machine = f"{latest.machine}; Texel at commit {latest.commit}; medians of interleaved runs; {latest.date}."
    yield textwrap.fill(machine, LINE_LENGTH)
    yield ""
    versions = [one for one in latest.versions if not of_peers or one.split()[0] in PEERS]
    yield textwrap.fill("Versions: " + ", ".join(versions) + ".", LINE_LENGTH)
    if not latest.real_pictures:
        yield ""
        yield "The images are synthetic: no photographs were available."


def newest(results: dict[str, Result]) -> Conditions | None:
    return max((one.conditions for _, one in measured(results)), key=lambda one: one.date, default=None)


def origin(result: Result, latest: Conditions | None) -> str:
    """When a job was measured; also where and with which versions, if not as the latest ones."""
    own = result.conditions
    text = f"{result.rounds} rounds, commit {own.commit}, {own.date}"
    if latest and own.machine != latest.machine:
        text += f", {own.machine}"
    if latest and (others := [version for version in own.versions if version not in latest.versions]):
        text += f", with {', '.join(others)}"
    return text + "."


def measured(results: dict[str, Result]) -> Iterator[tuple[Job, Result]]:
    for job in JOBS:
        if job.key in results and results[job.key].outcomes:
            yield job, results[job.key]


def opponent(result: Result, against: str) -> Outcome | None:
    others = result.outcomes[1:]
    if against == BEST_PEER:
        peers = [outcome for outcome in others if not re.search("decoding alone|^Texel", outcome.name)]
        return min(peers, key=lambda outcome: outcome.milliseconds, default=None)
    return next((outcome for outcome in others if outcome.name == against), None)


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def cell(text: str) -> str:
    """Escapes pipes, which end a table cell."""
    return text.replace("|", "\\|")


def verdict(met: bool) -> str:
    return "met" if met else "missed"


def milliseconds(value: float) -> str:
    return f"{value / 1000:.2f} s" if value >= 1000 else f"{value:.0f} ms" if value >= 100 else f"{value:.1f} ms"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.0f} MB"


def kilobytes(value: float) -> str:
    return f"{value / 1e6:.1f} MB" if value >= 1e6 else f"{value / 1e3:.0f} KB"
