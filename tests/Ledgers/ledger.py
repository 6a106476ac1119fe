"""Shared by the ledgers: outcomes that a second call adds to, and the difference of results from PyTorch's."""

import argparse
import json
import os
import pathlib
import tempfile

import numpy as np
import torch

from isthmus import pytorch
from tests.support import contained

PAGES = pathlib.Path("docs/ledgers")


def write(description, name, known, act, page, *, seconds, mebibytes):
    """Writes a page, PAGES / NAME.md by default, from the outcomes of all keys, or of those in the command line.

    The outcomes go to a file, a line of JSON per key. A second call takes only the keys that are not in it.

    Args:
      description: of the program, for --help.
      name: of the page.
      known: all keys.
      act: a function of a key that returns its outcome, a dictionary.
      page: a function of the outcomes by key, in the order of `known`, that returns the page's text. The outcome of a
        key that ends its process is {"stage": "ended", "reason": why}.
      seconds, mebibytes: limits per key; see `contained.run_all`.
    """
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), f"{name}.jsonl"))
    parser.add_argument("--page", type=pathlib.Path, default=PAGES / f"{name}.md", help="the page to write")
    parser.add_argument("keys", nargs="*", help="which to take (default: all)")
    arguments = parser.parse_args()
    outcomes = {}
    if arguments.results.exists():
        outcomes = dict(map(json.loads, arguments.results.read_text().splitlines()))
    left = [key for key in arguments.keys or known if key not in outcomes]
    with arguments.results.open("a") as file:
        for key, outcome in zip(left, contained.run_all(left, act, seconds=seconds, mebibytes=mebibytes)):
            if isinstance(outcome, contained.Ended):
                outcome = {"stage": "ended", "reason": str(outcome)}
            outcomes[key] = outcome
            print(json.dumps([key, outcome]), file=file, flush=True)
            print(key, outcome, flush=True)
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(page({key: outcomes[key] for key in known if key in outcomes}))


def tensors(results):
    """The tensors and arrays in results, which may be nested."""
    if isinstance(results, (torch.Tensor, np.ndarray)):
        return [results]
    if isinstance(results, dict):
        results = list(results.values())
    return [each for part in results for each in tensors(part)] if isinstance(results, (list, tuple)) else []


def difference(got, want):
    """The largest difference of two lists of tensors, relative to the largest number of the result it is in.

    Infinities and NaN must be the same. Returns a sentence if shapes, dtypes or numbers of results differ.
    """
    if len(got) != len(want):
        return f"{len(got)} results for {len(want)}"
    largest = 0.0
    for mine, theirs in zip(got, want):
        mine = pytorch.to_tensor(mine) if isinstance(mine, np.ndarray) else mine
        theirs = theirs.detach().resolve_conj().resolve_neg()
        if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
            return f"{tuple(mine.shape)} of {mine.dtype} for {tuple(theirs.shape)} of {theirs.dtype}"
        wide = torch.complex128 if theirs.is_complex() else torch.float64
        mine, theirs = mine.to(wide), theirs.to(wide)
        same = (mine == theirs) | (mine.isnan() & theirs.isnan())
        if (~same & ~(mine.isfinite() & theirs.isfinite())).any():
            return "other infinities or NaN"
        if not same.all():
            scale = theirs[theirs.isfinite()].abs().max().clamp(min=1e-3)
            largest = max(largest, ((mine - theirs)[~same].abs().max() / scale).item())
    return largest


def reason(error):
    """The first line of an error of PyTorch, or the cause in one of isthmus."""
    return str(error).strip().split("\n")[0].removeprefix("<exported program>: ")[:200]


def escape(text):
    """Text for a cell of a table."""
    return text.replace("|", "\\|")
