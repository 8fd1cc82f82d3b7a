"""The facts of the warp model as the plain tables that `cudalint inspect` prints."""

from typing import Any

from cudalint.inspect.instances import merged
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.reused import Reused
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Configuration
from cudalint.source.text import shown


def kernel_tables(kernels: tuple[KernelFacts, ...]) -> tuple[dict[str, Any], ...]:
    """The kernels of a unit, one table a definition of the source."""
    return merged(kernel_table(kernel) for kernel in kernels)


def barrier_tables(kernels: tuple[KernelFacts, ...]) -> tuple[dict[str, Any], ...]:
    """Of each kernel the barriers alone."""
    return tuple({"barriers": [barrier_table(item) for item in kernel.barriers]} for kernel in kernels)


INSPECTED = (Access, Branch, Barrier, Race, Reused)  # the facts that are printed


def kernel_table(kernel: KernelFacts) -> dict[str, Any]:
    function = kernel.function
    return {
        "name": kernel.function.name.partition("<")[0],
        "path": shown(function.span.path),
        "line": function.span.line,
        "instantiations": [list(function.template_arguments)] if function.template_arguments else [],
        "modelled": kernel.modelled,
        "as_written": function.dependent,
        "made": function.made != "",
        "failure": kernel.modelling.failure or None,
        "launches": [launch_table(item) for item in kernel.configurations],
        "accesses": [access_table(item) for item in kernel.all_of(Access)],
        "branches": [branch_table(item) for item in kernel.all_of(Branch)],
        "barriers": [barrier_table(item) for item in kernel.barriers],
        "reused": [_reused(item) for item in kernel.of(Reused)],
        "races": len(kernel.races),
        "unknowns": [{"reason": reason, "count": count} for reason, count in kernel.modelling.unknowns],
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
        "path": shown(item.attributed_to.path),
        "line": item.attributed_to.line,
        "column": item.attributed_to.column,
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
        "active_lanes": item.lanes.active,
        "unknown": item.basis.unknown or None,
    }


def _inlined_from(item: Access | Branch) -> dict[str, Any] | None:
    """Where the code stands that is counted on the line of a call."""
    if item.attributed_to == item.span:
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
    """splits_if: what a warp splits for where sizes end; such a branch is not said to be uniform."""
    remainder = item.split.remainder if item.divergence == "uniform" else None
    return {
        "path": shown(item.attributed_to.path),
        "line": item.attributed_to.line,
        "column": item.attributed_to.column,
        "inlined_from": _inlined_from(item),
        "kind": item.kind,
        "condition": item.condition,
        "divergence": "unknown" if remainder is not None else item.divergence,
        "splits_if": remainder.condition if remainder is not None else None,
        "divergent_warps": item.split.share,
    }


def barrier_table(item: Barrier) -> dict[str, Any]:
    span = item.span
    return {
        "path": shown(span.path),
        "line": span.line,
        "column": span.column,
        "reached_by": item.reached_by,
    }
