"""tools/fuzz: builds the fuzz targets, runs each for its budget, and prints a table.

Each reader has a folder in the cache: `corpus` has inputs that reach different code, `findings` has inputs that make the
reader fail, and `log` has the output of the last call.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

# libFuzzer's limits: seconds for one input, and megabytes of the process. Leaks are reported at the end of a process;
# checking for them after each input takes a quarter of the time.
LIMITS = ["-timeout=20", "-rss_limit_mb=4096", "-detect_leaks=0"]

# The run of a reader stops after this many findings.
MOST_FINDINGS = 10


@dataclasses.dataclass
class Reader:
    label: str
    args: list[str]
    script: pathlib.Path  # writes the seeds
    seeds: str  # the folder of the seeds

    @property
    def name(self):
        return self.label.split(":")[1].removesuffix("Fuzz")


@dataclasses.dataclass
class Result:
    name: str
    executions: int = 0
    seconds: float = 0
    since_change: int = 0
    findings: list[str] = dataclasses.field(default_factory=list)


def read_targets(query):
    """Returns the readers that `bazel query --output=xml` lists, by name."""
    readers = {}
    for rule in xml.etree.ElementTree.fromstring(query).iter("rule"):
        lists = {of.get("name"): [item.get("value") for item in of] for of in rule.iter("list")}
        (seeds,) = (tag.removeprefix("seeds=") for tag in lists["tags"] if tag.startswith("seeds="))
        script, folder = seeds.split(":")
        reader = Reader(rule.get("name"), lists["args"], pathlib.Path(script), folder)
        readers[reader.name] = reader
    return dict(sorted(readers.items()))


def read_log(log):
    """Returns the executions of a run and its finding, "PATH: summary" or None, from libFuzzer's log."""
    total = re.findall(r"^stat::number_of_executed_units: *(\d+)", log, re.MULTILINE)
    progress = re.findall(r"^#(\d+)\s", log, re.MULTILINE)
    executions = int((total or progress or ["0"])[-1])
    path = re.search(r"Test unit written to (.*)", log)
    summary = re.search(r"^SUMMARY: (.*)", log, re.MULTILINE)
    where, what = path[1] if path else "no input", summary[1] if summary else "a slow input"
    return executions, f"{where}: {what}" if path or summary else None


def table(results):
    rows = [("reader", "executions", "a second", "since it changed", "findings")]
    for result in results:
        speed = result.executions / result.seconds if result.seconds else 0
        counts = [f"{int(count):,}" for count in (result.executions, speed, result.since_change)]
        rows.append((result.name, *counts, str(len(result.findings))))
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for name, *counts in rows:
        lines.append(f"{name:{widths[0]}}" + "".join(f"  {text:>{width}}" for text, width in zip(counts, widths[1:])))
    return "\n".join(lines + [f"{result.name}: {finding}" for result in results for finding in result.findings])


