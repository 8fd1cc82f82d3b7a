"""How many blocks of a launch store nothing, for known numbers: none of their threads comes to a store.

Conditions are taken apart into comparisons of what the threads of blocks compute from their places; each of
these numbers lies in a range, and what nobody knows may go either way. Blocks side by side are looked at
together, and in halves where they need not be alike.
"""

from collections import Counter
from math import prod

from msgspec import Struct, field

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.idle_blocks import asked
from cudalint.analyses.kernel_queries import is_memory, space_of
from cudalint.analyses.once import once
from cudalint.analyses.thread_numbers import Extents, Known
from cudalint.cuda.effects import BLOCK_BARRIERS, LOADS, SHUFFLES, VOTES, is_by_value
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk

_HARMLESS = BLOCK_BARRIERS | LOADS | VOTES | SHUFFLES.keys()
_TRIED = (4096, 4096, 64, 16)  # blocks on an axis, where conditions ask for none, one, two or three
_DEEPEST = 24  # expressions in expressions that are looked into
_CALLS = 4  # likewise functions
_PARTLY = ("/", "%", "<<", ">>")  # that have a range for some numbers only

Range = tuple[int, int]  # the least and the largest number
Way = tuple[tuple[e.Expression, bool], ...]  # conditions that lead somewhere, and how they have to turn out


class IdleShare(Struct, frozen=True):
    """condition: one that keeps the threads of most of these blocks out."""

    share: float
    condition: e.Expression


def idle_share(unit: Unit, kernel: Function, grid: Extents, block: Extents, known: Known) -> IdleShare | None:
    """Of the blocks, evenly spread ones are looked at; None where all have something to store."""
    ways = _ways_to_stores(unit, kernel)
    if not ways or not all(ways):
        return None
    own = definitions(unit, kernel)
    axes = {axis for way in ways for condition, _ in way for axis in _asked(condition, own)}
    most = _TRIED[sum(extent > 1 and "xyz"[axis] in axes for axis, extent in enumerate(grid))]
    tried = [_spread(extent, most if "xyz"[axis] in axes else 1) for axis, extent in enumerate(grid)]
    kept: Counter[int] = Counter()
    nodes: dict[int, e.Expression] = {}
    asking: dict[int, bool] = {}
    idle = 0
    left = [tried]
    while left:
        blocks = left.pop()
        threads = _Threads(own, known, grid, block, tuple((part[0], part[-1]) for part in blocks), asking)
        ends = [threads.closed(way) for way in ways]
        wide = next((axis for axis, part in enumerate(blocks) if len(part) > 1), None)
        if any(end.at is None and (end.alike or wide is None) for end in ends):
            continue
        if wide is None or all(end.alike for end in ends):
            closed = {id(end.at): end.at for end in ends if end.at is not None}
            idle += prod(map(len, blocks))
            kept.update(dict.fromkeys(closed, prod(map(len, blocks))))
            nodes.update(closed)
        else:
            middle = len(blocks[wide]) // 2
            for half in (blocks[wide][middle:], blocks[wide][:middle]):
                left.append([half if axis == wide else part for axis, part in enumerate(blocks)])
    if not idle:
        return None
    return IdleShare(idle / prod(map(len, tried)), nodes[kept.most_common(1)[0][0]])


def _asked(node: e.Expression, own: Definitions) -> set[str]:
    """The axes of the grid whose block numbers a condition depends on."""
    return {part.axis for part in asked(node, own) if part.name == "blockIdx" and part.axis}


