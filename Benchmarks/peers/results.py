"""Results, kept in .cache so that jobs can be measured one at a time."""

import json
from dataclasses import asdict, dataclass

from .measuring import Outcome
from .pictures import CACHE

STORE = CACHE / "results.json"


@dataclass
class Result:
    """A job's outcomes, and the conditions under which they were measured."""

    outcomes: list[Outcome]
    rounds: int
    commit: str
    date: str
    machine: str
    versions: list[str]
    real_pictures: bool


def load() -> dict[str, Result]:
    if not STORE.exists():
        return {}
    stored = json.loads(STORE.read_text())
    return {
        key: Result(**(value | {"outcomes": [Outcome(**one) for one in value["outcomes"]]}))
        for key, value in stored.items()
    }


def save(results: dict[str, Result]) -> None:
    CACHE.mkdir(exist_ok=True)
    STORE.write_text(json.dumps({key: asdict(result) for key, result in results.items()}, indent=1))
