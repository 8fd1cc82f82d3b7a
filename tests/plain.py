"""A plain interpreter of small generated kernels: one thread after the other, no lane vectors.

Written apart from the warp model, to judge it. A kernel is a tree of tuples; `source` prints it as CUDA,
`requests` runs it and returns, for each access, the warp requests with the byte addresses of the lanes that
took part.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

Node = tuple[Any, ...]


def wrap32(number: int) -> int:
    number &= 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


def text(node: Node) -> str:
    """An expression in C."""
    match node:
        case ("const", value):
            return str(value)
        case ("name", name):
            return str(name)
        case (op, left, right):
            return f"({text(left)} {op} {text(right)})"
    raise ValueError(node)


def statement(node: Node, depth: int = 1) -> str:
    """A statement in C, one access a line."""
    pad = "    " * depth
    match node:
        case ("block", *body):
            return "".join(statement(n, depth) for n in body)
        case ("load", site, index):
            return f"{pad}total += in[{text(index)}]; // site {site}\n"
        case ("store", site, index):
            return f"{pad}out[{text(index)}] = 1.0f; // site {site}\n"
        case ("if", condition, then, otherwise):
            tail = (
                f"{pad}}} else {{\n{statement(otherwise, depth + 1)}{pad}}}\n" if otherwise else f"{pad}}}\n"
            )
            return f"{pad}if ({text(condition)}) {{\n{statement(then, depth + 1)}{tail}"
        case ("for", name, start, end, step, body):
            head = f"for (int {name} = {text(start)}; {name} < {text(end)}; {name} += {step})"
            return f"{pad}{head} {{\n{statement(body, depth + 1)}{pad}}}\n"
        case ("return_if", condition):
            return f"{pad}if ({text(condition)}) return;\n"
        case ("break_if", condition):
            return f"{pad}if ({text(condition)}) break;\n"
    raise ValueError(node)


def source(body: Node) -> str:
    """The whole `.cu` file. Loads are volatile: none is taken from a register."""
    return (
        "__global__ void k(const volatile float *in, float *out, int n) {\n"
        "    int tid = threadIdx.x, ty = threadIdx.y, bid = blockIdx.x;\n"
        "    float total = 0.0f;\n"
        f"{statement(body)}"
        "    out[tid] = total; // site last\n"
        "}\n"
    )


class Return(Exception):
    pass


class Break(Exception):
    pass


@dataclass
class Thread:
    names: dict[str, int]
    trace: list[tuple[Any, tuple[int, ...], int]] = field(default_factory=list)
    iteration: tuple[int, ...] = ()

    def value(self, node: Node) -> int:
        match node:
            case ("const", value):
                return int(value)
            case ("name", name):
                return self.names[name]
            case (op, left, right):
                return self.operate(op, self.value(left), self.value(right))
        raise ValueError(node)

    @staticmethod
    def operate(op: str, a: int, b: int) -> int:
        match op:
            case "+":
                return wrap32(a + b)
            case "-":
                return wrap32(a - b)
            case "*":
                return wrap32(a * b)
            case "/":
                return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            case "%":
                return a - Thread.operate("/", a, b) * b
            case "<":
                return int(a < b)
            case "==":
                return int(a == b)
            case "&":
                return a & b
            case "^":
                return a ^ b
        raise ValueError(op)

    def run(self, node: Node) -> None:
        match node:
            case ("block", *body):
                for part in body:
                    self.run(part)
            case ("load" | "store", site, index):
                self.trace.append((site, self.iteration, 4 * self.value(index)))
            case ("if", condition, then, otherwise):
                if self.value(condition):
                    self.run(then)
                elif otherwise:
                    self.run(otherwise)
            case ("for", name, start, end, step, body):
                self.loop(name, start, end, step, body)
            case ("return_if", condition):
                if self.value(condition):
                    raise Return
            case ("break_if", condition):
                if self.value(condition):
                    raise Break

    def loop(self, name: str, start: Node, end: Node, step: int, body: Node) -> None:
        outer, count = self.iteration, 0
        self.names[name] = self.value(start)
        while self.names[name] < self.value(end):
            self.iteration = (*outer, count)
            try:
                self.run(body)
            except Break:
                break
            self.names[name] += step
            count += 1
        self.iteration = outer


def requests(body: Node, block: tuple[int, int], blocks: int, n: int) -> dict[Any, list[list[int]]]:
    """Per site, one list of lane addresses (bytes from the buffer's start) a warp request."""
    found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for bid in range(blocks):
        for linear in range(block[0] * block[1]):
            thread = Thread({"tid": linear % block[0], "ty": linear // block[0], "bid": bid, "n": n})
            try:
                thread.run(body)
                thread.trace.append(("last", (), 4 * thread.names["tid"]))
            except Return:
                pass
            for site, iteration, address in thread.trace:
                found[bid, linear // 32, site, iteration].append(address)
    by_site: dict[Any, list[list[int]]] = defaultdict(list)
    for (_, _, site, _), addresses in found.items():
        by_site[site].append(addresses)
    return by_site
