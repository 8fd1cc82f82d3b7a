"""Where a project keeps a header that no include path names: found by looking near the file, then anywhere in
its project, read-only and cached.

Without a compilation database the include paths are unknown. The includes of a file (and of the project
headers that it reaches) are read from the text; one that resolves nowhere is looked for in the folders
around the file, then by its whole name among all headers of the project.
"""

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct, field

from cudalint.buildfiles.project import top
from cudalint.frontend import project_headers
from cudalint.frontend.project_headers import template_of
from cudalint.frontend.stand_ins import from_template, stand_in

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim")

_INCLUDE = re.compile(r'#[ \t]*include(?:_next)?[ \t]*(?:([<"])([^">\n]+)[">]|([A-Za-z_]\w*))')
_HEADER = re.compile(r'[ \t]+([<"])([^">]+)[">][ \t]*(?://.*|/\*.*)?')
_ASKED = re.compile(r'__has_include(?:_next)?\s*\(\s*(?:([<"])([^">\n]+)[">]|(?=[A-Za-z_]))')
_SWITCH = re.compile(
    r"\b(?:\w+_)?(?:HAVE|USE|USING|WITH|ENABLE|HAS)_CUDA\b|\b(?:\w+_)?CUDA_(?:FOUND|ENABLED|AVAILABLE)\b"
)
# What a HIP program asks for besides, which is on where such a program is compiled for NVIDIA's devices.
_HIP = ("__HIPCC__", "__HIP_PLATFORM_NVCC__", "__HIP_PLATFORM_NVIDIA__")
_HIP_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if[^\n]*\b((?:HAVE|USE|WITH|ENABLE)_HIP)\b", re.MULTILINE)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if[^\n]*CUDA[^\n]*", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w*CUDA\w*)", re.MULTILINE)
_COMMON_FOLDERS = (
    "",
    "include",
    "inc",
    "common",
    "Common",
    "src",
    "utils",
    "util",
    "common/inc",
    "includes",
    "kernels",
)
_LEVELS_UP = 5
_MAX_FILES = 1000
_MAX_BYTES = 4_000_000


class Search(Struct, frozen=True):
    """What makes includes resolve. directories: to add to the include paths. stand_ins: (path below the
    folder of stand-ins, text) of headers that are nowhere: of known libraries, or made by the build from a
    template of the project. generated: whether one is of the second kind. switches: macros that a build for
    CUDA defines, by their names, which nothing that is read does. files: those besides itself that a
    file may read, whatever the preprocessor leaves out, without the shim's. whole: whether these are all.
    macros: that name headers, as far as the texts of all these say.
    """

    directories: tuple[str, ...]
    stand_ins: tuple[tuple[str, str], ...]
    files: tuple[str, ...]
    whole: bool
    generated: bool = False
    switches: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()


class _Includes(Struct, frozen=True):
    """What a text includes, (in quotes, name), by the names of macros too, and what it asks for by
    __has_include. computed: a name in one of these is a macro. switches: macros by which a build for CUDA is
    told from others, as far as they are named; defined: those of them that are defined. hip: those of HIP;
    in_hip: kernels are launched as HIP launches them; in_cuda: as CUDA does.
    """

    names: tuple[tuple[bool, str], ...]
    macros: tuple[str, ...] = ()
    asked: tuple[tuple[bool, str], ...] = ()
    computed: bool = False
    switches: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()
    hip: frozenset[str] = frozenset()
    in_hip: bool = False
    in_cuda: bool = False


def include_paths(arguments: Sequence[str]) -> tuple[str, ...]:
    """The directories that arguments for libclang name, in the order in which it looks, and then the shim."""
    kinds: dict[str, list[str]] = {"-iquote": [], "-I": [], "-isystem": [], "-idirafter": []}
    for position, argument in enumerate(arguments):
        if argument.startswith("-I"):
            kinds["-I"].append(argument[2:])
        elif argument in kinds:
            kinds[argument].append(arguments[position + 1])
    return (*(path for paths in kinds.values() for path in paths), SHIM)


def search(path: str, text: str | None, include_paths: tuple[str, ...], root: str | None = None) -> Search:
    """What to add so that the includes of `path`, or of `text` in its place, resolve as far as possible."""
    start = os.path.dirname(os.path.abspath(path))
    project = os.path.abspath(root) if root else top(start)
    candidates = _candidates(start, project or _boundary(start))
    added: list[str] = []
    seen: dict[str, None] = {}
    asked: list[tuple[str, bool, str]] = []
    nowhere: dict[str, str] = {}
    generated = False
    queue = [(start, _includes_of_text(text) if text is not None else _includes(path))]
    whole = True
    switches: set[str] = set()
    defined: set[str] = set()
    hip, in_hip, in_cuda = set(_HIP), False, False
    macros = _Macros()
    while (queue or (queue := macros.includes(path, text, seen))) and len(seen) < _MAX_FILES:
        folder, includes = queue.pop()
        whole = whole and not includes.computed
        macros.note(folder, includes)
        asked += [(folder, quoted, name) for quoted, name in includes.asked]
        switches |= includes.switches
        hip |= includes.hip
        in_hip = in_hip or includes.in_hip
        in_cuda = in_cuda or includes.in_cuda
        defined |= includes.defined
        for quoted, name in includes.names:
            resolved = _resolve(folder, quoted, name, include_paths, added)
            if resolved is None:
                resolved = _look_around(name, candidates, added)
            if resolved is None and project is not None:
                resolved = _look_in_project(name, folder, project, added)
            if resolved is None and name in nowhere:
                continue
            if resolved is None and (instead := stand_in(name)):
                nowhere[name] = instead
            elif resolved is None and project is not None and (made := template_of(name, folder, project)):
                nowhere[name], generated, seen[made] = from_template(_text(made) or ""), True, None
                queue.append((os.path.dirname(made), _includes(made)))
            if resolved is None or resolved in seen or resolved.startswith(include_paths[-1]):
                continue
            seen[resolved] = None
            queue.append((os.path.dirname(resolved), _includes(resolved)))
    there = (_resolve(folder, quoted, name, include_paths, added) for folder, quoted, name in asked)
    seen.update({path: None for path in there if path is not None and not path.startswith(include_paths[-1])})
    told = tuple(sorted((switches | hip if in_hip and not in_cuda else switches) - defined))
    whole = whole and macros.plain and not queue
    names = tuple(macros.folders)
    return Search(tuple(added), tuple(nowhere.items()), tuple(seen), whole, generated, told, names)


