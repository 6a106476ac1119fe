"""Conditions that end a command: `--max-memory`, `--max-seconds`, no memory, a file that shrinks."""

import argparse
import math
import resource

from isthmus import _native

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def byte_count(text: str) -> int:
    """Parses `8G`, `500M` or `1000000` as a number of bytes.

    Raises:
      argparse.ArgumentTypeError: the text is not valid.
    """
    unit = text[-1:] if text.endswith(tuple("KMGT")) else ""
    number = text.removesuffix(unit)
    try:
        count = float(number) * _UNITS[unit]
    except ValueError:
        count = math.nan
    if not 0 < count < 2**63:
        raise argparse.ArgumentTypeError(f"expected a number of bytes, such as 500M or 8G, got {text!r}")
    return int(count)


def duration(text: str) -> float:
    """Parses a number of seconds.

    Raises:
      argparse.ArgumentTypeError: the text is not valid.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 10**9:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, such as 60 or 0.5, got {text!r}")
    return seconds


def set_limits(memory: int | None, seconds: float | None) -> None:
    """Limits the memory and time of this process from now on.

    The process ends with a message and status 1 when it exceeds a limit. It ends the same way, instead of by a signal,
    when native code runs out of memory or a mapped file becomes shorter.

    Args:
      memory: bytes of the process's own memory, without mapped files.
      seconds: wall-clock time, not processor time.
    """
    out_of_memory = "out of memory"
    if memory is not None:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        if most != resource.RLIM_INFINITY:
            memory = min(memory, most)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, most))
        out_of_memory = "out of memory: --max-memory allows no more"
    _native.exit_without_memory(f"isthmus: {out_of_memory}\n")
    _native.exit_without_file("isthmus: a file was cut short while it was read\n")
    if seconds is not None:
        _native.exit_after(seconds, f"isthmus: not finished within --max-seconds {seconds:g}\n")
