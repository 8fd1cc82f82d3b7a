"""A plain interpreter of small generated kernels: one thread after the other, no lane vectors.

Written apart from the warp model, to judge it. A kernel is a tree of tuples (kernels.py makes them).
`cuda` prints it as CUDA with a marker on each line that has an access or a branch. `python` prints the same
tree as Python; `observe` runs that for every thread and puts together what the threads of a warp did at one
place in one iteration.

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


def c_text(node: Node) -> str:
    """An expression in C++."""
    match node:
        case ("const", "u", value):
            return f"{value}u"
        case ("const", "l", value):
            return f"{value}ll"
        case ("const", _, value):
            return str(value)
        case ("name", _, name):
            return str(name)
        case ("binary", _, op, left, right):
            return f"({c_text(left)} {op} {c_text(right)})"
        case ("unary", _, op, inner):
            return f"({op}{c_text(inner)})"
        case ("least", kind, op, left, right):
            return f"{op}(({C_TYPES[kind]}){c_text(left)}, ({C_TYPES[kind]}){c_text(right)})"
        case ("cast", _, target, inner):
            return f"(({target}){c_text(inner)})"
        case ("choose", _, condition, then, otherwise):
            return f"({c_text(condition)} ? {c_text(then)} : {c_text(otherwise)})"
        case ("local", _, row, column):
            return f"t[{c_text(row)}][{c_text(column)}]"
        case ("pure", _, name, _, first, second):
            return f"{name}({c_text(first)}, {c_text(second)})"
    raise ValueError(node)


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


# --- statements as C++ ---


def statement(node: Node, depth: int = 1) -> str:
    """A statement in C++, one access or branch a line."""
    pad = "    " * depth

    def line(text: str, marker: str = "") -> str:
        return f"{pad}{text}{' // ' + marker if marker else ''}\n"

    match node:
        case ("block", *body):
            return "".join(statement(part, depth) for part in body)
        case ("load", site, name, *indices):
            return line(f"total += {LOADS[name].c.format(*map(c_text, indices))};", f"site {site}")
        case ("store", site, name, *indices):
            there = STORES[name].c.format(*map(c_text, indices))
            return line(f"{there} = {STORES[name].value};", f"site {site}")
        case ("either", branch, condition, first, second):
            a, b = (LOADS[x[2]].c.format(*map(c_text, x[3:])) for x in (first, second))
            return (
                line(f"total += ({c_text(condition)})", f"conditional {branch}")
                + line(f"    ? {a}", f"site {first[1]}")
                + line(f"    : {b};", f"site {second[1]}")
            )
        case ("if", branch, condition, then, otherwise):
            text = line(f"if ({c_text(condition)}) {{", f"if {branch}") + statement(then, depth + 1)
            if otherwise is not None:
                text += line("} else {") + statement(otherwise, depth + 1)
            return text + line("}")
        case ("leave", branch, condition, how):
            return line(f"if ({c_text(condition)}) {c_leave(how)}", f"if {branch}")
        case ("for", branch, kind, name, start, condition, step, body):
            head = f"for ({C_TYPES[kind]} {name} = {c_text(start)}; {c_text(condition)}; {name} {step})"
            return line(f"{head} {{", f"loop {branch}") + statement(body, depth + 1) + line("}")
        case ("while", branch, name, start, condition, step, body):
            text = line(f"int {name} = {c_text(start)};") + line(
                f"while ({c_text(condition)}) {{", f"loop {branch}"
            )
            return text + line(f"    {name} {step};") + statement(body, depth + 1) + line("}")
        case ("do", branch, name, start, condition, step, body):
            text = line(f"int {name} = {c_text(start)};") + line("do {") + line(f"    {name} {step};")
            return (
                text + statement(body, depth + 1) + line(f"}} while ({c_text(condition)});", f"loop {branch}")
            )
        case ("switch", branch, subject, *cases):
            text = line(f"switch ({c_text(subject)}) {{", f"switch {branch}")
            for value, body, through in cases:
                text += line("default: {" if value is None else f"case {value}: {{")
                text += statement(body, depth + 1) + line("}" if through else "} break;")
            return text + line("}")
        case ("assign", name, _, op, value):
            return line(f"{name} {op}= {c_text(value)};")
        case ("set", row, column, value):
            return line(f"t[{c_text(row)}][{c_text(column)}] = {c_text(value)};")
        case ("row", op, value):
            return line(f"row {op}= {c_text(value)};")
        case ("call", name, _, how, target, first, second):
            passed = f"&{target}" if how == "pointer" else target
            return line(f"v0 = {name}({c_text(first)}, {c_text(second)}, {passed}, in, out, total);")
    raise ValueError(node)


def c_leave(how: Any) -> str:
    return (
        f"return{' ' + c_text(how[1]) if how[1] is not None else ''};" if how[0] == "return" else f"{how[0]};"
    )


RECEIVED = {"value": "int r", "reference": "int &r", "pointer": "int *r"}


def cuda(kernel: Node) -> str:
    """The kernel and its functions. Its loads are volatile: none is taken from a register."""
    _, name, functions, table, body = kernel
    text = ""
    for kind, function, how, inner, result in functions:
        if kind == "pure":
            head = f"int {function}(int a, unsigned b)"
        else:
            pointers = "const volatile float *in, float *out, float &total"
            head = f"int {function}(int a, unsigned b, {RECEIVED[how]}, {pointers})"
        local = "    int v0 = a;\n" if kind == "called" else ""
        text += f"__device__ {head} {{\n{local}{statement(inner)}    return {c_text(result)};\n}}\n"
    rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in table)
    return (
        f"{text}__global__ void {name}({PARAMETERS}) {{\n"
        "    int tid = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z, bid = blockIdx.x;\n"
        "    int v0 = tid, v1 = 3;\n    unsigned u0 = ty;\n    float total = 0.0f;\n"
        f"    int t[{len(table)}][{len(table[0])}] = {{{rows}}};\n"
        "    const volatile float *row = in + tid;\n"
        f"    __shared__ volatile float s4[{SHARED_ROWS}][33];\n"
        f"    __shared__ volatile double s8[{SHARED_ROWS}][17];\n"
        f"{statement(body)}"
        "    out[tid] = total; // site last\n"
        "}\n"
    )


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


# --- what a request costs ---


def sectors(lanes: dict[int, int], width: int) -> tuple[int, int]:
    """32-byte sectors touched and their ideal."""
    touched = len({(a + k) // 32 for a in lanes.values() for k in range(width)})
    return touched, min(touched, -(-len(lanes) * width // 32))


def served(lanes: dict[int, int], width: int) -> int:
    """Passes over 32 banks of 4 bytes for lanes that are served together: one word a bank a pass."""
    banks = defaultdict(set)
    for address in lanes.values():
        for word in range(address // 4, (address + width - 1) // 4 + 1):
            banks[word % 32].add(word)
    return max((len(words) for words in banks.values()), default=0)


def wavefronts(lanes: dict[int, int], width: int, store: bool) -> tuple[int, int]:
    """Passes for a shared access of 4 or 8 bytes and their ideal. Half-warps of 8-byte accesses are served
    apart; those of a load together where every two active lanes i and i^1, or every two i and i^2, agree.
    """
    size = len(lanes) * width
    if width == 4:
        done = served(lanes, 4)
    else:
        paired = not store and any(
            all(lanes.get(lane ^ distance, address) == address for lane, address in lanes.items())
            for distance in (1, 2)
        )
        halves = ({k: a for k, a in lanes.items() if k // 16 == half} for half in (0, 1))
        done = served(lanes, 8) if paired else sum(served(half, 8) for half in halves)
        if paired and served(lanes, 8) == 1:
            size //= 2
    return done, min(done, -(-size // 128))


def cost(node: Node, lanes: dict[int, int]) -> tuple[int, int]:
    """Transactions and ideal of all requests that one executed access of a warp makes."""
    buffer = place(node)
    if buffer.row:
        return wavefronts(lanes, buffer.width, node[0] == "store")
    moved = [{k: a + p * buffer.width for k, a in lanes.items()} for p in range(buffer.pieces)]
    counted = [sectors(piece, buffer.width) for piece in moved]
    return sum(done for done, _ in counted), sum(best for _, best in counted)
