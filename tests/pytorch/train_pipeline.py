"""Trains a small model through torch.distributed.pipelining on CPUs over gloo, one process a rank, and leaves what
the probe and Kineto recorded, and the order that the schedule itself names.

    train_pipeline.py SCHEDULE P M FOLDER
"""

import json
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.pipelining import PipelineStage, schedules
from torch.profiler import ProfilerActivity, profile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "integrations", "pytorch"))
import bubblescope_probe  # noqa: E402

WIDTH, BATCH, WARM_UP, RECORDED = 256, 16, 2, 3


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


def train(rank, name, p, m, folder):
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
    with bubblescope_probe.record(os.path.join(folder, "probe")) as probe:
        probe.attach(schedule)
        with profile(activities=[ProfilerActivity.CPU],
                     schedule=torch.profiler.schedule(wait=0, warmup=0, active=RECORDED)) as profiler:
            for _ in range(RECORDED):
                step()
                if _ + 1 < RECORDED:
                    profiler.step()
    os.makedirs(os.path.join(folder, "kineto"), exist_ok=True)
    profiler.export_chrome_trace(os.path.join(folder, "kineto", f"rank{rank}_trace.json"))
    with open(os.path.join(folder, f"order_{rank}.json"), "w", encoding="utf-8") as file:
        json.dump(orders_of(schedule, rank), file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    name, p, m, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), os.path.abspath(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    mp.spawn(train, args=(name, p, m, folder), nprocs=p)
