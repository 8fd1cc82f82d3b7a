"""What stands round a place of C++ text without comments: the functions and templates that hold it, and what
the text has made of a variable before.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from cudalint.engine.elsewhere.numbers import closing, parts

_BRACES = re.compile(r"[{}]")
_CONTROL = frozenset("if for while switch catch return sizeof defined".split())
_TAIL = re.compile(r"(?:\s|\bconst\b|\bnoexcept\b|\boverride\b|\bfinal\b|->\s*[\w:<>&*\s]+)*$")
_NAME = re.compile(r"([A-Za-z_]\w*)\s*$")
_TEMPLATE = re.compile(r"\btemplate\s*<")
_CLASS = re.compile(r"(?<![<,])\s\b(?:struct|class)\s+(?:\w+\s*\([^()]*\)\s*)?(\w+)\s*(<)?")
_FOR = re.compile(r"\bfor\s*\($")
_NO_TYPE = re.compile(r"^\s*(?:return|else|case|goto|delete|new|using|typedef|throw)\b")
_DECLARES = re.compile(
    r"(?:^|\s)(?:(?:[A-Za-z_][\w:]*)(?:\s*<[^;=()]*>)?[\s&*]+)+(?:[A-Za-z_]\w*[^;]*,\s*)?[&*\s]*$", re.DOTALL
)
_AFTER = re.compile(
    r"\s*(\.\s*[xyz]\b\s*)?(=(?!=)|\(|\{|;|,|[-+*/%|&^]=|<<=|>>=|\+\+|--)?"
)  # what follows a name
_SHRINKS = frozenset(("/=", ">>=", "-=", "%=", "--"))
_GROWS = frozenset(("*=", "+=", "<<=", "|=", "^=", "++"))
_LEAD = 400  # letters before a name in which its statement begins


class Scope(Struct, frozen=True):
    """A function or a class round a place: what it is called ('' for others), its parameters and those of its
    template, and where its text begins. special: the arguments of a class template's specialisation.
    """

    name: str
    parameters: tuple[str, ...]
    template: tuple[str, ...]
    start: int
    special: tuple[str, ...] = ()


class Made(Struct, frozen=True):
    """What the text makes of a variable. type: as it is declared; initial: the text of its first value, None
    for none; assigned: (what of it, the text) for each later one; changed: in another way; shrunk: it is made
    less in a way that is not followed.
    """

    type: str
    initial: str | None
    at: int
    assigned: tuple[tuple[str, str], ...] = ()
    changed: bool = False
    shrunk: bool = False


@lru_cache(maxsize=64)
def _braces(text: str) -> tuple[int, ...]:
    return tuple(match.start() for match in _BRACES.finditer(text))


def scopes(text: str, at: int) -> Iterator[Scope]:
    """What holds a place, innermost first; last the file itself."""
    braces = _braces(text)
    depth = 0
    for index in range(bisect_left(braces, at) - 1, -1, -1):
        place = braces[index]
        if text[place] == "}":
            depth += 1
        elif depth:
            depth -= 1
        else:
            yield _scope(text, place, braces[index - 1] if index else -1)
    yield Scope("", (), (), 0)


def _scope(text: str, brace: int, before: int) -> Scope:
    start = max(before, text.rfind(";", before + 1, brace)) + 1
    head = text[start:brace]
    template = _template(head)
    open_ = _parameters_at(head)
    if open_ >= 0 and (name := _NAME.search(head[:open_])) and name[1] not in _CONTROL:
        inside = head[open_ + 1 : closing(head, open_)]
        return Scope(name[1], tuple(parts(inside)), template, brace + 1)
    held = _CLASS.search(head)
    if held is None:
        return Scope("", (), template, brace + 1)
    end = closing(head, held.end() - 1) if held[2] else -1
    special = tuple(split(head[held.end() : end])) if end > 0 else ()
    return Scope(held[1], (), template, brace + 1, special)


def _parameters_at(head: str) -> int:
    """Where the list of parameters begins that a head ends with; -1 where it ends with none."""
    end = len(_TAIL.sub("", head))
    if end == 0 or head[end - 1] != ")":
        return -1
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (head[at] == ")") - (head[at] == "(")
        if depth == 0:
            return at
    return -1


def _template(head: str) -> tuple[str, ...]:
    found = [match.end() - 1 for match in _TEMPLATE.finditer(head)]
    if not found:
        return ()
    end = closing(head, found[-1])
    return tuple(split(head[found[-1] + 1 : end])) if end > 0 else ()


def split(text: str) -> list[str]:
    """Template arguments or parameters: angle brackets hold commas too."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def made(text: str, scope: Scope, name: str, at: int) -> Made | None:
    """What a scope has made of a variable before a place; None where it declares none by the name."""
    declared: Made | None = None
    assigned: list[tuple[str, str]] = []
    changed = shrunk = False
    for begin in occurrences(text, name, scope.start, at):
        if text[begin - 1] == "." or text[begin - 2 : begin] == "->":
            continue
        after = _AFTER.match(text, begin + len(name))
        operator, axis = (after[2] or "", (after[1] or "").strip(" .\n\t")) if after else ("", "")
        end = after.end() if after else begin
        before = text[:begin].rstrip()[-2:] if begin < 3 else text[max(0, begin - 40) : begin].rstrip()[-2:]
        if not axis and operator in ("=", "(", "{", ";", ",") and (kind := _declared(text, begin)):
            if visible(text, begin, at):
                declared = Made(kind, _initial(text, end - 1, operator), begin)
                assigned, changed, shrunk = [], False, False
        elif operator == "=":
            value = _value(text, end)
            if re.match(rf"{name}\s*(?:/|>>|-)\s*\w+$", value):
                shrunk = True
            else:
                assigned.append((axis, value))
        elif operator in _SHRINKS or before == "--":
            shrunk = True
        elif operator in ("*=", "<<=") and axis and shrunk:
            pass  # what one extent loses the other gets
        elif operator in _GROWS or before == "++" or (before[-1:] == "&" and before != "&&"):
            changed = changed or operator != "("
    if declared is None:
        return None
    return Made(declared.type, declared.initial, declared.at, tuple(assigned), changed, shrunk)


