"""Runs work in processes of its own, so that a crash or work without end is a result like an error."""

import dataclasses
import faulthandler
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from typing import Any

from isthmus import errors as errors_of_isthmus
from isthmus import limits
from isthmus.errors import IsthmusError

_PREFIX = "isthmus: "


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What work in a child process came to.

    Attributes:
      result: what it returned, as JSON has it; None if it failed.
      messages: the messages of the BadModelError or UnsupportedError that it raised;
        empty if it raised none. If the child reached a limit, what a command says then.
        If a signal ended it, or if it raised an error that is no IsthmusError, a message
        that says so.
    """

    result: Any
    messages: list[str]


def run(work: Callable[[], Any], memory: int | None = None, seconds: float | None = None) -> Outcome:
    """Runs work in a child process.

    Args:
      work: a function that returns what JSON can hold. It sees the state of this process and changes only the child's.
      memory: the most bytes of memory that the child may have.
      seconds: the most seconds that it may run.

    Raises:
      IsthmusError: the work raised one of another class.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            _work(work, memory, seconds, result, errors)
        try:
            _, status = os.waitpid(child, 0)
        except BaseException:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        result.seek(0)
        errors.seek(0)
        if os.WIFSIGNALED(status):
            return Outcome(None, [f"the process ended by {_name_of(os.WTERMSIG(status))}"])
        if status:
            lines = errors.read().decode(errors="replace").strip().splitlines()
            ended = f"the process ended with status {os.waitstatus_to_exitcode(status)}"
            return Outcome(None, [lines[-1].removeprefix(_PREFIX) if lines else ended])
        value, kind, messages = json.load(result)
    if kind in (None, "BadModelError", "UnsupportedError"):
        return Outcome(value, messages)
    raise getattr(errors_of_isthmus, kind)(messages)


def _work(work, memory, seconds, result, errors):
    """Runs the work in the child, which ends here."""
    status = 1
    try:
        faulthandler.disable()
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))
        os.dup2(errors.fileno(), 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        limits.set_limits(memory, seconds)
        said = None
        try:
            said = work(), None, []
        except IsthmusError as error:
            said = None, type(error).__name__, error.messages
        result.write(json.dumps(said).encode())
        result.flush()
        status = 0
    except MemoryError:
        os.write(2, b"out of memory\n")
    except KeyboardInterrupt:
        os.kill(os.getpid(), signal.SIGKILL)
    except BaseException:
        os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(status)


def _name_of(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
