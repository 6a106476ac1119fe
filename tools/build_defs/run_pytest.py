"""Runs pytest with Bazel's test filter, shards and XML report."""

import os
import pathlib
import sys

import pytest


class Shard:
    """Keeps every n-th case, so that each case runs in exactly one shard."""

    def __init__(self, index, count):
        self.index, self.count = index, count

    def pytest_collection_modifyitems(self, items):
        items[:] = items[self.index :: self.count]


def main():
    env = os.environ
    required = {arg[len("--requires=") :] for arg in sys.argv if arg.startswith("--requires=")}
    present = {arg[len("-D") :] for arg in sys.argv if arg.startswith("-D")}
    rest = [arg for arg in sys.argv[1:] if not arg.startswith(("--requires=", "-D"))]
    args = ["-p", "no:cacheprovider", "--import-mode=importlib", "-ra", *rest]
    if "XML_OUTPUT_FILE" in env:
        args.append("--junitxml=" + env["XML_OUTPUT_FILE"])
    if "TESTBRIDGE_TEST_ONLY" in env:
        args += ["-k", env["TESTBRIDGE_TEST_ONLY"]]

    plugins = []
    if "TEST_TOTAL_SHARDS" in env:
        pathlib.Path(env["TEST_SHARD_STATUS_FILE"]).touch()
        plugins.append(Shard(int(env["TEST_SHARD_INDEX"]), int(env["TEST_TOTAL_SHARDS"])))
    if missing := required - present:
        print("skipped: this build has no", ", ".join(sorted(missing)))
        return pytest.ExitCode.OK
    status = pytest.main(args, plugins)
    # A shard may have no case; a whole file must have one.
    if plugins and status == pytest.ExitCode.NO_TESTS_COLLECTED:
        status = pytest.ExitCode.OK
    return status


if __name__ == "__main__":
    sys.exit(main())
