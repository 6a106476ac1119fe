"""What ends a command: `--max-memory`, `--max-seconds`, no memory, a file that shrinks."""

import argparse
import math
import resource

from isthmus import _native

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def byte_count(text: str) -> int:
    """Parses `8G`, `500M` or `1000000` to a number of bytes.

    Raises:
      argparse.ArgumentTypeError: the text is none.
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
      argparse.ArgumentTypeError: the text is none.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 10**9:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, such as 60 or 0.5, got {text!r}")
    return seconds


def set_limits(memory: int | None, seconds: float | None) -> None:
    """Bounds what this process may take from here on.

    What is over a bound ends it with a message and status 1, and so does what would end it by a signal: native code
    that gets no memory, and a file that someone makes shorter while it is read in place.

    Args:
      memory: bytes of memory of its own. Files that it reads in place are not counted.
      seconds: of time, not of the processor's.
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
