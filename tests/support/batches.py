"""Runs many cases as a few programs, since each program needs a process or a compilation, but long ones are slow."""

import itertools

from tools.build_defs.run_pytest import AT_ONCE


def outcomes(cases, run, at_once=AT_ONCE):
    """Returns the outcome of each case: its results, or the exception that it raises.

    A batch of cases is one program. If the program fails, each half is run separately, so that a failing case does not
    affect others.

    Args:
      cases: each has a list `expected`, whose length is the number of its results.
      run: takes cases and returns the results of their program, one case after the other.
      at_once: number of cases in a program.
    """
    if len(cases) > at_once:
        return outcomes(cases[:at_once], run, at_once) + outcomes(cases[at_once:], run, at_once)
    try:
        results = iter(run(cases))
    except Exception as error:
        if len(cases) == 1:
            return [error]
        middle = len(cases) // 2
        return outcomes(cases[:middle], run, at_once) + outcomes(cases[middle:], run, at_once)
    return [list(itertools.islice(results, len(case.expected))) for case in cases]


class Batches:
    """Runs cases in batches. A batch runs when a test asks for the first of its results."""

    def __init__(self, cases, run):
        """See `outcomes`. `cases` are in the order in which tests ask for them."""
        self.cases, self.run = list(cases), run
        self.places = {case: place for place, case in enumerate(self.cases)}
        self.batch, self.found = None, []

    def results(self, case):
        """Returns the results of a case, or raises its error."""
        batch, place = divmod(self.places[case], AT_ONCE)
        if batch != self.batch:
            first = batch * AT_ONCE
            self.found = outcomes(self.cases[first : first + AT_ONCE], self.run)
            self.batch = batch
        outcome = self.found[place]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
