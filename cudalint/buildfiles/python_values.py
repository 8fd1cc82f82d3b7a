"""What expressions of Python (and of Starlark, which has its syntax) say plainly: nothing is run."""

import ast
import os
from collections.abc import Iterator

from msgspec import Struct

_SAME = frozenset(["abspath", "realpath", "normpath", "str", "Path", "resolve", "absolute", "fspath", "list"])
_ADDING = frozenset(["append", "extend"])
_CONDITIONS = (ast.If, ast.For, ast.While, ast.Try, ast.IfExp, ast.With)
_DEEPEST = 12  # names that stand for names
Value = str | list[str] | None


class Called(Struct, frozen=True):
    """A call with keywords. sure: under no condition."""

    name: str
    call: ast.Call
    sure: bool


class Script(Struct, frozen=True):
    """A file's calls, and what each of its names is given in order."""

    file: str
    calls: tuple[Called, ...]
    names: dict[str, list[ast.expr]]

    def value(self, node: ast.expr | None, depth: int = _DEEPEST) -> Value:
        """A string, the plain strings of a list, or None for what is not plain."""

        def inner(part: ast.expr) -> Value:
            return self.value(part, depth - 1) if depth else None

        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return str(number)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [text for item in items for text in _listed(inner(item))]
            case ast.Name(id="__file__"):
                return self.file
            case ast.Name(id=name):
                return _together([inner(part) for part in self.names.get(name, ())])
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                return _sum(inner(left), inner(right))
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                return _joined([inner(left), inner(right)])
            case ast.Attribute(value=path, attr="parent"):
                return _folder(inner(path))
            case ast.JoinedStr(values=parts):
                return _joined([inner(part) for part in parts], "")
            case ast.FormattedValue(value=part):
                return inner(part)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name) as function, args=given):
                return self._of_call(name, function, [inner(part) for part in given], depth)
        return None

    def _of_call(self, name: str, function: ast.expr, given: list[Value], depth: int) -> Value:
        """Of a function of paths, or of a method of a path."""
        if name == "join":
            return _joined(given)
        if name == "dirname":
            return _folder(given[0] if given else None)
        if name == "getcwd":
            return os.path.dirname(self.file)
        if name in _SAME and given:
            return given[0]
        if name in _SAME and isinstance(function, ast.Attribute) and depth:
            return self.value(function.value, depth - 1)
        return None

    def pairs(self, node: ast.expr | None) -> Iterator[tuple[str, str | None]]:
        """The plain (name, value) pairs of a list of them; None: without a value."""
        parts = [node] if node is not None else []
        if isinstance(node, ast.Name):
            parts = self.names.get(node.id, [])
        for pair in (item for part in parts for item in getattr(part, "elts", ())):
            match pair:
                case ast.Tuple(elts=[ast.Constant(value=str() as name), ast.Constant(value=None)]):
                    yield name, None
                case ast.Tuple(elts=[ast.Constant(value=str() as name), ast.Constant(value=str() as text)]):
                    yield name, text


def read(text: str, file: str) -> Script:
    """The calls and names of a file; none of one that cannot be parsed."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return Script(file, (), {})
    calls: list[Called] = []
    names: dict[str, list[ast.expr]] = {}
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, sure = waiting.pop()
        for name, value in _given(node):
            names.setdefault(name, []).append(value)
        if isinstance(node, ast.Call) and node.keywords and (name := _name(node.func)):
            calls.append(Called(name, node, sure))
        sure = sure and not isinstance(node, _CONDITIONS)
        waiting += [(child, sure) for child in reversed(list(ast.iter_child_nodes(node)))]
    return Script(file, tuple(calls), names)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The argument of that name."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[value]):
            if method in _ADDING:
                yield name, ast.List(elts=[value], ctx=ast.Load())


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _listed(value: Value) -> list[str]:
    return value if isinstance(value, list) else [value] if value is not None else []


def _together(values: list[Value]) -> Value:
    """What a name stands for that is given several values: all lists, or the last string."""
    lists = [value for value in values if isinstance(value, list)]
    if lists:
        return [text for value in lists for text in value]
    return values[-1] if values else None


def _sum(left: Value, right: Value) -> Value:
    if isinstance(left, list) or isinstance(right, list):
        return [*_listed(left), *_listed(right)]
    return left + right if left is not None and right is not None else None


def _joined(values: list[Value], between: str = "/") -> Value:
    texts = [value for value in values if isinstance(value, str)]
    if not texts or len(texts) != len(values):
        return None
    return os.path.join(*texts) if between else "".join(texts)


def _folder(value: Value) -> Value:
    return os.path.dirname(value) if isinstance(value, str) else None
