"""Writes seeds for DialectsFuzz: the programs of lit tests, and the shortest program of each op.

python3 -m tests.Dialect.fuzz.seeds FOLDER
"""

import pathlib
import sys

from tests.CustomOps.fuzz.seeds import build_opt, carried, smallest_programs
from tests.support.fuzz.seeds import programs_of_tests, write_seeds


def main():
    build_opt()
    programs = [
        *programs_of_tests("Dialect/*/*.mlir", "Conversion/*/*.mlir", "Importer/*.mlir"),
        *smallest_programs(),
        *carried(smallest_programs(), "mhlo", "attributes"),
    ]
    write_seeds(pathlib.Path(sys.argv[1], "programs"), programs, "mlir")


if __name__ == "__main__":
    main()
