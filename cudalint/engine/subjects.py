"""What rules are asked about, and which facts of kernels they take besides."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct

from cudalint.analyses.device_code import DeviceCode, device_code
from cudalint.buildfiles.facts import BuildFacts
from cudalint.host.facts import HostCall, HostFacts, LaunchFact
from cudalint.ir.unit import Function, Unit
from cudalint.rule.outcome import FileOutcome
from cudalint.rule.rule import Context, LoadedRule
from cudalint.simt.facts.catalogue import facts
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload

_Placed = TypeVar("_Placed", LaunchFact, HostCall, Function)


class Wanted(Struct, frozen=True):
    """What the chosen rules ask of the warp model. kernels: whether kernels have to be run at all; impacts:
    only to tell what a finding costs.
    """

    kernels: bool
    facts: frozenset[type]
    impacts: bool = False


def facts_for(rules: tuple[LoadedRule, ...], inspected: tuple[type, ...]) -> Wanted:
    """What these rules ask for. inspected: besides, what is printed."""
    taken = {kind for rule in rules for kind in (rule.subject, *rule.facts) if kind in facts()}
    taken |= set(inspected)
    about_kernels = any(rule.subject in (KernelFacts, FileOutcome) for rule in rules)
    speed = {Workload} if any(rule.rule.speed for rule in rules) else set()
    impacts = bool(speed) and not taken and not about_kernels
    return Wanted(bool(taken | speed) or about_kernels, frozenset(taken | speed), impacts)


def facts_of(rule: LoadedRule, subject: Any, context: Context) -> tuple[tuple[Any, ...], ...]:
    """The facts that a rule takes besides its subject: of the kernel that it is asked about, else of all."""
    seen = context if rule.rule.made else context.own
    kernels = (subject,) if isinstance(subject, KernelFacts) else seen.kernels
    return tuple(tuple(chain.from_iterable(kernel.of(kind) for kernel in kernels)) for kind in rule.facts)


def subjects(kind: type, context: Context) -> Iterator[Any]:
    """The model objects of one type in a unit."""
    kernels, host = context.kernels, context.host
    if kind in facts():
        yield from chain.from_iterable(kernel.of(kind) for kernel in kernels)
    elif kind is KernelFacts:
        yield from kernels
    elif kind is LaunchFact:
        yield from _here(host.launches, context)
    elif kind is HostCall:
        yield from _here(host.calls, context)
    elif kind is HostFacts:
        yield host
    elif kind is BuildFacts:
        yield from (context.build,) if context.build is not None else ()
    elif kind is Unit:
        yield context.unit
    elif kind is DeviceCode:
        yield device_code(context.unit, context.code)
    elif kind is Function:
        yield from _here(context.unit.functions.values(), context)


def _here(found: Iterable[_Placed], context: Context) -> Iterator[_Placed]:
    """Those that do not stand in another file of the program, which reports them."""
    return (one for one in found if one.span.path not in context.unit.beside)
