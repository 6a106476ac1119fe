"""Prints "N passed, N failed" for the --build_event_json_file of each `bazel test` named.

Exits with status 1 when a target failed to build, a test failed, or nothing ran.
"""

import json
import sys


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


def main():
    passed, failed = 0, []
    for path in sys.argv[1:]:
        with open(path) as events:
            more_passed, more_failed = summarize(events)
        passed += more_passed
        failed += more_failed
    for label in failed:
        print(f"FAILED {label}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
