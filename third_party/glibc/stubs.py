"""Writes assembly and version scripts of stubs for an older glibc: its symbols, in its libraries, without code.

glibc keeps all versions of a symbol: `pow@GLIBC_2.2.5` beside `pow@@GLIBC_2.29`. Of each symbol, a stub has the
newest version that the older glibc has. What is linked with the stubs needs no more.
"""

import argparse
import pathlib
import re
import subprocess

# What glibc 2.34 and its predecessors moved into libc.so.6, where it has a newer version.
MOVED = {
    "libdl.so.2": ("dl",),
    "libpthread.so.0": ("__pthread_", "call_once", "cnd_", "mtx_", "pthread_", "sem_", "thrd_", "tss_"),
    "librt.so.1": ("aio_", "lio_", "mq_", "shm_", "timer_"),
}

# "  931: 00000000000392b0  181 FUNC  GLOBAL DEFAULT  17 pow@@GLIBC_2.29"
SYMBOL = re.compile(r" (FUNC|IFUNC|OBJECT|TLS) +(?:GLOBAL|WEAK) +DEFAULT +\d+ (\w+)(@@?)GLIBC_([\d.]+)$", re.MULTILINE)


def number(version):
    """Returns a version in the order of versions: "2.2.5" is (2, 2, 5)."""
    return tuple(map(int, version.split(".")))


def chosen(symbols, floor):
    """Returns {name: (type, version)} for tuples of type, name, mark and version, and the names that have newer ones.

    A name that no version has with the mark `@@` is for old programs alone: what is linked has it elsewhere.
    """
    linked = {name for _, name, mark, _ in symbols if mark == "@@"}
    old, newer = {}, set()
    for kind, name, _, version in symbols:
        if name not in linked:
            continue
        if number(version) > number(floor):
            newer.add(name)
        elif name not in old or number(version) > number(old[name][1]):
            old[name] = (kind, version)
    return old, newer


def home(name, library, newer):
    """Returns the library that has a symbol in the older glibc."""
    for moved, prefixes in MOVED.items():
        if library == "libc.so.6" and name in newer and name.startswith(prefixes):
            return moved
    return library


def stub(symbols):
    """Returns assembly and a version script for {name: (type, version)}."""
    assembly, versions = [], {}
    for name, (kind, version) in sorted(symbols.items()):
        kind = {"IFUNC": "function", "FUNC": "function", "OBJECT": "object", "TLS": "tls_object"}[kind]
        section = ".tbss" if kind == "tls_object" else ".text" if kind == "function" else ".bss"
        section += ',"awT",@nobits' if kind == "tls_object" else ""
        assembly.append(f".section {section}\n.globl {name}\n.type {name},@{kind}\n{name}: .zero 8\n.size {name},8\n")
        versions.setdefault(version, []).append(name)
    nodes = [
        f"GLIBC_{version} {{ global: {'; '.join(names)}; }};\n"
        for version, names in sorted(versions.items(), key=lambda node: number(node[0]))
    ]
    return "".join(assembly), "".join(nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readelf", required=True)
    parser.add_argument("--floor", required=True, help="the version of the older glibc")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for NAME.s and NAME.map")
    parser.add_argument("libraries", nargs="+", type=pathlib.Path)
    args = parser.parse_args()

    stubs = {}
    for library in args.libraries:
        command = [args.readelf, "--dyn-syms", "--wide", library]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        old, newer = chosen(SYMBOL.findall(text), args.floor)
        for name, symbol in old.items():
            stubs.setdefault(home(name, library.name, newer), {})[name] = symbol
    for library, symbols in stubs.items():
        assembly, versions = stub(symbols)
        (args.out / f"{library}.s").write_text(assembly)
        (args.out / f"{library}.map").write_text(versions)


if __name__ == "__main__":
    main()
