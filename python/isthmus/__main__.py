"""The entry point of the `isthmus` command and of `python -m isthmus`."""

import gc
import os
import sys

# Modules are not garbage. Collecting while they load, and again at the end,
# would take a tenth of a small model's time.
gc.disable()
from isthmus import cli  # noqa: E402


def open_streams():
    """Opens missing standard streams, so that no other file gets the number of one.

    Writing to such an output fails, as it should; messages are lost.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the first free number
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def main():
    """Runs the command line of this process and returns its exit status."""
    open_streams()
    args = cli.parse_arguments(sys.argv[1:])
    gc.freeze()
    gc.enable()
    return cli.run(args)


if __name__ == "__main__":
    sys.exit(main())
