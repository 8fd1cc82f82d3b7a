"""Which calls look at CUDA's last error: cudaGetLastError and what reaches it."""

import re

from msgspec import Struct

from cudalint.analyses.cuda_reach import runs_on_host
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk

_DIRECT = frozenset({"cudaGetLastError", "cudaPeekAtLastError"})
_NAMED = re.compile(r"last_?(cuda)?_?error|check|assert|verify_?(cuda|launch)", re.IGNORECASE)


class Checks(Struct, frozen=True):
    """keys: functions of the unit that look at the last error, by themselves or through others."""

    keys: frozenset[str]

    def is_check(self, node: object) -> bool:
        """Whether a node is a call that looks at the last error, or one of unseen code that is named so."""
        if not isinstance(node, e.Call):
            return False
        if node.name in _DIRECT or node.key in self.keys:
            return True
        return node.receiver is None and not node.name.startswith("cuda") and bool(_NAMED.search(node.name))


def project_functions(unit: Unit) -> list[Function]:
    """Functions of the host that the project defines, templates that nothing instantiates left out."""
    paths = {unit.path, *unit.headers, *unit.project_files}
    return [
        f
        for f in unit.functions.values()
        if f.body is not None and runs_on_host(f) and not f.dependent and f.span.path in paths
    ]


def checks(unit: Unit) -> Checks:
    """Read every host body once, and follow calls to the functions that check."""
    callees: dict[str, set[str]] = {}
    keys: set[str] = set()
    for key, function in unit.functions.items():
        if function.body is None or not runs_on_host(function):
            continue
        calls = find(function.body, e.Call)
        callees[key] = {node.key for node in calls if node.key}
        if any(node.name in _DIRECT for node in calls):
            keys.add(key)
    grown = True
    while grown:
        more = {key for key, names in callees.items() if key not in keys and names & keys}
        grown = bool(more)
        keys |= more
    return Checks(frozenset(keys))


def checked_by_callers(functions: list[Function], known: Checks) -> set[str]:
    """Functions whose calls are followed by a check of the last error: what they launch is checked."""
    covered: set[str] = set()
    calls: dict[str, set[str]] = {}
    for function in functions:
        assert function.body is not None
        open_ = {id(node) for node in unfollowed(function.body, known)}
        for node in find(function.body, e.Call, e.Construct):
            if node.key:
                calls.setdefault(function.key, set()).add(node.key)
                if id(node) not in open_:
                    covered.add(node.key)
    work = list(covered)
    while work:
        for key in calls.get(work.pop(), ()):
            if key not in covered:
                covered.add(key)
                work.append(key)
    return covered


def unfollowed(body: Node, known: Checks) -> list[Node]:
    """Nodes of a body with no check of the last error after them or in a loop around them."""
    nodes = list(walk(body))
    last = max((i for i, node in enumerate(nodes) if known.is_check(node)), default=-1)
    inside: set[int] = set()
    for node in nodes:
        if isinstance(node, s.Loop) and id(node) not in inside:
            parts = list(walk(node))
            if any(known.is_check(part) for part in parts):
                inside.update(id(part) for part in parts)
    return [node for node in nodes[last + 1 :] if id(node) not in inside]


def checked_after(rest: tuple[s.Statement, ...], known: Checks) -> bool:
    """Whether the last error is checked before the next CUDA call."""
    for statement in rest:
        for node in walk(statement):
            if known.is_check(node):
                return True
            if isinstance(node, e.Launch) or (isinstance(node, e.Call) and node.name.startswith("cuda")):
                return False
    return False
