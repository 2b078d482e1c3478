"""Bubblescope: runs pipeline-parallel training under a chosen schedule, reads recordings of other programs, shows both.

The package brings two programs, `bubblescope` (the window) and `bscope` (the command line), and the probe that records
a training of PyTorch for them:

    import bubblescope

    with bubblescope.record("runs/x") as probe:
        probe.attach(schedule)            # of torch.distributed.pipelining
        for batch in data:
            schedule.step(batch)

`bubblescope runs/x` shows the run, `bscope import runs/x` prints it. Only the probe needs PyTorch.
"""

from importlib.metadata import version as _version

from ._programs import program

__all__ = ["Probe", "program", "record"]
__version__ = _version("bubblescope")


def __getattr__(name):
    if name not in ("Probe", "record"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import probe  # imports torch

    return getattr(probe, name)
