"""`cudalint init`: a first cudalint.toml, after a look at the tree."""

import os
import re
from collections import Counter
from pathlib import Path

from cudalint.app import found_paths
from cudalint.app.baseline import DEFAULT as BASELINE
from cudalint.buildfiles import places
from cudalint.buildfiles.makefiles import is_makefile
from cudalint.buildfiles.model import facts
from cudalint.engine.discovery import NEVER, is_cuda
from cudalint.errors import UsageError
from cudalint.report.content import plural
from cudalint.report.output import CLEAN, say
from cudalint.settings.config import DEFAULT_ARCH, Settings, arch_number

_OLDEST = 50  # of the architectures that CUDA 12 compiles for
_ASKED = 20  # files whose build options are looked at
_NAME = "cudalint.toml"
_ARCH = re.compile(r"\bsm_\d{2,3}[af]?\b")
_FOREIGN = ("third_party", "thirdparty", "3rdparty", "external", "extern", "vendor", "vendored", "submodules")


def init(folder: str) -> int:
    """Write the file into the folder. UsageError where there is one."""
    top = Path(folder)
    target = top / _NAME
    if target.exists():
        raise UsageError(f"init: {target} exists; change it, or remove it first")
    sources, foreign, databases, makefiles = _look(top)
    if not sources:
        say(f"init: no CUDA source below {folder}; the file is written all the same")
    try:
        target.write_text(
            _text(
                _archs(sources, [top / name for name in databases]),
                _mentioned(makefiles),
                foreign,
                databases,
                [] if databases else found_paths.rows(found_paths.found(map(str, sources), Settings())),
            ),
            encoding="utf-8",
        )
    except OSError as error:
        raise UsageError(f"init: {target}: cannot be written: {error.strerror or error}") from None
    print(f"wrote {target} for {plural(len(sources), 'CUDA file')}; next: `cudalint {folder}`")
    if len(sources) > 1:
        print(f"to report only what is new: `cudalint {folder} --baseline {BASELINE} --write-baseline`")
    return CLEAN


def _look(top: Path) -> tuple[list[Path], list[str], list[str], list[Path]]:
    """(CUDA sources, folders of other projects, folders of compilation databases, Makefiles); folders are
    relative to the top.
    """
    sources: list[Path] = []
    foreign: list[str] = []
    databases: list[str] = []
    makefiles: list[Path] = []
    for directory, names, files in os.walk(top):
        here = Path(directory)
        theirs = [name for name in names if name.lower() in _FOREIGN]
        foreign += [f"{(here / name).relative_to(top).as_posix()}/" for name in sorted(theirs)]
        names[:] = sorted(set(names) - set(theirs) - NEVER)
        sources += [here / name for name in sorted(files) if is_cuda(here / name)]
        databases += [here.relative_to(top).as_posix()] * ("compile_commands.json" in files)
        makefiles += [here / name for name in sorted(files) if is_makefile(name)]
    return sources, foreign, databases, makefiles


def _mentioned(makefiles: list[Path]) -> list[tuple[str, int]]:
    """The architectures that Makefiles name, and how many of them do: those of most first."""
    named: Counter[str] = Counter()
    for file in makefiles:
        named.update(set(_ARCH.findall(places.text(str(file)))))
    return sorted(named.items(), key=lambda item: (-item[1], item[0]))


def _archs(sources: list[Path], databases: list[Path]) -> tuple[str, ...]:
    """The architectures that the build names, of the first file of which it names some."""
    options = Settings(compile_commands=str(databases[0])) if databases else Settings()
    for source in sources[:_ASKED]:
        built = facts(str(source), options)
        if built is not None and built.code is not None and built.code.native:
            return built.code.native
    return ()


def _text(
    archs: tuple[str, ...],
    mentioned: list[tuple[str, int]],
    foreign: list[str],
    databases: list[str],
    found: list[str],
) -> str:
    rows = ["# Settings of cudalint; `cudalint . --show-settings` prints every key with its value.", ""]
    if len(archs) > 1:
        listed = ", ".join(f'"{arch}"' for arch in archs)
        chosen = DEFAULT_ARCH if DEFAULT_ARCH in archs else archs[-1]
        rows += ["# One that the build compiles for; all of them take as many times as long:"]
        rows += [f"# arch = [{listed}]", f'arch = "{chosen}"']
    elif archs:
        rows += ["# The architecture that the build compiles for.", f'arch = "{archs[0]}"']
    elif mentioned:
        listed = ", ".join(f"{arch} ({plural(count, 'file')})" for arch, count in mentioned[:4])
        known = [arch for arch, _ in mentioned if arch_number(arch) >= _OLDEST]
        rows += [f"# Makefiles name {listed}{'' if known else ', which CUDA 12 no longer compiles for'}."]
        rows += [f'arch = "{known[0] if known else DEFAULT_ARCH}"']
    else:
        rows += ["# The architecture to lint for; no build file names one.", f'arch = "{DEFAULT_ARCH}"']
    rows += ['# device = "A100 80GB"  # for numbers that depend on the device', ""]
    rows += ["# Code of other projects, and what is generated (gitignore syntax); .gitignore holds anyway."]
    rows += [f"exclude = {found_paths.strings(foreign)}", ""]
    if databases:
        rows += ["# Options of the build.", f"compile-commands = {found_paths.quoted(databases[0])}", ""]
    else:
        rows += ["# Options of the build, where there is no compile_commands.json."]
        rows += ["# Found also without being set here (TOML takes each key once):", *found] if found else []
        rows += [] if found else ['# include-paths = ["include"]', '# defines = ["USE_DOUBLE=1"]']
        rows += [""]
    rows += [
        "# Which findings count: rules by code, name or beginning of a code; the least impact in percent.",
        '# ignore = ["CU308"]',
        "# min-impact = 5",
        '# fail-on = "warning"',
        "",
        "# What is known already: written with --write-baseline, commit it.",
        f'# baseline = "{BASELINE}"',
        "",
        "# Facts that the source does not contain.",
        '# assume = ["n % 32 == 0"]',
        "",
        "# [per-file-ignores]",
        '# "tests/**" = ["CU6"]',
        "",
        "# [severity]",
        '# CU106 = "warning"',
    ]
    return "\n".join(rows) + "\n"
