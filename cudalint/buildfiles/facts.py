"""What is known of how a unit is compiled. Plain frozen data."""

from msgspec import Struct

from cudalint.source.span import Span


class Option(Struct, frozen=True):
    """An option of nvcc or clang where it is written. name: one spelling for all, such as '-G' or '-Xptxas'.

    release: what says that it is in force in a build that is not for debugging ('-O3', 'every
    configuration'), '' where nothing does. commands: how many of the database's commands have it, 0 where a
    CMakeLists.txt writes it.
    """

    name: str
    value: str
    span: Span
    release: str = ""
    commands: int = 0


class Code(Struct, frozen=True):
    """The architectures that GPU code is made for: machine code ('sm_80') and PTX ('compute_80'), with the
    place that says so.
    """

    native: tuple[str, ...]
    virtual: tuple[str, ...]
    span: Span

    def runs_natively(self, arch: int) -> bool:
        """Whether machine code of it runs on a compute capability: of the same major one and not above."""
        return any(_native(word, arch) for word in self.native)

    def runs_from_ptx(self, arch: int) -> bool:
        """Whether the driver can compile PTX of it for a compute capability: for any newer one, unless the
        PTX is for one alone (90a) or a family (100f).
        """
        plain = [word for word in self.virtual if word[-1].isdigit()]
        own = [word for word in self.virtual if word not in plain]
        return any(_number(word) <= arch for word in plain) or any(_native(word, arch) for word in own)


class BuildFacts(Struct, frozen=True):
    """compiler: 'nvcc' or 'clang', '' where it is not known. code: None where it is not said, or is not a
    list of numbers (native, all). named: the architecture that is linted for was asked for by name.
    """

    compiler: str
    options: tuple[Option, ...]
    code: Code | None
    named: bool

    def has(self, name: str) -> bool:
        return any(option.name == name for option in self.options)


def _number(word: str) -> int:
    return int("".join(c for c in word if c.isdigit()))


def _native(word: str, arch: int) -> bool:
    own = _number(word)
    if word.endswith("a"):  # of exactly this one
        return own == arch
    return own // 10 == arch // 10 and own <= arch
