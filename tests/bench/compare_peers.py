#!/usr/bin/env python3
"""What it costs to make a schedule and to play it: `bscope schedule --json` beside other programs, on the same cases.

    compare_peers.py --bscope build/release/bin/bscope --minpp FOLDER --victarry FOLDER

Peers are optional; one that is not there is named and left out.
  PyTorch    `bscope schedule --csv` read by torch.distributed.pipelining, its sends and receives put in, then its
             dry run, which knows steps but no durations (any build: torch-env/bin/python compare_peers.py ...)
  minPP      FOLDER with pp.py of github.com/ailzhang/minPP, played without its plot and without its printing
  Victarry   FOLDER with src/ of github.com/Victarry/PP-Schedule-Visualization, made and executed, not drawn
The engine's number is the CPU time of a whole process: it starts, makes the orders, puts sends and receives in,
plays them, sums up and prints JSON. Of a peer's process only that part counts which makes and plays; interpreter and
imports do not. Each is the least of some rounds, taken in turns. A peer that plays durations (forward 1, backward 2)
must come to the same length: what differs is said in the row.
"""
import argparse
import contextlib
import csv
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from unittest import mock

CASES = [("1f1b", 8, 64, 1), ("1f1b", 16, 256, 1), ("1f1b", 64, 1024, 1), ("interleaved", 8, 64, 2)]
PEERS = ("PyTorch", "minPP", "Victarry")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bscope", required=True, help="the engine's program")
    parser.add_argument("--minpp", help="folder that holds pp.py")
    parser.add_argument("--victarry", help="folder that holds src/")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60, help="seconds that one round of a peer may take")
    parser.add_argument("--peer", help=argparse.SUPPRESS)  # what a process of a peer runs
    parser.add_argument("--case", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def run_minpp(args, name, p, m, v):
    if name != "1f1b":
        return None
    for plotting in ("matplotlib", "matplotlib.pyplot", "matplotlib.patches"):
        sys.modules.setdefault(plotting, mock.MagicMock())  # nothing is plotted
    sys.path.insert(0, args.minpp)
    import pp
    pp.plot_pp_schedule = lambda *_, **__: None
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        begin = time.process_time()
        schedule = pp.PPSchedule.create_1f1b(full_model=pp.FullModelList(num_layers=p), pp_size=p)
        schedule.run_schedule_and_plot(num_microbatches=m)
        cpu_s = time.process_time() - begin
    ends = [each.start_timestamp + each.duration for worker in schedule.workers for each in worker.assigned_segments]
    return {"cpu_s": cpu_s, "length": max(ends)}


def run_victarry(args, name, p, m, v):
    if name != "1f1b":
        return None
    sys.path.insert(0, args.victarry)
    sys.setrecursionlimit(1_000_000)
    from src.execution_model import ScheduleConfig
    from src.strategies import generate_1f1b_schedule
    begin = time.process_time()
    schedule = generate_1f1b_schedule(ScheduleConfig(num_devices=p, num_stages=p, num_batches=m))
    schedule.execute()
    length = schedule.get_total_execution_time()
    return {"cpu_s": time.process_time() - begin, "length": length}


def run_pytorch(args, name, p, m, v):
    from torch.distributed.pipelining import schedules
    text = engine_once(*engine_command(args, name, p, m, v, "--csv"))[1].decode()
    begin = time.process_time()
    orders = {rank: [schedules._Action.from_str(cell) for cell in row]
              for rank, row in enumerate(csv.reader(text.splitlines()))}
    complete = schedules._add_send_recv(orders, lambda stage: stage % p, p * v)
    schedules._simulate_comms_compute(complete, lambda stage: stage % p, p * v)
    return {"cpu_s": time.process_time() - begin}


RUN = dict(zip(PEERS, (run_pytorch, run_minpp, run_victarry)))


def missing(peer, args):
    """Why this peer is left out; empty when it is there."""
    if peer == "PyTorch":
        return "" if importlib.util.find_spec("torch") else "this Python has no torch"
    folder, file = (args.minpp, "pp.py") if peer == "minPP" else (args.victarry, "src/execution_model.py")
    if not folder:
        return f"--{peer.lower()} is not given"
    return "" if os.path.isfile(os.path.join(folder, file)) else f"{folder} holds no {file}"


def peer_once(peer, args, case):
    """What its process says; None: it has no such schedule; a string: why there is no number."""
    command = [sys.executable, __file__, "--bscope", args.bscope, "--peer", peer, "--case", str(case)]
    for option in ("minpp", "victarry"):
        if getattr(args, option):
            command += [f"--{option}", getattr(args, option)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return f"more than {args.limit:.0f} s"
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["it failed"])[-1]
    return json.loads(done.stdout.splitlines()[-1])


def engine_command(args, name, p, m, v, form):
    return [args.bscope, "schedule", name, "-p", str(p), "-m", str(m), "-v", str(v), form]


def engine_once(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def agrees(said, ours):
    if "length" in said:
        same = abs(said["length"] - ours["makespan"]) < 1e-6
        return "same length" if same else f"length {said['length']:g}, here {ours['makespan']:g}"
    return "accepted"


def main():
    args = arguments()
    if args.peer:
        print(json.dumps(RUN[args.peer](args, *CASES[args.case])))
        return
    there = []
    for peer in PEERS:
        why = missing(peer, args)
        if why:
            print(f"{peer}: left out, {why}")
        else:
            there.append(peer)
    start_s = min(engine_once(args.bscope, "--version")[0] for _ in range(9))
    print(f"bscope takes {1e3 * start_s:.1f} ms to start\n{'case':40} {'program':14} {'CPU ms':>10} {'of bscope':>9}")
    for case, (name, p, m, v) in enumerate(CASES):
        engine_s, said = [], {peer: [] for peer in there}
        for _ in range(args.rounds):
            seconds, out = engine_once(*engine_command(args, name, p, m, v, "--json"))
            engine_s.append(seconds)
            for peer in there:
                if not said[peer] or isinstance(said[peer][-1], dict):
                    said[peer].append(peer_once(peer, args, case))
        ours, what = json.loads(out), f"{name} p={p} m={m} v={v}, {2 * p * m * v} operations"
        print(f"{what:40} {'bscope':14} {1e3 * min(engine_s):10.1f}")
        for peer, rounds in said.items():
            if rounds[-1] is None:
                continue
            if isinstance(rounds[-1], str):
                print(f"{'':40} {peer}: {rounds[-1]}")
                continue
            least = min(each["cpu_s"] for each in rounds)
            print(f"{'':40} {peer:14} {1e3 * least:10.1f} {least / min(engine_s):8.1f}x  {agrees(rounds[-1], ours)}")
        sys.stdout.flush()


main()
