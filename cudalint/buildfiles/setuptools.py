"""The folders of headers and the macros of extensions that setup.py and pyproject.toml say plainly, and those
of extensions that a script of Python compiles as it runs, by PyTorch's `load`.
"""

import ast
import os
import tomllib
from collections.abc import Iterator
from typing import Any

from cudalint.buildfiles import places, python_values, words
from cudalint.buildfiles.python_values import Script, keyword
from cudalint.buildfiles.words import Word

_MODULE = "cpp_extension"  # PyTorch's, which a script that compiles extensions names
_EXTENSION = "Extension"  # ends the names of what makes one: CUDAExtension, CppExtension


def read_script(path: str) -> tuple[Word, ...]:
    """The words of a setup.py."""
    return tuple(_of_script(path, os.path.dirname(path)))


def _of_script(path: str, folder: str) -> Iterator[Word]:
    script = python_values.read(places.text(path), path)
    extensions = [called for called in script.calls if called.name.endswith(_EXTENSION)]
    for called in extensions:
        call, line = called.call, called.call.lineno
        sources = _files(_strings(script, keyword(call, "sources")), folder)
        own = sources if len(extensions) > 1 else None
        for text in _strings(script, keyword(call, "include_dirs")):
            yield from words.folder(text, folder, path, line)
        for name, value in script.pairs(keyword(call, "define_macros")) if called.sure else ():
            yield from words.macro(name if value is None else f"{name}={value}", path, line, own)
        given = _flags(script, keyword(call, "extra_compile_args"))
        found = words.options(given, folder, path, line, own)
        yield from (word for word in found if called.sure or word.option == "-I")


def read_loads(path: str) -> tuple[Word, ...]:
    """The words of a script that compiles extensions as it runs, for the sources that it names."""
    text = places.text(path)
    return tuple(_of_loads(text, path, os.path.dirname(path))) if _MODULE in text else ()


def _of_loads(text: str, path: str, folder: str) -> Iterator[Word]:
    script = python_values.read(text, path)
    for called in (one for one in script.calls if one.name == "load"):
        call, line = called.call, called.call.lineno
        sources = _files(_strings(script, keyword(call, "sources")), folder)
        for name in _strings(script, keyword(call, "extra_include_paths")):
            yield from words.folder(name, folder, path, line)
        given = _flags(script, keyword(call, "extra_cuda_cflags"))
        yield from words.options(given, folder, path, line, sources)


def _flags(script: Script, node: ast.expr | None) -> list[str]:
    """The options of nvcc, or those of all compilers."""
    if isinstance(node, ast.Name) and len(values := script.names.get(node.id, [])) == 1:
        node = values[0]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        node = next((value for key, value in pairs if getattr(key, "value", None) == "nvcc"), None)
    return _strings(script, node)


def _strings(script: Script, node: ast.expr | None) -> list[str]:
    value = script.value(node)
    return value if isinstance(value, list) else []


def _files(names: list[str], folder: str) -> frozenset[str]:
    return frozenset(os.path.normpath(os.path.join(folder, name)) for name in names)


def read_table(path: str) -> tuple[Word, ...]:
    """The words of a pyproject.toml."""
    try:
        table = tomllib.loads(places.text(path))
    except tomllib.TOMLDecodeError:
        return ()
    tool = table.get("tool", {}).get("setuptools", {}).get("ext-modules", [])
    modules = [module for module in tool if isinstance(module, dict)] if isinstance(tool, list) else []
    return tuple(word for module in modules for word in _of_module(module, path, len(modules) > 1))


def _of_module(module: dict[str, Any], path: str, several: bool) -> Iterator[Word]:
    folder = os.path.dirname(path)
    line = places.text(path).partition("ext-modules")[0].count("\n") + 1
    sources = _files(_plain(module.get("sources")), folder) if several else None
    for name in _plain(module.get("include-dirs")):
        yield from words.folder(name, folder, path, line)
    for pair in module.get("define-macros", ()):
        yield from words.macro("=".join(_plain(pair)), path, line, sources)
    yield from words.options(_plain(module.get("extra-compile-args")), folder, path, line, sources)


def _plain(given: Any) -> list[str]:
    return [text for text in given if isinstance(text, str)] if isinstance(given, list) else []
