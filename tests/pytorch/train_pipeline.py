"""Trains a small model through torch.distributed.pipelining on CPUs over gloo, one process a rank.

    train_pipeline.py record SCHEDULE P M FOLDER        what the probe and Kineto record of the same steps, and the
                                                        order that the schedule itself names
    train_pipeline.py overhead SCHEDULE P M FOLDER N    N pairs of steps, one with the probe and one without, and the
                                                        processor time that each took in its process
    train_pipeline.py live SCHEDULE P M FOLDER HOST:PORT TOKEN_FILE    the probe's lines go to `bscope collect`, too
"""

import json
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.pipelining import PipelineStage, schedules
from torch.profiler import ProfilerActivity, profile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "integrations", "pytorch"))
sys.dont_write_bytecode = True
import bubblescope_probe  # noqa: E402

WIDTH, BATCH, WARM_UP, RECORDED, EMPTY_RANGES = 1024, 64, 2, 3, 5000


def stages_of(schedule, rank, p):
    if schedule in ("GPipe", "1F1B"):
        return [rank]
    if schedule == "ZBVZeroBubble":
        return [rank, 2 * p - 1 - rank]
    return [rank, rank + p]


def orders_of(schedule, rank):
    """The rank's own compute cells, of schedules that run by their list."""
    if not isinstance(schedule, schedules.PipelineScheduleMulti):
        return None
    order = schedule.pipeline_order
    cells = [str(action) for action in order[rank] if action is not None]
    return [cell for cell in cells if not any(word in cell for word in ("SEND", "RECV", "SHARD", "REDUCE"))]


def prepare(rank, name, p, m, folder):
    """The schedule and a function that trains one step."""
    torch.manual_seed(rank)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=p)
    indices = stages_of(name, rank, p)
    count = p * len(indices)
    layers = [torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH))
              for _ in indices]
    device = torch.device("cpu")
    stages = [PipelineStage(layer, index, count, device) for layer, index in zip(layers, indices)]
    kind = getattr(schedules, f"Schedule{name}")
    single = name in ("GPipe", "1F1B")
    schedule = kind(stages[0] if single else stages, m, loss_fn=torch.nn.functional.mse_loss)
    optimizer = torch.optim.SGD([weight for layer in layers for weight in layer.parameters()], lr=1e-3)
    inputs, target = torch.randn(BATCH * m, WIDTH), torch.randn(BATCH * m, WIDTH)

    def step():
        optimizer.zero_grad()
        last = count - 1 in indices
        args = (inputs,) if 0 in indices else ()
        schedule.step(*args, **({"target": target} if last else {}))
        optimizer.step()

    for _ in range(WARM_UP):
        step()
    return schedule, step


def write(folder, name, what):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(what, file)


def record(rank, schedule, step, folder):
    with bubblescope_probe.record(os.path.join(folder, "probe")) as probe:
        probe.attach(schedule)
        with profile(activities=[ProfilerActivity.CPU],
                     schedule=torch.profiler.schedule(wait=0, warmup=0, active=RECORDED)) as profiler:
            for number in range(RECORDED):
                step()
                if number + 1 < RECORDED:
                    profiler.step()
    os.makedirs(os.path.join(folder, "kineto"), exist_ok=True)
    profiler.export_chrome_trace(os.path.join(folder, "kineto", f"rank{rank}_trace.json"))
    write(folder, f"order_{rank}.json", orders_of(schedule, rank))


def overhead(rank, schedule, step, folder, pairs):
    def processor_s(work):
        begin = time.process_time()
        work()
        return time.process_time() - begin

    def empty_ranges():
        for number in range(EMPTY_RANGES):
            with probe.range("F", 0, number):
                pass

    times = {"with": [], "without": []}
    with bubblescope_probe.record(os.path.join(folder, "probe")) as probe:
        for pair in range(int(pairs)):
            for kind in ("with", "without") if pair % 2 else ("without", "with"):
                if kind == "with":
                    probe.attach(schedule)
                times[kind].append(processor_s(step))
                probe.detach()
    with open(os.path.join(folder, "probe", f"probe_rank_{rank}.jsonl"), encoding="utf-8") as file:
        times["operations"] = sum('"op"' in line for line in file) / int(pairs)
    with bubblescope_probe.record(os.path.join(folder, "empty")) as probe:
        times["range"] = processor_s(empty_ranges) / EMPTY_RANGES
    write(folder, f"overhead_{rank}.json", times)


def live(_, schedule, step, folder, address, token_file):
    with bubblescope_probe.record(os.path.join(folder, "probe"), live=address, token_file=token_file) as probe:
        probe.attach(schedule)
        for _ in range(RECORDED):
            step()


def process(rank, what, name, p, m, folder, more):
    schedule, step = prepare(rank, name, p, m, folder)
    {"record": record, "overhead": overhead, "live": live}[what](rank, schedule, step, folder, *more)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    what, name, p, m, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), os.path.abspath(sys.argv[5])
    os.makedirs(folder, exist_ok=True)
    mp.spawn(process, args=(what, name, p, m, folder, sys.argv[6:]), nprocs=p)
