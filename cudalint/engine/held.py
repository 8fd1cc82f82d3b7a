"""What a worker that stays holds of the files that are being edited: their units and what the host does.

An edit inside one device function leaves the host code as it is, and all other functions.
"""

from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend.edited import Lowering, load_edited
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit

_MOST = 8  # files


class Held(Struct):
    lowering: Lowering
    host: HostFacts | None = None  # None: not asked for yet


_held: dict[tuple[str, LoadOptions], Held] = {}  # the last one used at the end


def anew(path: str, options: LoadOptions) -> Held:
    """The unit of a file, of which nothing is held. Raises UnitFailed."""
    from cudalint.frontend import load

    return Held(Lowering(options.text or "", load(path, options)))


def loaded(path: str, options: LoadOptions) -> Held:
    """The unit of a text, from the one of the text before where that is enough. Raises UnitFailed."""
    key = (path, replace(options, text=None))
    before = _held.pop(key, None)
    unit = load_edited(path, options, before.lowering) if before is not None else None
    if before is None or unit is None:
        found = anew(path, options)
    else:
        found = Held(Lowering(options.text or "", unit), before.host if _same_host(before, unit) else None)
    _held[key] = found
    if len(_held) > _MOST:
        del _held[next(iter(_held))]
    return found


def _same_host(before: Held, unit: Unit) -> bool:
    """Whether only functions of the device are others than before."""
    known = before.lowering.unit.functions
    return not any(f.host and f is not known.get(key) for key, f in unit.functions.items())