def bazel(*args):
    return subprocess.run(["bazel", *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def make_seeds(script, cache):
    """Returns the folder of seeds that a script writes; runs the script only once."""
    folder = cache / "seeds" / hashlib.sha256(str(script).encode() + script.read_bytes()).hexdigest()[:16]
    if not folder.exists():
        print(f"fuzz: {script}", file=sys.stderr)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            module = ".".join(script.with_suffix("").parts)
            subprocess.run([sys.executable, "-m", module, f"{made}/seeds"], check=True, stdout=sys.stderr)
            os.rename(f"{made}/seeds", folder)
    return folder


def count_since_change(executable, executions, path):
    """Returns the total executions of an executable; a changed executable starts at 0."""
    with open(executable, "rb") as file:
        key = hashlib.file_digest(file, "sha256").hexdigest()
    known = json.loads(path.read_text()) if path.exists() else {}
    total = executions + (known["executions"] if known.get("executable") == key else 0)
    path.write_text(json.dumps({"executable": key, "executions": total}))
    return total


class Runner:
    """Runs one reader, in its folder of the cache."""

    def __init__(self, reader, executable, cache):
        self.reader, self.executable = reader, executable
        self.folder = cache / reader.name
        self.corpus = self.folder / "corpus"
        for folder in (self.corpus, self.folder / "findings"):
            folder.mkdir(parents=True, exist_ok=True)
        # Seeds that the corpus does not include yet.
        seeds = make_seeds(reader.script, cache) / reader.seeds
        self.seeded = self.folder / "seeded"
        is_seeded = self.seeded.is_symlink() and self.seeded.readlink() == seeds
        self.seeds = [] if is_seeded else [seeds]

    def call(self, *args):
        # Some readers need files; keep them in memory.
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        with tempfile.TemporaryDirectory(dir=memory) as temporary, open(self.folder / "log", "w") as log:
            subprocess.run(
                [self.executable, *self.reader.args, *LIMITS, *args],
                env={**os.environ, "TMPDIR": temporary, "UBSAN_OPTIONS": "print_stacktrace=1"},
                stdout=log,
                stderr=log,
                check=False,
            )
        return (self.folder / "log").read_text(errors="replace")

    def run(self, seconds, runs):
        print(f"fuzz: {self.reader.name}", file=sys.stderr)
        result = Result(self.reader.name)
        while len(result.findings) < MOST_FINDINGS:
            if runs and result.executions < runs:
                budget = f"-runs={runs - result.executions}"
            elif not runs and result.seconds < seconds:
                budget = f"-max_total_time={max(1, int(seconds - result.seconds))}"
            else:
                break
            start = time.monotonic()
            prefix = f"-artifact_prefix={self.folder}/findings/"
            log = self.call(budget, prefix, "-print_final_stats=1", self.corpus, *self.seeds)
            executions, finding = read_log(log)
            result.executions += executions
            result.seconds += time.monotonic() - start
            if finding:
                result.findings.append(finding)
            elif not executions:
                result.findings.append(f"{self.folder}/log: it did not start")
        self.minimize()
        result.since_change = count_since_change(self.executable, result.executions, self.folder / "executions.json")
        return result

    def minimize(self):
        """Reduces the corpus to inputs that together reach the same code."""
        with tempfile.TemporaryDirectory(dir=self.folder) as made:
            log = (self.folder / "log").read_text(errors="replace")
            self.call("-merge=1", made, self.corpus, *self.seeds)
            (self.folder / "log").write_text(log)
            if any(os.scandir(made)):
                shutil.rmtree(self.corpus)
                shutil.copytree(made, self.corpus)
                for seeds in self.seeds:
                    self.seeded.unlink(missing_ok=True)
                    self.seeded.symlink_to(seeds)


def main():
    parser = argparse.ArgumentParser(prog="tools/fuzz", description="Fuzzes the readers of files.")
    parser.add_argument("readers", nargs="*", metavar="READER", help="the readers to fuzz (all)")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--seconds", type=int, default=60, help="seconds for each reader (%(default)s)")
    budget.add_argument("--runs", type=int, help="executions of each reader, instead of seconds")
    parser.add_argument("--jobs", type=int, default=1, help="number of readers to run in parallel (%(default)s)")
    parser.add_argument("--list", action="store_true", help="print the names of the readers")
    options = parser.parse_args()

    tagged = r'attr(tags, "[\[ ]fuzz[,\]]", //tests/...)'
    known = read_targets(bazel("query", "--output=xml", tagged))
    if options.list:
        print("\n".join(known))
        return 0
    if unknown := set(options.readers) - set(known):
        parser.error(f"expected readers of {', '.join(known)}, got {', '.join(sorted(unknown))}")
    readers = [known[name] for name in options.readers or known]

    cache = pathlib.Path(os.environ.get("ISTHMUS_CACHE") or "~/.cache/isthmus").expanduser() / "fuzz"
    bazel("build", "--config=fuzz", *(reader.label for reader in readers))
    folder = bazel("info", "--config=fuzz", "bazel-bin").strip()
    executables = [pathlib.Path(folder, reader.label.removeprefix("//").replace(":", "/")) for reader in readers]
    runners = [Runner(reader, executable, cache) for reader, executable in zip(readers, executables)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda runner: runner.run(options.seconds, options.runs), runners))
    print(table(results))
    return 1 if any(result.findings for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
