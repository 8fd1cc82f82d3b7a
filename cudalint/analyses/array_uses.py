"""What the walk over a kernel's local arrays notes: levels of numbers, uses of arrays, and loops."""

from typing import Literal

from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer, Record, Scalar, Type
from cudalint.ir.unit import Unit
from cudalint.source.span import Span

Level = Literal[0, 1, 2]
FIXED: Level = 0  # known when the code is compiled, or not known to be otherwise
COUNT: Level = 1  # counts the rounds of a loop that is not written out
DATA: Level = 2

WORD = 4


class Use(Struct):
    """One access at a place that only the run knows. loads, stores: times that it is written out. moves: the
    place is not the same in every round of a loop. picked: it is at the counter of a loop round it, or at a
    number that an arm chose: one of few. turns: the loops that stay and move the place by the data;
    loops: those that stay and move the place at all; updates: it is read and written at once. exits: stores
    where the data has ended a loop; shifts: stores of another element of the array; rest: the index is what
    a division or a mask leaves.
    """

    node: e.Expression
    index: e.Expression
    width: int
    loads: int = 0
    stores: int = 0
    weight: int = 0
    in_loop: bool = False
    moves: bool = False
    picked: bool = False
    turns: set[int] = field(default_factory=set)
    loops: set[int] = field(default_factory=set)
    updates: bool = False
    exits: bool = False
    shifts: bool = False
    rest: bool = False


class Seen(Struct):
    """What was seen of one array. fixed: it is used at places that the compiler knows. kept: it is read in
    another loop than those that write it. holds: what its elements stand on. asked: roughly how often a
    thread accesses it; repeated: in loops that stay, or of a length that the code does not say. moved: words
    that these accesses move, by the identity of the loop right round them, 0 for none; rounds: how often a
    thread goes round each loop of the kernel. touched: all accesses.
    """

    variable: e.Variable
    uses: dict[Span, Use] = field(default_factory=dict)
    touched: dict[Span, e.Expression] = field(default_factory=dict)
    read: bool = False
    fixed: bool = False
    kept: bool = False
    written_in: set[int] = field(default_factory=set)
    holds: Level = FIXED
    asked: float = 0.0
    repeated: bool = False
    moved: dict[int, float] = field(default_factory=dict)
    rounds: dict[int, float] = field(default_factory=dict)


class Alias(Struct, frozen=True):
    """What a pointer or reference names: an array, from a place on."""

    array: int
    level: Level = FIXED
    index: e.Expression | None = None


class OpenLoop(Struct):
    """A loop round the current statement. number: its identity. stays: it is not written out. trips: None
    where the code does not say. changed: variables that are not the same in every round; carried: those of
    them that a round makes from what they were.
    """

    number: int
    stays: bool
    trips: int | None
    changed: set[int]
    carried: set[int]


def width(unit: Unit, type: Type) -> int:
    """Bytes of the widest scalar of a value; 4 where it has none."""
    match type:
        case Scalar(bytes=size) | Pointer(bytes=size):
            return size
        case Record(name=name, align=align):
            layout = unit.records.get(name)
            widths = [width(unit, member.type) for member in layout.fields] if layout is not None else []
            widest = max(widths, default=WORD)
            return WORD if widest < WORD <= align else widest
        case _:
            return WORD
