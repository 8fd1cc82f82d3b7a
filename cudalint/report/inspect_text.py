"""The facts of `cudalint inspect` as text."""

from collections.abc import Iterator
from typing import Any

from cudalint.source.text import as_lines


def render(document: dict[str, Any]) -> str:
    """The facts of the JSON form, one line each."""
    return as_lines(row for file in document["files"] for row in _file(file))


def _file(file: dict[str, Any]) -> Iterator[str]:
    reason = f" ({file['reason']})" if file.get("reason") else ""
    yield f"{file['path']}: {file['status']}{reason}"
    for kernel in file["kernels"]:
        yield from _kernel(kernel)


def _kernel(kernel: dict[str, Any]) -> Iterator[str]:
    yield f"  kernel {kernel['name']}, line {kernel['line']}"
    shown = [f"{kernel['name']}<{', '.join(str(a) for a in own)}>" for own in kernel["instantiations"]]
    if shown:
        yield f"    instantiated as {', '.join(shown)}"
    if kernel["made"]:
        yield "    the library's own kernel for this call: one element a thread, in blocks of a usual size"
    if kernel["as_written"]:
        yield "    analysed uninstantiated: template arguments unknown, and none of the usual ones fit"
    if not kernel["modelled"]:
        yield f"    not modelled: {kernel['failure']}"
    for launch in kernel["launches"]:
        where = f"{launch['path']}:{launch['line']}" if launch["path"] else launch["origin"]
        yield (
            f"    launch {where}: grid {_extent(launch['grid'])}, block {_extent(launch['block'])}, "
            f"{_number(launch['dynamic_shared_bytes'])} bytes dynamic shared, stream {launch['stream']}"
        )
    for access in kernel["accesses"]:
        yield f"    {_access(access)}"
    for access in kernel["reused"]:
        place = f"{access['path']}:{access['line']}:{access['column']}"
        yield f"    {place}: {access['space']} {access['expression']}: no separate request"
    for branch in kernel["branches"]:
        share = branch["divergent_warps"]
        detail = f", {share:.0%} of warps diverge" if share is not None else ""
        divergence, ends = branch["divergence"], branch["splits_if"]
        if ends is not None:
            divergence, detail = "uniform but at the end of the data", f": a warp diverges if {ends}"
        place = f"{branch['path']}:{branch['line']}"
        what = f"{branch['kind']} {branch['condition']}{_origin(branch)}"
        yield f"    {place}: {what}: {divergence}{detail}"
    for barrier in kernel["barriers"]:
        yield f"    {barrier['path']}:{barrier['line']}: barrier reached by {barrier['reached_by']} threads"
    for unknown in kernel["unknowns"]:
        yield f"    unknown ({unknown['count']}x): {unknown['reason']}"


def _access(access: dict[str, Any]) -> str:
    numbers = access["transactions"]
    place = f"{access['path']}:{access['line']}:{access['column']}"
    what = f"{access['space']} {access['operation']} of {access['bytes']} bytes, {access['expression']}"
    what += _origin(access)
    if numbers["certainty"] == "unknown":
        return f"{place}: {what}: unknown ({access['unknown'] or 'no number'})"
    text = per_request(access["space"], _number(numbers["per_request"]))
    if numbers["certainty"] == "bounded":
        text += f", bounds {_number(numbers['lower'])} to {_number(numbers['upper'])}"
    return f"{place}: {what}: {text} (ideal {_number(numbers['ideal'])})"


def per_request(space: str, count: str) -> str:
    """'8 sectors/request', with the unit of the memory space."""
    unit = {"shared": "wavefront", "constant": "address"}.get(space, "sector")
    many = "" if count == "1" else "es" if unit == "address" else "s"
    return f"{count} {unit}{many}/request"


def _origin(item: dict[str, Any]) -> str:
    """The source of code that is inlined into the line of a call."""
    origin = item["inlined_from"]
    return f" (inlined from {origin['path']}:{origin['line']})" if origin else ""


def _extent(extent: list[int | None]) -> str:
    return "x".join(_number(item) for item in extent)


def _number(value: float | int | None) -> str:
    return "?" if value is None else f"{value:g}"
