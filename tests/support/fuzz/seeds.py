"""Functions that scripts share to write seeds."""

import pathlib
import re

# The largest size of a seed. Small inputs are fast to read, and a mutation has more effect on them.
LARGEST = 4096


def write_seeds(folder, seeds, suffix, largest=LARGEST):
    """Writes each of the texts or byte strings once, except for those that are too long."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unique = dict.fromkeys(seed.encode() if isinstance(seed, str) else seed for seed in seeds)
    for index, seed in enumerate(unique):
        if len(seed) <= largest:
            (folder / f"{index}.{suffix}").write_bytes(seed)


def programs_of_tests(*patterns):
    """The programs of lit tests, split into functions and without comments."""
    for pattern in patterns:
        for path in sorted(pathlib.Path("tests").glob(pattern)):
            text = path.read_text(encoding="utf-8")
            for program in re.split(r"// -----\n|\n(?=// CHECK-LABEL|func\.func)", text):
                yield re.sub(r"(?m)^\s*//.*\n|\s+//.*$", "", program)
