"""Installs the C library and the plugin of mlir-opt: bazel run //tools/install -- PREFIX

    PREFIX/include/isthmus.h
    PREFIX/lib/IsthmusPlugin.so
    PREFIX/lib/libisthmus.so -> libisthmus.so.0 -> libisthmus.so.0.1.0
    PREFIX/lib/cmake/Isthmus/IsthmusConfig.cmake
    PREFIX/lib/pkgconfig/isthmus.pc

The tree may be moved: its files find each other by their own place.
"""

import argparse
import os
import pathlib

from tools.install.tree import copy, replace, write_tree

LIBRARY = "cc/lib/C/libisthmus.so"
PLUGIN = "cc/lib/Plugin/IsthmusPlugin.so"


def install(prefix, version):
    write_tree(prefix, version)
    copy("LICENSE", prefix / "share/doc/isthmus/LICENSE", 0o644)
    names = [f"libisthmus.so.{version}", "libisthmus.so.0", "libisthmus.so"]
    copy(LIBRARY, prefix / "lib" / names[0], 0o755)
    copy(PLUGIN, prefix / "lib/IsthmusPlugin.so", 0o755)
    for name, target in zip(names[1:], names):
        replace(prefix / "lib" / name, lambda new, target=target: new.symlink_to(target))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True, help=argparse.SUPPRESS)
    parser.add_argument("prefix", help="the folder to install to")
    args = parser.parse_args()
    # `bazel run` starts in the runfiles.
    prefix = pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", ""), args.prefix)
    install(prefix, args.version)
    print(f"installed to {prefix}")


if __name__ == "__main__":
    main()
