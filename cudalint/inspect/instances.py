"""One table a kernel definition: the tables of a template's instantiations put together.

Works on the tables of inspection.py. Numbers that agree stay as they are; numbers that differ become
bounds over all instantiations with their mean between them; a number that one instantiation lacks is unknown.
"""

from collections.abc import Callable, Iterable
from typing import Any

Table = dict[str, Any]

_DIVERGENCE = ("divergent", "data-dependent", "unknown", "uniform")  # the first one wins
_REACHED = ("some", "unknown", "all")


def merged(kernels: Iterable[Table]) -> tuple[Table, ...]:
    """One table for each (path, line, name), in the order of their first instantiations."""
    groups = _grouped(kernels, lambda kernel: (kernel["path"], kernel["line"], kernel["name"]))
    return tuple(_kernel(group) for group in groups)


def placed(units: dict[str, tuple[Table, ...]], files: Iterable[str]) -> dict[str, list[Table]]:
    """Each kernel of several units once, below its own file where that is one of `files`, else below the
    first unit that has it: a header's kernels stand in every unit that includes it.
    """
    own = set(files)
    homes: dict[tuple[str, int, str], str] = {}
    for unit, kernels in units.items():
        for kernel in kernels:
            key = (kernel["path"], kernel["line"], kernel["name"])
            homes.setdefault(key, kernel["path"] if kernel["path"] in own else unit)
    found: dict[str, list[Table]] = {}
    for kernel in merged(kernel for kernels in units.values() for kernel in kernels):
        found.setdefault(homes[kernel["path"], kernel["line"], kernel["name"]], []).append(kernel)
    return found


def _grouped(items: Iterable[Table], key: Callable[[Table], Any]) -> list[list[Table]]:
    groups: dict[Any, list[Table]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _alike(instantiations: Iterable[list[Table]]) -> list[list[Table]]:
    """The accesses of each place, the first of one with the first of the others: a macro may name several."""
    groups: dict[Any, list[Table]] = {}
    for accesses in instantiations:
        for same in _grouped(accesses, _access_key):
            for number, item in enumerate(same):
                groups.setdefault((_access_key(item), number), []).append(item)
    return list(groups.values())


def _kernel(group: list[Table]) -> Table:
    def collect(name: str) -> list[Table]:
        return [item for kernel in group for item in kernel[name]]

    unknowns: dict[str, int] = {}
    for item in collect("unknowns"):
        unknowns[item["reason"]] = unknowns.get(item["reason"], 0) + item["count"]
    modelled = any(kernel["modelled"] for kernel in group)
    return {
        **group[0],
        "instantiations": _distinct([a for kernel in group for a in kernel["instantiations"]]),
        "modelled": modelled,
        "failure": None if modelled else next((k["failure"] for k in group if k["failure"]), None),
        "launches": _distinct(collect("launches")),
        "accesses": [_access(g) for g in _alike(kernel["accesses"] for kernel in group)],
        "branches": [_branch(g) for g in _grouped(collect("branches"), _branch_key)],
        "barriers": [_barrier(g) for g in _grouped(collect("barriers"), _place)],
        "reused": _distinct(collect("reused")),
        "races": max(kernel["races"] for kernel in group),
        "unknowns": [{"reason": reason, "count": count} for reason, count in unknowns.items()],
    }


def _distinct(items: list[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def _place(item: Table) -> tuple[Any, ...]:
    return item["path"], item["line"], item["column"]


def _access_key(item: Table) -> tuple[Any, ...]:
    return (*_place(item), *_origin(item), item["operation"])


def _branch_key(item: Table) -> tuple[Any, ...]:
    return (*_place(item), *_origin(item), item["kind"])


def _origin(item: Table) -> tuple[Any, ...]:
    return _place(item["inlined_from"]) if item["inlined_from"] else ()


def _access(group: list[Table]) -> Table:
    return {
        **group[0],
        "bytes": max(item["bytes"] for item in group),
        "transactions": transactions([item["transactions"] for item in group]),
        "active_lanes": _mean([item["active_lanes"] for item in group]),
        "unknown": next((item["unknown"] for item in group if item["unknown"]), None),
    }


def transactions(group: list[Table]) -> Table:
    """The numbers of one access over its instantiations."""
    if all(item == group[0] for item in group):
        return dict(group[0])
    if any(item["certainty"] == "unknown" or None in item.values() for item in group):
        nothing = dict.fromkeys(("per_request", "ideal", "lower", "upper"))
        return {**group[0], **nothing, "certainty": "unknown"}
    return {
        "per_request": _mean([item["per_request"] for item in group]),
        "ideal": _mean([item["ideal"] for item in group]),
        "certainty": "bounded",
        "lower": min(item["lower"] for item in group),
        "upper": max(item["upper"] for item in group),
    }


def _mean(numbers: list[float]) -> float:
    return numbers[0] if len(set(numbers)) == 1 else sum(numbers) / len(numbers)


def _branch(group: list[Table]) -> Table:
    """The worst instantiation's branch, with the largest share of split warps among its equals."""
    worst = min((item["divergence"] for item in group), key=_DIVERGENCE.index)
    alike = [item for item in group if item["divergence"] == worst]
    shares = [item["divergent_warps"] for item in alike if item["divergent_warps"] is not None]
    return {**alike[0], "divergent_warps": max(shares, default=None)}


def _barrier(group: list[Table]) -> Table:
    return min(group, key=lambda item: _REACHED.index(item["reached_by"]))
