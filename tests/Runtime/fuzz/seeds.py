"""Writes seeds for ProgramFuzz: the shortest program of each op on Linalg and TOSA, and the programs of lit tests.

python3 -m tests.Runtime.fuzz.seeds FOLDER
"""

import pathlib
import sys

from tests.CustomOps.fuzz.seeds import build_opt, converted, smallest_programs
from tests.support.fuzz.seeds import programs_of_tests, write_seeds


def main():
    build_opt()
    programs = list(programs_of_tests("Runtime/*.mlir"))
    for target in ("linalg", "tosa"):
        programs += converted(smallest_programs(), f"--torch-to-{target}-pipeline")
    write_seeds(pathlib.Path(sys.argv[1], "programs"), programs, "mlir")


if __name__ == "__main__":
    main()
