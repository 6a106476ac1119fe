"""tools/fuzz gets its targets from Bazel, and reads the outcome from libFuzzer's output."""

import pathlib

from tools.run_fuzzers import Reader, Result, count_since_change, make_seeds, read_log, read_targets, table

QUERY = """<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
  <rule class="cc_binary" name="//tests/Importer/fuzz:OnnxImporterFuzz">
    <list name="args"><string value="-max_len=4096"/><string value="-dict=tests/Importer/fuzz/onnx.dict"/></list>
    <list name="tags">
      <string value="fuzz"/><string value="manual"/><string value="seeds=tests/Importer/fuzz/seeds.py:onnx"/>
    </list>
  </rule>
</query>"""

PROGRESS = """INFO: seed corpus: files: 7
#8	INITED cov: 1145 ft: 1650 corp: 6/1b exec/s: 0 rss: 62Mb
#4096	pulse  cov: 1200 ft: 1700 corp: 9/1b exec/s: 2048 rss: 62Mb
"""


def test_targets():
    (name,) = targets = read_targets(QUERY)
    assert name == "OnnxImporter"
    assert targets[name].args == ["-max_len=4096", "-dict=tests/Importer/fuzz/onnx.dict"]
    assert (targets[name].script, targets[name].seeds) == (pathlib.Path("tests/Importer/fuzz/seeds.py"), "onnx")


def test_a_run_that_found_nothing():
    assert read_log(PROGRESS + "stat::number_of_executed_units: 5000\nstat::slowest_unit_time_sec: 0\n") == (5000, None)


def test_a_crash_has_its_input_and_what_is_wrong():
    crash = "SUMMARY: AddressSanitizer: heap-buffer-overflow Wire.cpp:7\n"
    written = "artifact_prefix='f/'; Test unit written to f/crash-0a\n"
    finding = "f/crash-0a: AddressSanitizer: heap-buffer-overflow Wire.cpp:7"
    assert read_log(PROGRESS + crash + written + "stat::number_of_executed_units: 5000\n") == (5000, finding)


def test_a_slow_input_is_a_finding():
    written = "artifact_prefix='f/'; Test unit written to f/slow-unit-0a\n"
    assert read_log(PROGRESS + written) == (4096, "f/slow-unit-0a: a slow input")


def test_a_process_that_was_killed_has_run_as_often_as_it_said():
    assert read_log(PROGRESS) == (4096, None)


def test_table():
    text = table([Result("Short", 10, 2, 30), Result("MuchLonger", 2_000_000, 4, 2_000_000, ["f/crash-0a: wrong"])])
    assert text.splitlines() == [
        "reader      executions  a second  since it changed  findings",
        "Short               10         5                30         0",
        "MuchLonger   2,000,000   500,000         2,000,000         1",
        "MuchLonger: f/crash-0a: wrong",
    ]


def test_executions_count_for_one_executable(tmp_path):
    executable, counts = tmp_path / "reader", tmp_path / "executions.json"
    executable.write_bytes(b"as it was")
    assert count_since_change(executable, 5, counts) == 5
    assert count_since_change(executable, 7, counts) == 12
    executable.write_bytes(b"as it is now")
    assert count_since_change(executable, 1, counts) == 1


def test_seeds_are_made_once_and_anew_for_a_changed_script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = pathlib.Path("seeds.py")
    script.write_text("import pathlib, sys; pathlib.Path(sys.argv[1], 'a').mkdir(parents=True)")
    first = make_seeds(script, tmp_path)
    assert [path.name for path in first.iterdir()] == ["a"]
    (first / "marker").touch()
    assert (make_seeds(script, tmp_path) / "marker").exists()
    script.write_text(script.read_text().replace("'a'", "'other'"))
    assert [path.name for path in make_seeds(script, tmp_path).iterdir()] == ["other"]


def test_name():
    assert Reader("//tests/Weights/fuzz:WeightFilesFuzz", [], pathlib.Path(), "").name == "WeightFiles"
