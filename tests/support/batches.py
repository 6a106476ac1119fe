"""Runs many cases as a few programs: a program has its cost, a process or a compilation, and so has a long one."""

import itertools

from tools.build_defs.run_pytest import AT_ONCE


def outcomes(cases, run, at_once=AT_ONCE):
    """Returns what each case gives: its results, or the exception that it raises.

    A batch of cases is one program. If the program fails, its halves are tried, so that a case ends as it does alone.

    Args:
      cases: each has a list `expected`, whose length is the number of its results.
      run: from cases to the results of their program, those of one case after those of another.
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
    """The results of cases that are run in batches, when a test asks for one of a batch."""

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
