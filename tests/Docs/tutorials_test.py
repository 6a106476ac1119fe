"""The Python blocks of each tutorial, run in order as one script, print the text that the tutorial shows."""

import pathlib
import re
import subprocess
import sys

import pytest

TUTORIALS = sorted((pathlib.Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+\.\d*(?:e[-+]?\d+)?|[-+]?\d+e[-+]?\d+")
BETWEEN = "---- next block ----"
TOLERANCE = 1e-5


def blocks(page):
    """Returns pairs of a Python block and the text that it should print, "" if no text block follows."""
    pairs = []
    for kind, content in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            pairs.append((content, ""))
        else:
            assert pairs and not pairs[-1][1], f"{page.name}: expected a Python block before each text block"
            pairs[-1] = pairs[-1][0], content
    return pairs


def words(text):
    """Returns the words of the text without floats, and the floats."""
    return NUMBER.sub(" # ", text).split(), [float(number) for number in NUMBER.findall(text)]


def run(scripts, folder):
    """Runs the blocks as one script and returns what each printed."""
    script = folder / "tutorial.py"
    script.write_text(f"\nprint({BETWEEN!r}, flush=True)\n".join(scripts), encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split(BETWEEN + "\n")


@pytest.mark.parametrize("page", TUTORIALS, ids=[page.stem for page in TUTORIALS])
def test_prints_what_it_says(page, tmp_path):
    scripts, expected = zip(*blocks(page))
    printed = run(scripts, tmp_path)
    assert len(printed) == len(expected)
    for script, want, got in zip(scripts, expected, printed):
        want_words, want_numbers = words(want)
        got_words, got_numbers = words(got)
        assert (got_words, got_numbers) == (want_words, pytest.approx(want_numbers, rel=TOLERANCE, abs=TOLERANCE)), (
            f"{page.name}: after\n{script}\nexpected\n{want}\ngot\n{got}"
        )


def test_there_are_tutorials():
    assert len(TUTORIALS) >= 3
