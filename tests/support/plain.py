"""A plain interpreter of small generated kernels: one thread after the other, no lane vectors.

Written apart from the warp model, to judge it. A kernel is a tree of tuples (kernels.py makes them), which
plain_cuda.py prints as CUDA with a marker on each line that has an access or a branch. `python` prints the
same tree as Python; `observe` runs that for every thread and puts together what the threads of a warp did at
one place in one iteration.

Expressions are (kind, type, ...) with the types i (int), u (unsigned) and l (long long).
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Node = tuple[Any, ...]
Key = tuple[Any, ...]

C_TYPES = {"i": "int", "u": "unsigned", "l": "long long"}


@dataclass(frozen=True)
class Buffer:
    """How an access names its memory. width: bytes a lane and request; pieces: requests of one access."""

    c: str  # with {0} and {1} for the indices
    stride: int
    width: int
    at: int = 0
    pieces: int = 1
    value: str = ""  # what a store writes
    row: int = 0  # elements of a row of a shared array; 0: global memory


LOADS = {
    "in": Buffer("in[{0}]", 4, 4),
    "pb": Buffer("pb[{0}]", 1, 1),
    "ps": Buffer("ps[{0}]", 2, 2),
    "pd": Buffer("pd[{0}]", 8, 8),
    "p2.x": Buffer("p2[{0}].x", 8, 4),
    "p2.y": Buffer("p2[{0}].y", 8, 4, 4),
    "p3.x": Buffer("p3[{0}].x", 12, 4),
    "p3.z": Buffer("(p3 + {0})->z", 12, 4, 8),
    "p4.w": Buffer("p4[{0}].w", 16, 4, 12),
    "row": Buffer("row[{0}]", 4, 4),
    "*row": Buffer("*(row + {0})", 4, 4),
    "s4": Buffer("s4[{0}][{1}]", 4, 4, row=33),
    "s8": Buffer("s8[{0}][{1}]", 8, 8, row=17),
}
STORES = {
    "out": Buffer("out[{0}]", 4, 4, value="1.0f"),
    "ob": Buffer("ob[{0}]", 1, 1, value="1"),
    "od": Buffer("od[{0}]", 8, 8, value="1.0"),
    "o2": Buffer("o2[{0}]", 8, 8, value="make_float2(1.0f, 2.0f)"),
    "o3": Buffer("o3[{0}]", 12, 4, pieces=3, value="make_int3(1, 2, 3)"),
    "o3.y": Buffer("o3[{0}].y", 12, 4, 4, value="1"),
    "o4": Buffer("o4[{0}]", 16, 16, value="make_float4(1.0f, 2.0f, 3.0f, 4.0f)"),
    "s4": Buffer("s4[{0}][{1}]", 4, 4, value="1.0f", row=33),
    "s8": Buffer("s8[{0}][{1}]", 8, 8, value="1.0", row=17),
}
PARAMETERS = (
    "const volatile float *in, const volatile unsigned char *pb, const volatile short *ps, "
    "const volatile double *pd, const volatile float2 *p2, const volatile int3 *p3, "
    "const volatile float4 *p4, float *out, unsigned char *ob, double *od, float2 *o2, int3 *o3, float4 *o4, "
    "int n, unsigned m"
)
POINTERS = 13  # of those parameters
SHARED_ROWS = 8
MOST = 12  # iterations of a loop; generated ones end after eight


def place(node: Node) -> Buffer:
    """What a load or store node accesses."""
    return (LOADS if node[0] == "load" else STORES)[node[2]]


# --- expressions ---


def to_int(x: int) -> int:
    return ((x + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def to_unsigned(x: int) -> int:
    return x & 0xFFFFFFFF


def to_long(x: int) -> int:
    return ((x + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


CASTS: dict[str, Callable[[int], int]] = {
    "int": to_int,
    "unsigned": to_unsigned,
    "long long": to_long,
    "short": lambda x: ((x + 0x8000) & 0xFFFF) - 0x8000,
    "unsigned char": lambda x: x & 0xFF,
    "bool": lambda x: int(x != 0),
}
HELPERS: dict[str, Any] = {
    "to_i": to_int,
    "to_u": to_unsigned,
    "to_l": to_long,
    "quotient": quotient,
    "casts": CASTS,
}


def converted(node: Node, kind: str) -> str:
    """Python for the expression's value as that type."""
    own = node[1]
    inner = python_text(node)
    return inner if own == kind or (kind == "l" and own in "iu") else f"to_{kind}({inner})"


def common(left: Node, right: Node) -> str:
    """The type both operands are converted to."""
    return "l" if "l" in (left[1], right[1]) else "u" if "u" in (left[1], right[1]) else "i"


