"""Installs the C library: bazel run //tools/install -- PREFIX

    PREFIX/include/isthmus.h
    PREFIX/lib/libisthmus.so -> libisthmus.so.0 -> libisthmus.so.0.1.0
    PREFIX/lib/cmake/Isthmus/IsthmusConfig.cmake
    PREFIX/lib/pkgconfig/isthmus.pc

The tree may be moved: its files find each other by their own place.
"""

import argparse
import os
import pathlib
import shutil

# Where the files of the runfiles go. `@VERSION@` in a `.in` file becomes the version.
FILES = {
    "cc/include/isthmus.h": "include/isthmus.h",
    "cc/include/isthmus/Runtime/Kernel.h": "include/isthmus/Runtime/Kernel.h",
    "tools/install/IsthmusConfig.cmake": "lib/cmake/Isthmus/IsthmusConfig.cmake",
    "tools/install/IsthmusConfigVersion.cmake.in": "lib/cmake/Isthmus/IsthmusConfigVersion.cmake",
    "tools/install/isthmus.pc.in": "lib/pkgconfig/isthmus.pc",
    "LICENSE": "share/doc/isthmus/LICENSE",
}
LIBRARY = "cc/lib/C/libisthmus.so"


def replace(path, write):
    """Writes a new file and moves it to its place: a program may have the old one mapped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    write(new)
    new.replace(path)


def copy(source, to, mode):
    def write(new):
        shutil.copyfile(source, new)
        new.chmod(mode)

    replace(to, write)


def install(prefix, version):
    for source, to in FILES.items():
        if source.endswith(".in"):
            text = pathlib.Path(source).read_text(encoding="utf-8").replace("@VERSION@", version)
            replace(prefix / to, lambda new, text=text: new.write_text(text, encoding="utf-8"))
        else:
            copy(source, prefix / to, 0o644)
    names = [f"libisthmus.so.{version}", "libisthmus.so.0", "libisthmus.so"]
    copy(LIBRARY, prefix / "lib" / names[0], 0o755)
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
