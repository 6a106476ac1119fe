"""Runs jobs that may crash, never end or take all memory, in child processes that each run many jobs."""

import collections
import os
import pickle
import resource
import signal
import sys


def run_all(jobs, act, *, seconds, mebibytes):
    """Yields the result of `act` for each job, in order, or an `Ended` if the job ends its process.

    Args:
      jobs: a sequence.
      act: a function of a job. Its result must be picklable.
      seconds: the most processor time that a job may take.
      mebibytes: the most address space that all jobs of a process may take, beyond that of the process itself.
    """
    done = 0
    while done < len(jobs):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                _run_here(jobs[done:], act, writing, seconds, mebibytes)
            except BaseException as error:  # the child must not continue with the parent's code
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                os._exit(1)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as results:
            while True:
                try:
                    result = pickle.load(results)
                except EOFError:
                    break
                yield result
                done += 1
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            yield Ended(status)
            done += 1


def faults_of(programs, outcomes, *, seconds, mebibytes):
    """The faults of programs, with their names, and counts of how their runs ended.

    Args:
      outcomes: a function that takes a program and returns (a Counter of how its runs ended, a list of faults).
      programs, seconds, mebibytes: see `run_all`.
    """
    found, total = [], collections.Counter()
    results = run_all(programs, outcomes, seconds=seconds, mebibytes=mebibytes)
    for program, result in zip(programs, results, strict=True):
        if isinstance(result, Ended):
            found.append(f"{program.name}: {result}")
        else:
            total += result[0]
            found += result[1]
    return found, total


def print_faults(by_op, faults, ops):
    """Prints the faults of some ops, or of all, and how the runs of their programs ended."""
    count, total = 0, collections.Counter()
    for op in ops or sorted(by_op):
        found, ends = faults(by_op[op])
        total += ends
        count += len(found)
        print("".join(f"{fault}\n" for fault in found), end="", flush=True)
    print(f"{dict(total)}, {count} faults")


class Ended:
    """How a job ended its process: by a signal, or with an exit status."""

    def __init__(self, status):
        self.status = status

    def __repr__(self):
        if self.status == -signal.SIGPROF:
            return "took too long"
        return signal.Signals(-self.status).name if self.status < 0 else f"exit status {self.status}"


def _run_here(jobs, act, writing, seconds, mebibytes):
    with open("/proc/self/statm", encoding="ascii") as sizes:
        own = int(sizes.read().split()[0]) * resource.getpagesize()
    limit = own + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(writing, "wb") as results:
        for job in jobs:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            result = act(job)
            signal.setitimer(signal.ITIMER_PROF, 0)
            pickle.dump(result, results)
            results.flush()
