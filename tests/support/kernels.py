"""Random kernels for plain.py: what they may hold, and how one that shows a difference is cut down."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tests.support.plain import LOADS, SHARED_ROWS, STORES, Node, common, place

DEEPEST = 2  # loops and branches in each other
BLOCKS = (
    (32, 1, 1), (64, 1, 1), (48, 1, 1), (100, 1, 1), (16, 4, 1), (8, 8, 1), (33, 2, 1), (5, 7, 1),
    (4, 4, 4), (3, 5, 2),
)  # fmt: skip

Shape = tuple[tuple[int, int, int], int, int, int]  # block, blocks, n, m


def shape(random: Random) -> Shape:
    """A launch shape and numbers for the parameters."""
    n = random.choice((random.randint(0, 200), random.randint(0, 200), 32, 64, -random.randint(1, 50)))
    m = random.choice((random.randint(0, 300), 0xFFFFFFFF - random.randint(0, 5)))
    return random.choice(BLOCKS), random.randint(1, 3), n, m


def const(value: int, kind: str = "i") -> Node:
    return ("const", kind, value)


@dataclass
class Writer:
    """Writes one kernel. names: what expressions may use in the function being written, by type; fixed: those
    of them that nothing changes; assigned: those that a statement may change.
    """

    random: Random
    number: int
    last: int = 0
    functions: list[Node] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)
    fixed: list[tuple[str, str]] = field(default_factory=list)
    assigned: list[tuple[str, str]] = field(default_factory=list)
    inside: str = "kernel"  # or 'pure' or 'called'
    pure: list[str] = field(default_factory=list)
    table: tuple[int, int] = (2, 3)

    def fresh(self) -> int:
        self.last += 1
        return self.last

    # expressions

    def leaf(self, fixed: bool = False) -> Node:
        if self.random.random() < 0.35:
            kind = self.random.choice("iiiul")
            return const(self.random.choice((self.random.randint(0, 40), 1, 2, 32, 31)), kind)
        name, kind = self.random.choice(self.fixed if fixed else self.names)
        return ("name", kind, name)

    def expression(self, depth: int = 3) -> Node:
        if depth == 0 or self.random.random() < 0.25:
            return self.leaf()
        left, pick = self.expression(depth - 1), self.random.random()
        if pick < 0.12:
            return self.divided(left)
        if pick < 0.22:
            amount = (
                const(self.random.randint(0, 12))
                if self.random.random() < 0.6
                else ("binary", "i", "&", ("cast", "i", "int", self.leaf()), const(7))
            )
            return ("binary", left[1], self.random.choice(("<<", ">>")), left, amount)
        if pick < 0.29:
            target = self.random.choice(("int", "unsigned", "long long", "short", "unsigned char", "bool"))
            kind = {"unsigned": "u", "long long": "l"}.get(target, "i")
            return ("cast", kind, target, left)
        if pick < 0.35:
            op = self.random.choice("-~!")
            return ("unary", "i" if op == "!" else left[1], op, left)
        right = self.expression(depth - 1)
        if pick < 0.42:
            kind = common(left, right)
            return ("least", kind, self.random.choice(("min", "max")), left, right)
        if pick < 0.48:
            return ("choose", common(left, right), self.condition(1), left, right)
        if pick < 0.53 and self.inside == "kernel":
            return self.element()
        if pick < 0.58 and self.pure and self.inside == "kernel":
            return ("pure", "i", self.random.choice(self.pure), f"call{self.fresh()}", left, right)
        return ("binary", common(left, right), self.random.choice("+++-**&|^"), left, right)

    def divided(self, left: Node) -> Node:
        """Division and remainder, never by zero or -1."""
        kind = self.random.choice("iu")
        divisor = const(self.random.randint(1, 33), kind)
        if self.random.random() < 0.4:
            name = self.leaf()
            divisor = ("binary", name[1], "+", ("binary", name[1], "&", name, const(7)), const(1, kind))
            divisor = (*divisor[:1], common(divisor[3], divisor[4]), *divisor[2:])
        return ("binary", common(left, divisor), self.random.choice("/%"), left, divisor)

    def below(self, count: int) -> Node:
        """An index from 0 to count - 1."""
        return ("binary", "u", "%", ("cast", "u", "unsigned", self.expression(2)), const(count, "u"))

    def element(self) -> Node:
        rows, columns = self.table
        return ("local", "i", self.below(rows), self.below(columns))

    def index(self) -> Node:
        """An index that stays near the buffer."""
        found = self.expression()
        if found[1] == "l":
            return ("binary", "l", "&", found, const(0xFFFFF))
        return found

    def condition(self, depth: int = 2) -> Node:
        left, right = self.expression(depth), self.expression(1)
        op = self.random.choice(("<", "<", "<=", ">", ">=", "==", "!=", "<"))
        test: Node = ("binary", "i", op, left, right)
        if self.random.random() < 0.2:
            return ("binary", "i", self.random.choice(("&&", "||")), test, self.condition(1))
        return test

    # statements

    def access(self, loads_only: bool = False) -> Node:
        store = not loads_only and self.random.random() < 0.5
        if self.inside == "called":
            return ("store" if store else "load", self.fresh(), "out" if store else "in", self.index())
        name = self.random.choice(list(STORES if store else LOADS))
        node = ("store" if store else "load", self.fresh(), name)
        row = place(node).row
        return (*node, self.below(SHARED_ROWS), self.below(row)) if row else (*node, self.index())

    def body(self, depth: int, loops: int = 0, breaks: bool = False) -> Node:
        """A block; loops: how many are round it; breaks: whether `break` may stand in it."""
        parts = [self.part(depth, loops, breaks) for _ in range(self.random.randint(1, 3))]
        return ("block", *parts)

    def part(self, depth: int, loops: int, breaks: bool) -> Node:
        kinds = ["assign", "leave"] if self.inside == "pure" else ["access"] * 4 + ["assign", "leave"]
        if self.inside == "kernel":
            kinds += ["either", "set", "row"] + (["call"] if self.called() else [])
        if depth < DEEPEST and self.inside != "pure":
            kinds += ["if", "if", "loop", "loop", "switch"]
        match self.random.choice(kinds):
            case "access":
                return self.access()
            case "either":
                condition = ("binary", "i", "<", self.leaf(), self.leaf())
                return ("either", self.fresh(), condition, self.access(True), self.access(True))
            case "assign":
                name, kind = self.random.choice(self.assigned)
                return ("assign", name, kind, self.random.choice(("", "", "+", "-", "^")), self.expression(2))
            case "set":
                element = self.element()
                return ("set", *element[2:], self.expression(2))
            case "row":
                step = ("binary", "i", "&", ("cast", "i", "int", self.expression(1)), const(255))
                return ("row", self.random.choice("+-"), step)
            case "call":
                return self.call()
            case "leave":
                return self.leave(loops, breaks)
            case "if":
                otherwise = self.body(depth + 1, loops, breaks) if self.random.random() < 0.5 else None
                return ("if", self.fresh(), self.condition(), self.body(depth + 1, loops, breaks), otherwise)
            case "switch":
                return self.switch(depth, loops)
            case _:
                return self.loop(depth, loops)

    def leave(self, loops: int, breaks: bool) -> Node:
        ways = (["break", "break"] if breaks else []) + (["continue", "continue"] if loops else [])
        how = self.random.choice([*ways, "return"])
        value = self.expression(1) if how == "return" and self.inside != "kernel" else None
        if how == "return" and self.random.random() < 0.5:
            condition = ("binary", "i", ">", self.leaf(), const(self.random.randint(20, 60)))
            return ("leave", self.fresh(), condition, (how, value))
        return ("leave", self.fresh(), self.condition(), (how, value))

    def switch(self, depth: int, loops: int) -> Node:
        subject = self.expression(2)
        if self.random.random() < 0.6:
            subject = ("binary", common(subject, const(3)), "&", subject, const(3))
        values = [*self.random.sample(range(4), self.random.randint(1, 3))]
        labels = values + ([None] if self.random.random() < 0.6 else [])
        self.random.shuffle(labels)
        cases = [(value, self.body(depth + 1, loops, True), self.random.random() < 0.3) for value in labels]
        return ("switch", self.fresh(), subject, *cases)

    def loop(self, depth: int, loops: int) -> Node:
        """A loop of at most eight iterations."""
        name, branch = f"i{self.fresh()}", self.fresh()
        variable = ("name", "i", name)
        kind = self.random.choice(("up", "up", "grid", "down", "halving", "while", "do"))
        if kind == "halving":
            start: Node = ("binary", "u", "&", ("cast", "u", "unsigned", self.leaf(True)), const(127, "u"))
            names = (name, "u")
            condition: Node = ("binary", "i", ">", ("name", "u", name), const(0))
            return self.around(("for", branch, "u", name, start, condition, ">>= 1"), names, depth, loops)
        if kind == "grid":
            stride = self.random.choice((32, 40, 64))
            first = ("binary", "i", "&", ("cast", "i", "int", ("name", "i", self.fixed[0][0])), const(255))
            head = ("for", branch, "i", name, first)
            condition = ("binary", "i", "<", variable, const(self.random.randint(0, 200)))
            return self.around((*head, condition, f"+= {stride}"), (name, "i"), depth, loops)
        start = self.random.choice(
            (const(0), ("binary", "i", "&", ("cast", "i", "int", self.leaf(True)), const(31)))
        )
        step, far = self.random.randint(1, 4), const(self.random.randint(0, 6))
        if kind in ("while", "do"):
            end = ("binary", "i", "+", start, far)
            condition = ("binary", "i", self.random.choice(("<", "<=")), variable, end)
            return self.around(
                (kind, branch, name, start, condition, f"+= {step}"), (name, "i"), depth, loops
            )
        if kind == "down":
            condition = ("binary", "i", self.random.choice((">", ">=", "!=")), variable, start)
            step = 1 if condition[2] == "!=" else step
            head = ("for", branch, "i", name, ("binary", "i", "+", start, far), condition, f"-= {step}")
            return self.around(head, (name, "i"), depth, loops)
        end = ("binary", "i", "+", start, far) if self.random.random() < 0.6 else const(7)
        condition = ("binary", "i", "<", variable, end)
        return self.around(
            ("for", branch, "i", name, start, condition, f"+= {step}"), (name, "i"), depth, loops
        )

    def around(self, head: Node, name: tuple[str, str], depth: int, loops: int) -> Node:
        self.names.append(name)
        body = self.body(depth + 1, loops + 1, True)
        self.names.remove(name)
        return (*head, body)

    # functions

    def called(self) -> list[Node]:
        return [f for f in self.functions if f[0] == "called"]

    def call(self) -> Node:
        _, name, how, _, _ = self.random.choice(self.called())
        target = self.random.choice(("v0", "v1"))
        first, second = self.expression(2), self.expression(2)
        return ("call", name, f"call{self.fresh()}", how, target, first, second)

    def function(self, kind: str) -> None:
        name, how = (
            f"{kind}{self.number}_{self.fresh()}",
            self.random.choice(("value", "reference", "pointer")),
        )
        self.inside, self.fixed, self.assigned = kind, [("a", "i"), ("b", "u")], []
        self.names = list(self.fixed)
        if kind == "called":
            self.assigned = [("(*r)" if how == "pointer" else "r", "i"), ("v0", "i")]
            self.names += self.assigned
            body = self.body(DEEPEST - 1)
        else:
            self.assigned = [("a", "i")]
            body = self.body(DEEPEST)
        self.functions.append((kind, name, how, body, self.expression(2)))
        if kind == "pure":
            self.pure.append(name)

    def kernel(self) -> Node:
        for kind in ("pure", "called"):
            if self.random.random() < 0.4:
                self.function(kind)
        self.inside = "kernel"
        self.fixed = [
            ("tid", "i"),
            ("tid", "i"),
            ("ty", "i"),
            ("tz", "i"),
            ("bid", "i"),
            ("n", "i"),
            ("m", "u"),
        ]
        self.assigned = [("v0", "i"), ("v1", "i"), ("u0", "u")]
        self.names = self.fixed + self.assigned
        self.table = self.random.choice(((2, 3), (4, 2), (1, 5)))
        rows = tuple(
            tuple(self.random.randint(-9, 99) for _ in range(self.table[1])) for _ in range(self.table[0])
        )
        return ("kernel", f"k{self.number}", tuple(self.functions), rows, self.body(0))


def kernel(random: Random, number: int) -> Node:
    """A kernel of that number, with the functions that it calls."""
    return Writer(random, number).kernel()


# --- cutting down ---


def smaller(node: Node) -> Iterator[Node]:
    """The kernel with one statement or expression less."""
    kind, name, functions, table, body = node
    for other in _statement(body):
        yield (kind, name, functions, table, other)
    for at, function in enumerate(functions):
        used = repr(function[1]) in repr((body, functions[at + 1 :]))
        if not used:
            yield (kind, name, functions[:at] + functions[at + 1 :], table, body)
        for inner in _statement(function[3]):
            changed = (*function[:3], inner, function[4])
            yield (kind, name, (*functions[:at], changed, *functions[at + 1 :]), table, body)


def _is_expression(node: object) -> bool:
    return (
        isinstance(node, tuple)
        and len(node) > 2
        and node[0] in ("const", "name", "binary", "unary", "least", "cast", "choose", "local", "pure")
        and node[1] in ("i", "u", "l")
    )


def _statement(node: Node) -> Iterator[Node]:
    if node[0] == "block":
        for at, part in enumerate(node[1:], 1):
            yield node[:at] + node[at + 1 :]
            for inner in _held(part):
                yield (*node[:at], *inner[1:], *node[at + 1 :])
    if node[0] == "if" and node[4] is not None:
        yield (*node[:4], None)
    for at, part in enumerate(node):
        if _is_expression(part):
            others: Iterator[Node] = _expression(part)
        elif isinstance(part, tuple) and part and part[0] != "return":
            others = _statement(part)
        else:
            continue
        for other in others:
            yield (*node[:at], other, *node[at + 1 :])


def _held(node: Node) -> Iterator[Node]:
    """Blocks below a statement that may stand in its place."""
    if node[0] in ("if", "switch"):
        for part in node[1:]:
            if isinstance(part, tuple) and part and part[0] == "block":
                yield part


def _expression(node: Node) -> Iterator[Node]:
    """Expressions of the same type with less in them. Divisors and bounds of indices stay as they are."""
    kept = node[0] == "binary" and node[2] in ("/", "%", "&", "<<", ">>")
    if node[0] in ("const", "name"):
        if node[0] == "const" and node[2] > 1:
            yield (*node[:2], node[2] // 2)
        return
    parts = [part for part in node[2:] if _is_expression(part)]
    if not (kept and node[2] in ("%", "&")):
        yield from (part for part in parts if part[1] == node[1])
        yield const(1, node[1])
    for at, part in enumerate(node):
        if _is_expression(part) and not (kept and at == len(node) - 1):
            for other in _expression(part):
                yield (*node[:at], other, *node[at + 1 :])


def reduced(node: Node, differs: Callable[[Node], bool], tries: int = 600) -> Node:
    """A kernel as small as may be that still shows the difference."""
    again = True
    while again and tries > 0:
        again = False
        for other in smaller(node):
            tries -= 1
            if tries <= 0:
                break
            if differs(other):
                node, again = other, True
                break
    return node
