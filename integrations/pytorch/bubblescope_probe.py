"""Records what a pipeline stage computes, for Bubblescope: copy this file into your project.

    import bubblescope_probe

    with bubblescope_probe.record("runs/x") as probe:
        probe.attach(schedule)            # of torch.distributed.pipelining, TorchTitan's included
        for batch in data:
            schedule.step(batch)

Every rank writes runs/x/probe_rank_R.jsonl; `bscope import runs/x` and the window read the folder, the window while
it grows, too. For a window on another machine start `bscope collect --listen ADDR:PORT -o FOLDER` there, and

    with bubblescope_probe.record("runs/x", live="HOST:PORT", token_file="bscope.token") as probe:

sends the file as it is written; where the collector is not there, the file goes on and sending is tried again every
15 s. Needs PyTorch and nothing else. On GPUs operations are timed with CUDA events, read when a step has ended; on
CPUs with the host's clock. Long trainings: every=100 records every 100th iteration, and a file ends at max_bytes.

Other code: `probe.attach_megatron()` wraps Megatron-LM's forward_step and backward_step, and
`@probe.operation("F")` any function that takes `microbatch` and, optionally, `stage` as keyword arguments; call
`probe.step()` at the end of every iteration then. Forwards of schedule.eval() are marked as evaluation.
"""

import contextlib
import functools
import inspect
import json
import os
import socket
import threading
import time
import uuid
import warnings
import zlib

import torch
import torch.distributed as dist

VERSION = 1
MAX_BYTES = 1 << 30  # of a rank's file
_FLUSH_LINES = 512
_CONNECT_S, _RETRY_S, _ANSWER_BYTES, _PART_BYTES = 10, 15, 4096, 1 << 16
_LEAST_BYTES, _LAST_LINES_BYTES = 4096, 128
_MEGATRON_PLACES = (("tp", "tensor_model_parallel"), ("dp", "data_parallel"), ("cp", "context_parallel"))


def _warn(what):
    warnings.warn(f"bubblescope probe: {what}", stacklevel=3)


def _asked(parallel_state, what):
    """What megatron.core.parallel_state says; None where this version of it has no such question."""
    function = getattr(parallel_state, "get_" + what, None)
    return None if function is None else function()


class _Live:
    """Sends this rank's file to `bscope collect` while it grows. A thread reads it from the disk, so that training
    never waits for a line or a collector, and one that comes late, or comes back, is sent what it does not have."""

    def __init__(self, address, token_file, path, rank, world_size):
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError(f"live={address!r} must be HOST:PORT")
        if token_file is None:
            raise ValueError("live needs token_file: bscope collect names its file when it starts")
        self._address, self._where = address, (host.strip("[]"), int(port))
        self._token_file, self._path = token_file, path
        # By its number a collector knows that a new connection goes on with the same file.
        self._hello = {"rank": rank, "world_size": world_size, "probe": uuid.uuid4().hex}
        self._written, self._sent, self._warned = 0, 0, False
        self._more, self._closing = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="bubblescope-live", daemon=True)
        self._thread.start()

    def wrote(self, size_bytes):
        self._written = size_bytes
        self._more.set()

    def _run(self):
        while True:
            last = self._closing.is_set()
            try:
                with self._connect() as line:
                    return self._send_file(line)
            except (OSError, ValueError) as error:
                if not self._warned:
                    self._warned = True
                    _warn(f"nothing is sent to {self._address} ({error}); the file goes on, and sending is tried "
                          f"again every {_RETRY_S} s")
            if last:
                return
            self._closing.wait(_RETRY_S)

    def _connect(self):
        with open(self._token_file, encoding="utf-8") as file:
            token = file.readline().strip()
        line = socket.create_connection(self._where, timeout=_CONNECT_S)
        try:
            line.sendall((json.dumps({"bubblescope_live": VERSION, "token": token, **self._hello}) + "\n").encode())
            answer = b""
            while not answer.endswith(b"\n") and len(answer) < _ANSWER_BYTES:
                part = line.recv(_ANSWER_BYTES)
                if not part:
                    break
                answer += part
            reply = json.loads(answer or b"{}")
            if not reply.get("ok"):
                raise ConnectionError(f"it refuses: {reply.get('error', 'it gives no reason')}")
            self._sent = int(reply.get("have", 0))
            if not 0 <= self._sent <= self._written:
                raise ConnectionError("it has more of the file than there is")
        except BaseException:
            line.close()
            raise
        return line

    def _send_file(self, line):
        with open(self._path, "rb") as file:
            file.seek(self._sent)
            while True:
                closing = self._closing.is_set()
                while left := self._written - self._sent:
                    part = file.read(min(left, _PART_BYTES))
                    if not part:
                        raise OSError("its file has become shorter")
                    line.sendall(part)
                    self._sent += len(part)
                if closing:
                    return
                self._more.wait()
                self._more.clear()

    def close(self):
        self._closing.set()
        self._more.set()
        self._thread.join(_CONNECT_S)


