"""cudalint: a static linter for CUDA C++ that needs no GPU, no CUDA toolkit and no build.

`cudalint.lint(paths, config)` lints from Python and gives a `cudalint.Result`; it raises
`cudalint.UsageError` for what is wrong.
"""

from importlib import import_module

__version__ = "0.1.0"

_PUBLIC = {"lint": "cudalint.app.api", "Result": "cudalint.app.api", "UsageError": "cudalint.errors"}


def __getattr__(name: str) -> object:
    """The API, imported when it is first asked for: the command line starts without it."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'cudalint' has no attribute '{name}'")
    return getattr(import_module(_PUBLIC[name]), name)
