"""Times work in memory."""

import time
from collections.abc import Callable


def print_times(work: Callable[[], object], count: int) -> None:
    """Prints the milliseconds of each of `count` runs, one per line, after a run that warms up."""
    work()
    for _ in range(count):
        start = time.perf_counter()
        work()
        print((time.perf_counter() - start) * 1000)
