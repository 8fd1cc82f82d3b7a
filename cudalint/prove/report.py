"""Verdicts as text, one block of lines per kernel, and as JSON."""

from typing import Any

from cudalint.prove.command import Judged
from cudalint.prove.verdict import Side, Verdict, Witness
from cudalint.source.text import Sources, as_lines, shown

_MOST_REASONS = 3


def render(files: list[Judged]) -> str:
    """A block of lines per kernel."""
    lines = []
    for file in files:
        if file.failure:
            lines.append(f"{file.path}: failed: {file.failure}")
        for verdict in file.verdicts:
            lines += _block(verdict, file)
    return as_lines(lines)


def _block(verdict: Verdict, file: Judged) -> list[str]:
    """The answer, then what it rests on: a witness with its two source lines, reasons, conditions."""
    head = f"{shown(verdict.span.path)}:{verdict.span.line}: {verdict.kernel}: {verdict.answer}"
    if verdict.assumed:
        head += f" (for {', '.join(verdict.assumed)})"
    details: list[str] = []
    if verdict.witness is not None:
        details += _shown(verdict.witness, file)
    elif verdict.reasons:
        text = "; ".join(verdict.reasons[:_MOST_REASONS])
        more = len(verdict.reasons) - _MOST_REASONS
        details.append(f"because of: {text}" + (f"; and {more} more reasons" if more > 0 else ""))
    if verdict.conditions:
        details.append(f"provided that {' and '.join(verdict.conditions)}")
    if verdict.launches:
        details.append(_launches(verdict))
    return [head, *(f"    {line}" for line in details)]


def _launches(verdict: Verdict) -> str:
    numbers = sorted({span.line for span in verdict.launches})
    return f"launched at line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _shown(witness: Witness, file: Judged) -> list[str]:
    """What happens, the two threads with their source lines, and the numbers that it takes."""
    first, second = witness.first, witness.second
    if witness.kind == "divergence":
        lines = ["divergent barrier"]
        sides = [(f"{_who(first)} waits", first), (f"{_who(second)} does not reach it", second)]
    else:
        lines = [f"race on `{witness.place}`"]
        sides = [(f"{_who(side)} {side.does} `{side.text}`", side) for side in (first, second)]
    if witness.data:
        lines[0] += f", if {loaded(witness)}"
    sources = Sources({file.location: file.text} if file.text is not None else None)
    for text, side in sides:
        code = sources.line(side.span.path, side.span.line).strip()
        lines += [f"  {text}", *([f"    {side.span.line} | {code}"] if code else [])]
    values = "".join(f", {name} = {value}" for name, value in witness.values)
    return [*lines, f"with block {_shape(witness.block)}, grid {_shape(witness.grid)}{values}"]


def sentence(witness: Witness) -> str:
    """The witness in one sentence."""
    first, second = witness.first, witness.second
    if witness.kind == "divergence":
        where = f"divergent barrier at line {first.span.line}"
        text = f"{where}: {_who(first)} waits, {_who(second)} does not reach it"
    else:
        text = f"race on `{witness.place}`: {_does(first)}, {_does(second)}"
    values = "".join(f", {name} = {value}" for name, value in witness.values)
    needed = f", if {loaded(witness)}" if witness.data else ""
    return f"{text}; block {_shape(witness.block)}, grid {_shape(witness.grid)}{values}{needed}"


def loaded(witness: Witness) -> str:
    """The data that a witness takes; elements of one array with the same number together."""
    alike: dict[tuple[str, int], list[str]] = {}
    for element, value in sorted(witness.data, key=lambda pair: (len(pair[0]), pair[0])):
        alike.setdefault((element.partition("[")[0], value), []).append(element)
    return " and ".join(" == ".join([*elements, str(value)]) for (_, value), elements in alike.items())


def _who(side: Side) -> str:
    return f"thread {_triple(side.thread)} of block {_triple(side.block)}"


def _does(side: Side) -> str:
    return f"{_who(side)} {side.does} `{side.text}` at line {side.span.line}"


def _triple(index: tuple[int, int, int]) -> str:
    return f"({', '.join(map(str, index))})"


def _shape(extents: tuple[int, int, int]) -> str:
    return "x".join(map(str, extents))


# --- JSON ---


def document(files: list[Judged], version: str) -> dict[str, Any]:
    """All verdicts as one JSON document."""
    return {
        "version": 1,
        "tool": {"name": "cudalint", "version": version},
        "files": [
            {
                "path": file.path,
                "failure": file.failure or None,
                "kernels": [_table(verdict) for verdict in file.verdicts],
            }
            for file in files
        ],
    }


def _table(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.kernel,
        "path": shown(verdict.span.path),
        "line": verdict.span.line,
        "verdict": verdict.answer,
        "witness": _witness(verdict.witness) if verdict.witness is not None else None,
        "reasons": list(verdict.reasons),
        "assumed_template_arguments": list(verdict.assumed),
        "conditions": list(verdict.conditions),
        "launches": [span.line for span in verdict.launches],
        "seconds": verdict.seconds,
    }


def _witness(witness: Witness) -> dict[str, Any]:
    return {
        "kind": witness.kind,
        "space": witness.space,
        "array": witness.array or None,
        "element": witness.place or None,
        "byte": witness.byte,
        "threads": [_side(witness.first), _side(witness.second)],
        "blockDim": list(witness.block),
        "gridDim": list(witness.grid),
        "values": dict(witness.values),
        "data": dict(witness.data),
        "message": sentence(witness),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "threadIdx": list(side.thread),
        "blockIdx": list(side.block),
        "does": side.does,
        "expression": side.text or None,
        "path": shown(side.span.path),
        "line": side.span.line,
        "column": side.span.column,
    }
