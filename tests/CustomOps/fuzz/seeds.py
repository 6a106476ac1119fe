"""Writes seed corpora for the fuzz targets: a program for each op of the torch dialect, carried to every target.

python3 -m tests.CustomOps.fuzz.seeds FOLDER

FOLDER/programs holds MLIR, FOLDER/ops holds the description of each tosa.custom in it, and FOLDER/outlined holds
programs with a pattern and with modules around some of their ops.
"""

import pathlib
import re
import subprocess
import sys

from tests.EndToEnd import aten_cases, aten_composite_cases

OPT = "bazel-bin/tools/isthmus-opt/isthmus-opt"
FORMS = {"linalg": "linalg-call", "mhlo": "mhlo-custom-call", "tosa": "tosa-custom"}
LARGEST = 4096
CUSTOM = re.compile(
    r'tosa\.custom .*\{domain_name = "(.*?)", implementation_attrs = "(.*?)", operator_name = "(.*?)"\} : (.*)'
)


def smallest_programs():
    """The shortest program of each op, one with known sizes and one with unknown sizes."""
    shortest = {}
    for case in [*aten_cases.CASES, *aten_composite_cases.CASES]:
        for dynamic in [False, True]:
            program = case.program(dynamic)
            known = shortest.setdefault((case.op, dynamic), program)
            shortest[case.op, dynamic] = min(known, program, key=len)
    return list(shortest.values())


def build_opt():
    """Builds the isthmus-opt that makes seeds, in the usual configuration and not in that of fuzzing."""
    subprocess.run(["bazel", "build", "//tools/isthmus-opt"], check=True)


def converted(programs, option):
    """Converts programs with isthmus-opt; leaves out those that it cannot convert."""
    command = [OPT, "--split-input-file", option]
    text = "\n// -----\n".join(programs)
    run = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return [program.strip() + "\n" for program in run.stdout.split("// -----")]


def carried(programs, form, encoding):
    return converted(programs, f"--convert-torch-backend-legal-to-{form}=ops=all custom-op-encoding={encoding}")


def unescaped(text):
    """The string that MLIR prints with escapes."""
    return re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), text)


def outlined(program):
    """The program as a pattern, followed by the program with every other op in a module."""
    where = '#part = loc(fused<[["acme.Part", "part", {}]]>["node"])\n'
    lines = program.splitlines()
    ops = [index for index, line in enumerate(lines) if re.match(r"\s+(%.* = )?\"?torch\.", line)]
    for index in ops[::2]:
        lines[index] += " loc(#part)"
    return where + program.replace("@main", "@acme.Whole") + "\n".join(lines) + "\n"


def outline_seeds():
    """Programs to outline: one for every op, and those of the lit tests."""
    tests = pathlib.Path("tests/Conversion/CustomOps")
    patterns = re.split(r"\n\n// .*", (tests / "Inputs/patterns.mlir").read_text(encoding="utf-8"))[1:]
    for path in sorted(tests.glob("outline*.mlir")):
        for part in re.split(r"// -----\n", path.read_text(encoding="utf-8")):
            yield re.sub(r"(?m)^\s*//.*\n", "", part)
            for pattern in patterns if path.stem == "outline_patterns" else []:
                yield pattern + re.sub(r"(?m)^\s*//.*\n", "", part)
    for program in smallest_programs():
        yield outlined(program)


def main():
    build_opt()
    folder = pathlib.Path(sys.argv[1])
    for name in ["programs", "ops", "outlined"]:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for index, program in enumerate(outline_seeds()):
        if len(program) <= LARGEST:
            (folder / "outlined" / f"{index}.mlir").write_text(program, encoding="utf-8")
    programs = smallest_programs()
    ops = set()
    for target, form in FORMS.items():
        for encoding in ["attributes", "operands"]:
            for index, program in enumerate(carried(programs, form, encoding)):
                if len(program) <= LARGEST:
                    path = folder / "programs" / f"{target}_{encoding}_{index}.mlir"
                    path.write_text(program, encoding="utf-8")
                for domain, attributes, name, types in CUSTOM.findall(program):
                    ops.add(f"{name}\n{domain}\n{types}\n{unescaped(attributes)}")
    for index, op in enumerate(sorted(ops)):
        (folder / "ops" / f"{index}.txt").write_text(op, encoding="utf-8")


if __name__ == "__main__":
    main()
