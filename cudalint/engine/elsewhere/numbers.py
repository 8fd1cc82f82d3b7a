"""Integers that C++ text spells: literals, sums and products of them, the least of several."""

import re
from collections.abc import Callable, Sequence

from msgspec import Struct


class Number(Struct, frozen=True):
    """most: it is what a number is at most."""

    value: int
    most: bool = False


ONE = Number(1)
Lookup = Callable[[str], Number | None]
Call = Callable[[str, tuple[str, ...]], Number | None]

_TOKEN = re.compile(
    r"\s*((?:0[xX][\da-fA-F']+|\d[\d']*)[uUlLzZ]*(?![\w.])|[A-Za-z_][\w:]*|<<|>>|&&|\|\||[<>=!]=|.)"
)
_LEVELS = (("+", "-"), ("*", "/", "%"))
_SHIFTS = ("<<", ">>")
_LEAST = frozenset(("min", "MIN", "Min"))
_MOST = frozenset(("max", "MAX", "Max"))
_SAME = frozenset(
    """
    int unsigned long short size_t uint32_t int32_t uint64_t int64_t uint ulong static_cast
    narrow_cast unsigned_cast dim3
    """.split()
)
_KNOWN = _LEAST | _MOST | _SAME
_TYPE = re.compile(r"(?:const|unsigned|signed|int|long|short|char|size_t|u?int\d*_t|uint|std::size_t|\s)+$")
_LARGEST = 1 << 40


def parts(text: str) -> list[str]:
    """What stands between commas that no bracket holds."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    rest = text[start:].strip()
    return [*found, rest] if rest or found else []


def closing(text: str, at: int) -> int:
    """The place of the bracket that closes the one at a place; -1 where there is none."""
    pair = {"(": ")", "{": "}", "[": "]", "<": ">"}[text[at]]
    depth = 0
    for place in range(at, min(len(text), at + 5000)):
        depth += (text[place] == text[at]) - (text[place] == pair)
        if depth == 0:
            return place
        if pair == ">" and text[place] in ";{}":
            return -1
    return -1


def _unknown(name: str, arguments: tuple[str, ...]) -> Number | None:
    return None


def evaluate(text: str, lookup: Lookup, call: Call = _unknown) -> Number | None:
    """The number that a text spells; lookup: of a name; call: of a function with its arguments' texts."""
    tokens = [match[1] for match in _TOKEN.finditer(text) if match[1].strip()]
    reader = _Reader(tokens, lookup, call)
    try:
        found = reader.choice()
    except (IndexError, RecursionError):
        return None
    return found if reader.at == len(tokens) else None


class _Reader:
    """Reads an expression from its tokens; what it does not know is None."""

    def __init__(self, tokens: Sequence[str], lookup: Lookup, call: Call) -> None:
        self.tokens, self.lookup, self.call, self.at = tokens, lookup, call, 0

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def choice(self) -> Number | None:
        """`condition ? one : other`: the larger of the two is what it is at most."""
        start = self.at
        mark = self._of_this_depth("?")
        if mark < 0:
            return self.level(0)
        self.at = mark + 1
        one = self.choice()
        if self.next() != ":":
            self.at = start
            raise IndexError
        self.take()
        return either((one, self.choice()))

    def _of_this_depth(self, wanted: str) -> int:
        depth = 0
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at]
            depth += (token in "([{") - (token in ")]}")
            if depth < 0 or (depth == 0 and token == ","):
                return -1
            if depth == 0 and token == wanted:
                return at
        return -1

    def level(self, depth: int) -> Number | None:
        if depth == len(_LEVELS):
            return self.primary()
        found = self.level(depth + 1)
        while self.next() in _LEVELS[depth] or (depth == 0 and self.next() in _SHIFTS):
            operator = self.take()
            found = _combined(operator, found, self.level(depth + 1))
        return found

    def primary(self) -> Number | None:
        token = self.take()
        if token == "(":
            return self._bracketed()
        if token == "+":
            return self.primary()
        if token[0].isdigit():
            return Number(int(token.replace("'", "").rstrip("uUlLzZ"), 0)) if _plain(token) else None
        if not (token[0].isalpha() or token[0] == "_"):
            raise IndexError
        return self._named(token)

    def _bracketed(self) -> Number | None:
        start = self.at
        found = None if self._is_cast() else self.choice()
        if found is None and self._is_cast(start):
            return self.primary()
        if self.take() != ")":
            raise IndexError
        return found

    def _is_cast(self, start: int | None = None) -> bool:
        """Whether a type in brackets begins here; then what follows them is next."""
        at = self.at if start is None else start
        end = next((i for i in range(at, len(self.tokens)) if self.tokens[i] == ")"), -1)
        if end > at and _TYPE.match(" ".join(self.tokens[at:end])):
            self.at = end + 1
            return True
        return False

    def _named(self, name: str) -> Number | None:
        if self.next() == "<":
            self._skip_template()
        if self.next() not in ("(", "{"):
            return self.lookup(name)
        self.take()
        given: list[Number | None] = []
        texts: list[str] = []
        while self.next() not in (")", "}"):
            start = self.at
            given.append(self.choice())
            texts.append(" ".join(self.tokens[start : self.at]))
            if self.next() == ",":
                self.take()
            elif self.next() not in (")", "}"):
                raise IndexError
        self.take()
        short = name.rsplit("::", 1)[-1]
        if short in _KNOWN:
            return _called(short, given)
        return self.call(name, tuple(texts))

    def _skip_template(self) -> None:
        """Past the template arguments of what is called; a comparison is no number that is known."""
        depth = 0
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at]
            depth += (token == "<") - (token == ">") - 2 * (token == ">>")
            if depth <= 0:
                if at + 1 < len(self.tokens) and self.tokens[at + 1] == "(":
                    self.at = at + 1
                    return
                break
        raise IndexError


def _plain(token: str) -> bool:
    return token.startswith(("0x", "0X")) or token[0] != "0" or not token[1:].rstrip("uUlLzZ").isdigit()


def _called(name: str, given: Sequence[Number | None]) -> Number | None:
    if name in _LEAST:
        return least(given)
    if name in _MOST:
        return either(given) if all(given) else None
    return given[0] if name in _SAME and len(given) == 1 else None


def least(numbers: Sequence[Number | None]) -> Number | None:
    """The least of several, of which some may not be known."""
    known = [one for one in numbers if one is not None]
    if not known:
        return None
    value = min(one.value for one in known)
    exact = len(known) == len(numbers) and not any(one.most for one in known)
    return Number(value, not exact)


def either(numbers: Sequence[Number | None]) -> Number | None:
    """One of several: the largest is what it is at most, unless all are one."""
    known = [one for one in numbers if one is not None]
    if not known or len(known) != len(numbers):
        return None
    value = max(one.value for one in known)
    return Number(value, any(one.most or one.value != value for one in known))


def _combined(operator: str, left: Number | None, right: Number | None) -> Number | None:
    if left is None or right is None:
        return None if operator != "%" or right is None else Number(max(right.value - 1, 0), True)
    a, b = left.value, right.value
    most = left.most or right.most
    if operator in ("-", "/", "%", "<<", ">>") and right.most:
        return None
    match operator:
        case "+":
            value = a + b
        case "*":
            value = a * b
        case "-":
            value = a - b
        case "/" if b > 0:
            value = a // b
        case "%" if b > 0:
            value = min(a, b - 1) if most else a % b
        case "<<" if 0 <= b < 32:
            value = a << b
        case ">>" if 0 <= b < 64:
            value = a >> b
        case _:
            return None
    return Number(value, most) if abs(value) < _LARGEST else None
