"""Results of the jobs, in Benchmarks/results.json: the source of all figures beside peers in README and docs.

Each job keeps the conditions under which it was measured, so that jobs can be measured one at a time.
"""

import json
from dataclasses import asdict, dataclass

from .measuring import Outcome
from .tools import BENCHMARKS

STORE = BENCHMARKS / "results.json"


@dataclass(frozen=True)
class Conditions:
    """When, where and with which versions jobs were measured."""

    date: str
    machine: str
    commit: str
    versions: tuple[str, ...]
    real_pictures: bool


@dataclass
class Result:
    """A job's outcomes, and the conditions under which they were measured."""

    outcomes: list[Outcome]
    rounds: int
    conditions: Conditions


def load() -> dict[str, Result]:
    if not STORE.exists():
        return {}
    stored = json.loads(STORE.read_text())
    conditions = [Conditions(**(one | {"versions": tuple(one["versions"])})) for one in stored["conditions"]]
    return {
        key: Result([Outcome(**one) for one in job["outcomes"]], job["rounds"], conditions[job["conditions"]])
        for key, job in stored["jobs"].items()
    }


def save(results: dict[str, Result]) -> None:
    """Writes one line for each program's outcomes, so that a new run changes few lines."""
    conditions = sorted({result.conditions for result in results.values()}, key=lambda one: (one.date, one.commit))
    lines = ['{"conditions": [']
    lines += separated([encoded(asdict(one)) for one in conditions])
    lines.append('], "jobs": {')
    jobs = []
    for key, result in sorted(results.items()):
        head = f'{encoded(key)}: {{"conditions": {conditions.index(result.conditions)}, "rounds": {result.rounds}'
        outcomes = separated([encoded(rounded(outcome)) for outcome in result.outcomes])
        jobs.append("\n".join([f'{head}, "outcomes": [', *outcomes, "]}"]))
    lines += separated(jobs)
    lines.append("}}")
    STORE.write_text("\n".join(lines) + "\n")


def separated(parts: list[str]) -> list[str]:
    return [f"{part}," for part in parts[:-1]] + parts[-1:]


def encoded(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def rounded(outcome: Outcome) -> dict[str, object]:
    """An outcome with times to the microsecond."""
    times = {name: [round(value, 3) for value in getattr(outcome, name)] for name in ("wall", "processor")}
    return asdict(outcome) | times
