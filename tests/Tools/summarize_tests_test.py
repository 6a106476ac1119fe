"""tools/summarize_tests.py counts what `bazel test` reported."""

import json

from tools.summarize_tests import summarize


def summary(label, status):
    return json.dumps({"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}})


def completed(label, **payload):
    return json.dumps({"id": {"targetCompleted": {"label": label}}, **payload})


def test_counts_each_test_once():
    lines = [
        completed("//a", completed={"success": True}),
        summary("//a", "PASSED"),
        summary("//b", "FLAKY"),
        summary("//c", "FAILED"),
        summary("//d", "TIMEOUT"),
    ]
    assert summarize(lines) == (2, ["//c", "//d"])


def test_a_target_that_does_not_build_has_failed():
    lines = [
        completed("//a", aborted={"reason": "ANALYSIS_FAILURE"}),
        completed("//b", completed={}),
    ]
    assert summarize(lines) == (0, ["//a", "//b"])


def test_a_test_that_does_not_build_is_counted_once():
    lines = [completed("//a", completed={}), summary("//a", "NO_STATUS")]
    assert summarize(lines) == (0, ["//a"])