class _Lines:
    """Lines of this rank's file, written some hundred at a time. A file that has reached its most bytes says so in
    its last line and takes no more. An end of an iteration carries the checksum of what was written since the one
    before, so that a line that is lost or altered later is noticed."""

    def __init__(self, path, max_bytes):
        self._file = open(path, "wb")
        self._max_bytes, self._size = max_bytes, 0
        self._held = []
        self._crc = 0  # of what was written since the last end of an iteration
        self.live = None
        self.full = False  # or not to be written

    def write(self, record):
        if not self.full:
            self._write(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def write_end(self, iteration):
        if not self.full:
            text = b'{"i":%d,"end":true' % iteration
            self._write(text + b',"crc":%d}\n' % zlib.crc32(text, self._crc))
            self._crc = 0

    def _write(self, text):
        if self._size + len(text) > self._max_bytes - _LAST_LINES_BYTES:
            self._held.append(b'{"full":true}\n')
            self._size += len(self._held[-1])
            self.flush()
            self.full = True
            return _warn(f"the file has reached its {self._max_bytes} bytes: what comes now is not recorded. Record "
                         "every Nth iteration (every=N), or give max_bytes")
        self._held.append(text)
        self._size += len(text)
        self._crc = zlib.crc32(text, self._crc)
        if len(self._held) >= _FLUSH_LINES:
            self.flush()

    def flush(self):
        if self._held:
            try:
                self._file.write(b"".join(self._held))
                self._file.flush()
            except OSError as error:
                self.full = True
                _warn(f"the file cannot be written ({error}): nothing more is recorded")
            self._held.clear()
            if self.live and not self.full:
                self.live.wrote(self._size)

    def close(self):
        self.flush()
        with contextlib.suppress(OSError):  # what could not be written has been said
            self._file.close()
        if self.live:
            self.live.close()


class Probe:
    def __init__(self, folder, rank=None, world_size=None, live=None, token_file=None, every=1, max_bytes=MAX_BYTES):
        if every < 1 or max_bytes < _LEAST_BYTES:
            raise ValueError(f"every must be at least 1 and max_bytes at least {_LEAST_BYTES}")
        self._initialised = dist.is_available() and dist.is_initialized()
        self.rank = rank if rank is not None else (dist.get_rank() if self._initialised else 0)
        self.world_size = world_size if world_size is not None else (dist.get_world_size() if self._initialised else 1)
        os.makedirs(folder, exist_ok=True)
        self._cuda = torch.cuda.is_available() and torch.cuda.is_initialized()
        path = os.path.join(folder, f"probe_rank_{self.rank}.jsonl")
        self._lines = _Lines(path, max_bytes)
        if live:
            self._lines.live = _Live(live, token_file, path, self.rank, self.world_size)
        self._every = every
        self._pending = []  # CUDA: operations whose events are still to be read
        self._iteration = 0
        self._undo, self._attached = [], []
        self._placed = False
        self._megatron = None  # rank, size and chunks of its pipeline
        self._lines.write({
            "bubblescope_probe": VERSION,
            "rank": self.rank,
            "world_size": self.world_size,
            "host": socket.gethostname(),
            "clock": "cuda" if self._cuda else "host",
            "torch": torch.__version__,
            "every": every,
            "max_bytes": max_bytes,
            "checksum": "crc32",
        })
        self._lines.flush()
        if self._cuda:
            self._base = torch.cuda.Event(enable_timing=True)
            torch.cuda.synchronize()
            self._base_ns = time.time_ns()
            self._base.record()

    @property
    def _records(self):
        return self._iteration % self._every == 0 and not self._lines.full

    # ---- operations ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def range(self, op, stage=None, microbatch=None, chunk=None, evaluation=False):
        """Everything inside is one operation: op is F, B, I, W, R or OPT. evaluation: a forward that no backward
        follows, which is no part of a training iteration."""
        if not self._records:
            yield
            return
        record = {"i": self._iteration, "op": op}
        if evaluation:
            record["eval"] = True
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
        if self._records:
            self._lines.write_end(self._iteration)
            self._lines.flush()
        self._iteration += 1

    # ---- what computes a stage -------------------------------------------------------------------------

    def _replace(self, owner, name, function):
        # What an object did not have of its own goes away again; what a module or class had comes back.
        own = name in vars(owner)
        before = getattr(owner, name)
        setattr(owner, name, function)
        self._undo.append(lambda: setattr(owner, name, before) if own else delattr(owner, name))

    def _claims(self, what):
        # Two wrappers would write every operation twice.
        if any(each is what for each in self._attached):
            return False
        self._attached.append(what)
        return True

    def _tell_place(self, ranks, **places):
        # Which ranks, in the order of its stages, are the pipeline that this one is in.
        ranks = [int(rank) for rank in ranks]
        if self.rank in ranks:
            self._lines.write({"pipeline": ranks, **places})

    def attach(self, schedule):
        """Wraps the stages of a schedule of torch.distributed.pipelining, and its step()."""
        if not self._claims(schedule):
            _warn("attach() was called again for a schedule that is attached; it is counted once")
            return self
        stages = getattr(schedule, "_stages", None) or [schedule._stage]
        if self._initialised and not self._placed:
            self._placed = True
            try:
                ranks = dist.get_process_group_ranks(getattr(stages[0], "group", None))
            except (AttributeError, RuntimeError, ValueError) as error:
                _warn(f"PyTorch does not say which ranks are this pipeline ({error!r})")
            else:
                self._tell_place(ranks)
        for stage in stages:
            if self._claims(stage):
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

        def evaluates():  # within schedule.eval(), whose schedule calls backwards that do nothing
            return not getattr(stage, "has_backward", True)

        @functools.wraps(forward)
        def forwarded(fwd_chunk_id, *args, **kwargs):
            with self.range("F", index, fwd_chunk_id, evaluation=evaluates()):
                return forward(fwd_chunk_id, *args, **kwargs)

        @functools.wraps(backward)
        def backwarded(bwd_chunk_id, *args, **kwargs):
            if evaluates():
                return backward(bwd_chunk_id, *args, **kwargs)
            full = kwargs.get("full_backward", args[1] if len(args) > 1 else True)
            with self.range("B" if full else "I", index, bwd_chunk_id):
                return backward(bwd_chunk_id, *args, **kwargs)

        self._replace(stage, "forward_one_chunk", forwarded)
        self._replace(stage, "backward_one_chunk", backwarded)
        if weight is None:
            return

        @functools.wraps(weight)
        def weighted(bwd_chunk_id, *args, **kwargs):
            if evaluates():
                return weight(bwd_chunk_id, *args, **kwargs)
            with self.range("W", index, bwd_chunk_id):
                return weight(bwd_chunk_id, *args, **kwargs)

        self._replace(stage, "backward_weight_one_chunk", weighted)

    def attach_megatron(self):
        """Wraps forward_step and backward_step of megatron.core.pipeline_parallel.schedules; call step() at the
        end of every iteration. Micro-batches are numbered by their order when the run is imported; stage, and the
        ranks of this pipeline, are those of megatron.core.parallel_state."""
        from megatron.core import parallel_state
        from megatron.core.pipeline_parallel import schedules

        if not self._claims(schedules):
            _warn("attach_megatron() was called again; it is counted once")
            return self
        # Where calls are given their chunk, the one in parallel_state is not kept up to date.
        takes_stage = "vp_stage" in inspect.signature(schedules.forward_step).parameters

        for name, op in (("forward_step", "F"), ("backward_step", "B")):
            function = getattr(schedules, name)

            @functools.wraps(function)
            def wrapped(*args, _function=function, _op=op, **kwargs):
                self._find_megatron_place(parallel_state)
                chunk = kwargs.get("vp_stage")
                if chunk is None and not takes_stage:
                    chunk = _asked(parallel_state, "virtual_pipeline_model_parallel_rank")
                evaluation = _op == "F" and not torch.is_grad_enabled()
                with self.range(_op, self._megatron_stage(chunk), None, chunk, evaluation):
                    return _function(*args, **kwargs)

            self._replace(schedules, name, wrapped)
        return self

    def _megatron_stage(self, chunk):
        if self._megatron is None:
            return None
        rank, size, chunks = self._megatron
        return None if chunks > 1 and chunk is None else (chunk or 0) * size + rank  # None: by the order

    def _find_megatron_place(self, parallel_state):
        # At the first operation: attach_megatron() may come before the groups are made.
        if self._placed:
            return
        self._placed = True
        try:
            rank, group = (_asked(parallel_state, "pipeline_model_parallel_" + what) for what in ("rank", "group"))
            ranks = dist.get_process_group_ranks(group[0] if isinstance(group, list) else group)
            chunks = _asked(parallel_state, "virtual_pipeline_model_parallel_world_size") or 1
            places = {key: _asked(parallel_state, kind + "_rank") for key, kind in _MEGATRON_PLACES}
        except Exception as error:  # groups that Megatron was not asked to make, or another version of it
            _warn(f"megatron.core.parallel_state does not say which ranks are this pipeline ({error!r}): import the "
                  "files of one pipeline alone")
            return
        self._megatron = (rank, len(ranks), chunks)
        self._tell_place(ranks, pp=rank, **{key: place for key, place in places.items() if place is not None})

    def detach(self):
        """Takes off what attach() and attach_megatron() wrapped."""
        while self._undo:
            self._undo.pop()()
        self._attached.clear()

    def close(self):
        self.detach()
        if self._pending:
            self.step()
        self._lines.write({"closed": True})
        self._lines.close()


@contextlib.contextmanager
def record(folder, rank=None, world_size=None, live=None, token_file=None, every=1, max_bytes=MAX_BYTES):
    """A probe of this rank, which writes its file into the folder and, with live="HOST:PORT", sends it to `bscope
    collect` there; token_file holds the token that this one names. every=N records every Nth iteration; a file ends
    at max_bytes, 1 GiB where nothing else is said."""
    probe = Probe(folder, rank, world_size, live, token_file, every, max_bytes)
    try:
        yield probe
    finally:
        probe.close()
