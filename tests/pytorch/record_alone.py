"""Ranks of one process, a thread each, record made-up work of GPipe as the probe records a training's.

    record_alone.py eval FOLDER            two steps of a schedule of torch.distributed.pipelining, and an evaluation
                                           of more micro-batches after each
    record_alone.py twice FOLDER           attach() called twice
    record_alone.py megatron FOLDER D TP   pipelines of two ranks side by side, with an evaluation before each step
    record_alone.py long FOLDER EVERY MAX_BYTES    twenty steps
"""

import queue
import sys
import threading
import warnings

import stand_ins  # noqa: F401
import bubblescope_probe

STEPS, MICROBATCHES, LONG = 2, 4, 20


def work():
    sum(range(3000))


class Stage:
    def __init__(self, index):
        self.stage_index, self.has_backward = index, True

    def forward_one_chunk(self, fwd_chunk_id):
        work()

    def backward_one_chunk(self, bwd_chunk_id, full_backward=True):
        if self.has_backward:
            work()
            work()


class Schedule:
    """One rank of two: what the other one makes comes through a queue."""

    def __init__(self, rank, there, back):
        self._stage, self._rank, self._there, self._back = Stage(rank), rank, there, back

    def step(self, microbatches=MICROBATCHES):
        for number in range(microbatches):
            if self._rank == 1:
                self._there.get()
            self._stage.forward_one_chunk(number)
            if self._rank == 0:
                self._there.put(number)
        for number in range(microbatches):
            if self._rank == 0:
                self._back.get()
            self._stage.backward_one_chunk(number, full_backward=True)
            if self._rank == 1:
                self._back.put(number)

    def eval(self):
        self._stage.has_backward = False
        try:
            self.step(2 * MICROBATCHES)
        finally:
            self._stage.has_backward = True


def of_pytorch(rank, folder, there, back, options, steps, evaluates, attaches):
    schedule = Schedule(rank, there, back)
    with bubblescope_probe.record(folder, rank, 2, **options) as probe:
        for _ in range(attaches):
            probe.attach(schedule)
        for _ in range(steps):
            schedule.step()
            if evaluates:
                schedule.eval()


def of_megatron(rank, folder, there, back, group, d, tp, barrier):
    # The wrappers are put around functions of a module, which ranks that are threads share.
    data = stand_ins.DATA
    data.rank, data.group = rank, group
    data.dp, data.tp = divmod(group[0], tp)
    schedules = sys.modules["megatron.core.pipeline_parallel"].schedules
    pp = group.index(rank)
    with bubblescope_probe.record(folder, rank, 2 * d * tp) as probe:
        for _ in range(STEPS):
            for trains in (False, True):
                data.grad = trains
                for number in range(MICROBATCHES):
                    if pp == 1:
                        there.get()
                    with barrier:
                        probe.attach_megatron()
                        schedules.forward_step(work, vp_stage=None)
                        probe.detach()
                    if pp == 0:
                        there.put(number)
                for number in range(MICROBATCHES if trains else 0):
                    if pp == 0:
                        back.get()
                    with barrier:
                        probe.attach_megatron()
                        schedules.backward_step(work)
                        probe.detach()
                    if pp == 1:
                        back.put(number)
            probe.step()


def run(ranks):
    threads = [threading.Thread(target=target, args=arguments) for target, arguments in ranks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def pytorch_ranks(folder, options=None, steps=STEPS, evaluates=False, attaches=1):
    there, back = queue.Queue(), queue.Queue()
    return [(of_pytorch, (rank, folder, there, back, options or {}, steps, evaluates, attaches)) for rank in (0, 1)]


def megatron_ranks(folder, d, tp):
    # Megatron-LM's order: tensor-parallel ranks are neighbours, then data-parallel ones, then stages.
    side_by_side, barrier = d * tp, threading.Lock()
    ranks = []
    for first in range(side_by_side):
        there, back, group = queue.Queue(), queue.Queue(), (first, first + side_by_side)
        ranks += [(of_megatron, (rank, folder, there, back, group, d, tp, barrier)) for rank in group]
    return ranks


if __name__ == "__main__":
    what, folder, *more = sys.argv[1:]
    warnings.simplefilter("always")
    if what == "eval":
        run(pytorch_ranks(folder, evaluates=True))
    elif what == "twice":
        run(pytorch_ranks(folder, attaches=2))
    elif what == "megatron":
        run(megatron_ranks(folder, int(more[0]), int(more[1])))
    else:
        run(pytorch_ranks(folder, {"every": int(more[0]), "max_bytes": int(more[1])}, LONG))
