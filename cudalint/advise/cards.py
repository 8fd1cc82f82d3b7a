"""The cards of a unit's kernels, from the facts of the models."""

from collections.abc import Iterable, Iterator

from cudalint.advise.card import AccessCost, Card, Code, Divergence, LaunchCard, Range
from cudalint.advise.residency import residency
from cudalint.advise.work import key, work
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.static_shared import shared_variables, sized_by_library, static_shared_bytes
from cudalint.gpu.throughput import throughput
from cudalint.host.shape import volume
from cudalint.rule.rule import Context
from cudalint.significance import roofline
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Numbers, Traffic, Workload
from cudalint.simt.launch.configuration import Configuration
from cudalint.source.span import Span
from cudalint.source.text import shown

_UNITS = {"shared": "wavefronts", "constant": "addresses"}
_LOST = "its definition, or what instantiates it, could not be parsed"
_REASONS = 3  # of what is unknown


def cards(context: Context) -> tuple[Card, ...]:
    """One for each kernel definition, all its instantiations together; those that were lost come last."""
    context = context.own
    groups: dict[tuple[str, int, str], list[KernelFacts]] = {}
    for kernel in context.kernels:
        span = kernel.function.span
        groups.setdefault((span.path, span.line, base(kernel.name)), []).append(kernel)
    return (*(_card(group, context) for group in groups.values()), *_lost(context))


def base(name: str) -> str:
    """A kernel's name without template arguments."""
    return name.partition("<")[0]


def _lost(context: Context) -> Iterator[Card]:
    """Cards of the kernels of the source that nothing is known of."""
    known = [kernel.function for kernel in context.kernels]
    for path, line, name in context.unit.kernels_in_source:
        if not any(_holds(function.extent, path, line) and base(function.name) == name for function in known):
            yield Card(name, shown(path), line, _LOST, (), (), (), ())


def _holds(extent: Span, path: str, line: int) -> bool:
    return extent.path == path and extent.line <= line <= extent.end_line


def _card(group: list[KernelFacts], context: Context) -> Card:
    span = group[0].function.span
    modelled = [kernel for kernel in group if not _failure(kernel)]
    reasons = [f"template argument chosen: {one}" for kernel in modelled for one in kernel.function.assumed]
    reasons += [reason for kernel in modelled for reason, _ in kernel.modelling.unknowns]
    return Card(
        kernel=base(group[0].name),
        path=shown(span.path),
        line=span.line,
        failure=None if modelled else _failure(group[0]),
        partial=tuple(dict.fromkeys(reasons))[:_REASONS],
        launches=tuple(_distinct(row for kernel in modelled or group for row in _launches(kernel, context))),
        accesses=_accesses(modelled, context),
        divergences=_divergences(modelled),
        functions=_functions(group, context),
        untaken=any(done.forced for kernel in modelled for done in kernel.of(Workload)),
    )


def _functions(group: list[KernelFacts], context: Context) -> tuple[Code, ...]:
    """The code of all instantiations, that of the C++ and CUDA libraries left out."""
    spans = {
        (shown(one.extent.path), one.extent.line, one.extent.end_line): base(one.name)
        for kernel in group
        for one in reachable(context.unit, kernel.function)
        if one.extent.path in context.lines
    }
    return tuple(Code(name, path, line, end) for (path, line, end), name in sorted(spans.items()))


def _failure(kernel: KernelFacts) -> str:
    """Why there are no numbers that can be trusted."""
    if kernel.function.dependent:
        return "nothing that could be parsed says what its template arguments are"
    return kernel.modelling.failure


def _distinct(rows: Iterable[LaunchCard]) -> Iterator[LaunchCard]:
    """Each launch once: one in a loop is run with several shapes of its arguments."""
    seen: set[LaunchCard] = set()
    for row in rows:
        if row not in seen:
            seen.add(row)
            yield row


def _launches(kernel: KernelFacts, context: Context) -> Iterator[LaunchCard]:
    works = [one for one in kernel.of(Workload) if not one.forced] if not _failure(kernel) else []
    for shape in kernel.configurations:
        mine = next((one for one in works if one.configuration == shape), None)
        yield _launch(kernel, shape, mine, context)


