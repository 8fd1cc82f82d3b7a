"""How the numbers on one line of the source came about: facts of the warp model as plain tables.

They are what `cudalint inspect --explain` prints, and its "explain" key in JSON.
"""

from typing import Any

from cudalint.analyses.origin import Origin, Part, origins
from cudalint.inspect import picture
from cudalint.inspect.inspection import access_table, barrier_table, branch_table, launch_table
from cudalint.ir.unit import Unit
from cudalint.settings.location import Place
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.values.thread import Thread
from cudalint.source.text import shown

Table = dict[str, Any]

_SAME = 1e-6


def kernels_at(unit: Unit, kernels: tuple[KernelFacts, ...], place: Place) -> tuple[Table, ...]:
    """One table for each kernel with something on the line; instantiations with the same numbers share it."""
    found: list[Table] = []
    for kernel in kernels:
        table = _kernel(unit, kernel, place)
        if table["accesses"] or table["branches"] or table["barriers"]:
            _add(found, table, kernel)
    return tuple(found)


def _add(found: list[Table], table: Table, kernel: KernelFacts) -> None:
    arguments = kernel.function.template_arguments
    same = next((other for other in found if {**other, "instantiations": []} == table), None)
    if same is None:
        same = {**table}
        found.append(same)
    same["instantiations"] = [*same["instantiations"], *([list(arguments)] if arguments else [])]


def distinct(tables: tuple[Table, ...]) -> list[Table]:
    """Each table once: several units may include the line."""
    found: list[Table] = []
    for table in tables:
        if table not in found:
            found.append(table)
    return found


def timelines_at(files: list[Table], place: Place) -> tuple[Table, ...]:
    """The timelines of streams with a call on the line, from the tables of `inspect`."""
    return tuple(
        timeline
        for file in files
        for timeline in file["streams"]
        if any(
            (bar["path"], bar["line"]) == (place.path, place.line)
            for row in timeline["rows"]
            for bar in row["bars"]
        )
    )


def nearest(files: list[Table], place: Place) -> str:
    """The nearest line of the file with an access, branch or barrier, from the tables of `inspect`; '' when
    there is none.
    """
    items = [
        item
        for file in files
        for kernel in file["kernels"]
        for kind in ("accesses", "branches", "barriers")
        for item in kernel[kind]
        if item["path"] == place.path
    ]
    best = min(items, key=lambda item: (abs(item["line"] - place.line), item["line"]), default=None)
    if best is None:
        return ""
    what = best.get("expression") or best.get("condition") or "a barrier"
    return f"line {best['line']} ({what})"


def _kernel(unit: Unit, kernel: KernelFacts, place: Place) -> Table:
    function = kernel.function
    return {
        "name": function.name.partition("<")[0],
        "path": shown(function.span.path),
        "line": function.span.line,
        "instantiations": [],
        "budget_spent": kernel.modelling.budget_spent,
        "assumptions": list(kernel.assumptions),
        "launches": [_launch(kernel, number) for number in range(len(kernel.configurations))],
        "accesses": [
            _access(unit, kernel, item) for item in kernel.all_of(Access) if place.holds(item.attributed_to)
        ],
        "branches": [
            _branch(unit, kernel, item) for item in kernel.all_of(Branch) if place.holds(item.attributed_to)
        ],
        "barriers": [_barrier(item) for item in kernel.barriers if place.holds(item.span)],
    }


def _launch(kernel: KernelFacts, number: int) -> Table:
    given = kernel.parameters[number] if number < len(kernel.parameters) else ()
    return {
        **launch_table(kernel.configurations[number]),
        "arguments": [_parameter(item) for item in given],
    }


def _parameter(item: Parameter) -> Table:
    return {
        "name": item.name,
        "value": item.value,
        "tried": list(item.tried),
        "pointer": item.pointer,
        "buffer": item.buffer or None,
        "buffer_bytes": item.bytes or None,
        "unknown": item.unknown or None,
    }


def _shape(configuration: Configuration | None) -> list[int] | None:
    return list(configuration.block) if configuration else None


# --- accesses ---


