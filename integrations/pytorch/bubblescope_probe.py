"""Records what a pipeline stage computes, for Bubblescope: copy this file into your project.

    import bubblescope_probe

    with bubblescope_probe.record("runs/x") as probe:
        probe.attach(schedule)            # of torch.distributed.pipelining, TorchTitan's included
        for batch in data:
            schedule.step(batch)

Every rank writes runs/x/probe_rank_R.jsonl; `bscope import runs/x` and the window read the folder, the window while
it grows, too. For a window on another machine start `bscope collect --listen ADDR:PORT -o FOLDER` there, and

    with bubblescope_probe.record("runs/x", live="HOST:PORT", token_file="bscope.token") as probe:

sends the same lines as they are written; the file is whole even when the connection breaks. Needs PyTorch
and nothing else. On GPUs operations are timed with CUDA events, read when a step has ended; on CPUs with the
host's clock.

Other code: `probe.attach_megatron()` wraps Megatron-LM's forward_step and backward_step, and
`@probe.operation("F")` any function that takes `microbatch` and, optionally, `stage` as keyword arguments; call
`probe.step()` at the end of every iteration then.
"""

import contextlib
import functools
import json
import os
import queue
import socket
import threading
import time
import warnings

import torch
import torch.distributed as dist

VERSION = 1
_FLUSH_LINES = 512
_CONNECT_S, _ANSWER_BYTES, _WAITING_PARTS = 10, 4096, 1024


class _Live:
    """The connection to `bscope collect`. A thread sends, so that training never waits; what cannot be sent in time
    ends the connection, with one warning."""

    def __init__(self, address, token_file, rank, world_size):
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError(f"live={address!r} must be HOST:PORT")
        if token_file is None:
            raise ValueError("live needs token_file: bscope collect names its file when it starts")
        with open(token_file, encoding="utf-8") as file:
            token = file.readline().strip()
        self._socket = socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S)
        hello = {"bubblescope_live": VERSION, "token": token, "rank": rank, "world_size": world_size}
        try:
            self._socket.sendall((json.dumps(hello) + "\n").encode())
            answer = b""
            while not answer.endswith(b"\n") and len(answer) < _ANSWER_BYTES:
                part = self._socket.recv(_ANSWER_BYTES)
                if not part:
                    break
                answer += part
            refusal = json.loads(answer or b"{}")
            if not refusal.get("ok"):
                raise ConnectionError(f"{address} refuses this probe: {refusal.get('error', 'it gives no reason')}")
        except BaseException:
            self._socket.close()
            raise
        self._waiting = queue.Queue(_WAITING_PARTS)
        self._lost = False
        self._thread = threading.Thread(target=self._send_all, name="bubblescope-live", daemon=True)
        self._thread.start()

    def _send_all(self):
        while (text := self._waiting.get()) is not None:
            try:
                if not self._lost:
                    self._socket.sendall(text.encode())
            except OSError as error:
                self._lose(str(error))
        self._socket.close()

    def _lose(self, why):
        if not self._lost:
            self._lost = True
            warnings.warn(f"bubblescope probe: live sending has ended ({why}); the file goes on", stacklevel=2)

    def send(self, text):
        if self._lost:
            return
        try:
            self._waiting.put_nowait(text)
        except queue.Full:
            self._lose("the line is too slow")

    def close(self):
        try:
            self._waiting.put(None, timeout=_CONNECT_S)
        except queue.Full:
            self._lose("the line is too slow")
        self._thread.join(_CONNECT_S)


class _Lines:
    """Lines of this rank's file, written some hundred at a time."""

    def __init__(self, path, live=None):
        self._file = open(path, "w", encoding="utf-8")
        self._live = live
        self._held = []

    def write(self, record):
        self._held.append(json.dumps(record, separators=(",", ":")))
        if len(self._held) >= _FLUSH_LINES:
            self.flush()

    def flush(self):
        if self._held:
            text = "\n".join(self._held) + "\n"
            self._held.clear()
            self._file.write(text)
            self._file.flush()
            if self._live:
                self._live.send(text)

    def close(self):
        self.flush()
        self._file.close()
        if self._live:
            self._live.close()


