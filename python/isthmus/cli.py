"""The `isthmus` command."""

import argparse
import sys


def main(argv=None):
    """Runs the command line `argv` (default: the process's) and returns the exit status."""
    import isthmus

    parser = argparse.ArgumentParser(prog="isthmus", description=isthmus.__doc__)
    parser.add_argument(
        "--version", action="version", version=f"isthmus {isthmus.__version__} with {', '.join(isthmus.parts())}"
    )
    parser.parse_args(argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
