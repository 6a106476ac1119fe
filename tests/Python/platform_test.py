"""What is native in the wheel needs no more of the system than the wheel's tag says."""

import pathlib
import re
import zipfile

import pytest

from tests.support import elf

(WHEEL,) = pathlib.Path("python").glob("*.whl")

MODULE, LIBRARY = "isthmus/_native.abi3.so", "isthmus/lib/libisthmus.so.0"

# Of GCC 8, which systems with glibc 2.28 have.
LIBGCC = (7, 0, 0)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Unpacks the wheel; returns its folder."""
    root = tmp_path_factory.mktemp("wheel")
    zipfile.ZipFile(WHEEL).extractall(root)
    return root


def test_every_native_file_is_known(installed):
    native = [path for path in installed.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    assert {str(path.relative_to(installed)) for path in native} == {MODULE, LIBRARY}


@pytest.mark.parametrize("file", [MODULE, LIBRARY])
def test_needs_the_glibc_of_the_tag(installed, file):
    glibc = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)_x86_64", WHEEL.name).groups()))
    versions = elf.needed_versions(installed / file)
    texts = [version for versions in versions.values() for version in versions if isinstance(version, str)]
    assert not texts, "expected symbols alone, got features of a newer glibc"
    assert set(versions) <= {"GCC", "GLIBC"}, "expected libstdc++ inside"
    assert max(versions["GLIBC"]) <= glibc
    assert max(versions["GCC"]) <= LIBGCC


@pytest.mark.parametrize("file", [MODULE, LIBRARY])
def test_needs_libraries_of_every_system(installed, file):
    system = {"ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0"}
    assert elf.needed_libraries(installed / file) - {"libisthmus.so.0"} <= system


def test_other_symbols_are_those_of_python_and_the_c_library(installed):
    # The glibc of the tag lacks a symbol that has none of its versions.
    assert elf.needed_without_version(installed / LIBRARY) == set()
    others = elf.needed_without_version(installed / MODULE)
    assert not {name for name in others if not name.startswith(("Py", "_Py", "isthmus_"))}


def test_the_module_has_no_copy_of_the_library(installed):
    assert (installed / MODULE).stat().st_size < 1e6
    assert "isthmus_model_lower" in elf.needed_without_version(installed / MODULE)