def _launch(kernel: KernelFacts, shape: Configuration, done: Workload | None, context: Context) -> LaunchCard:
    function, unit = kernel.function, context.unit
    count, blocks = volume(shape.block) or 0, volume(shape.grid)
    dynamic = shape.dynamic_shared_bytes
    needs = any(variable.extern for variable in shared_variables(unit, function))
    known = (dynamic is not None or not needs) and not sized_by_library(unit, function)
    shared = static_shared_bytes(unit, function) + (dynamic or 0) if known else None
    return LaunchCard(
        instantiation=", ".join(map(str, function.template_arguments)),
        origin=str(shape.origin),
        path=shown(shape.where.path) if shape.where else None,
        line=shape.where.line if shape.where else None,
        grid=shape.grid,
        block=shape.block,
        shared_bytes=shared,
        blocks=blocks,
        threads=None if blocks is None else blocks * count,
        residency=residency(context.target, count, blocks, shared, None),
        work=None if done is None else work(done, kernel, unit, throughput(context.target)),
    )


# --- accesses ---


def _accesses(kernels: list[KernelFacts], context: Context) -> tuple[AccessCost, ...]:
    """The most costly first; of several instantiations the one in which an access costs most."""
    best: dict[tuple[object, ...], AccessCost] = {}
    for kernel in kernels:
        shares = _shares(kernel, context)
        for access in kernel.accesses:
            found = _access(access, shares.get(key(access)))
            other = best.get(key(access))
            if other is None or _high(found) > _high(other):
                best[key(access)] = found
    return tuple(sorted(best.values(), key=lambda one: (-_high(one), one.path, one.line, one.column)))


def _high(one: AccessCost) -> float:
    return one.share.high if one.share is not None else 0.0


def _shares(kernel: KernelFacts, context: Context) -> dict[tuple[object, ...], Range]:
    """By access, its share of the clocks of all accesses with slow memory, over the shapes and sizes at which
    it is made.
    """
    rates = throughput(context.target)
    found: dict[tuple[object, ...], list[float]] = {}
    for done in kernel.of(Workload):
        assumed = roofline.slow_memory(done, rates)
        clocks = [(key(one), _clocks(one, assumed)) for one in done.traffic]
        whole = sum((one for _, one in clocks), roofline.nothing(done))
        for name, mine in clocks:
            shares = [float(a / b) for a, b in zip(mine, whole, strict=True) if a > 0]
            found.setdefault(name, []).extend(shares)
    return {name: Range(min(shares), max(shares)) for name, shares in found.items() if shares}


def _clocks(one: Traffic, assumed: roofline.Assumed) -> Numbers:
    """Of the unit that it keeps busy longest."""
    moved = roofline.moved(one, assumed, one.requests, one.most, one.lines)
    return max(moved.values(), key=lambda clocks: float(clocks.max()))


def _access(access: Access, share: Range | None) -> AccessCost:
    numbers = access.transactions
    known = numbers.certainty != "unknown" and numbers.per_request is not None
    ends = [float(n) for n in (numbers.lower, numbers.per_request, numbers.upper) if n is not None]
    return AccessCost(
        path=shown(access.span.path),
        line=access.span.line,
        column=access.span.column,
        expression=access.expression,
        space=access.space,
        operation=access.operation,
        bytes=access.bytes,
        unit=_UNITS.get(access.space, "sectors"),
        per_request=float(numbers.per_request) if known and numbers.per_request is not None else None,
        bounds=Range(min(ends), max(ends)) if known else None,
        ideal=None if numbers.ideal is None else float(numbers.ideal),
        share=share,
        active_lanes=float(access.lanes.active),
        unknown=None if known else access.basis.unknown or "no number",
    )


# --- branches ---


def _divergences(kernels: list[KernelFacts]) -> tuple[Divergence, ...]:
    """Branches at which warps split, or may: those with most splitting warps first."""
    found: dict[object, Divergence] = {}
    for kernel in kernels:
        for branch in kernel.branches:
            if branch.divergence in ("divergent", "data-dependent"):
                found.setdefault((branch.span, branch.kind), _divergence(branch))
    return tuple(
        sorted(found.values(), key=lambda one: (-(one.warps or 0.0), one.path, one.line, one.column))
    )


def _divergence(branch: Branch) -> Divergence:
    split = branch.split
    known = branch.divergence == "divergent"
    return Divergence(
        path=shown(branch.span.path),
        line=branch.span.line,
        column=branch.span.column,
        kind=branch.kind,
        condition=branch.condition,
        divergence=branch.divergence,
        warps=float(split.share) if known and split.share is not None else None,
        lanes=split.sides if known else None,
    )
