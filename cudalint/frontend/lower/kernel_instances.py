"""Instances of kernel templates: of many, those with bodies that differ most; the rest is known by what it is
called and handed alone. The warp model runs fewer still.
"""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Callee, Context
from cudalint.frontend.lower.definitions import definition_of
from cudalint.frontend.lower.functions import lower_function

_WITH_BODIES = 12  # instances of one template


def is_instance(ctx: Context, declaration: clang.Cursor) -> bool:
    """Whether a declaration is an instance of a kernel template."""
    if not ctx.callee(declaration).template_arguments:
        return False
    definition, is_template = definition_of(declaration)
    if definition is None or is_template:
        return False
    return any(part.kind == kinds.CUDA_GLOBAL_ATTR for part in clang.children(definition))


def lower_instances(ctx: Context, declarations: list[clang.Cursor]) -> None:
    """Those that were found together, in their order."""
    templates: dict[int | None, list[Callee]] = {}
    for declaration in declarations:
        template = clang.canonical_cursor(clang.specialized_template(declaration)).a
        templates.setdefault(template, []).append(ctx.callee(declaration))
    whole: set[str] = set()
    for template, callees in templates.items():
        before = ctx.instances.get(template, ())
        chosen = _unlike(before, callees)
        ctx.instances[template] = (*before, *(one.template_arguments for one in chosen))
        whole.update(one.key for one in chosen)
    for declaration in declarations:
        callee = ctx.callee(declaration)
        without = callee.key not in whole and callee.key not in ctx.functions
        host_only, ctx.host_only = ctx.host_only, ctx.host_only or without
        made = lower_function(ctx, declaration)
        ctx.host_only = host_only
        if without and made is not None:
            ctx.bodiless.add(made.key)


def _unlike(before: tuple[tuple[int | str, ...], ...], callees: list[Callee]) -> list[Callee]:
    """The first one, then always the one that differs most from those before."""
    rest = list(callees)
    known = list(before)
    chosen: list[Callee] = []
    shared = [max((_shared(one, other) for other in known), default=0) for one in _arguments(rest)]
    while rest and len(known) < _WITH_BODIES:
        at = min(range(len(rest)), key=lambda at: (shared[at], at)) if known else 0
        taken = rest.pop(at)
        shared.pop(at)
        chosen.append(taken)
        known.append(taken.template_arguments)
        last = taken.template_arguments
        shared = [max(most, _shared(one, last)) for most, one in zip(shared, _arguments(rest), strict=True)]
    return chosen


def _arguments(callees: list[Callee]) -> list[tuple[int | str, ...]]:
    return [one.template_arguments for one in callees]


def _shared(one: tuple[int | str, ...], other: tuple[int | str, ...]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=False))
