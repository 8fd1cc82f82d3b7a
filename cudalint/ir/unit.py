"""Functions and units: what the frontend hands to the models for one `.cu` file."""

from typing import Literal

from msgspec import Struct, field

from cudalint.ir.expressions import Variable
from cudalint.ir.statements import Block
from cudalint.ir.types import Layout, Type
from cudalint.source.span import Span


class Function(Struct, frozen=True):
    """One function, or one instantiation of a function template.

    key: unique in the unit (USR plus template arguments). `this` is the object parameter of a method: a
    Variable of Pointer type. `dependent` marks a template that nothing instantiates: its body is not to be
    trusted. launch_bounds: (max threads, min blocks) as far as given. template_arguments as in Call.
    overrides: keys of the virtual methods of base classes that it stands for.
    assumed: template arguments that cudalint chose because nothing instantiates the kernel, as 'T = float';
    sized: then the places of its variables whose size these have no part in. made: of a kernel that a
    library makes for a call, where it stands, the one that it is made of: it runs the program's function for
    each element.
    """

    key: str
    name: str
    qualified: str
    parameters: tuple[Variable, ...]
    body: Block | None
    returns: Type
    span: Span  # the name
    extent: Span  # the whole definition
    kernel: bool = False  # __global__
    device: bool = False  # __device__ (also __host__ __device__)
    host: bool = True
    dependent: bool = False
    this: Variable | None = None
    launch_bounds: tuple[int, ...] = ()
    template_arguments: tuple[int | str, ...] = ()
    lambda_: bool = False
    overrides: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    sized: tuple[Span, ...] = ()
    made: str = ""

    @property
    def chosen_number(self) -> bool:
        """Whether cudalint chose a number that is a template argument: what a warp does may depend on it."""
        return any(argument.rpartition(" = ")[2].isdecimal() for argument in self.assumed)


MOST_PROBLEMS = 50  # that are kept of what clang says of a file


class Problem(Struct, frozen=True):
    """Something of the file that was lost: a parse error, a missing header, a construct without IR.

    header: the name of the header that is missing, as the source includes it. template: of a kernel template
    without arguments, 'lost' where what gives them could not be parsed, 'unused' where nothing of the unit
    does: no option of the build mends that; kernel: its name.
    """

    reason: str
    span: Span
    fatal: bool = False  # no translation unit could be made at all
    template: Literal["", "lost", "unused"] = ""
    header: str = ""
    kernel: str = ""


class Undecided(Struct, frozen=True):
    """Lines of a file, from the condition to its #endif, that macros decide on which nothing that was read
    defines: a header is missing, so nobody knows which of them are compiled.
    """

    path: str
    line: int
    end_line: int
    macros: tuple[str, ...]

    def holds(self, span: Span) -> bool:
        return span.path == self.path and self.line <= span.line <= self.end_line


class Unit(Struct, frozen=True):
    """One parsed file with everything its kernels and host code use.

    functions: by key, those defined in project files and those of headers that are reached from them.
    kernels: keys of the `__global__` definitions (each instantiation one key). kernels_in_source: the
    definitions as written, (path, line, name), a template once: the denominator of coverage. headers: project
    files it includes (for 'each reported once'). lines: source text by path for the files that findings can
    be in. fast_math: built with -use_fast_math. launched: names of kernels that the text launches or hands
    on, also where no launch of them is among the functions: in a template that nothing instantiates.
    undecided: what may not be compiled, for a macro may come from a header that is missing. errors: where the
    parser could not make sense of the source, each line once. destructors: keys of those with a body, by the
    name of the record. templates: by key, as they are written, functions of the host that launch kernels and
    that nothing instantiates, with what they alone call. beside: the other files of the program whose
    functions are among these. algorithms: by key, the functions of libraries that launch the kernels which
    are made for their calls.
    """

    path: str
    arch: str
    functions: dict[str, Function]
    records: dict[str, Layout]
    variables: dict[int, Variable]
    kernels: tuple[str, ...]
    kernels_in_source: tuple[tuple[str, int, str], ...]
    headers: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    flags: tuple[str, ...] = ()
    default_stream_per_thread: bool = False
    fast_math: bool = False
    project_files: tuple[str, ...] = field(default=())
    launched: frozenset[str] = frozenset()
    undecided: tuple[Undecided, ...] = ()
    errors: tuple[Span, ...] = ()
    destructors: dict[str, str] = field(default_factory=dict)
    templates: dict[str, Function] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()
    algorithms: dict[str, Function] = field(default_factory=dict)

    def defined(self, key: str | None) -> Function | None:
        """The function with a body that a call's key names; None: a library's, or not known."""
        function = self.functions.get(key) if key is not None else None
        return function if function is not None and function.body is not None else None
