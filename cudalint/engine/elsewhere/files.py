"""Which files of a project may mean the same by a word as one that defines it."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.engine.elsewhere import tree

_MOST_FILES = 12  # that are looked into for one word, besides those that the file reads


class Place(Struct, frozen=True):
    """A place in a file. arguments: of the call by which the function round it is looked at, at caller."""

    path: str
    at: int
    function: str = ""
    arguments: tuple[str, ...] = ()
    caller: "Place | None" = None

    @property
    def text(self) -> str:
        return tree.text(self.path)


class Files:
    """The files of the project that one file belongs to, as it sees them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.within = tree.project(path)
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        tree.refresh(self.within)

    def of(self, word: str, defined: str) -> tuple[str, ...]:
        """The files with a word that read the one where it is defined: first those that this one reads."""
        key = (word, defined)
        if key not in self._found:
            self._found[key] = tuple(self._linked_files(word, defined))
        return self._found[key]

    def _linked_files(self, word: str, defined: str) -> Iterator[str]:
        own = tree.reads(self.path)
        holding = tree.containing(word, self.path, self.within)
        yield from (path for path in holding if path in own)
        others = [path for path in holding if path not in own]
        yield from (path for path in others[:_MOST_FILES] if self._linked(word, path, defined))

    def _linked(self, word: str, path: str, defined: str) -> bool:
        """Whether a word means the same in two files: one reads the other, or both a header with the word."""
        read = tree.reads(path)
        if defined in read:
            return True
        both = read & tree.reads(defined) - {path, defined}
        return any(word.encode() in tree.content(header) for header in both)

    def read(self, word: str, path: str) -> list[str]:
        """Those with a word that a file reads."""
        read = tree.reads(path)
        return [one for one in tree.containing(word, path, self.within) if one in read]
