"""What a walk of the host code has seen, in order, and what other threads do."""

from msgspec import Struct, field

from cudalint.host.facts import Buffer, HostAccess, HostCall, Interval, LaunchFact, Use
from cudalint.host.memory import State
from cudalint.host.values import Value
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function

Mark = tuple[int, int, int, int, int]  # lengths of a log's lists


class Log(Struct):
    """What was seen, in order. uses: the host reads or writes an object that a copy filled."""

    launches: list[LaunchFact] = field(default_factory=list)
    calls: list[HostCall] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    accesses: list[HostAccess] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)

    def mark(self) -> Mark:
        return len(self.launches), len(self.calls), len(self.uses), len(self.accesses), len(self.intervals)

    def rewind(self, mark: Mark) -> None:
        del self.launches[mark[0] :]
        del self.calls[mark[1] :]
        del self.uses[mark[2] :]
        del self.accesses[mark[3] :]
        del self.intervals[mark[4] :]


class Stage(Struct, frozen=True):
    """How things stand before a statement of an entry point: memory, objects, numbers that were compared with
    unknown ones, and what was seen so far.
    """

    state: State
    buffers: dict[int, Buffer]
    compared: frozenset[int]
    log: Log
    mark: Mark


class Reads(Struct, frozen=True):
    """What statements may read before they write it: variables, by id. asks: also the command line."""

    variables: frozenset[int]
    asks: bool


class Start(Struct, frozen=True):
    """A function that a thread runs, the call that says so, and the arguments with their places."""

    function: Function
    node: e.Call
    arguments: tuple[tuple[Value, Value], ...]


class Task(Struct, frozen=True):
    """What another thread does. several: it may be done by several threads at a time; waits: it waits for
    what others do, and is run again once that is known.
    """

    log: Log
    several: bool = False
    waits: Start | None = None
