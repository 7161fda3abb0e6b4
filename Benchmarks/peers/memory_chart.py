"""Draws the peak memory over the number of pixels: docs/images/memory.svg."""

from html import escape
from math import log2
from pathlib import Path

from .chart import STYLE
from .measuring import Outcome
from .report import measured
from .results import Result
from .tools import ROOT

FILE = ROOT / "docs/images/memory.svg"

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 860, 420, 70, 40, 50
"""The size of the drawing, and where its axes are."""
RIGHT = 290
"""The room for the names of the lines."""
LINES = ("#1f6feb", "#d29922", "#cf222e", "#1a7f37", "#8250df", "#57606a")
STEP = 100
"""Megabytes between two lines of the grid."""


def files(results: dict[str, Result]) -> dict[Path, str]:
    series = [(job.title, result.outcomes) for job, result in measured(results) if job.unit == "MP"]
    return {FILE: drawn(series)} if series else {}


def drawn(series: list[tuple[str, list[Outcome]]]) -> str:
    points = [outcome for _, outcomes in series for outcome in outcomes]
    most = max(outcome.peak_bytes for outcome in points) / 1e6
    top = (int(most) // STEP + 1) * STEP
    widest = log2(max(outcome.work or 1 for outcome in points))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def x(outcome: Outcome) -> float:
        return LEFT + (right - LEFT) * log2(outcome.work or 1) / widest

    def y(value: float) -> float:
        return bottom - (bottom - TOP) * value / top

    parts = [f'<text x="{LEFT}" y="20">Peak memory in MB over megapixels</text>']
    for value in range(0, top + 1, STEP):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text class="value" x="{LEFT - 10}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for work, place in sorted({(outcome.work, x(outcome)) for outcome in points}):
        parts.append(f'<text class="value" x="{place:.1f}" y="{bottom + 20}" text-anchor="middle">{work}</text>')
    for number, (title, outcomes) in enumerate(series):
        color = LINES[number % len(LINES)]
        places = " ".join(f"{x(one):.1f},{y(one.peak_bytes / 1e6):.1f}" for one in outcomes)
        parts.append(f'<polyline points="{places}" fill="none" stroke="{color}" stroke-width="2"/>')
        for one in outcomes:
            parts.append(f'<circle cx="{x(one):.1f}" cy="{y(one.peak_bytes / 1e6):.1f}" r="3" fill="{color}"/>')
        row = TOP + 24 * number
        line = f'x1="{right + 20}" x2="{right + 40}" y1="{row}" y2="{row}"'
        parts.append(f'<line {line} stroke="{color}" stroke-width="3"/>')
        parts.append(f'<text x="{right + 48}" y="{row + 4}">{escape(title.partition(": ")[2])}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>Peak memory over megapixels</title>\n"
        f"<style>{STYLE}  .grid {{ stroke: #8c959f; stroke-opacity: 0.3; }}\n</style>\n{body}\n</svg>\n"
    )
