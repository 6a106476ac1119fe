"""Where the package has the C library, and the command `isthmus-config`, which says it to compilers."""

import argparse
import pathlib
import shlex

_PACKAGE = pathlib.Path(__file__).absolute().parent


def get_include() -> str:
    """Returns the folder of `isthmus.h`."""
    return str(_PACKAGE / "include")


def get_library_dir() -> str:
    """Returns the folder of `libisthmus.so.0`, which has the CMake package and the pkg-config file in it."""
    return str(_PACKAGE / "lib")


def cmake_dir() -> str:
    """Returns the folder that `Isthmus_DIR` of CMake names."""
    return str(_PACKAGE / "lib" / "cmake" / "Isthmus")


def cflags() -> list[str]:
    """Returns the arguments of a C compiler that find the header."""
    return ["-I" + get_include()]


def libs() -> list[str]:
    """Returns the arguments that link the library, which the program finds where it is now."""
    folder = get_library_dir()
    return ["-L" + folder, "-l:libisthmus.so.0", "-Wl,-rpath," + folder]


def main() -> int:
    """Runs the command `isthmus-config` and returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="isthmus-config", description="Say where the C library of Isthmus is, one line for each question."
    )
    parser.add_argument("--cflags", action="store_true", help="arguments of a C compiler that find isthmus.h")
    parser.add_argument("--libs", action="store_true", help="arguments that link libisthmus.so.0")
    parser.add_argument("--cmakedir", action="store_true", help="the folder for CMake: -DIsthmus_DIR=FOLDER")
    args = parser.parse_args()
    lines = []
    if args.cflags:
        lines.append(shlex.join(cflags()))
    if args.libs:
        lines.append(shlex.join(libs()))
    if args.cmakedir:
        lines.append(cmake_dir())
    if not lines:
        parser.error("expected --cflags, --libs or --cmakedir, got none")
    print("\n".join(lines))
    return 0
