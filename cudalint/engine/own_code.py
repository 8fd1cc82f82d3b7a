"""A digest of cudalint's own code and data, and of the libraries that decide with it."""

import importlib
import importlib.util
import os
import sys
from importlib.metadata import entry_points

from cudalint.engine.store import Store, digest, packed
from cudalint.source.state import State, state
from cudalint.source.text import read_bytes

_FORM = 1  # of what is kept
_PACKAGES = ("cudalint", "cudalint.rules")
_LIBRARIES = (("clang", "libclang"), ("numpy", "numpy"), ("networkx", "networkx"), ("pycparser", "pycparser"))


def code_digest(store: Store) -> bytes:
    """A digest of cudalint's own code and data, and of the libraries that decide with it. The store knows it
    by the states of the files, which tell at once whether any has changed.
    """
    files = sorted(_own_files())
    around = packed((_FORM, sys.version, _libraries()))
    key = digest(around, packed(files))
    known = store.read(key, bytes)
    if known is None:
        contents = (read_bytes(os.path.join(top, path)) for top, path, _ in files)
        names = (path.encode() for _, path, _ in files)
        known = digest(around, *names, *contents)
        store.write(key, known)
    return known


def _own_files() -> list[tuple[str, str, State]]:
    """(Folder of a package, path in it, state) of the files that cudalint and other packages' rules are."""
    tops = [path for name in _PACKAGES for path in importlib.import_module(name).__path__]
    found = [file for top in tops for file in _below(top)]
    for entry in entry_points(group="cudalint.rules"):
        spec = importlib.util.find_spec(entry.module.partition(".")[0])
        for top in spec.submodule_search_locations or () if spec is not None else ():
            found += _below(top)
        if spec is not None and spec.origin is not None:
            found.append((os.path.dirname(spec.origin), os.path.basename(spec.origin), state(spec.origin)))
    return found


def _below(top: str) -> list[tuple[str, str, State]]:
    """The files below a folder, without byte code."""
    found = []
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if name != "__pycache__"]
        paths = (os.path.join(folder, name) for name in files if not name.endswith(".pyc"))
        found += [(top, os.path.relpath(path, top), state(path)) for path in paths]
    return found


def _libraries() -> list[str]:
    """The libraries with their versions, as the folders are named that installing them makes."""
    found = []
    for package, project in _LIBRARIES:
        spec = importlib.util.find_spec(package)
        site = os.path.dirname(os.path.dirname(spec.origin or "")) if spec is not None else ""
        names = [name for name in os.listdir(site or os.curdir) if name.startswith(f"{project}-")]
        found += sorted(name for name in names if name.endswith(".dist-info")) or [f"{project} {state(site)}"]
    return found