def _access(unit: Unit, kernel: KernelFacts, item: Access) -> Table:
    return {
        **access_table(item),
        "buffer": item.buffer or None,
        "uniform": item.layout.uniform,
        "lane_stride": item.layout.lane_stride,
        "lane_strides": list(item.layout.lane_strides),
        "row_breaks": list(item.layout.row_breaks) if item.layout.row_breaks else None,
        "row_stride": item.layout.row_stride,
        "step_stride": item.layout.step_stride,
        "offset": item.layout.offset,
        "trials": [
            {
                "block": _shape(trial.configuration),
                "per_request": list(trial.per_request),
                "ideal": list(trial.ideal),
            }
            for trial in item.trials
            if not item.basis.unknown  # else they count the lanes that have a number only
        ],
        "bounded_by": _bounded_by(item),
        "worst_request": _worst(item),
        "origins": _access_origins(unit, kernel, item),
        "assumed": list(item.basis.assumed),
    }


def _bounded_by(item: Access) -> list[str]:
    """What makes a number bounded: 'valuations', 'shapes', 'condition', 'choice', 'requests' or
    'data'.
    """
    if item.transactions.certainty != "bounded":
        return []
    if item.basis.made_up:
        return ["data"]
    rows = [[n for n in trial.per_request if n is not None] for trial in item.trials]
    means = [number for row in rows for number in row]
    upper = item.transactions.upper
    reasons = {
        "valuations": any(max(row) - min(row) > _SAME for row in rows if row),
        "shapes": len({round(row[0], 6) for row in rows if row}) > 1,
        "condition": item.basis.data_dependent,
        "choice": bool(item.basis.assumed),
        "requests": bool(means) and upper is not None and upper > max(means) + _SAME,
    }
    return [name for name, holds in reasons.items() if holds] or ["requests"]


def _access_origins(unit: Unit, kernel: KernelFacts, item: Access) -> list[Table]:
    """Where what is unknown entered: the address, or the condition under which the access stands."""
    if not item.basis.data_dependent and not item.basis.unknown:
        return []
    part: Part = "address" if item.basis.unknown or item.basis.made_up else "conditions"
    return _origins(origins(unit, kernel.function, item.span, part, expression=item.expression))


def _origins(found: tuple[Origin, ...]) -> list[Table]:
    return [
        {
            "path": shown(origin.span.path),
            "line": origin.span.line,
            "column": origin.span.column,
            "expression": origin.expression,
            "kind": origin.kind,
        }
        for origin in found
    ]


def _worst(item: Access) -> Table | None:
    """The lanes of the worst request with the sectors, banks or addresses that they touch."""
    if not item.lanes.worst or item.basis.unknown:
        return None
    lanes = picture.signed(item.lanes.worst)
    table: Table = {"lanes": list(lanes)}
    match item.space:
        case "shared":
            table["groups"] = [_group(g) for g in picture.groups_of(lanes, item.bytes, item.operation)]
        case "constant":
            table["addresses"] = [
                {"address": address, "lanes": list(here)} for address, here in picture.addresses_of(lanes)
            ]
        case _:
            table["sectors"] = [
                {
                    "first": sector.first,
                    "lanes": list(sector.lanes),
                    "used": len(sector.used),
                    "unused": 32 - len(sector.used),
                    "used_bytes": list(sector.used),
                }
                for sector in picture.sectors_of(lanes, item.bytes)
            ]
    return table


def _group(group: picture.Group) -> Table:
    return {
        "lanes": [group.first, group.last],
        "passes": group.passes,
        "banks": [
            {
                "bank": bank.number,
                "words": [{"word": word, "lanes": list(lanes)} for word, lanes in bank.words],
            }
            for bank in group.banks
        ],
    }


# --- branches and barriers ---


def _branch(unit: Unit, kernel: KernelFacts, item: Branch) -> Table:
    unknown = item.divergence in ("data-dependent", "unknown")
    return {
        **branch_table(item),
        "block": _shape(item.configuration),
        "lanes": list(item.split.lanes),
        "split": list(item.split.sides) if item.split.sides else None,
        "trips": list(item.loop.trips) if item.loop.trips else None,
        "cost": [item.cost.then, item.cost.otherwise],
        "boundary": item.split.boundary,
        "origins": _origins(origins(unit, kernel.function, item.span, "value")) if unknown else [],
    }


def _barrier(item: Barrier) -> Table:
    cause = item.cause
    return {
        **barrier_table(item),
        "block": _shape(item.configuration),
        "reaching": _thread(item.reaching),
        "missing": _thread(item.missing),
        "condition": item.condition or None,
        "condition_path": shown(cause.path) if cause else None,
        "condition_line": cause.line if cause else None,
        "returned": item.returned,
        "certain": item.certain,
    }


def _thread(item: Thread | None) -> Table | None:
    return {"thread": list(item.thread), "block": list(item.block)} if item else None
