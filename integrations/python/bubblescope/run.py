"""A run as plain Python values: a recording of Bubblescope, or what another program's profiler or the probe wrote.

    run = bubblescope.Run("run.bscope")           # or Run("traces/"), Run("rank0.json", "rank1.json")
    run.iterations[-1].bubble_of_total            # a share: 0.27 is 27 %
    run.iterations[-1].order(0)                   # ["0F0", "0F1", "0B0", ...]: stage, operation, micro-batch
    run.iterations[-1].causes.causes_ms           # {"fill": 0.13, "drain": 0.1, ...}
    run.events_frame()                            # a pandas.DataFrame, where pandas is there

Everything is read by `bscope`, so that a file is checked as on the command line, numbers are the same, and what a
file contradicts itself in stands in `Run.warnings`. Times of an event count from the start of the recording; those of
gaps from the start of their iteration. In a notebook a run shows itself as a picture that can be zoomed."""

from __future__ import annotations

import csv
import dataclasses
import html
import json
import os
import pathlib
import subprocess
import tempfile
from functools import cached_property
from typing import Any

from ._programs import program

__all__ = ["Causes", "Event", "Gap", "Iteration", "Rank", "Run", "RunError"]


class RunError(Exception):
    """`bscope` refused a file; the text is what it said."""


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that a rank did in one iteration."""

    provenance: str  # MEASURED, RECONSTRUCTED, IMPORTED, ...
    iteration: int
    rank: int
    op: str  # F, B, I, W, R, SEND, RECV, ...: as `bscope export --csv` writes them
    stage: int
    microbatch: int  # -1: of none
    start_ns: int  # from the start of the recording
    end_ns: int
    transfer_ns: int | None  # of a receive: the message's way; None: not known, or no message
    bytes: int | None
    disturbed: bool  # another program took time of this rank meanwhile
    weight_version: int | None  # of asynchronous schedules
    staleness: int | None


@dataclasses.dataclass(frozen=True)
class Rank:
    """Numbers of one rank in one iteration; None: not known, as the memory of an imported run."""

    rank: int
    busy_ms: float
    wait_ms: float | None
    transfer_ms: float | None
    bubble_of_total: float
    peak_activation_bytes: int | None
    peak_in_flight: int | None
    more: dict[str, Any]  # what else `bscope replay --json` has


@dataclasses.dataclass(frozen=True)
class Gap:
    """A time in which a rank stood still."""

    rank: int
    start_ms: float  # from the start of the iteration
    length_ms: float
    next: str  # the operation that it waited for
    cause: str  # the largest one
    causes_ms: dict[str, float]
    words: str  # one sentence or more, in English


@dataclasses.dataclass(frozen=True)
class Causes:
    """Where the idle time of an iteration comes from; the causes add up to it."""

    idle_ms: float
    causes_ms: dict[str, float]
    gaps: list[Gap]  # the longest first
    more: dict[str, Any]  # what else `bscope replay --bubble --json` has


@dataclasses.dataclass(frozen=True)
class Iteration:
    """One iteration. Shares are of 1; bubble_of_total is idle time of all ranks by their whole time, bubble_of_ideal by
    their busy time."""

    run: Run = dataclasses.field(repr=False, compare=False)
    iteration: int  # in the recording: from 0, imported ones as their files number them
    schedule: str
    p: int
    m: int
    v: int
    provenance: str
    iteration_ms: float
    bubble_of_total: float
    bubble_of_ideal: float
    loss: float | None
    tokens_per_s: float | None
    ranks: list[Rank]
    more: dict[str, Any]  # what else `bscope replay --json` has

    @property
    def number(self) -> int:
        """As tables, the window and `--iteration` have it."""
        return self.iteration if self.provenance == "IMPORTED" else self.iteration + 1

    @property
    def events(self) -> list[Event]:
        """In the order of their ranks, and of time."""
        return self.run._events_by_iteration.get(self.iteration, [])

    def order(self, rank: int) -> list[str]:
        """What the rank computed, in the text form of Bubblescope's schedules: "2F0" is the forward of micro-batch 0
        through stage 2."""
        return [f"{e.stage}{e.op}{e.microbatch}" for e in self.events if e.rank == rank and e.op in _COMPUTE]

    @property
    def causes(self) -> Causes:
        return self.run._causes(self.number)


_COMPUTE = frozenset("FBIWR")


def _values(row: dict[str, Any], of: Any) -> dict[str, Any]:
    """The fields of the dataclass that the row has, or None; in `more` what it has beside them."""
    names = [field.name for field in dataclasses.fields(of) if field.name not in ("run", "more")]
    values = {name: row.get(name) for name in names}
    values["more"] = {key: value for key, value in row.items() if key not in names}
    return values


def _bscope(*arguments: str) -> tuple[str, list[str]]:
    """Standard output, and what was said beside it."""
    done = subprocess.run(
        [program("bscope"), *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""},
    )
    if done.returncode != 0:
        raise RunError(done.stderr.strip() or f"bscope ended with status {done.returncode}")
    return done.stdout, [line for line in done.stderr.splitlines() if line.strip()]


def _number(text: str) -> int | None:
    return int(text) if text else None


class Run:
    """A recording (one path that ends with .bscope), or files or a folder that `bscope import` reads."""

    def __init__(self, *paths: str | os.PathLike[str]):
        if not paths:
            raise RunError("name a recording, or the files or the folder of a run")
        self._kept: tempfile.TemporaryDirectory[str] | None = None
        given = [os.path.abspath(path) for path in paths]  # no name is taken for an option
        self.warnings: list[str] = []
        if len(given) == 1 and given[0].endswith(".bscope"):
            self.path = pathlib.Path(given[0])
        else:
            self._kept = tempfile.TemporaryDirectory(prefix="bubblescope-")
            self.path = pathlib.Path(self._kept.name) / "run.bscope"
            _, said = _bscope("import", "-o", str(self.path), *given)
            self.warnings += said
        rows, said = _bscope("replay", "--json", str(self.path))
        self.warnings += said
        self.iterations: list[Iteration] = [self._iteration(json.loads(row)) for row in rows.splitlines()]

    def __repr__(self) -> str:
        last = self.iterations[-1]
        return f"<Run {self.path.name}: {len(self.iterations)} iterations, {last.schedule}, p={last.p} m={last.m}>"

    @cached_property
    def events(self) -> list[Event]:
        """Of all iterations."""
        table, _ = _bscope("export", "--csv", "-", str(self.path))
        return [
            Event(
                provenance=row["provenance"],
                iteration=int(row["iteration"]),
                rank=int(row["rank"]),
                op=row["op"],
                stage=int(row["stage"] or -1),
                microbatch=int(row["microbatch"] or -1),
                start_ns=int(row["start_ns"]),
                end_ns=int(row["end_ns"]),
                transfer_ns=_number(row["transfer_ns"]),
                bytes=_number(row["bytes"]),
                disturbed=row["disturbed"] == "1",
                weight_version=_number(row["weight_version"]),
                staleness=_number(row["staleness"]),
            )
            for row in csv.DictReader(table.splitlines())
        ]

    def events_frame(self) -> Any:
        """A pandas.DataFrame with a row an event."""
        import pandas

        return pandas.DataFrame([dataclasses.asdict(event) for event in self.events])

    def iterations_frame(self) -> Any:
        """A pandas.DataFrame with a row an iteration; without the numbers of the ranks."""
        import pandas

        names = [f.name for f in dataclasses.fields(Iteration) if f.name not in ("run", "ranks", "more")]
        return pandas.DataFrame([{name: getattr(each, name) for name in names} for each in self.iterations])

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page of this run: one file with the picture of an iteration, which needs no network."""
        _bscope("export", "--html", os.path.abspath(path), str(self.path))

    def _repr_html_(self) -> str:
        page, _ = _bscope("export", "--html", "-", str(self.path))
        return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:0"></iframe>'

    @cached_property
    def _events_by_iteration(self) -> dict[int, list[Event]]:
        sorted_by: dict[int, list[Event]] = {}
        for event in self.events:
            sorted_by.setdefault(event.iteration, []).append(event)
        return sorted_by

    def _causes(self, number: int) -> Causes:
        text, _ = _bscope("replay", "--bubble", "--json", "--iteration", str(number), str(self.path))
        found = json.loads(text)
        names = [field.name for field in dataclasses.fields(Gap)]
        values = _values(found, Causes)
        values["gaps"] = [Gap(**{name: gap[name] for name in names}) for gap in found["gaps"]]
        return Causes(**values)

    def _iteration(self, row: dict[str, Any]) -> Iteration:
        values = _values(row, Iteration)
        values["ranks"] = [Rank(**_values(rank, Rank)) for rank in row["ranks"]]
        return Iteration(run=self, **values)
