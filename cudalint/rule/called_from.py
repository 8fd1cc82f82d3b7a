"""Findings of a kernel that stand in a function which it calls: from where."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context

_MOST = 8  # calls that are named


def placed(findings: Iterable[Finding], context: Context, kernel: Function) -> list[Finding]:
    """The findings in the project's own code, each with the calls in the kernel by which it comes to the
    places outside of the kernel where the finding holds, as related places.
    """
    own = (one for one in findings if one.span.path in context.lines)
    return [_with_calls(one, context.unit, kernel) for one in own]


def _with_calls(finding: Finding, unit: Unit, kernel: Function) -> Finding:
    places = (finding.span, *(place.span for place in finding.repeats))
    outside = [span for span in places if not kernel.extent.contains(span)]
    if not outside:
        return finding
    holding = [one for one in reachable(unit, kernel) if any(map(one.extent.contains, outside))]
    known = {place.span for place in finding.related} | {finding.span}
    calls = {call.span: call for one in holding for call in _leading_to(unit, kernel, one)}
    if any(place.span in calls and not place.same for place in finding.related):
        return finding  # it names the calls that count
    new = [call for span, call in sorted(calls.items(), key=_order) if span not in known]
    named = tuple(Related(call.span, f"called here: `{render(call)}`") for call in new[:_MOST])
    return replace(finding, related=(*finding.related, *named))


def _order(item: tuple[object, e.Call]) -> tuple[str, int, int]:
    span = item[1].span
    return span.path, span.line, span.column


def _leading_to(unit: Unit, kernel: Function, target: Function) -> Iterator[e.Call]:
    """The kernel's own calls of a function, or of one that calls it, directly or not."""
    calls = _calls(unit, kernel)
    leading, waiting = {target.key}, [target.key]
    while waiting:
        key = waiting.pop()
        for caller, call in calls:
            if call.key == key and caller not in leading:
                leading.add(caller)
                waiting.append(caller)
    yield from (call for caller, call in calls if caller == kernel.key and call.key in leading)


@once
def _calls(unit: Unit, kernel: Function) -> tuple[tuple[str, e.Call], ...]:
    """The calls of the kernel and of all that it calls, with the key of the function that makes each."""
    return tuple(
        (function.key, node)
        for function in reachable(unit, kernel)
        if function.body is not None
        for node in find(function.body, e.Call)
        if node.key is not None
    )