def occurrences(text: str, name: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Where a name stands in a text as a word."""
    stop = len(text) if end is None else end
    at = text.find(name, start, stop)
    while at >= 0:
        after = at + len(name)
        first = at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_")
        if first and (after >= len(text) or not (text[after].isalnum() or text[after] == "_")):
            yield at
        at = text.find(name, after, stop)


def visible(text: str, declared: int, at: int) -> bool:
    """Whether no block that holds a declaration ends before a place."""
    braces = _braces(text)
    depth = 0
    for index in range(bisect_left(braces, declared), bisect_left(braces, at)):
        depth += 1 if text[braces[index]] == "{" else -1
        if depth < 0:
            return False
    return True


def _declared(text: str, at: int) -> str:
    """The words before a name that declare it; '' where none do."""
    before = text[max(0, at - _LEAD) : at]
    start = max(before.rfind(letter) for letter in ";{}")
    words = before[start + 1 :]
    opened = words.count("(") - words.count(")")
    if opened > 0:
        inner = words.rfind("(") + 1
        words = words[inner:] if _FOR.search(words[:inner]) else ""
    words = re.sub(r"^\s*#[^\n]*\n", "", words, flags=re.MULTILINE)
    return words.strip() if not _NO_TYPE.match(words) and _DECLARES.search(words) else ""


def _initial(text: str, at: int, operator: str) -> str | None:
    if operator == "=":
        return _value(text, at + 1)
    if operator in "({":
        end = closing(text, at)
        return text[at : end + 1] if end > 0 else None
    return None


def _value(text: str, at: int) -> str:
    """The text up to what ends an initialiser or an assignment."""
    depth = 0
    for place in range(at, min(len(text), at + 1000)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth < 0 or (depth == 0 and text[place] in ";,"):
            return text[at:place].strip()
    return ""


_MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)\(([^()\n]*)\)")


def macro(text: str, at: int) -> Scope | None:
    """The macro with parameters whose definition a place stands in."""
    start = text.rfind("\n", 0, at) + 1
    while start > 1 and text[:start].rstrip("\r\n").endswith("\\") and at - start < 5000:
        start = text.rfind("\n", 0, start - 1) + 1
    found = _MACRO.match(text, start)
    return Scope(found[1], tuple(parts(found[2])), (), found.end()) if found else None


def macros(text: str, name: str) -> Iterator[tuple[Scope, int]]:
    """The macros with parameters of a name, each with where its text ends."""
    for found in re.finditer(rf"^[ \t]*#[ \t]*define[ \t]+{name}\(([^()\n]*)\)", text, re.MULTILINE):
        end = text.find("\n", found.end())
        while end > 0 and text[end - 1] == "\\":
            end = text.find("\n", end + 1)
        yield Scope(name, tuple(parts(found[1])), (), found.end()), end if end > 0 else len(text)


def named(parameter: str) -> str:
    """What a parameter is called."""
    found = _NAME.search(parameter.partition("=")[0].rstrip().removesuffix("..."))
    return found[1] if found else ""


def is_declared(text: str, at: int) -> bool:
    """Whether the words before a name declare it."""
    return bool(_declared(text, at))
