"""The facts of the warp model as the plain tables that `cudalint inspect` prints."""

from typing import Any

from cudalint.instances import merged
from cudalint.simt.facts import Access, Barrier, Branch, Configuration, KernelFacts, Reused
from cudalint.source import shown


def kernel_tables(kernels: tuple[KernelFacts, ...]) -> tuple[dict[str, Any], ...]:
    """The kernels of a unit, one table a definition of the source."""
    return merged(kernel_table(kernel) for kernel in kernels)


def kernel_table(kernel: KernelFacts) -> dict[str, Any]:
    function = kernel.function
    return {
        "name": kernel.function.name.partition("<")[0],
        "path": shown(function.span.path),
        "line": function.span.line,
        "instantiations": [list(function.template_arguments)] if function.template_arguments else [],
        "modelled": kernel.modelled,
        "as_written": function.dependent,
        "failure": kernel.failure or None,
        "launches": [launch_table(item) for item in kernel.configurations],
        "accesses": [access_table(item) for item in kernel.booked],
        "branches": [branch_table(item) for item in kernel.booked_branches],
        "barriers": [barrier_table(item) for item in kernel.barriers],
        "reused": [_reused(item) for item in kernel.reused],
        "races": len(kernel.races),
        "unknowns": [{"reason": reason, "count": count} for reason, count in kernel.unknowns],
    }


def launch_table(item: Configuration) -> dict[str, Any]:
    where = item.where
    return {
        "path": shown(where.path) if where else None,
        "line": where.line if where else None,
        "grid": list(item.grid),
        "block": list(item.block),
        "dynamic_shared_bytes": item.dynamic_shared_bytes,
        "stream": item.stream,
        "origin": item.origin,
    }


def access_table(item: Access) -> dict[str, Any]:
    numbers = item.transactions
    return {
        "path": shown(item.booked.path),
        "line": item.booked.line,
        "column": item.booked.column,
        "inlined_from": _inlined_from(item),
        "expression": item.expression,
        "space": item.space,
        "operation": item.operation,
        "bytes": item.bytes,
        "transactions": {
            "per_request": numbers.per_request,
            "ideal": numbers.ideal,
            "certainty": numbers.certainty,
            "lower": numbers.lower,
            "upper": numbers.upper,
        },
        "active_lanes": item.active_lanes,
        "unknown": item.unknown or None,
    }


def _inlined_from(item: Access | Branch) -> dict[str, Any] | None:
    """Where the code stands that is counted on the line of a call."""
    if item.booked == item.span:
        return None
    return {"path": shown(item.span.path), "line": item.span.line, "column": item.span.column}


def _reused(item: Reused) -> dict[str, Any]:
    return {
        "path": shown(item.span.path),
        "line": item.span.line,
        "column": item.span.column,
        "expression": item.expression,
        "space": item.space,
    }


def branch_table(item: Branch) -> dict[str, Any]:
    return {
        "path": shown(item.booked.path),
        "line": item.booked.line,
        "column": item.booked.column,
        "inlined_from": _inlined_from(item),
        "kind": item.kind,
        "condition": item.condition,
        "divergence": item.divergence,
        "divergent_warps": item.divergent_warps,
    }


def barrier_table(item: Barrier) -> dict[str, Any]:
    span = item.span
    return {
        "path": shown(span.path),
        "line": span.line,
        "column": span.column,
        "reached_by": item.reached_by,
    }
