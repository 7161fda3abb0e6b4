"""Draws the results as a bar chart, one group for each job: docs/benchmark.svg."""

from html import escape
from pathlib import Path

from .measuring import Outcome
from .report import measured, milliseconds
from .results import Result
from .tools import ROOT

FILE = ROOT / "docs/benchmark.svg"

WIDTH, LABELS, BAR, GAP, HEADING = 860, 250, 17, 6, 34
ROOM_FOR_VALUES = 110

# Colours for a light and a dark theme.
STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; fill: #24292f; }
  .heading { font-weight: 600; }
  .value { font-variant-numeric: tabular-nums; }
  .texel { fill: #1f6feb; } .more { fill: #9ec5fe; } .peer { fill: #afb8c1; }
  .floor { fill: none; stroke: #8c959f; stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .texel { fill: #4493f8; } .more { fill: #28518c; } .peer { fill: #545d68; }
    .floor { stroke: #768390; }
  }
"""


def files(results: dict[str, Result]) -> dict[Path, str]:
    groups = [(job.title, result.outcomes) for job, result in measured(results) if not job.unit]
    return {FILE: drawn(groups)} if groups else {}


def drawn(groups: list[tuple[str, list[Outcome]]]) -> str:
    parts: list[str] = []
    parts.append('<text x="0" y="18">Shorter is better; dashed is what decoding alone takes.</text>')
    top = 32
    for title, outcomes in groups:
        parts.append(f'<text class="heading" x="0" y="{top + 18}">{escape(title)}</text>')
        top += HEADING - 4
        longest = max(outcome.milliseconds for outcome in outcomes)
        for outcome in sorted(outcomes, key=lambda outcome: outcome.milliseconds):
            parts += bar(outcome, top, longest)
            top += BAR + GAP
        top += 12
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" '
        f'viewBox="0 0 {WIDTH} {top}" role="img">\n'
        f"<title>Times of Texel and its peers, shorter is better</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def kind(name: str) -> str:
    if "decoding alone" in name:
        return "floor"
    return "texel" if name == "Texel" else "more" if name.startswith("Texel") else "peer"


def bar(outcome: Outcome, top: float, longest: float) -> list[str]:
    length = max(2, outcome.milliseconds / longest * (WIDTH - LABELS - ROOM_FOR_VALUES))
    baseline = top + BAR - 4
    name = outcome.name.replace(" (decoding alone)", ", decoding")
    return [
        f'<text x="{LABELS - 10}" y="{baseline}" text-anchor="end">{escape(name)}</text>',
        f'<rect class="{kind(outcome.name)}" x="{LABELS}" y="{top}" width="{length:.1f}" height="{BAR}" rx="3"/>',
        f'<text class="value" x="{LABELS + length + 8:.1f}" y="{baseline}">{milliseconds(outcome.milliseconds)}</text>',
    ]
