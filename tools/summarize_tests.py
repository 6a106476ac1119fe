"""Prints "N passed, N failed" for a `bazel test --build_event_json_file` run.

Exits with status 1 when a target failed to build, a test failed, or nothing ran.
"""

import json
import sys


def summarize(lines):
    """Counts the tests of one run and lists what did not pass.

    Args:
      lines: the build event file, one JSON event per line.

    Returns:
      (number passed, labels of the tests that failed or were not run).
    """
    passed, failed = 0, []
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
    return passed, sorted(set(failed))


def main():
    with open(sys.argv[1]) as events:
        passed, failed = summarize(events)
    for label in failed:
        print(f"FAILED {label}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