class Probe:
    def __init__(self, folder, rank=None, world_size=None, live=None, token_file=None):
        initialised = dist.is_available() and dist.is_initialized()
        self.rank = rank if rank is not None else (dist.get_rank() if initialised else 0)
        self.world_size = world_size if world_size is not None else (dist.get_world_size() if initialised else 1)
        os.makedirs(folder, exist_ok=True)
        self._cuda = torch.cuda.is_available() and torch.cuda.is_initialized()
        sender = _Live(live, token_file, self.rank, self.world_size) if live else None
        self._lines = _Lines(os.path.join(folder, f"probe_rank_{self.rank}.jsonl"), sender)
        self._pending = []  # CUDA: operations whose events are still to be read
        self._iteration = 0
        self._undo = []
        self._lines.write({
            "bubblescope_probe": VERSION,
            "rank": self.rank,
            "world_size": self.world_size,
            "host": socket.gethostname(),
            "clock": "cuda" if self._cuda else "host",
            "torch": torch.__version__,
        })
        if self._cuda:
            self._base = torch.cuda.Event(enable_timing=True)
            torch.cuda.synchronize()
            self._base_ns = time.time_ns()
            self._base.record()

    # ---- operations ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def range(self, op, stage=None, microbatch=None, chunk=None):
        """Everything inside is one operation: op is F, B, I, W, R or OPT."""
        record = {"i": self._iteration, "op": op}
        for key, value in (("s", stage), ("c", chunk), ("mb", microbatch)):
            if value is not None:
                record[key] = int(value)
        if self._cuda:
            record["m0"] = torch.cuda.memory_allocated()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            try:
                yield
            finally:
                end.record()
                record["m1"] = torch.cuda.memory_allocated()
                self._pending.append((record, begin, end))
        else:
            record["t0"] = time.time_ns()
            try:
                yield
            finally:
                record["t1"] = time.time_ns()
                self._lines.write(record)

    def operation(self, op):
        """Decorator: microbatch, stage and chunk are taken from keyword arguments of these names."""

        def wrap(function):
            @functools.wraps(function)
            def wrapped(*args, **kwargs):
                with self.range(op, kwargs.get("stage"), kwargs.get("microbatch"), kwargs.get("chunk")):
                    return function(*args, **kwargs)

            return wrapped

        return wrap

    def step(self):
        """An iteration has ended. attach() calls it by itself."""
        if self._pending:
            self._pending[-1][2].synchronize()
        for record, begin, end in self._pending:
            record["t0"] = self._base_ns + round(self._base.elapsed_time(begin) * 1e6)
            record["t1"] = self._base_ns + round(self._base.elapsed_time(end) * 1e6)
            self._lines.write(record)
        self._pending.clear()
        self._lines.write({"i": self._iteration, "end": True})
        self._lines.flush()
        self._iteration += 1

    # ---- what computes a stage -------------------------------------------------------------------------

    def _replace(self, owner, name, function):
        # What an object did not have of its own goes away again; what a module or class had comes back.
        own = name in vars(owner)
        before = getattr(owner, name)
        setattr(owner, name, function)
        self._undo.append(lambda: setattr(owner, name, before) if own else delattr(owner, name))

    def attach(self, schedule):
        """Wraps the stages of a schedule of torch.distributed.pipelining, and its step()."""
        stages = getattr(schedule, "_stages", None) or [schedule._stage]
        for stage in stages:
            self._attach_stage(stage)
        step = schedule.step

        @functools.wraps(step)
        def stepped(*args, **kwargs):
            try:
                return step(*args, **kwargs)
            finally:
                self.step()

        self._replace(schedule, "step", stepped)
        return self

    def _attach_stage(self, stage):
        forward, backward = stage.forward_one_chunk, stage.backward_one_chunk
        weight = getattr(stage, "backward_weight_one_chunk", None)
        index = stage.stage_index

        @functools.wraps(forward)
        def forwarded(fwd_chunk_id, *args, **kwargs):
            with self.range("F", index, fwd_chunk_id):
                return forward(fwd_chunk_id, *args, **kwargs)

        @functools.wraps(backward)
        def backwarded(bwd_chunk_id, *args, **kwargs):
            full = kwargs.get("full_backward", args[1] if len(args) > 1 else True)
            with self.range("B" if full else "I", index, bwd_chunk_id):
                return backward(bwd_chunk_id, *args, **kwargs)

        self._replace(stage, "forward_one_chunk", forwarded)
        self._replace(stage, "backward_one_chunk", backwarded)
        if weight is None:
            return

        @functools.wraps(weight)
        def weighted(bwd_chunk_id, *args, **kwargs):
            with self.range("W", index, bwd_chunk_id):
                return weight(bwd_chunk_id, *args, **kwargs)

        self._replace(stage, "backward_weight_one_chunk", weighted)

    def attach_megatron(self):
        """Wraps forward_step and backward_step of megatron.core.pipeline_parallel.schedules; call step() at the
        end of every iteration. Micro-batches are numbered by their order when the run is imported."""
        from megatron.core.pipeline_parallel import schedules

        for name, op in (("forward_step", "F"), ("backward_step", "B")):
            function = getattr(schedules, name)

            @functools.wraps(function)
            def wrapped(*args, _function=function, _op=op, **kwargs):
                with self.range(_op, chunk=kwargs.get("vp_stage")):
                    return _function(*args, **kwargs)

            self._replace(schedules, name, wrapped)
        return self

    def detach(self):
        """Takes off what attach() and attach_megatron() wrapped."""
        while self._undo:
            self._undo.pop()()

    def close(self):
        self.detach()
        if self._pending:
            self.step()
        self._lines.close()


@contextlib.contextmanager
def record(folder, rank=None, world_size=None, live=None, token_file=None):
    """A probe of this rank, which writes its file into the folder and, with live="HOST:PORT", sends it to `bscope
    collect` there; token_file holds the token that this one names."""
    probe = Probe(folder, rank, world_size, live, token_file)
    try:
        yield probe
    finally:
        probe.close()
