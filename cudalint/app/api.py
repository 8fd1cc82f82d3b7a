"""The Python API: `cudalint.lint(paths, config) -> Result`."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from cudalint import __version__
from cudalint.app.preparing import arch, archs
from cudalint.engine import discovery, engine, selection
from cudalint.errors import UsageError
from cudalint.report import formats
from cudalint.report.content import Content
from cudalint.rule import registry
from cudalint.rule.findings import FileResult, Finding
from cudalint.settings import config as configuration
from cudalint.settings.config import Settings
from cudalint.source.text import Sources


class Result(Struct, frozen=True):
    """What a run found. findings: what saves most first; files: what became of each; failed: whether a
    finding reaches `fail-on` or `fail-on-impact`, or a file was not analysed.
    """

    findings: tuple[Finding, ...]
    files: tuple[FileResult, ...]
    arch: str
    failed: bool
    content: Content

    def render(self, format: str = "json") -> str:
        """The result as a report, in any format of `--output-format`."""
        if format not in formats.FORMATS:
            raise UsageError(f"render: '{format}' is not one of {', '.join(formats.FORMATS)}")
        return formats.render(format, self.content)


def lint(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    config: Mapping[str, Any] | None = None,
    *,
    jobs: int | None = None,
    texts: Mapping[str, str] | None = None,
) -> Result:
    """Lint files and directories.

    config: the keys of cudalint.toml; given, no configuration file is read. texts: contents by path that
    stand for what is on disk. Raises UsageError for a path that does not exist and a wrong key or value.
    """
    given = [paths] if isinstance(paths, str | PathLike) else paths
    settings = configuration.from_mapping(config) if config is not None else None
    override = _override(settings) if settings is not None else {}
    plan = discovery.discover(tuple(fspath(path) for path in given), settings is not None, override)
    wrong = [*plan.messages, *(f"{path}: {reason}" for path, reason in plan.missing)]
    wrong += [
        f"no rule named '{word}'; {registry.suggest(word)}"
        for own in dict.fromkeys(candidate.settings for candidate in plan.candidates)
        for word in selection.unknown(own)
    ]
    if wrong:
        raise UsageError("; ".join(dict.fromkeys(wrong)))
    run = engine.lint(plan, jobs=jobs, texts=dict(texts or {}), try_fixes=True)
    lost = any(file.status == "failed" for file in run.files)
    codes = {code for candidate in plan.candidates for code in selection.enabled(candidate.settings)}
    content = Content(
        findings=run.findings,
        files=run.files,
        arch=arch(run, plan),
        archs=archs(run, plan),
        sources=Sources(dict(texts or {})),
        version=__version__,
        rules=tuple(loaded for loaded in registry.load() if loaded.rule.code in codes),
        failed=lost,
    )
    return Result(run.findings, run.files, content.arch, lost or engine.fails(run, plan), content)


def _override(settings: Settings) -> dict[str, Any]:
    """What the settings say beyond the defaults."""
    found = {
        field.name: getattr(settings, field.name)
        for field in fields(Settings)
        if field.name not in ("root", "origin", "further_archs")
        and getattr(settings, field.name) != field.default
    }
    return found | ({"arch": ",".join(settings.archs)} if settings.arch else {})
