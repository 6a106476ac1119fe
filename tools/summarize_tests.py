"""Prints the slowest tests and "N passed, N failed" for the --build_event_json_file of each `bazel test` named.

Exits with status 1 when a target failed to build, a test failed, or nothing ran.
"""

import collections
import json
import sys

# Tests in the list of the slowest.
SHOWN = 20


def summarize(lines):
    """Counts the passed tests of one run and lists the others.

    Args:
      lines: the build event file, one JSON event per line.

    Returns:
      (number passed, labels of the tests that failed or were not run).
    """
    passed, failed, finished = 0, [], False
    for line in lines:
        event = json.loads(line)
        identity = event["id"]
        if "testSummary" in identity:
            if event.get("testSummary", {}).get("overallStatus") in ("PASSED", "FLAKY"):
                passed += 1
            else:
                failed.append(identity["testSummary"]["label"])
        elif "targetCompleted" in identity and not event.get("completed", {}).get("success"):
            failed.append(identity["targetCompleted"]["label"])
        elif "buildFinished" in identity:
            finished = True
    if not finished or not passed:
        failed.append("bazel test itself")
    return passed, sorted(set(failed))


def durations(lines):
    """Returns the seconds of each test in one run, over all its shards. A cached result has the time of its own run."""
    events = map(json.loads, lines)
    return {
        event["id"]["testSummary"]["label"]: int(event["testSummary"].get("totalRunDurationMillis", 0)) / 1000
        for event in events
        if "testSummary" in event["id"] and "testSummary" in event  # an aborted run has none
    }


def report(taken):
    """Returns the lines of the SHOWN slowest tests, and their share."""
    slowest = sorted(taken.items(), key=lambda test: -test[1])[:SHOWN]
    seconds = sum(seconds for _, seconds in slowest)
    total = f"slowest {len(slowest)} of {len(taken)} tests: {seconds:.0f} of {sum(taken.values()):.0f} s"
    return [total, *(f"{seconds:8.1f} s  {label}" for label, seconds in slowest)]


def main():
    passed, failed, taken = 0, [], collections.Counter()
    for path in sys.argv[1:]:
        with open(path) as events:
            lines = events.readlines()
        more_passed, more_failed = summarize(lines)
        passed += more_passed
        failed += more_failed
        taken.update(durations(lines))
    print("\n".join(report(taken)))
    for label in failed:
        print(f"FAILED {label}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