def python_text(node: Node) -> str:
    """An expression in Python, its value in the range of its type."""
    match node:
        case ("const", _, value):
            return str(value)
        case ("name", _, name):
            return str(name).strip("(*)")
        case ("binary", kind, op, left, right):
            return _binary(kind, op, left, right)
        case ("unary", kind, "!", inner):
            return f"int(not {python_text(inner)})"
        case ("unary", kind, op, inner):
            return f"to_{kind}({op}{converted(inner, kind)})"
        case ("least", kind, op, left, right):
            return f"{op}({converted(left, kind)}, {converted(right, kind)})"
        case ("cast", _, target, inner):
            return f"casts[{target!r}]({python_text(inner)})"
        case ("choose", kind, condition, then, otherwise):
            return f"({converted(then, kind)} if {python_text(condition)} else {converted(otherwise, kind)})"
        case ("local", _, row, column):
            return f"t[{python_text(row)}][{python_text(column)}]"
        case ("pure", _, name, call, first, second):
            return f"{name}(me, (*key, {call!r}), {converted(first, 'i')}, {converted(second, 'u')})"
    raise ValueError(node)


def _binary(kind: str, op: str, left: Node, right: Node) -> str:
    if op in ("&&", "||"):
        word = "and" if op == "&&" else "or"
        return f"int(bool({python_text(left)} {word} {python_text(right)}))"
    if op in ("<<", ">>"):
        return f"to_{kind}({converted(left, kind)} {op} {python_text(right)})"
    both = common(left, right)
    a, b = converted(left, both), converted(right, both)
    if op in ("<", "<=", ">", ">=", "==", "!="):
        return f"int({a} {op} {b})"
    if op == "/":
        return f"to_{kind}(quotient({a}, {b}))"
    if op == "%":
        return f"to_{kind}({a} - quotient({a}, {b}) * {b})"
    return f"to_{kind}({a} {op} {b})"


# --- statements as Python ---


class Endless(Exception):
    """A loop that does not end."""


