"""The reports of `cudalint validate`: times, or machine code, as text and JSON."""

from collections.abc import Iterator
from typing import Any

from cudalint.gpu.devices import DEVICES
from cudalint.report.json_report import dump
from cudalint.validate.result import Result

_HEAD = ("rule", "slowdown", "spread", "predicted", "ratio", "bad ms", "good ms", "clock", "result")
_MESSAGE = 100  # characters of a compiler's message


def as_json(results: tuple[Result, ...], version: str) -> str:
    """All of it."""
    document = {
        "version": 1,
        "tool": {"name": "cudalint", "version": version},
        "rules": [_entry(result) for result in results],
    }
    return dump(document)


def _entry(result: Result) -> dict[str, Any]:
    timing, prediction = result.timing, result.prediction
    entry: dict[str, Any] = {
        "code": result.pair.code,
        "name": result.pair.rule.name,
        "failure": result.failure or None,
        "skipped": result.skipped or None,
        "right": result.right,
    }
    if timing is not None:
        entry |= {
            "device": timing.device.name,
            "slowdown": timing.slowdown,
            "spread": timing.spread,
            "bad_ms": timing.bad.median_ms,
            "good_ms": timing.good.median_ms,
            "runs": timing.bad.runs,
            "clock": timing.clock,
            "errors": {"bad": timing.bad_error, "good": timing.good_error},
            "tolerance": timing.tolerance,
            "predicted": prediction.slowdown if prediction else None,
            "limits": {"bad": prediction.bad_limit, "good": prediction.good_limit} if prediction else None,
        }
    entry["evidence"] = [
        {
            "arch": one.arch,
            "what": one.what,
            "relation": one.relation,
            "bad": one.bad,
            "good": one.good,
            "holds": one.holds,
        }
        for one in result.evidence
    ]
    entry["unasked"] = result.unasked
    return entry


def times(results: tuple[Result, ...]) -> str:
    """One row per pair, and a summary."""
    rows = [_HEAD, *(_row(result) for result in results)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([line.rstrip() for line in lines] + list(_summary(results))) + "\n"


def _row(result: Result) -> tuple[str, ...]:
    name = f"{result.pair.code} {result.pair.rule.name}"
    timing, prediction, quotient = result.timing, result.prediction, result.quotient
    if timing is None:
        return (name, *("-" for _ in _HEAD[1:-1]), result.skipped or _first_line(result.failure))
    return (
        name,
        f"{timing.slowdown:.2f}",
        f"{timing.spread:.1%}",
        f"{prediction.slowdown:.2f}" if prediction else "-",
        f"{quotient:.2f}" if quotient else "-",
        f"{timing.bad.median_ms:.4f}",
        f"{timing.good.median_ms:.4f}",
        timing.clock,
        "correct" if timing.right else f"WRONG by {max(timing.bad_error, timing.good_error):.1e}",
    )


def _summary(results: tuple[Result, ...]) -> Iterator[str]:
    timed = [result for result in results if result.timing is not None]
    if timed and timed[0].timing is not None:
        device = timed[0].timing.device
        right = sum(result.right for result in timed)
        yield f"\n{len(timed)} pairs timed on {device.name}, {right} with correct results"
        near = [q for q in (result.quotient for result in timed) if q is not None]
        if near:
            within = sum(1 / 1.5 <= q <= 1.5 for q in near)
            yield f"predicted within a factor of 1.5 of the measured slowdown: {within} of {len(near)}"
        else:
            known = f"no prediction: {device.name} is not among the {len(DEVICES)} known devices"
            yield known


def evidence(results: tuple[Result, ...]) -> str:
    """One row per check and architecture, and a summary."""
    lines = []
    for result in results:
        name = f"{result.pair.code} {result.pair.rule.name}"
        if result.failure:
            lines.append(f"{name}: {_first_line(result.failure)}")
        for one in result.evidence:
            state = "ok" if one.holds else "MISMATCH"
            lines.append(
                f"{name}: {one.arch}: {one.what}: {one.bad} in bad, {one.good} in good"
                f" ({one.relation}): {state}"
            )
    return "\n".join([*lines, _compiled(results)]) + "\n"


def _compiled(results: tuple[Result, ...]) -> str:
    """How many pairs compile, and how many checks of their machine code pass."""
    fine = f"{sum(not result.failure for result in results)} of {len(results)} pairs compile"
    unasked = sum(result.unasked for result in results)
    if unasked:
        return (
            f"{fine}; {unasked} checks of the machine code skipped: no nvdisasm on PATH, below CUDA_HOME or"
            " from PyPI; install it with `pip install 'cudalint[nvcc]'`"
        )
    asked = [one.holds for result in results for one in result.evidence]
    if not asked:
        return f"{fine}; no checks of the machine code"
    return f"{fine}; {sum(asked)} of {len(asked)} checks of the machine code pass"


def _first_line(text: str) -> str:
    return (text.splitlines() or [""])[0][:_MESSAGE]
