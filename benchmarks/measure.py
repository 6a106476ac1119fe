"""Measures the cost of commands and calls, and prints tables."""

import dataclasses
import os
import statistics
import subprocess
import time


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost of a chain of processes: wall-clock and CPU seconds, and the peak resident size."""

    wall_s: float = 0
    cpu_s: float = 0
    peak_mb: float = 0
    error: str = ""

    def __add__(self, then):
        return Cost(
            self.wall_s + then.wall_s,
            self.cpu_s + then.cpu_s,
            max(self.peak_mb, then.peak_mb),
            self.error or then.error,
        )


def run(command):
    """Runs one command. A failure is recorded in the cost and raises no exception."""
    start = time.monotonic()
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        said = process.stderr.read()
        # Not wait(): it would reap the process and lose its resource usage.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    error = "" if process.returncode == 0 else f"status {process.returncode}: {said.strip()[-120:]}"
    return Cost(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, error)


def run_chain(commands):
    """Runs commands in order until one fails."""
    cost = Cost()
    for command in commands:
        cost += run(command)
        if cost.error:
            break
    return cost


def median_cost(commands, repeats):
    """Returns the run with the median CPU time."""
    costs = sorted((run_chain(commands) for _ in range(repeats)), key=lambda cost: cost.cpu_s)
    return costs[repeats // 2]


def median_ms(call, seconds=3.0):
    """Returns the median milliseconds of a call over as many calls as fit in `seconds` (at least 3), after a warm-up."""
    call()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def table(header, rows):
    """Returns a Markdown table with aligned columns."""
    cells = [[str(cell).replace("\n", " ") for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])
