"""Runs pytest with Bazel's test filter, shards and XML report."""

import collections
import gc
import itertools
import os
import pathlib
import sys

import pytest

# The number of consecutive cases that stay in one shard, because tests/support/batches.py makes one program of them.
AT_ONCE = 16


class Shard:
    """Selects the tests of one shard. Each test runs in exactly one shard, together with tests that share its fixtures.

    Such tests are those of one model, by the value of the parameter `name` or `model`, and those of AT_ONCE
    consecutive values of the parameter `case` of one test.
    """

    def __init__(self, index, count):
        self.index, self.count = index, count
        self.places = collections.defaultdict(dict)  # the positions of the cases of each test

    def group(self, item):
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        for name in ("name", "model"):
            if name in parameters:
                return str(parameters[name])
        if "case" not in parameters:
            return item.nodeid
        places = self.places[item.function]
        return item.function, places.setdefault(id(parameters["case"]), len(places)) // AT_ONCE

    def pytest_collection_modifyitems(self, items):
        groups = collections.defaultdict(list)
        for item in items:
            groups[self.group(item)].append(item)
        kept = list(groups.values())[self.index :: self.count]
        items[:] = itertools.chain.from_iterable(kept)


class Lasting:
    """Keeps what all tests share, modules and thousands of cases, out of each search for garbage: 5 % of the time."""

    def pytest_collection_finish(self):
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000)


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

    plugins = [Lasting()]
    if "TEST_TOTAL_SHARDS" in env:
        pathlib.Path(env["TEST_SHARD_STATUS_FILE"]).touch()
        plugins.append(Shard(int(env["TEST_SHARD_INDEX"]), int(env["TEST_TOTAL_SHARDS"])))
    if missing := required - present:
        print("skipped: this build has no", ", ".join(sorted(missing)))
        return pytest.ExitCode.OK
    status = pytest.main(args, plugins)
    # A shard may have no case; a whole file must have one.
    if "TEST_TOTAL_SHARDS" in env and status == pytest.ExitCode.NO_TESTS_COLLECTED:
        status = pytest.ExitCode.OK
    return status


if __name__ == "__main__":
    sys.exit(main())
