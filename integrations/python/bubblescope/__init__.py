"""Bubblescope: runs pipeline-parallel training under a chosen schedule, reads recordings of other programs, shows both.

The package brings two programs, `bubblescope` (the window) and `bscope` (the command line), and the probe that records
a training of PyTorch for them:

    import bubblescope

    with bubblescope.record("runs/x") as probe:
        probe.attach(schedule)            # of torch.distributed.pipelining
        for batch in data:
            schedule.step(batch)

`bubblescope runs/x` shows the run, `bscope import runs/x` prints it. Only the probe needs PyTorch. What a run holds
as Python values, for a notebook or a script, is a `Run`:

    run = bubblescope.Run("runs/x")
    run.iterations[-1].bubble_of_total, run.iterations[-1].order(0), run.iterations[-1].causes
"""

from importlib.metadata import version as _version

from ._programs import program
from .run import Causes, Event, Gap, Iteration, Rank, Run, RunError

__all__ = ["Causes", "Event", "Gap", "Iteration", "Probe", "Rank", "Run", "RunError", "program", "record"]
__version__ = _version("bubblescope")


def __getattr__(name):
    if name not in ("Probe", "record"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import probe  # imports torch

    return getattr(probe, name)
