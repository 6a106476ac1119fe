"""isthmus.h is C99 and C++, and the library exports its functions and nothing else."""

import subprocess

import pytest

from tests.C import library

KERNEL_H = "cc/include/isthmus/Runtime/Kernel.h"


@pytest.mark.parametrize("header", [library.HEADER, KERNEL_H], ids=str)
@pytest.mark.parametrize("language", ["c -std=c99", "c -std=c17", "c++ -std=c++11", "c++ -std=c++20"])
def test_compiles(header, language):
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wstrict-prototypes"]
    if language.startswith("c++"):
        flags.remove("-Wstrict-prototypes")
    command = ["clang-22", "-fsyntax-only", "-x", *language.split(), *flags, "-Icc/include", "-include", header, "-"]
    done = subprocess.run(command, input="extern int nothing;\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_compiler_of_dlpack_may_define_its_tensor():
    text = f'#include "{library.HEADER}"\ntypedef struct DLManagedTensor {{ int fields; }} DLManagedTensor;\n'
    for language in ("c", "c++"):
        command = ["clang-22", "-fsyntax-only", "-Werror", "-x", language, "-I.", "-Icc/include", "-"]
        subprocess.run(command, input=text, check=True, text=True)


def symbols(*flags):
    command = ["nm", "--dynamic", *flags, library.LIBRARY]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def test_exports():
    assert symbols("--defined-only") == set(library.declared())


def test_is_named_by_its_abi():
    text = subprocess.run(["readelf", "--dynamic", library.LIBRARY], check=True, capture_output=True, text=True).stdout
    assert f"[libisthmus.so.{library.library.isthmus_abi_version()}]" in text
