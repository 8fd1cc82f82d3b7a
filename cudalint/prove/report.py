"""Verdicts as text, one line per kernel, and as JSON."""

from typing import Any

from cudalint.prove.command import Judged
from cudalint.prove.verdict import Side, Verdict, Witness
from cudalint.source.text import shown

_MOST_REASONS = 3


def render(files: list[Judged]) -> str:
    """One line per kernel."""
    lines = []
    for file in files:
        if file.failure:
            lines.append(f"{file.path}: failed: {file.failure}")
        launches = dict(file.launches)
        lines += [_line(verdict, launches.get(_plain(verdict.kernel), "")) for verdict in file.verdicts]
    return "".join(f"{line}\n" for line in lines)


def _plain(kernel: str) -> str:
    return kernel.partition("<")[0]


def _line(verdict: Verdict, launch: str) -> str:
    text = f"{shown(verdict.span.path)}:{verdict.span.line}: {verdict.kernel}: {verdict.answer}"
    if verdict.witness is not None:
        text += f": {sentence(verdict.witness)}"
    elif verdict.reasons:
        text += f": {'; '.join(verdict.reasons[:_MOST_REASONS])}"
        more = len(verdict.reasons) - _MOST_REASONS
        text += f"; and {more} more reasons" if more > 0 else ""
    if verdict.assumed:
        text += f" (for {', '.join(verdict.assumed)})"
    if launch and verdict.answer == "refuted":
        text += f" ({launch}; pass --assume to fix it)"
    return text


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
                "kernels": [_table(verdict, file) for verdict in file.verdicts],
            }
            for file in files
        ],
    }


def _table(verdict: Verdict, file: Judged) -> dict[str, Any]:
    return {
        "name": verdict.kernel,
        "path": shown(verdict.span.path),
        "line": verdict.span.line,
        "verdict": verdict.answer,
        "witness": _witness(verdict.witness) if verdict.witness is not None else None,
        "reasons": list(verdict.reasons),
        "assumed_template_arguments": list(verdict.assumed),
        "launches": [text for name, text in file.launches if name == _plain(verdict.kernel)],
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
