"""The files of a program: those beside a file that one `main` reaches by calls. The text tells which may be,
the parsed units which are.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.linked import linked, undefined
from cudalint.frontend import load
from cudalint.frontend.errors import UnitFailed
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit
from cudalint.source.text import decode, read_bytes

_OPENS = re.compile(r"^(?![\s#/}])[^\n;={}()]*?\b(\w+)\s*\(", re.MULTILINE)
_CALLS = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^<>;(){}]*>)?\s*\(")
_MOST_BESIDE = 24  # sources in the folder; more are no single program
_MOST = 8  # files of a program
_MOST_BYTES = 1 << 20  # of all sources in the folder
_CUDA, _PLAIN = ".cu", (".cpp", ".cc", ".cxx")  # sources; plain ones hold no kernels, but maybe `main`
_APART = 1 << 24  # between the numbers of two files' variables


class _Names(Struct, frozen=True):
    """What a text defines at the start of a line, and what it calls besides."""

    defined: frozenset[str]
    called: frozenset[str]


def files(path: str) -> tuple[str, ...]:
    """The files of the one program that a file belongs to; none where that is not clear. Plain C++ sources
    are left out where it is clear without them alone.
    """
    folder, own = os.path.split(path)
    for ends in ((_CUDA, *_PLAIN), (_CUDA,)):
        together = _programs(folder, _states(folder, ends)).get(own, ())
        if together:
            return tuple(os.path.join(folder, name) for name in together)
    return ()


def _states(folder: str, ends: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """The sources of a folder with size and time of change, as far as they may be one program."""
    try:
        with os.scandir(folder or ".") as entries:
            sources = (entry for entry in entries if entry.name.endswith(ends))
            found = list(islice(sources, _MOST_BESIDE + 1))
        if not 2 <= len(found) <= _MOST_BESIDE:
            return ()
        states = tuple(sorted((one.name, one.stat().st_size, one.stat().st_mtime_ns) for one in found))
    except OSError:
        return ()
    return states if sum(size for _, size, _ in states) <= _MOST_BYTES else ()


class Program(Struct):
    """The units of a program's files that can be parsed, by path, with variables numbered apart; and what its
    host code does, once it was asked for.
    """

    units: dict[str, Unit]
    host: HostFacts | None = None

    def around(self, path: str, own: Unit) -> Unit:
        """The unit of one of them, as it is now, with the functions of the others."""
        return linked(own, [unit for other, unit in self.units.items() if other != path])

    def whole(self) -> Unit:
        """All of them as they are on disk, the same whichever is looked at, with what could not be parsed."""
        main = next(path for path, unit in self.units.items() if _has_main(unit))
        problems = tuple(problem for unit in self.units.values() for problem in unit.problems)
        return replace(self.around(main, self.units[main]), problems=problems)


def program(path: str, options: LoadOptions) -> Program | None:
    """The program that a file belongs to, as it is on disk; None where it is read alone."""
    together = files(path)
    if not together:
        return None
    found = _loaded(together, replace(options, text=None, unsaved=()), tuple(map(_state, together)))
    return found if path in found.units and len(found.units) > 1 else None


def _state(path: str) -> tuple[int, int]:
    state = os.stat(path)
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=2)
def _loaded(together: tuple[str, ...], options: LoadOptions, states: tuple[tuple[int, int], ...]) -> Program:
    """states: those that they were read in."""
    units: dict[str, Unit] = {}
    for number, path in enumerate(together, 1):  # below are those of a text that is not on disk
        with suppress(UnitFailed):
            units[path] = load(path, replace(options, first_variable=number * _APART))
    return Program(_called(units))


def _called(units: dict[str, Unit]) -> dict[str, Unit]:
    """Those that `main` reaches by calls of functions which its own file does not define."""
    left = [path for path, unit in units.items() if _has_main(unit)]
    reached = dict.fromkeys(left)
    while left:
        missing = undefined(units[left.pop()])
        for path, unit in units.items():
            if path not in reached and any(unit.defined(key) is not None for key in missing):
                reached[path] = None
                left.append(path)
    return {path: unit for path, unit in units.items() if path in reached}


def _has_main(unit: Unit) -> bool:
    return any(function.name == "main" for function in unit.functions.values())


@lru_cache(maxsize=16)
def _programs(folder: str, states: tuple[tuple[str, int, int], ...]) -> Mapping[str, tuple[str, ...]]:
    """The files of a folder that belong to one program, each with all of that program's."""
    try:
        names = {name: _names(decode(read_bytes(os.path.join(folder, name)))) for name, *_ in states}
    except OSError:
        return {}
    names = _chosen(names)
    programs = [_reached(name, names) for name, one in names.items() if "main" in one.defined]
    of: dict[str, list[tuple[str, ...]]] = {}
    for program in programs:
        for name in program:
            of.setdefault(name, []).append(program)
    return {name: found[0] for name, found in of.items() if len(found) == 1 and 2 <= len(found[0]) <= _MOST}


def _chosen(names: Mapping[str, _Names]) -> dict[str, _Names]:
    """A plain source that defines what a source with CUDA defines as well is another version of it."""
    own = frozenset().union(*(one.defined for name, one in names.items() if name.endswith(_CUDA))) - {"main"}
    return {
        name: one if name.endswith(_CUDA) else replace(one, defined=one.defined - own)
        for name, one in names.items()
    }


def _names(text: str) -> _Names:
    defined = frozenset(found[1] for found in _OPENS.finditer(text) if _is_body(text, found.end()))
    return _Names(defined, frozenset(_CALLS.findall(text)) - defined)


def _is_body(text: str, start: int) -> bool:
    """Whether a body follows before a declaration ends."""
    opens, ends = text.find("{", start), text.find(";", start)
    return opens >= 0 and (ends < 0 or opens < ends)


def _reached(main: str, names: Mapping[str, _Names]) -> tuple[str, ...]:
    """The files that define, at any remove, what a file calls."""
    reached, left = {main}, [main]
    while left:
        called = names[left.pop()].called
        for name, one in names.items():
            if name not in reached and "main" not in one.defined and called & one.defined:
                reached.add(name)
                left.append(name)
    return tuple(sorted(reached))
