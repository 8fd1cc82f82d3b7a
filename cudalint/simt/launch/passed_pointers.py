"""The memory behind the pointers that a launch passes into one buffer of the host."""

from msgspec import Struct, field

from cudalint.host.facts import Argument
from cudalint.simt.values.memory import Memory


class Passed(Struct):
    """Two pointers at unknown offsets into one buffer may lead to parts that have nothing in common: each
    stands for memory of its own, which others may reach, too.
    """

    by_place: dict[tuple[int, str], Memory] = field(default_factory=dict)

    def of(self, argument: Argument, name: str) -> Memory | None:
        """The memory of an earlier pointer that leads to the same. name: the parameter's, or the member's."""
        memory = self.by_place.get(_place(argument, name))
        if memory is not None:
            memory.several = True
        return memory

    def enter(self, argument: Argument, name: str, memory: Memory) -> None:
        """Memory for a pointer that leads to none of the earlier ones' for sure."""
        place = _place(argument, name)
        others = [other for (buffer, _), other in self.by_place.items() if buffer == place[0]]
        for one in (*others, memory) if others else ():
            one.several, one.own = True, False
        self.by_place[place] = memory


def _place(argument: Argument, name: str) -> tuple[int, str]:
    """(the buffer, how a pointer is written whose offset nobody knows). A member of a struct has no text
    at the launch: its name stands for it.
    """
    assert argument.buffer is not None
    return argument.buffer.id, "" if argument.offset is not None else argument.expression or name
