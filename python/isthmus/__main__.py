"""The process of the `isthmus` command, and of `python -m isthmus`."""

import gc
import sys

# Modules are no garbage: to look for some in them, while loading and once more
# at the end, would be a tenth of a small model's time.
gc.disable()
from isthmus import cli  # noqa: E402


def main():
    """Runs the command line of this process and returns its exit status."""
    args = cli.parse_arguments(sys.argv[1:])
    gc.freeze()
    gc.enable()
    return cli.run(args)


if __name__ == "__main__":
    sys.exit(main())
