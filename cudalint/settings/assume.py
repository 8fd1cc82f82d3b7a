"""Assumptions: C expressions from `--assume` and `// cudalint: assume ...`, parsed with pycparser.

Each one is a conjunction of comparisons of a name (`n`, `blockDim.x`) or of its remainder (`n % 32`) with a
constant, or `distinct(index)`: the numbers in the array `index` are all different.
"""

from functools import cache
from typing import Any

from msgspec import Struct

from cudalint.errors import UsageError

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Assumption(Struct, frozen=True):
    """`name operator value`, or `name % modulus operator value` if a modulus is given; `distinct(name)` has
    the operator 'distinct'.
    """

    name: str
    operator: str
    value: int
    modulus: int | None = None
    text: str = ""

    def holds(self, number: int) -> bool:
        """Whether the number satisfies the assumption (C's remainder: sign of the dividend)."""
        left = number
        if self.modulus is not None:
            left = abs(number) % self.modulus * (1 if number >= 0 else -1)
        match self.operator:
            case "distinct":
                return True
            case "==":
                return left == self.value
            case "!=":
                return left != self.value
            case "<":
                return left < self.value
            case "<=":
                return left <= self.value
            case ">":
                return left > self.value
            case _:
                return left >= self.value


@cache
def parse(text: str) -> tuple[Assumption, ...]:
    """The assumptions of one C expression, conjunctions split. Raises UsageError for anything else."""
    from pycparser import c_parser

    try:
        tree = c_parser.CParser().parse(f"int f(void) {{ return ({text}\n); }}")
        functions = [node for node in tree.ext if type(node).__name__ == "FuncDef"]
        (statement,) = functions[0].body.block_items
    except UsageError:
        raise
    except Exception as error:  # pycparser's ParseError, its lexer's errors, or text that closes the bracket
        raise _invalid(text) from error
    if len(tree.ext) != 1 or type(statement).__name__ != "Return":
        raise _invalid(text)
    return tuple(_conjunction(statement.expr, text))


def parse_all(texts: tuple[str, ...]) -> tuple[Assumption, ...]:
    """The assumptions of several expressions, in order."""
    return tuple(assumption for text in texts for assumption in parse(text))


def _conjunction(node: Any, text: str) -> list[Assumption]:
    if type(node).__name__ == "FuncCall":
        return [_distinct(node, text)]
    if type(node).__name__ != "BinaryOp":
        raise _unsupported(text)
    if node.op == "&&":
        return _conjunction(node.left, text) + _conjunction(node.right, text)
    if node.op not in _MIRRORED:
        raise _unsupported(text)
    right = _constant(node.right)
    if right is not None:
        return [_comparison(node.left, node.op, right, text)]
    left = _constant(node.left)
    if left is not None:
        return [_comparison(node.right, _MIRRORED[node.op], left, text)]
    raise _unsupported(text)


def _distinct(node: Any, text: str) -> Assumption:
    names = [_name(argument) for argument in node.args.exprs] if node.args is not None else []
    if _name(node.name) != "distinct" or len(names) != 1 or names[0] is None:
        raise _unsupported(text)
    return Assumption(names[0], "distinct", 0, None, text)


def _comparison(subject: Any, operator: str, value: int, text: str) -> Assumption:
    name = _name(subject)
    if name is not None:
        return Assumption(name, operator, value, None, text)
    if type(subject).__name__ == "BinaryOp" and subject.op == "%":
        name, modulus = _name(subject.left), _constant(subject.right)
        if name is not None and modulus is not None and modulus > 0:
            return Assumption(name, operator, value, modulus, text)
    raise _unsupported(text)


def _name(node: Any) -> str | None:
    match type(node).__name__:
        case "ID":
            return str(node.name)
        case "StructRef":
            base = _name(node.name)
            return f"{base}.{node.field.name}" if base else None
        case _:
            return None


def _constant(node: Any) -> int | None:
    match type(node).__name__:
        case "Constant" if "int" in node.type:
            digits = node.value.rstrip("uUlL")
            octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
            return int(digits, 8) if octal else int(digits, 0)
        case "UnaryOp" if node.op in ("-", "+"):
            inner = _constant(node.expr)
            return inner if inner is None or node.op == "+" else -inner
        case "BinaryOp":
            return _fold(node.op, _constant(node.left), _constant(node.right))
        case _:
            return None


def _fold(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right:
            quotient = abs(left) // abs(right)
            return quotient if (left < 0) == (right < 0) else -quotient
        case "<<" if 0 <= right < 64:
            return left << right
        case _:
            return None


def _invalid(text: str) -> UsageError:
    return UsageError(f"assumption '{text}' is not a C expression; expected one like 'n % 32 == 0'")


def _unsupported(text: str) -> UsageError:
    return UsageError(
        f"assumption '{text}' is not supported; compare a name, or its remainder, with a number: "
        "'n % 32 == 0 && n >= 64', or say that an array's numbers differ: 'distinct(index)'"
    )