def _spread(extent: int, most: int) -> list[int]:
    tried = min(extent, most)
    return [(2 * at + 1) * extent // (2 * tried) for at in range(tried)]


# --- the ways to what is stored ---


@once
def _ways_to_stores(unit: Unit, kernel: Function) -> tuple[Way, ...]:
    """The conditions that lead to each store and to each call that may do something."""
    found: list[Way] = []
    if kernel.body is not None:
        _collect(unit, kernel.body, (), found)
    return tuple({tuple((id(one), wanted) for one, wanted in way): way for way in found}.values())


def _collect(unit: Unit, statement: s.Statement, way: Way, found: list[Way]) -> Way:
    """The conditions under which control goes on behind a statement."""
    match statement:
        case s.Block(body=body):
            for part in body:
                way = _collect(unit, part, way, found)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            if _acts(unit, condition):
                found.append(way)
            _collect(unit, then, (*way, (condition, True)), found)
            if otherwise is not None:
                _collect(unit, otherwise, (*way, (condition, False)), found)
            elif _leaves(then):
                return (*way, (condition, False))
        case s.Loop(initial=initial, condition=condition, body=body, step=step):
            if any(part is not None and _acts(unit, part) for part in (initial, condition, step)):
                found.append(way)
            _collect(unit, body, way, found)
        case _:
            if _acts(unit, statement):
                found.append(way)
    return way


def _leaves(then: s.Statement) -> bool:
    while isinstance(then, s.Block) and then.body:
        then = then.body[-1]
    return isinstance(then, s.Return)


def _acts(unit: Unit, node: Node, depth: int = 0) -> bool:
    """Whether something stores to memory that outlives the block, or may do anything else."""
    for part in walk(node):
        match part:
            case e.Unknown() | s.Opaque() | e.Launch() | e.Lambda():
                return True
            case e.Assign(target=target) if is_memory(target) and space_of(target) != "shared":
                return True
            case e.Call() if not (is_by_value(part.name, part.qualified) or part.name in _HARMLESS):
                called = unit.defined(part.key)
                if called is None or called.body is None or depth >= _CALLS:
                    return True
                if _acts(unit, called.body, depth + 1):
                    return True
    return False


# --- the numbers of the threads of a block ---


class _End(Struct, frozen=True):
    """Where a way ends for all threads, None where it need not; alike: for each of the blocks so."""

    at: e.Expression | None
    alike: bool


class _Threads(Struct):
    """Of blocks side by side. own: definitions of the kernel's variables; places: of the blocks, by axis;
    asking: comparisons, by identity, and whether they ask for these; loose: a number is not known of all
    blocks that may be known of some.
    """

    own: Definitions
    known: Known
    grid: Extents
    block: Extents
    places: tuple[Range, ...]
    asking: dict[int, bool]
    ranges: dict[int, Range | None] = field(default_factory=dict)  # of variables
    loose: bool = False

    def closed(self, way: Way) -> _End:
        """A condition on the way that no thread meets, or the part of it that none does."""
        alike = True
        for condition, wanted in way:
            end = self._end(condition, "&&" if wanted else "||", wanted)
            alike &= end.alike
            if end.at is not None:
                return _End(end.at, alike)
        return _End(None, alike)

    def _end(self, node: e.Expression, joined: str, wanted: bool) -> _End:
        """The comparison that alone keeps all threads out, if there is one."""
        true, false, alike = self.outcomes(node)
        passes, stays = (true, false) if wanted else (false, true)
        if passes:
            return _End(None, alike or not stays)
        while isinstance(node, e.Cast):
            node = node.operand
        if isinstance(node, e.Binary) and node.operator == joined:
            left, right = (self._end(side, joined, wanted) for side in (node.left, node.right))
            if left.at is not None:
                return left
            if right.at is not None:
                return _End(right.at, left.alike and right.alike)
        return _End(node, True)

    def outcomes(self, node: e.Expression) -> tuple[bool, bool, bool]:
        """Whether a condition may hold for a thread, and whether it may not; and whether the same may be said
        of each block.
        """
        match node:
            case e.Cast(operand=operand):
                return self.outcomes(operand)
            case e.Unary(operator="!", operand=operand):
                true, false, alike = self.outcomes(operand)
                return false, true, alike
            case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
                a, b = self.outcomes(left), self.outcomes(right)
                if operator == "&&":
                    return a[0] and b[0], a[1] or b[1], a[2] and b[2]
                return a[0] or b[0], a[1] and b[1], a[2] and b[2]
            case e.Binary(operator="<" | "<=" | ">" | ">=" | "==" | "!=" as operator, left=left, right=right):
                one, other = self.of(left), self.of(right)
                if one is None or other is None:
                    return True, True, not self.loose
                true, false = _compared(operator, one, other)
                return true, false, not (true and false) or not self._asks(node)
            case e.VariableReference(variable=variable) if (only := self.own.only(variable)) is not None:
                return self.outcomes(only)
        return True, True, True

    def _asks(self, node: e.Expression) -> bool:
        """Whether a comparison asks in which block it is."""
        if id(node) not in self.asking:
            self.asking[id(node)] = bool(_asked(node, self.own))
        return self.asking[id(node)]

    def of(self, node: e.Expression, depth: int = 0) -> Range | None:
        """What an expression is, in the threads of the blocks; None where nobody knows it."""
        if depth > _DEEPEST:
            return None
        match node:
            case e.Literal(value=bool() | int() as value):
                return int(value), int(value)
            case e.Cast(operand=operand, type=kind):
                return self._fitting(self.of(operand, depth + 1), kind)
            case e.Builtin(name="threadIdx", axis=axis):
                return 0, self.block["xyz".index(axis)] - 1
            case e.Builtin(name="blockIdx", axis=axis):
                return self.places["xyz".index(axis)]
            case e.Builtin(name="blockDim" | "gridDim" as name, axis=axis):
                number = (self.block if name == "blockDim" else self.grid)["xyz".index(axis)]
                return number, number
            case e.VariableReference(variable=variable):
                if variable.id not in self.ranges:
                    self.ranges[variable.id] = self._variable(variable, depth)
                return self.ranges[variable.id]
            case e.Member(base=e.VariableReference(variable=variable), offset=offset):
                given = self.known.get((variable.id, offset)) if variable.id not in self.own.changed else None
                return None if given is None else (given, given)
            case e.Binary(operator=operator, left=left, right=right, type=kind):
                a, b = self.of(left, depth + 1), self.of(right, depth + 1)
                if a is None or b is None:
                    return None
                found = _combined(operator, a, b)
                self.loose |= found is None and operator in _PARTLY
                return self._fitting(found, kind)
            case e.Call():
                body = self.own.resolve(node)
                return self.of(body, depth + 1) if body is not node else None
        return None

    def _variable(self, variable: e.Variable, depth: int) -> Range | None:
        given = self.known.get((variable.id, 0))
        if given is not None and variable.id not in self.own.changed and variable.id not in self.own.values:
            return given, given
        only = self.own.only(variable)
        return self._fitting(self.of(only, depth + 1), variable.type) if only is not None else None

    def _fitting(self, found: Range | None, kind: t.Type) -> Range | None:
        """The range, where a type of integers holds its numbers."""
        if found is None or _fits(found, kind):
            return found
        self.loose |= isinstance(kind, t.Scalar) and kind.kind in ("signed", "unsigned")
        return None


def _fits(found: Range, kind: t.Type) -> bool:
    """Whether a type of integers holds the numbers."""
    if not isinstance(kind, t.Scalar) or kind.kind not in ("signed", "unsigned"):
        return False
    bits = 8 * kind.bytes
    least, most = (-(1 << (bits - 1)), 1 << (bits - 1)) if kind.kind == "signed" else (0, 1 << bits)
    return least <= found[0] and found[1] < most


def _compared(operator: str, a: Range, b: Range) -> tuple[bool, bool]:
    match operator:
        case "<":
            return a[0] < b[1], a[1] >= b[0]
        case "<=":
            return a[0] <= b[1], a[1] > b[0]
        case ">":
            return a[1] > b[0], a[0] <= b[1]
        case ">=":
            return a[1] >= b[0], a[0] < b[1]
    meet, same = a[0] <= b[1] and b[0] <= a[1], a[0] == a[1] == b[0] == b[1]
    return (meet, not same) if operator == "==" else (not same, meet)


def _combined(operator: str, a: Range, b: Range) -> Range | None:
    """Of what grows or falls with both sides; of quotients and rests, where both are no less than nothing."""
    match operator:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "*":
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case "/" if a[0] >= 0 and b[0] > 0:
            return a[0] // b[1], a[1] // b[0]
        case "%" if a[0] >= 0 and b[0] == b[1] > 0:
            whole = a[0] // b[0] == a[1] // b[0]
            return (a[0] % b[0], a[1] % b[0]) if whole else (0, b[0] - 1)
        case "<<" if b[0] == b[1] and 0 <= b[0] < 32:
            return a[0] << b[0], a[1] << b[0]
        case ">>" if b[0] == b[1] and 0 <= b[0] < 32:
            return a[0] >> b[0], a[1] >> b[0]
    return None
