"""Writes a wheel: a zip of the package's files and the metadata that pip reads.

Equal inputs give an equal file: names are sorted and times are fixed.

Source:
  https://packaging.python.org/en/latest/specifications/binary-distribution-format
"""

import argparse
import base64
import hashlib
import pathlib
import zipfile


def record_line(name, data):
    """Returns the RECORD line of a file: its name, its hash without padding, its size."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
    return f"{name},sha256={digest.decode()},{len(data)}\n"


def entry_points(entries):
    """Returns the text of entry_points.txt for pairs of a group and "NAME = MODULE:FUNCTION"."""
    groups = {}
    for group, entry in entries:
        groups.setdefault(group, []).append(entry)
    return "".join(f"[{group}]\n" + "".join(f"{line}\n" for line in lines) for group, lines in groups.items())


def extras(pairs):
    """Returns the metadata of pairs of an extra and a requirement, such as "verify" and "onnx>=1.17"."""
    names = [f"Provides-Extra: {name}" for name in sorted({name for name, _ in pairs})]
    return [*names, *(f'Requires-Dist: {requirement}; extra == "{name}"' for name, requirement in pairs)]


def metadata_files(args):
    """Returns {file name in the dist-info folder: bytes}, all but RECORD."""
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {args.name}",
        f"Version: {args.version}",
        f"Summary: {args.summary}",
        "License: Apache-2.0 WITH LLVM-exception",
        f"Requires-Python: {args.requires_python}",
        *(f"Requires-Dist: {requirement}" for requirement in args.requires),
        *extras(args.extra),
        "Description-Content-Type: text/markdown",
        "",
        pathlib.Path(args.readme).read_text(),
    ]
    wheel = [
        "Wheel-Version: 1.0",
        "Generator: isthmus make_wheel",
        "Root-Is-Purelib: false",
        f"Tag: {args.tag}",
        "",
    ]
    return {
        "LICENSE": pathlib.Path(args.license).read_bytes(),
        "METADATA": "\n".join(metadata).encode(),
        "WHEEL": "\n".join(wheel).encode(),
        "entry_points.txt": entry_points(args.entry_point).encode(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--summary", required=True)
    parser.add_argument("--tag", required=True)
    parser.add_argument("--requires-python", required=True)
    parser.add_argument("--requires", action="append", default=[])
    parser.add_argument("--extra", nargs=2, action="append", default=[], metavar=("NAME", "REQUIREMENT"))
    parser.add_argument("--entry-point", nargs=2, action="append", metavar=("GROUP", "NAME = MODULE:FUNCTION"))
    parser.add_argument("--readme", required=True)
    parser.add_argument("--license", required=True)
    parser.add_argument("files", nargs="+", help="files of the package, under a folder NAME")
    args = parser.parse_args()

    contents = {}
    for file in args.files:
        # bazel-out/…/python/isthmus/api.py is isthmus/api.py in the wheel.
        inside = f"/{file}".rpartition(f"/python/{args.name}/")[2]
        inside = f"{args.name}/{inside}"
        contents[inside] = pathlib.Path(file).read_bytes()
    info = f"{args.name}-{args.version}.dist-info"
    for file, data in metadata_files(args).items():
        contents[f"{info}/{file}"] = data
    lines = [record_line(name, data) for name, data in sorted(contents.items())]
    contents[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()

    with zipfile.ZipFile(args.out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)


if __name__ == "__main__":
    main()