@dataclass
class Seen:
    """What the threads did, by (place, warp, iteration and calls): addresses by lane, outcomes of a
    condition, and iterations of each lane.
    """

    accesses: dict[Key, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    outcomes: dict[Key, set[Any]] = field(default_factory=lambda: defaultdict(set))
    trips: dict[Key, list[list[int]]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Me:
    """The thread that runs. A kernel that was cut down may have lost the end of a loop: MOST iterations."""

    seen: Seen
    warp: Any
    lane: int

    def access(self, site: Any, key: Key, address: int) -> None:
        self.seen.accesses[site, self.warp, key][self.lane] = address

    def test(self, branch: Any, key: Key, outcome: Any) -> Any:
        if key and key[-1] == MOST:
            raise Endless
        self.seen.outcomes[branch, self.warp, key].add(outcome)
        return outcome

    def counter(self, branch: Any, key: Key) -> list[int]:
        """A fresh count of iterations."""
        self.seen.trips[branch, self.warp, key].append([0])
        return self.seen.trips[branch, self.warp, key][-1]


class Printer:
    """Python for the statements of one function. `break` in the Python leaves the innermost wrapper, the body
    of a loop's iteration or a switch; `leaving` tells which C++ statement is on its way out.
    """

    def __init__(self, result: str) -> None:
        self.lines: list[str] = []
        self.wrappers: list[str] = []
        self.result = result
        self.number = 0

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def address(self, node: Node) -> str:
        buffer, indices = place(node), [python_text(x) for x in node[3:]]
        if buffer.row:
            return f"{buffer.stride} * ({buffer.row} * {indices[0]} + {indices[1]})"
        start = "row + " if "row" in node[2] else ""
        return f"{buffer.stride} * ({start}{indices[0]}) + {buffer.at}"

    def run(self, node: Node, depth: int) -> None:
        match node:
            case ("block", *body):
                self.add(depth, "pass")
                for part in body:
                    self.run(part, depth)
            case ("load" | "store", site, *_):
                self.add(depth, f"me.access({site!r}, key, {self.address(node)})")
            case ("either", branch, condition, first, second):
                self.add(depth, f"if me.test({branch!r}, key, bool({python_text(condition)})):")
                self.run(first, depth + 1)
                self.add(depth, "else:")
                self.run(second, depth + 1)
            case ("if", branch, condition, then, otherwise):
                self.add(depth, f"if me.test({branch!r}, key, bool({python_text(condition)})):")
                self.run(then, depth + 1)
                if otherwise is not None:
                    self.add(depth, "else:")
                    self.run(otherwise, depth + 1)
            case ("leave", branch, condition, how):
                self.add(depth, f"if me.test({branch!r}, key, bool({python_text(condition)})):")
                self.leave(how, depth + 1)
            case ("for", branch, kind, name, start, condition, step, body):
                self.add(depth, f"{name} = {converted(start, kind)}")
                self.loop(depth, branch, condition, "", f"{name} {step}", body)
            case ("while", branch, name, start, condition, step, body):
                self.add(depth, f"{name} = {converted(start, 'i')}")
                self.loop(depth, branch, condition, f"{name} {step}", "", body)
            case ("do", branch, name, start, condition, step, body):
                self.add(depth, f"{name} = {converted(start, 'i')}")
                self.loop(depth, branch, condition, f"{name} {step}", "", body, tests_first=False)
            case ("switch", branch, subject, *cases):
                self.switch(depth, branch, subject, cases)
            case ("assign", name, kind, op, value):
                own = ("name", kind, name)
                new = ("binary", common(own, value), op, own, value) if op else value
                self.add(depth, f"{name.strip('(*)')} = {converted(new, kind)}")
            case ("set", row, column, value):
                self.add(depth, f"t[{python_text(row)}][{python_text(column)}] = {converted(value, 'i')}")
            case ("row", op, value):
                self.add(depth, f"row {op}= {python_text(value)}")
            case ("call", name, call, how, target, first, second):
                arguments = f"{converted(first, 'i')}, {converted(second, 'u')}, {target}"
                self.add(depth, f"result, changed = {name}(me, (*key, {call!r}), {arguments})")
                if how != "value":
                    self.add(depth, f"{target} = changed")
                self.add(depth, "v0 = result")
            case _:
                raise ValueError(node)

    def leave(self, how: Any, depth: int) -> None:
        if how[0] == "return":
            value = "None" if how[1] is None else converted(how[1], "i")
            self.add(depth, f"return {self.result.format(value)}")
            return
        inner = self.wrappers[-1]
        self.add(depth, "leaving = " + repr("" if how[0] == "break" and inner == "switch" else how[0]))
        self.add(depth, "break")

    def loop(
        self,
        depth: int,
        branch: Any,
        condition: Node,
        first: str,
        last: str,
        body: Node,
        tests_first: bool = True,
    ) -> None:
        self.number += 1
        outer, count, trips = f"outer{self.number}", f"count{self.number}", f"trips{self.number}"
        test = f"if not me.test({branch!r}, key, bool({python_text(condition)})):"
        self.add(depth, f"{outer}, {count}, {trips} = key, 0, me.counter({branch!r}, key)")
        self.add(depth, "while True:")
        self.add(depth + 1, f"key = (*{outer}, {count})")
        if tests_first:
            self.add(depth + 1, test)
            self.add(depth + 2, "break")
        self.add(depth + 1, f"{trips}[0] += 1")
        self.add(depth + 1, "leaving = ''")
        self.add(depth + 1, "while True:")
        self.wrappers.append("loop")
        if first:
            self.add(depth + 2, first)
        self.run(body, depth + 2)
        self.wrappers.pop()
        self.add(depth + 2, "break")
        self.add(depth + 1, "if leaving == 'break':")
        self.add(depth + 2, "break")
        if last:
            self.add(depth + 1, last)
        if not tests_first:
            self.add(depth + 1, test)
            self.add(depth + 2, "break")
        self.add(depth + 1, f"{count} += 1")
        self.add(depth, f"key, leaving = {outer}, ''")

    def switch(self, depth: int, branch: Any, subject: Node, cases: list[Any]) -> None:
        """Cases run in order from the one that is entered."""
        self.number += 1
        entry = f"entry{self.number}"
        values = {value: index for index, (value, _, _) in enumerate(cases) if value is not None}
        default = next((i for i, (value, _, _) in enumerate(cases) if value is None), len(cases))
        self.add(depth, f"{entry} = {values!r}.get({python_text(subject)}, {default})")
        self.add(depth, f"me.test({branch!r}, key, {entry})")
        self.add(depth, "while True:")
        self.add(depth + 1, "leaving = ''")
        self.wrappers.append("switch")
        for index, (_, body, through) in enumerate(cases):
            self.add(depth + 1, f"if {entry} <= {index}:")
            self.run(body, depth + 2)
            if not through:
                self.add(depth + 2, "break")
        self.wrappers.pop()
        self.add(depth + 1, "break")
        if self.wrappers:
            self.add(depth, "if leaving:")
            self.add(depth + 1, "break")


def python(kernel: Node) -> str:
    """The kernel and its functions as Python; `me` records, `key` tells iterations and calls apart."""
    _, name, functions, table, body = kernel
    lines: list[str] = []
    for kind, function, _, inner, result in functions:
        pure = kind == "pure"
        printer = Printer("{0}" if pure else "({0}, r)")
        printer.add(0, f"def {function}(me, key, a, b{'' if pure else ', r'}):")
        if not pure:
            printer.add(1, "v0 = a")
        printer.run(inner, 1)
        printer.leave(("return", result), 1)
        lines += printer.lines
    printer = Printer("{0}")
    printer.add(0, f"def {name}(me, tid, ty, tz, bid, n, m):")
    printer.add(1, f"key, v0, v1, u0, row, t = (), tid, 3, ty, tid, {[list(row) for row in table]!r}")
    printer.run(body, 1)
    printer.add(1, "me.access('last', key, 4 * tid)")
    return "\n".join(lines + printer.lines)


def observe(kernel: Node, block: tuple[int, int, int], blocks: int, n: int, m: int) -> Seen:
    """Run every thread of every block."""
    space: dict[str, Any] = dict(HELPERS)
    exec(python(kernel), space)
    run, seen = space[kernel[1]], Seen()
    x, y, z = block
    for bid in range(blocks):
        for linear in range(x * y * z):
            me = Me(seen, (bid, linear // 32), linear % 32)
            run(me, linear % x, linear // x % y, linear // (x * y), bid, n, m)
    return seen
