"""Runs jobs of which each may crash, loop or take all memory: in child processes, many jobs in each."""

import os
import pickle
import resource
import signal
import sys


def run_all(jobs, act, *, seconds, mebibytes):
    """Yields what `act` returns for each job, in order; of a job that ends its process, how: an `Ended`.

    Args:
      jobs: a sequence.
      act: a function of a job. What it returns can be pickled.
      seconds: of processor time that a job may take.
      mebibytes: of address space that all jobs of a process may take beyond what it begins with.
    """
    done = 0
    while done < len(jobs):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                _run_here(jobs[done:], act, writing, seconds, mebibytes)
            except BaseException as error:  # what the parent would do next is not for the child
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


class Ended:
    """How a process ended in the middle of a job: by a signal, or with the status of a failure."""

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
