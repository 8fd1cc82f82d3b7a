"""What a worker that stays holds of the files that are being edited: their units and what the host does.

An edit inside one device function leaves the host code as it is, and all other functions. One inside a host
function has the host code run again, unless that takes longer than somebody waits who types.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend.edited import Change, Loaded, Lowering, change, load_edited
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.ir.shifted import Shift
from cudalint.ir.unit import Unit
from cudalint.source.text import display_path

if TYPE_CHECKING:
    from cudalint.engine.program import Program

_MOST = 8  # files
_PATIENCE = 6_000  # steps of the host model that are waited for: some 50 ms with its further walks


class Held(Struct):
    path: str
    lowering: Lowering
    host: HostFacts | None = None  # None: not asked for yet
    program: Program | None = None  # that it is a part of
    late: bool = False  # whether the host is that of an earlier text
    renumbered: bool = False  # whether variables of host functions have other numbers than a whole unit's

    @property
    def unit(self) -> Unit:
        """The unit, linked with the others of its program."""
        own = self.lowering.unit
        return own if self.program is None else self.program.around(self.path, own)

    def run_host(self, unit: Unit, run: Callable[[Unit], HostFacts]) -> HostFacts:
        """What the host code does, if that is not known yet as `run` tells. The host code of a program does
        the same whichever of its files is looked at. unit: as it is now.
        """
        program = self.program
        on_disk = program is not None and program.units.get(self.path) is self.lowering.unit
        if program is None or not on_disk:
            self.host = self.host or run(unit)
        else:
            self.host = program.host = program.host or run(program.whole())
        return self.host


_held: dict[tuple[str, str, LoadOptions], Held] = {}  # by unit and edited file, the last one used at the end


def anew(path: str, options: LoadOptions) -> Held:
    """The unit of a file, of which nothing is held; in a program of several files. Raises UnitFailed."""
    from cudalint.engine.program import program
    from cudalint.frontend import load

    found = program(path, options)
    on_disk = found is not None and options.text is None and not options.unsaved
    own = found.units.get(path) if found is not None and on_disk else None
    return Held(path, Lowering(path, options.text or "", own or load(path, options)), program=found)


def loaded(path: str, options: LoadOptions, edited: str, patient: bool) -> Held:
    """The unit of a file with the text that an edited file has now, its own or one that it includes; from the
    unit with the text before where that is enough. edited: as spans have it. patient: nobody waits, and the
    host is to be that of this text. Raises UnitFailed.
    """
    from cudalint.engine.program import program
    from cudalint.frontend import load

    given, here = (*options.unsaved, (path, options.text or "")), os.getcwd()
    text = next(text for name, text in given if display_path(name, here) == edited)
    key = (path, edited, replace(options, text=None, unsaved=()))
    before = _held.pop(key, None)
    if patient and before is not None and before.renumbered:
        before = None
    if before is None:
        made = Loaded(load(path, options))
    elif before.lowering.text == text:
        made = Loaded(before.lowering.unit, before.lowering.unit)
    else:
        made = load_edited(path, options, text, before.lowering)
    around = program(path, options)
    host, late = None, False
    if before is not None and around is before.program:
        host, changed = _as_before(before, made, text)
        late = changed and not patient and host is not None and host.steps > _PATIENCE
        host = host if late or not changed else None
    renumbered = False
    if before is not None and made.base is not None:
        renumbered = before.renumbered or not _same_host(made.base, made.unit)
    found = Held(path, Lowering(edited, text, made.unit), host, around, late, renumbered)
    _held[key] = found
    if len(_held) > _MOST:
        del _held[next(iter(_held))]
    return found


def _as_before(before: Held, made: Loaded, text: str) -> tuple[HostFacts | None, bool]:
    """What the host did before, at its places in a text, and whether it may do something else now."""
    if made.base is not None:
        host = made.shift.of(before.host) if made.shift is not None else before.host
        return host, before.late or not _same_host(made.base, made.unit)
    moved = change(before.lowering, text)
    if moved is None or before.host is None or not _same_numbers(before.lowering.unit, made.unit, moved):
        return None, True
    shift = Shift(before.lowering.path, moved.last, moved.by)
    return shift.of(before.host), before.late or any(f.host for f in moved.functions)


def _same_numbers(before: Unit, unit: Unit, moved: Change) -> bool:
    """Whether the variables outside of a function have the numbers that they had: facts name them so."""
    extent = moved.functions[0].extent
    others = (v for v in before.variables.values() if not extent.contains(v.span))
    return all((now := unit.variables.get(v.id)) is not None and now.name == v.name for v in others)


def _same_host(before: Unit, unit: Unit) -> bool:
    """Whether only functions of the device are others than before."""
    return not any(f.host and f is not before.functions.get(key) for key, f in unit.functions.items())
