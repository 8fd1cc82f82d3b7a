"""Objects of a thread that have arrays in them: each field is followed as a variable of its own."""

from collections.abc import Iterator

from cudalint.analyses.array_owners import array_fields
from cudalint.analyses.array_uses import Alias
from cudalint.analyses.loop_changes import goes_on
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit


class Objects:
    """fields: variables in place of the fields, by the object's id and the field's name; their ids are below
    zero. owners: ids of the objects. turned: fields that an assignment makes from what they were.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fields: dict[tuple[int, str], e.Variable] = {}
        self.owners: set[int] = set()
        self.turned: set[int] = set()

    def declared(self, variable: e.Variable) -> Iterator[e.Variable]:
        """The fields of an object that is declared; nothing where it has no array."""
        for each in array_fields(variable, self.unit):
            self.owners.add(variable.id)
            key, name = (variable.id, each.name), f"{variable.name}.{each.name}"
            if key not in self.fields:
                number = -1 - len(self.fields)
                self.fields[key] = e.Variable(number, name, each.type, "local", variable.span)
            yield self.fields[key]

    def part(self, whole: Alias | None, name: str) -> Alias | None:
        """What a member access names, given what its base does."""
        found = self.fields.get((whole.array, name)) if whole is not None else None
        return whole if found is None else Alias(found.id)

    def note_turn(self, field: int, assign: e.Assign, reads: frozenset[int]) -> None:
        """A field is assigned. reads: what the value is made from."""
        if goes_on(assign, field in reads):
            self.turned.add(field)
