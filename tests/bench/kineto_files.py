#!/usr/bin/env python3
"""Files as PyTorch's profiler writes them of 1F1B on GPUs, of any size: what `bscope import` is timed with.

    kineto_files.py FOLDER --ranks 8 --mb 50 && time build/release/bin/bscope import FOLDER

A file a rank. Every operation is a range PP:SFM with the calls that PyTorch makes inside it, their launches, their
kernels with all the arguments that Kineto gives them, and the arrows between the two: five events a kernel, in the
proportions and the layout of a real file. `--unnamed` leaves the ranges out, as Schedule1F1B and Megatron-LM do:
messages alone part the operations then. Times do not come from a machine: F = 2, B = 4, and a message takes nothing.
"""
import argparse
import pathlib

BASE_NS = 1790857026000000000
KERNEL_US = 20
CALLS = ("aten::linear", "aten::addmm", "aten::_scaled_dot_product_flash_attention")


def orders(ranks, micro_batches):
    """1F1B: per rank a list of (letter, micro-batch)."""
    for rank in range(ranks):
        warm_up = min(micro_batches, ranks - 1 - rank)
        order = [("F", i) for i in range(warm_up)]
        for i in range(micro_batches - warm_up):
            order += [("F", warm_up + i), ("B", i)]
        yield order + [("B", i) for i in range(micro_batches - warm_up, micro_batches)]


def played(ranks, micro_batches):
    """Per rank a list of (letter, micro-batch, start, end), F = 2 and B = 4."""
    todo, ends, free = [list(order) for order in orders(ranks, micro_batches)], {}, [0] * ranks
    done = [[] for _ in range(ranks)]
    while any(todo):
        for rank, order in enumerate(todo):
            while order:
                letter, number = order[0]
                before = (letter, number, rank - 1 if letter == "F" else rank + 1)
                if 0 <= before[2] < ranks and before not in ends:
                    break
                start = max(free[rank], ends.get(before, 0))
                free[rank] = ends[letter, number, rank] = start + (2 if letter == "F" else 4)
                done[rank].append((letter, number, start, free[rank]))
                order.pop(0)
    return done


def event(category, name, thread, at, length, arguments):
    return (f'  {{\n    "ph": "X", "cat": "{category}", "name": "{name}", "pid": 4242, "tid": {thread},\n'
            f'    "ts": {at:.3f}, "dur": {length:.3f},\n    "args": {{\n      {arguments}\n    }}\n  }}')


class Writer:
    def __init__(self, out, rank):
        self.out, self.rank, self.number = out, rank, 0

    def write(self, *arguments):
        self.out.write(event(*arguments))
        self.out.write(",\n")

    def kernel(self, letter, at, name, extra=""):
        """A call, its launch, the kernel and the two ends of the arrow. Returns where the next one begins."""
        self.number += 1
        number, thread = self.number, 4242 if letter == "F" else 4300
        call = CALLS[number % len(CALLS)]
        if letter == "B":
            call = "autograd::engine::evaluate_function: AddmmBackward0"
        if "SendRecv" in name:
            call = extra
        self.write("cpu_op", call, thread, at, KERNEL_US - 2,
                   f'"External id": {number},"Sequence number": {number}, "Fwd thread id": 0, "Record function id": 0, '
                   f'"Concrete Inputs": ["", "", "", "1", "1", ""], "Input type": ["c10::BFloat16", "c10::BFloat16"], '
                   f'"Input Strides": [[4096, 1], [1, 4096]], "Input Dims": [[8192, 4096], [4096, 4096]], "Ev Idx": {number}')
        self.write("cuda_runtime", "cudaLaunchKernel", thread, at + 2, 4,
                   f'"External id": {number}, "cbid": 211, "correlation": {number}')
        self.write("kernel", name, 7, at + 8, KERNEL_US - 9,
                   f'"External id": {number}, "queued": 0, "device": {self.rank}, "context": 1, "stream": 7, '
                   f'"correlation": {number}, "registers per thread": 128, "shared memory": 49152, '
                   f'"blocks per SM": 4.848485, "warps per SM": 38.787880, "grid": [64, 10, 1], "block": [256, 1, 1], '
                   f'"est. achieved occupancy %": 25')
        self.out.write(f'  {{\n    "ph": "s", "id": {number}, "pid": 4242, "tid": {thread}, "ts": {at + 2:.3f},\n'
                       f'    "cat": "ac2g", "name": "ac2g"\n  }},\n'
                       f'  {{\n    "ph": "f", "id": {number}, "pid": {self.rank}, "tid": 7, "ts": {at + 8:.3f},\n'
                       f'    "cat": "ac2g", "name": "ac2g", "bp": "e"\n  }},\n')
        return at + KERNEL_US


def write_rank(out, rank, args, order, length, kernels):
    """`kernels`: per unit of time, so that an operation is full of them; `length` of an iteration in these units."""
    out.write(f'{{\n  "schemaVersion": 1,\n  "distributedInfo": {{"backend": "nccl", "rank": {rank}, '
              f'"world_size": {args.ranks}}},\n  "host_name": "node",\n  "displayTimeUnit": "ms",\n'
              f'  "baseTimeNanoseconds": {BASE_NS},\n  "traceEvents": [\n')
    writer, unit = Writer(out, rank), kernels * KERNEL_US
    last = 0
    for iteration in range(args.iterations):
        begin = iteration * (length + 1) * unit
        for letter, number, start, end in order:
            at = begin + start * unit
            if not args.unnamed:
                writer.write("user_annotation", f"PP:{rank}{letter}{number}", 4242, at, (end - start) * unit - 1,
                             f'"External id": {writer.number}')
            receives = rank > 0 if letter == "F" else rank < args.ranks - 1
            sends = rank < args.ranks - 1 if letter == "F" else rank > 0
            count = (end - start) * kernels - receives - sends
            if receives:
                at = writer.kernel(letter, at, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "c10d::recv_")
            for each in range(count):
                at = writer.kernel(letter, at, "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas")
            if sends:
                at = writer.kernel(letter, at, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "c10d::send")
        last = begin + length * unit
        writer.write("user_annotation", f"ProfilerStep#{iteration + 3}", 4242, begin - 1, last - begin + 2,
                     f'"External id": {writer.number}')
    out.write(event("user_annotation", "end", 4242, last, 1, '"External id": 0') + "\n  ]\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--mb", type=float, default=50, help="of a file")
    parser.add_argument("-m", type=int, default=16, help="micro-batches")
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--unnamed", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    bytes_of_kernel = 1400
    kernels = max(2, round(args.mb * 1e6 / bytes_of_kernel / (6 * args.m * args.iterations)))
    orders_played = played(args.ranks, args.m)
    length = orders_played[0][-1][3]
    for rank, order in enumerate(orders_played):
        with open(args.folder / f"rank{rank}_trace.json", "w", encoding="ascii") as out:
            write_rank(out, rank, args, order, length, kernels)


if __name__ == "__main__":
    main()
