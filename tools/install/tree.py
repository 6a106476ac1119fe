"""Writes what lies beside the C library: the header, and the files of CMake and pkg-config.

    PREFIX/include/isthmus.h
    PREFIX/lib/cmake/Isthmus/IsthmusConfig.cmake
    PREFIX/lib/pkgconfig/isthmus.pc

The tree may be moved: its files find each other by their own place.
"""

import argparse
import json
import os
import pathlib
import shutil

# The runfiles, with the sources.
ROOT = pathlib.Path(__file__).absolute().parents[2]


def replace(path, write):
    """Writes a new file and moves it to its place: a program may have the old one mapped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    write(new)
    new.replace(path)


def copy(source, to, mode):
    """Copies a file of the runfiles."""

    def write(new):
        shutil.copyfile(ROOT / source, new)
        new.chmod(mode)

    replace(to, write)


def write_tree(prefix, version):
    layout = json.loads((ROOT / "tools/install/layout.json").read_text(encoding="utf-8"))
    for source, to in layout.items():
        if source.endswith(".in"):
            text = (ROOT / source).read_text(encoding="utf-8").replace("@VERSION@", version)
            replace(prefix / to, lambda new, text=text: new.write_text(text, encoding="utf-8"))
        else:
            copy(source, prefix / to, 0o644)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("prefix", type=pathlib.Path, help="the folder to write to")
    args = parser.parse_args()
    write_tree(args.prefix, args.version)
