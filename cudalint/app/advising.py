"""`cudalint advise`: a run in which nothing known is left out, its cards and its ranked list."""

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
from msgspec.structs import replace

from cudalint import __version__
from cudalint.advise import registers
from cudalint.advise.advice import ranked, together
from cudalint.advise.card import Advice, Card
from cudalint.advise.registers import Found
from cudalint.app import preparing
from cudalint.app.options import Options
from cudalint.app.progress import progress
from cudalint.engine import engine
from cudalint.engine.discovery import Plan
from cudalint.engine.engine import Run
from cudalint.errors import UsageError
from cudalint.gpu.devices import Device, device, usual
from cudalint.report.content import Content
from cudalint.report.json_report import dump
from cudalint.report.output import CLEAN, WRONG, write
from cudalint.rule import registry
from cudalint.rule.outcome import UnitResult
from cudalint.settings.config import Settings, arch_number
from cudalint.source.text import Sources

FORMATS = ("text", "markdown", "json")
_NO_NVCC = "no nvcc on PATH or below CUDA_HOME"


def advise(options: Options, ask_nvcc: bool, html: str | None = None) -> int:
    """Print the advice, or write it as a page; the exit status is that of `inspect`."""
    if options.output_format not in FORMATS:
        raise UsageError(
            f"advise --output-format: '{options.output_format}' is not one of {', '.join(FORMATS)}"
        )
    if html is not None and html.startswith("-") and html != "-":
        raise UsageError(f"--html: '{html}' is another option; name the file, as in --html report.html")
    options = preparing.for_one(options, "advise")
    options, profiled = preparing.with_profile(options)
    plan, texts, wrong = preparing.prepare(replace(options, override=_everything(options.override)))
    with progress(len(plan.candidates)) as show:
        run = engine.lint(plan, jobs=options.jobs, texts=texts, advise=True, progress=show)
    preparing.report_lost(run, plan)
    arch = preparing.arch(run, plan)
    target = _device(plan, arch)
    changes = ranked(profiled(run.findings))
    advice = Advice(
        version=1,
        tool=f"cudalint {__version__}",
        arch=arch,
        device=target.name,
        multiprocessors=target.multiprocessors,
        cards=together(_cards(run, plan, texts, ask_nvcc, options.jobs), changes),
        ranked=changes,
        files=run.files,
    )
    if html is not None:
        from cudalint.report import html_report

        found, own = profiled(run.findings), Sources(texts)
        streams = tuple(timeline for result in run.results for timeline in result.streams)
        content = Content(
            found, run.files, arch, own, __version__, registry.load(), cards=advice.cards, streams=streams
        )
        wrong |= not write(html_report.render(content), html)
        return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN
    wrong |= not write(_rendered(advice, options.output_format), options.output)
    return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN


def _everything(override: dict[str, object]) -> dict[str, object]:
    """The settings with every rule about speed on, whatever it saves."""
    speed = tuple(loaded.rule.code for loaded in registry.load() if loaded.rule.speed)
    return {**override, "extend_select": speed, "min_impact": 0.0}


def _device(plan: Plan, arch: str) -> Device:
    """The device that the settings name for the architecture, else the usual one."""
    number = arch_number(arch)
    named = [device(c.settings.device) for c in plan.candidates if c.settings.device]
    return next((one for one in named if one.arch == number), usual(number))


def _rendered(advice: Advice, output_format: str) -> str:
    if output_format == "json":
        return dump(msgspec.to_builtins(advice))
    render: Callable[[Advice], str] = importlib.import_module(
        f"cudalint.report.advise_{output_format}"
    ).render
    return render(advice)


def _cards(run: Run, plan: Plan, texts: dict[str, str], ask_nvcc: bool, jobs: int | None) -> list[Card]:
    """All cards, with the registers where they can be known."""
    settings = {candidate.path: candidate.settings for candidate in plan.candidates}
    results = [result for result in run.results if result.cards]
    nvcc = registers.compiler() if ask_nvcc else None

    def found(result: UnitResult) -> Found:
        if nvcc is None:
            return _NO_NVCC if ask_nvcc else "nvcc was not asked"
        if result.path in texts:
            return "nvcc is not asked about standard input"
        return registers.ask(nvcc, result.path, result.arch, settings[result.path])

    with ThreadPoolExecutor(jobs or None) as pool:
        known = list(pool.map(found, results))
    return [
        registers.with_registers(card, what, _target(result, settings[result.path]))
        for result, what in zip(results, known, strict=True)
        for card in result.cards
    ]


def _target(result: UnitResult, settings: Settings) -> Device:
    """The device that a file was analysed for."""
    number = arch_number(result.arch)
    named = device(settings.device) if settings.device else None
    return named if named is not None and named.arch == number else usual(number)
