"""What a worker that stays holds of the files that are being edited: their units and what the host does.

An edit inside one device function leaves the host code as it is, and all other functions.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend.edited import Lowering, load_edited
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit
from cudalint.source.text import display_path

if TYPE_CHECKING:
    from cudalint.engine.program import Program

_MOST = 8  # files


class Held(Struct):
    lowering: Lowering
    host: HostFacts | None = None  # None: not asked for yet
    program: Program | None = None  # that it is a part of

    def keep(self, host: HostFacts) -> None:
        """The host code of a program does the same whichever of its files is looked at."""
        self.host = host
        if self.program is not None:
            self.program.host = host


_held: dict[tuple[str, str, LoadOptions], Held] = {}  # by unit and edited file, the last one used at the end


def anew(path: str, options: LoadOptions) -> Held:
    """The unit of a file, of which nothing is held; in a program of several files. Raises UnitFailed."""
    from cudalint.engine.program import program
    from cudalint.frontend import load

    found = program(path, options)
    unit = found.around(path) if found is not None else load(path, options)
    return Held(Lowering(path, options.text or "", unit), program=found)


def loaded(path: str, options: LoadOptions, edited: str) -> Held:
    """The unit of a file with the text that an edited file has now, its own or one that it includes; from the
    unit with the text before where that is enough. edited: as spans have it. Raises UnitFailed.
    """
    from cudalint.frontend import load

    given, here = (*options.unsaved, (path, options.text or "")), os.getcwd()
    text = next(text for name, text in given if display_path(name, here) == edited)
    key = (path, edited, replace(options, text=None, unsaved=()))
    before = _held.pop(key, None)
    unit = load_edited(path, options, text, before.lowering) if before is not None else None
    if before is None or unit is None:
        found = Held(Lowering(edited, text, load(path, options)))
    else:
        found = Held(Lowering(edited, text, unit), before.host if _same_host(before, unit) else None)
    _held[key] = found
    if len(_held) > _MOST:
        del _held[next(iter(_held))]
    return found


def _same_host(before: Held, unit: Unit) -> bool:
    """Whether only functions of the device are others than before."""
    known = before.lowering.unit.functions
    return not any(f.host and f is not known.get(key) for key, f in unit.functions.items())