class _Macros(Struct):
    """Macros that name headers, with the folders of the files that do so. told: what texts define them as;
    plain: always one header, in quotes or brackets.
    """

    folders: dict[str, set[str]] = field(default_factory=dict)
    told: set[tuple[str, str]] = field(default_factory=set)
    plain: bool = True

    def note(self, folder: str, includes: _Includes) -> None:
        for macro in includes.macros:
            self.folders.setdefault(macro, set()).add(folder)

    def includes(self, path: str, text: str | None, seen: Iterable[str]) -> list[tuple[str, _Includes]]:
        """What the macros say that is new, once all else was followed. text: instead of the path's."""
        if not self.folders:
            return []
        macros = tuple(self.folders)
        own = _definitions(path, macros) if text is None else _definitions_in(text, macros)
        new = own.union(*(_definitions(one, macros) for one in seen)) - self.told
        self.told |= new
        found: list[tuple[str, _Includes]] = []
        for macro, value in sorted(new):
            header = _HEADER.fullmatch(value)
            self.plain = self.plain and header is not None
            if header is not None:
                one = _Includes(((header[1] == '"', header[2]),))
                found += [(folder, one) for folder in sorted(self.folders[macro])]
        return found


def _resolve(folder: str, quoted: bool, name: str, paths: tuple[str, ...], added: list[str]) -> str | None:
    folders = ([folder] if quoted else []) + list(paths) + added
    return next((p for f in folders if _is_file(p := os.path.normpath(os.path.join(f, name)))), None)


def _look_around(name: str, candidates: tuple[str, ...], added: list[str]) -> str | None:
    for folder in candidates:
        found = os.path.normpath(os.path.join(folder, name))
        if _is_file(found):
            added.append(folder)
            return found
    return None


def _look_in_project(name: str, folder: str, project: str, added: list[str]) -> str | None:
    directory = project_headers.directory_for(name, folder, project)
    if directory is None:
        return None
    added.append(directory)
    return os.path.normpath(os.path.join(directory, name))


@lru_cache(maxsize=4096)
def _candidates(start: str, boundary: str) -> tuple[str, ...]:
    """The folder itself and its parents up to the boundary, each with its usual homes of headers, nearest
    first.
    """
    found: list[str] = []
    current = start
    for _ in range(_LEVELS_UP):
        found += [
            f
            for name in _COMMON_FOLDERS
            if os.path.isdir(f := os.path.join(current, name) if name else current)
        ]
        parent = os.path.dirname(current)
        if current == boundary or parent == current:
            break
        current = parent
    return tuple(found)


@lru_cache(maxsize=1024)
def _boundary(start: str) -> str:
    """The top of the repository, or the filesystem's root."""
    current = start
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return current


@lru_cache(maxsize=65536)
def _is_file(path: str) -> bool:
    return os.path.isfile(path)


@lru_cache(maxsize=4096)
def _includes(path: str) -> _Includes:
    text = _text(path)
    return _Includes((), computed=True) if text is None else _includes_of_text(text)


def _text(path: str) -> str | None:
    """The text of a file, '' where it cannot be read; None: it is too long."""
    try:
        if os.path.getsize(path) > _MAX_BYTES:
            return None
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _definitions(path: str, macros: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return _definitions_in(_text(path) or "", macros)


def _definitions_in(text: str, macros: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """The macros that a text defines, each with what follows its name."""
    define = rf"^[ \t]*#[ \t]*define[ \t]+({'|'.join(macros)})\b(.*)$"
    return frozenset(re.findall(define, text, re.MULTILINE))


def _includes_of_text(text: str) -> _Includes:
    found = _INCLUDE.finditer(text)
    named = [match.groups("") for match in found if _begins_line(text, match.start())]
    asked = _ASKED.findall(text) if "__has_include" in text else []
    conditions = _CONDITION.findall(text) if "CUDA" in text else []
    return _Includes(
        _named([(quote, name) for quote, name, _ in named]),
        tuple(dict.fromkeys(macro for _, _, macro in named if macro)),
        _named(asked),
        not all(name for _, name in asked),
        frozenset(switch for condition in conditions for switch in _SWITCH.findall(condition)),
        frozenset(_DEFINED.findall(text)) if "CUDA" in text else frozenset(),
        frozenset(_HIP_CONDITION.findall(text)) if "_HIP" in text else frozenset(),
        "hipLaunchKernelGGL(" in text,
        "<<<" in text or "cudaLaunchKernel" in text,
    )


def _begins_line(text: str, place: int) -> bool:
    """Whether only blanks stand before a place on its line. To look for blanks first takes far longer."""
    return not text[text.rfind("\n", 0, place) + 1 : place].strip(" \t")


def _named(found: list[tuple[str, ...]]) -> tuple[tuple[bool, str], ...]:
    return tuple((quote == '"', name.strip()) for quote, name in found if name)
