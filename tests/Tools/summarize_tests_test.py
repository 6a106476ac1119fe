"""tools/summarize_tests.py counts the results that `bazel test` reported."""

import json

from tools.summarize_tests import durations, report, summarize


def summary(label, status):
    return json.dumps({"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}})


FINISHED = json.dumps({"id": {"buildFinished": {}}})


def completed(label, **payload):
    return json.dumps({"id": {"targetCompleted": {"label": label}}, **payload})


def test_counts_each_test_once():
    lines = [
        completed("//a", completed={"success": True}),
        summary("//a", "PASSED"),
        summary("//b", "FLAKY"),
        summary("//c", "FAILED"),
        summary("//d", "TIMEOUT"),
        FINISHED,
    ]
    assert summarize(lines) == (2, ["//c", "//d"])


def test_a_target_that_does_not_build_has_failed():
    lines = [
        summary("//a", "PASSED"),
        completed("//b", aborted={"reason": "ANALYSIS_FAILURE"}),
        completed("//c", completed={}),
        FINISHED,
    ]
    assert summarize(lines) == (1, ["//b", "//c"])


def test_a_test_that_does_not_build_is_counted_once():
    lines = [summary("//a", "PASSED"), completed("//b", completed={}), summary("//b", "NO_STATUS"), FINISHED]
    assert summarize(lines) == (1, ["//b"])


def test_a_run_that_stopped_or_was_empty_has_failed():
    assert summarize([summary("//a", "PASSED")]) == (1, ["bazel test itself"])
    assert summarize([FINISHED]) == (0, ["bazel test itself"])


def test_the_slowest_come_first():
    def timed(label, milliseconds):
        return json.dumps(
            {"id": {"testSummary": {"label": label}}, "testSummary": {"totalRunDurationMillis": milliseconds}}
        )

    taken = durations([*(timed(f"//quick{i}", "10") for i in range(20)), timed("//slow", "1500"), FINISHED])
    total, first, *rest = report(taken)
    assert total == "slowest 20 of 21 tests: 2 of 2 s"
    assert first.split() == ["1.5", "s", "//slow"]
    assert len(rest) == 19
