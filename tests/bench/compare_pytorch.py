#!/usr/bin/env python3
"""One training iteration's compute: the engine beside PyTorch, same model, one CPU thread each or one GPU.

PyTorch is optional: without it only the engine is measured. Any build will do, for example
    python3 -m venv torch-env && torch-env/bin/pip install torch numpy
    torch-env/bin/python tests/bench/compare_pytorch.py --bscope build/release/bin/bscope
The engine's number is the sum of all ranks' compute time (forward and backward) of one iteration of the default
scenario, PyTorch's is the same m micro-batches forward and backward with accumulated gradients; neither counts the
optimizer. Both are CPU time of one thread, the best of several iterations; the two take turns, so that what else the
machine does falls on both. Run it on a quiet machine. What an older processor would give can be asked of a newer one:
with ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 MKL_ENABLE_INSTRUCTIONS=AVX2 in the environment the products of
both, and PyTorch's own loops, use AVX2.

With --device cuda both train on one GPU, p = 1, weights in fp32 and products in bf16 (PyTorch: autocast, its flash
attention, eager); the engine's number is the iteration on the GPU, PyTorch's the host's time around synchronised
iterations. A model of 1.2 billion parameters:
    compare_pytorch.py --bscope build/release/bin/bscope --device cuda --layers 24 --hidden 2048 --heads 16 --seq 2048
"""
import argparse
import json
import os
import subprocess
import time

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bscope", help="the engine's program; without it only PyTorch is measured")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--seq", type=int, default=128)
    parser.add_argument("--vocabulary", type=int, default=256)
    parser.add_argument("--micro-batch", type=int, default=4)
    parser.add_argument("-m", type=int, default=8, help="micro-batches")
    parser.add_argument("--iterations", type=int, default=5, help="of each, in every round")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def engine_ms(args):
    """Least sum over ranks of compute time, ms."""
    command = [args.bscope, "run", "--json", "--clock", "reconstructed", "-m", str(args.m),
               "--micro-batch", str(args.micro_batch), "--layers", str(args.layers), "--hidden", str(args.hidden),
               "--heads", str(args.heads), "--seq", str(args.seq), "--iterations", str(args.iterations)]
    if args.device == "cuda":
        command += ["-p", "1", "--device", "cuda", "--dtype", "bf16"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    if args.device == "cuda":
        return min(json.loads(line)["iteration_ms"] for line in lines[1:])
    return min(sum(rank["busy_ms"] for rank in json.loads(line)["ranks"]) for line in lines)


def pytorch_trainer(args):
    """A function that gives the least time of m forwards and backwards, ms, eager and without anything compiled;
    and PyTorch's version."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(1)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(args.hidden), nn.LayerNorm(args.hidden)
            self.qkv, self.proj = nn.Linear(args.hidden, 3 * args.hidden), nn.Linear(args.hidden, args.hidden)
            self.fc, self.mlp = nn.Linear(args.hidden, 4 * args.hidden), nn.Linear(4 * args.hidden, args.hidden)

        def forward(self, x):
            q, k, v = self.qkv(self.ln1(x)).split(args.hidden, dim=2)
            split = lambda t: t.view(*t.shape[:2], args.heads, -1).transpose(1, 2)
            attended = functional.scaled_dot_product_attention(split(q), split(k), split(v), is_causal=True)
            x = x + self.proj(attended.transpose(1, 2).reshape(x.shape))
            return x + self.mlp(functional.gelu(self.fc(self.ln2(x)), approximate="tanh"))

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(args.vocabulary, args.hidden)
            self.positions = nn.Embedding(args.seq, args.hidden)
            self.blocks = nn.Sequential(*(Block() for _ in range(args.layers)))
            self.norm = nn.LayerNorm(args.hidden)
            self.head = nn.Linear(args.hidden, args.vocabulary, bias=False)

        def forward(self, tokens, targets):
            x = self.tokens(tokens) + self.positions.weight
            logits = self.head(self.norm(self.blocks(x)))
            return functional.cross_entropy(logits.view(-1, args.vocabulary), targets.view(-1))

    on_gpu = args.device == "cuda"

    def now():
        if not on_gpu:
            return time.process_time()
        torch.cuda.synchronize()
        return time.perf_counter()

    network = Network().to(args.device)
    shape = (args.m, args.micro_batch, args.seq)
    tokens, targets = (torch.randint(args.vocabulary, shape, device=args.device) for _ in range(2))

    def train():
        best = float("inf")
        for iteration in range(args.iterations):
            network.zero_grad()
            start = now()
            for micro_batch in range(args.m):
                with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
                    loss = network(tokens[micro_batch], targets[micro_batch]) / args.m
                loss.backward()
            if iteration > 0:
                best = min(best, now() - start)
        return best * 1e3

    return train, torch.__version__


def main():
    args = arguments()
    try:
        train, version = pytorch_trainer(args)
    except ImportError:
        train = None
        print("PyTorch is not installed; see the head of this file.")
    engine, pytorch = [], []
    for _ in range(args.rounds):
        if args.bscope:
            engine.append(engine_ms(args))
        if train:
            pytorch.append(train())
    if engine:
        print(f"engine:  {min(engine):8.1f} ms an iteration")
    if pytorch:
        print(f"PyTorch: {min(pytorch):8.1f} ms an iteration (version {version})")
    if engine and pytorch:
        rounds = ", ".join(f"{theirs / ours:.2f}" for ours, theirs in zip(engine, pytorch))
        print(f"PyTorch's time / engine's time: {min(pytorch) / min(engine):.2f} (by rounds: {rounds}; the goal is 1.2, "
              "and nowhere below 1.1)")


if __name__ == "__main__":
    main()
