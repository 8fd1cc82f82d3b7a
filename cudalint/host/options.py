"""getopt: the words of a command line, one option after the other."""

from msgspec.structs import replace

from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Value

NAMES = frozenset(("getopt", "getopt_long", "getopt_long_only"))
_END = -1


def following(m: Machine, values: tuple[Value, ...]) -> Value:
    """The next option's letter, with `optarg` set; -1 after the last. Words that are no options are passed
    over, several letters in a word and long options are not known.
    """
    match values:
        case (1, *_):
            return _END
        case (int(count), Address() as words, str(letters), *_):
            place = m.next_word()
            at = m.state.load(place, 8, False)
            return _at(m, place, count, words, letters) if isinstance(at, int) else UNKNOWN
    return UNKNOWN


def _at(m: Machine, place: Address, count: int, words: Address, letters: str) -> Value:
    at = m.state.load(place, 8, False)
    assert isinstance(at, int)
    for index in range(max(at, 1), count):
        word = m.state.load(replace(words, offset=8 * index), 8, False)
        if not isinstance(word, str) or word.startswith("--"):
            return UNKNOWN
        if not word.startswith("-") or len(word) == 1:
            continue
        takes, inside = f"{word[1]}:" in letters, word[2:]
        if inside and not takes:
            return UNKNOWN
        argument = m.state.load(replace(words, offset=8 * index + 8), 8, False) if takes else UNKNOWN
        _set(m, inside or argument)
        m.state.store(place, index + (2 if takes and not inside else 1), 8)
        return ord(word[1])
    return _END


def _set(m: Machine, argument: Value) -> None:
    """`optarg` is a word from now on."""
    for variable in m.unit.variables.values():
        if variable.name == "optarg":
            m.state.store(Address(m.variable(variable), 0), argument, 8)
