"""Which cache a run uses, and `cudalint clean`."""

import os

from cudalint.app.options import Options
from cudalint.engine import store
from cudalint.engine.store import Store
from cudalint.errors import UsageError
from cudalint.report.output import CLEAN, say


def chosen(options: Options) -> Store | None:
    """The cache in the folder that is named, else in the user's own; None for none.

    One that cannot be used costs time, not the run: it is told where it was asked for.
    """
    folder = options.cache_dir
    named = folder or os.environ.get("CUDALINT_CACHE_DIR")
    if options.no_cache or (folder is None and os.environ.get("CUDALINT_NO_CACHE")):
        return None
    place = named or store.usual_folder()
    try:
        return store.opened(os.path.abspath(place)) if place is not None else None
    except UsageError as error:
        if named:
            say(str(error))
        return None


def clean(folder: str | None) -> int:
    """Remove all that is kept."""
    place = folder or store.usual_folder()
    removed, size = Store(os.path.abspath(place)).clean() if place is not None else (0, 0)
    print(f"{place}: {removed} entries removed ({size / 2**20:.1f} MiB)" if removed else "nothing to remove")
    return CLEAN
