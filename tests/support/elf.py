"""What a shared library needs of the system that loads it, as readelf prints it."""

import re
import subprocess


def _readelf(option, file):
    return subprocess.run(["readelf", "--wide", option, file], check=True, capture_output=True, text=True).stdout


def needed_libraries(file):
    """Returns the names of the libraries: {"libc.so.6"}."""
    return set(re.findall(r"\(NEEDED\) .*\[(.*)\]", _readelf("--dynamic", file)))


def needed_versions(file):
    """Returns the versions of the libraries' symbols by prefix, as numbers: {"GLIBC": {(2, 2, 5)}}.

    A version that is no number, such as GLIBC_ABI_DT_RELR, is a text.
    """
    _, _, needs = _readelf("--version-info", file).partition("Version needs section")
    versions = {}
    for prefix, version in re.findall(r"Name: ([A-Z]+)_(\S+)", needs):
        is_number = re.fullmatch(r"[\d.]+", version)
        versions.setdefault(prefix, set()).add(tuple(map(int, version.split("."))) if is_number else version)
    return versions


def needed_without_version(file):
    """Returns the names of symbols that a library must define, without a version of it."""
    return set(re.findall(r" GLOBAL +DEFAULT +UND (\w+)$", _readelf("--dyn-syms", file), re.MULTILINE))
