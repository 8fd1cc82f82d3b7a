"""A translation unit to an IR unit: what stands in project files, and everything reached from there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.frontend.launched import Use, uses
from cudalint.frontend.lower import clang, expressions, kinds, statements
from cudalint.frontend.lower.context import Callee, Context, expression_children
from cudalint.frontend.lower.definitions import definition_of
from cudalint.frontend.lower.elements import parted
from cudalint.frontend.lower.functions import lower_destructor, lower_function, name_span
from cudalint.frontend.lower.kernel_instances import is_instance, lower_instances
from cudalint.frontend.lower.places import Places
from cudalint.frontend.lower.types import TypeTable
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Problem, Unit
from cudalint.source.span import Span

_TEMPLATES = frozenset({kinds.CLASS_TEMPLATE, kinds.CLASS_TEMPLATE_PARTIAL})
_SOURCE = ".cu"
_LAUNCH = re.compile(rb"<<<|\bcudaLaunch\w*Kernel")
_OF_CUDA = re.compile(
    rb"<<<|\b(?:cu(?:da|blas|dnn|fft|rand|solver|sparse|tensor|[A-Z])|thrust\b|cub\b|nccl|__(?:global|device)__)"
)
_INSTANCES = 8  # of one template that are looked at
_CONTAINERS = frozenset(
    {kinds.NAMESPACE, kinds.LINKAGE_SPEC, kinds.UNEXPOSED_DECL} | kinds.RECORD_DECLS | _TEMPLATES
)


class _Source(Struct):
    """What a walk of the project's declarations found."""

    functions: list[clang.Cursor] = field(default_factory=list)
    variables: list[clang.Cursor] = field(default_factory=list)
    kernel_templates: list[clang.Cursor] = field(default_factory=list)
    other_templates: list[clang.Cursor] = field(default_factory=list)  # of functions with bodies
    kernels: list[clang.Cursor] = field(default_factory=list)
    instances: list[clang.Cursor] = field(default_factory=list)  # of the wrapper
    instantiated: list[clang.Cursor] = field(default_factory=list)  # what clang made of function templates


class Left(Struct, frozen=True):
    """A kernel template that nothing instantiates. used: the text launches it or asks for it all the same;
    elsewhere: all launches of it stand in function templates that this unit makes no instances of, as those
    whose instances are `extern` here.
    """

    name: str
    span: Span
    used: bool
    elsewhere: bool


class Lowered(Struct, frozen=True):
    """A unit, and the kernel templates that nothing in it instantiates, also as cursors."""

    unit: Unit
    uninstantiated: list[clang.Cursor]
    left: tuple[Left, ...]


def lower_unit(
    translation_unit: Any,
    path: str,
    *,
    shim: str,
    directory: str | None = None,
    arch: str = "sm_90",
    flags: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
    default_stream_per_thread: bool = False,
    errors: tuple[Span, ...] = (),
    refused: tuple[tuple[Span, str], ...] = (),
    wrapper: str = "",
    assumed: dict[int, tuple[str, ...]] | None = None,
    first_variable: int = 0,
) -> Lowered:
    """The Unit of a parsed file. shim: the directory of the bundled headers, which are no project files;
    errors: where clang could not make sense of the source; refused: where code of the device launches a
    kernel, and which; wrapper: the file round `path` that instantiates kernels, with what it assumed by its
    lines; first_variable: below the numbers of the variables."""
    ctx = _context(translation_unit, (shim.rstrip(os.sep) + os.sep, wrapper), directory)
    ctx.serial = first_variable
    _doubt(ctx, errors)
    ctx.refused = {(place.path, place.line, place.column): name for place, name in refused}
    cursors = clang.children(clang.root_cursor(translation_unit))
    source = _declared(ctx, cursors, wrapper)
    _lower_source(ctx, source, path)
    for cursor in source.instances:
        _lower_instance(ctx, cursor, assumed or {})
    _drain(ctx)
    destructors = _destructors(ctx, source)
    left = _left(ctx, source)
    for cursor in left:  # as they are written
        lower_function(ctx, cursor, dependent=True)
    _drain(ctx)
    asleep = _asleep(source, cursors)
    templates = _launching_templates(ctx, asleep)
    found = _uses(ctx)
    unit = _unit(ctx, source, path, arch, flags, problems, default_stream_per_thread)
    unit = replace(unit, launched=_launched(found), destructors=destructors, templates=templates)
    spans = [ctx.places.span(cursor) for cursor in asleep]
    return Lowered(unit, left, tuple(_left_over(ctx, left, found, spans)))


def lower_edited(
    translation_unit: Any,
    before: Unit,
    edited: tuple[Function, ...],
    shim: str,
    directory: str,
    errors: tuple[Span, ...],
    refused: tuple[tuple[Span, str], ...],
) -> Unit | None:
    """The unit before with one of its functions, or all instances of one, lowered anew, and what that alone
    reaches. None where it does not stand where it stood. errors, refused: as of lower_unit.
    """
    ctx = _context(translation_unit, (shim.rstrip(os.sep) + os.sep,), directory)
    _doubt(ctx, errors)
    ctx.refused = {(place.path, place.line, place.column): name for place, name in refused}
    extent, keys = edited[0].extent, {function.key for function in edited}
    inside = {k for k, f in before.functions.items() if extent.contains(f.extent)}
    ctx.functions = {key: f for key, f in before.functions.items() if key not in inside}
    ctx.serial = max(before.variables, default=0)
    ctx.numbers = {(v.span, v.name): v.id for v in before.variables.values() if _outside_functions(before, v)}
    source = _declared(ctx, clang.children(clang.root_cursor(translation_unit)))
    for cursor in (*source.functions, *source.instantiated):
        if ctx.places.span(cursor) == extent and ctx.callee(cursor).key in keys:
            lower_function(ctx, cursor)
    _drain(ctx)
    if not keys <= ctx.functions.keys() or ctx.problems:
        return None
    variables = {number: v for number, v in before.variables.items() if not extent.contains(v.span)}
    parts = parted(ctx.functions)
    order = [key for key in before.functions if key in parts.functions]
    order += [key for key in parts.functions if key not in before.functions]
    return replace(
        before,
        functions={key: parts.functions[key] for key in order},
        kernels=tuple(key for key in order if parts.functions[key].kernel),
        algorithms={**before.algorithms, **parts.algorithms},
        launched=_launched(_uses(ctx)),
        variables={**variables, **ctx.by_id},
        records={**before.records, **ctx.types.finish()},
    )


def _uses(ctx: Context) -> tuple[Use, ...]:
    texts = ((f.path, f.text(0, len(f.data))) for f in ctx.places.project_files())
    return tuple(uses(texts, (f.name for f in ctx.functions.values() if f.kernel)))


def _launched(found: tuple[Use, ...]) -> frozenset[str]:
    return frozenset(use.name for use in found if use.launched)


def _doubt(ctx: Context, errors: tuple[Span, ...]) -> None:
    ctx.types.doubtful = bool(errors)
    for place in sorted((at.path, at.line, at.column) for at in errors):
        ctx.errors.setdefault(place[0], []).append(place[1:])


def _outside_functions(unit: Unit, variable: e.Variable) -> bool:
    """Whether a variable stands outside of all functions."""
    if variable.storage in ("local", "parameter"):
        return False
    around = (function.extent for function in unit.functions.values())
    return variable.storage != "shared" or not any(extent.contains(variable.span) for extent in around)


def uninstantiated(
    translation_unit: Any, path: str, shim: str, directory: str | None = None
) -> list[clang.Cursor]:
    """The kernel templates that nothing instantiates, by the code of the host alone; none where clang made
    something of each of them: then the whole unit has to tell.
    """
    ctx = _context(translation_unit, (shim.rstrip(os.sep) + os.sep,), directory)
    ctx.host_only = True
    cursors = clang.children(clang.root_cursor(translation_unit))
    source = _declared(ctx, cursors)
    made = _made(cursors)
    if all(clang.canonical_cursor(template).a in made for template in source.kernel_templates):
        return []
    _lower_source(ctx, source, path)
    _drain(ctx)
    return _left(ctx, source)


def _declared(ctx: Context, cursors: list[clang.Cursor], wrapper: str = "") -> _Source:
    """The declarations of the project's files, and of the wrapper round one."""
    source = _Source()
    for cursor in cursors:
        file = ctx.places.file_of(clang.location(cursor).raw)
        if file is not None and file.project:
            if _instantiated(cursor):
                source.instantiated.append(cursor)
                template = clang.canonical_cursor(clang.specialized_template(cursor)).a
                ctx.made.setdefault(template, []).append(cursor)
            else:
                _gather(cursor, source)
        elif file is not None and file.absolute == wrapper and cursor.kind == kinds.VAR_DECL:
            source.instances.append(cursor)
    return source


def _lower_source(ctx: Context, source: _Source, path: str) -> None:
    """What a reader of the file would look at. Of a header that has nothing to do with CUDA that is only what
    is called, which comes later.
    """
    for cursor in source.variables:
        variable(ctx, cursor)
    looked_at = {ctx.places.shown(path)}
    files = [ctx.places.file_of(clang.location(cursor).raw) for cursor in source.functions]
    looked_at.update(file.path for file in ctx.places.project_files() if _OF_CUDA.search(file.data))
    for cursor, file in zip(source.functions, files, strict=True):
        if file is None or file.path in looked_at:
            lower_function(ctx, cursor)
    for cursor in _launching(ctx, source.instantiated):
        lower_function(ctx, cursor)


def _launching(ctx: Context, instantiated: list[clang.Cursor]) -> Iterator[clang.Cursor]:
    """Instances of function templates of the host in CUDA sources and headers with kernels or launches, so
    that those are seen that an explicit instantiation alone makes: of each template the first ones. A source
    may launch by a macro of a header.
    """
    count: dict[int | None, int] = {}
    for cursor in instantiated:
        file = ctx.places.file_of(clang.location(cursor).raw)
        if file is None or not _of_the_host(cursor):
            continue
        if not file.launches and not file.absolute.endswith(_SOURCE):
            continue
        template = _template(cursor)
        count[template] = count.get(template, 0) + 1
        if count[template] <= (_INSTANCES if file.launches else 1):
            yield cursor


def _of_the_host(cursor: clang.Cursor) -> bool:
    attributes = {part.kind for part in clang.children(cursor)}
    device = attributes & {kinds.CUDA_DEVICE_ATTR, kinds.CUDA_GLOBAL_ATTR}
    return kinds.COMPOUND_STMT in attributes and not device


def _instantiated(cursor: clang.Cursor) -> bool:
    """Whether a function is not written there, but made of a template: clang lists those with bodies, too."""
    template = clang.specialized_template(cursor) if cursor.kind in kinds.FUNCTION_DECLS else cursor
    if template.kind in kinds.INVALID_KINDS or template is cursor:
        return False
    written = (template, clang.definition(template))
    return any(clang.location(cursor).raw == clang.location(one).raw for one in written)


def _lower_instance(ctx: Context, cursor: clang.Cursor, assumed: dict[int, tuple[str, ...]]) -> None:
    """The kernel whose address an instantiation of the wrapper takes."""
    texts = assumed.get(ctx.places.place(clang.location(cursor).raw).line)
    value = clang.variable_initializer(cursor)
    while value.kind not in (kinds.DECL_REF_EXPR, *kinds.INVALID_KINDS):
        value = (expression_children(value) or [clang.semantic_parent(value)])[0]
        if value.kind not in (kinds.DECL_REF_EXPR, kinds.UNARY_OPERATOR, kinds.UNEXPOSED_EXPR):
            return
    declaration = clang.referenced(value)
    if texts is None or declaration.kind not in kinds.FUNCTION_DECLS:
        return
    made = lower_function(ctx, declaration)
    if made is not None and not made.dependent:
        sized = tuple(_sized(ctx, clang.specialized_template(declaration)))
        ctx.functions[made.key] = replace(made, assumed=texts, sized=sized)


def _sized(ctx: Context, template: clang.Cursor) -> Iterator[Span]:
    """The places of a template's variables whose size does not depend on its arguments."""
    for cursor in clang.children(template):
        if cursor.kind == kinds.VAR_DECL and clang.type_size(clang.type_of(cursor)) > 0:
            yield ctx.places.span(cursor)
        yield from _sized(ctx, cursor)


def _context(translation_unit: Any, foreign: tuple[str, ...], directory: str | None) -> Context:
    places = Places(
        clang.unit_handle(translation_unit),
        directory or os.getcwd(),
        (*(prefix for prefix in foreign if prefix), "/usr/"),
    )
    places.learn(clang.root_cursor(translation_unit))
    return Context(places, TypeTable(), expressions.lower, statements.lower)


def _gather(cursor: clang.Cursor, source: _Source, dependent: bool = False) -> None:
    """Sort one declaration, and those inside namespaces and classes. dependent: inside a class template."""
    kind = cursor.kind
    if kind in kinds.FUNCTION_DECLS:
        parts = clang.children(cursor)
        if any(c.kind in (kinds.COMPOUND_STMT, kinds.TRY_STMT) for c in parts):
            dependent = dependent or clang.semantic_parent(cursor).kind in _TEMPLATES
            kernel = any(c.kind == kinds.CUDA_GLOBAL_ATTR for c in parts)
            if kernel:
                source.kernels.append(cursor)
            if not dependent:
                source.functions.append(cursor)
            elif kernel:
                source.kernel_templates.append(cursor)
    elif kind == kinds.FUNCTION_TEMPLATE:
        parts = clang.children(cursor)
        if any(c.kind == kinds.COMPOUND_STMT for c in parts):
            if any(c.kind == kinds.CUDA_GLOBAL_ATTR for c in parts):
                source.kernel_templates.append(cursor)
                source.kernels.append(cursor)
            elif not dependent:
                source.other_templates.append(cursor)
    elif kind == kinds.VAR_DECL:
        source.variables.append(cursor)
    elif kind in _CONTAINERS:
        for child in clang.children(cursor):
            _gather(child, source, dependent or kind in _TEMPLATES)


def _drain(ctx: Context) -> None:
    """Lower what was called until nothing new is."""
    while ctx.queue:
        instances: list[clang.Cursor] = []
        while ctx.queue:
            declaration = ctx.queue.popleft()
            if not _worth_lowering(ctx, declaration):
                continue
            if is_instance(ctx, declaration):
                instances.append(declaration)
            else:
                lower_function(ctx, declaration)
        lower_instances(ctx, instances)


def _destructors(ctx: Context, source: _Source) -> dict[str, str]:
    """Keys of the destructors that records have, lowered with what they call. Of class templates, clang lists
    those that something runs.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    for cursor in source.instantiated:
        if cursor.kind == kinds.DESTRUCTOR and _worth_lowering(ctx, cursor):
            record = ctx.types.of(clang.semantic_parent(cursor))
            lower_function(ctx, cursor)
            if isinstance(record, t.Record):
                found[record.name] = ctx.callee(cursor).key
    _drain(ctx)
    while todo := [name for name in ctx.types.declarations if name not in seen]:
        seen.update(todo)
        for name in todo:
            declaration = ctx.types.declarations[name]
            for member in clang.children(declaration):
                if member.kind == kinds.DESTRUCTOR and _worth_lowering(ctx, member):
                    callee = ctx.callee(member)
                    ctx.want(callee)
                    found[name] = callee.key
            template = clang.specialized_template(declaration)
            if template.kind == kinds.CLASS_TEMPLATE and name not in found:
                for member in clang.children(template):
                    if member.kind == kinds.DESTRUCTOR and _is_written(ctx, member):
                        found[name] = lower_destructor(ctx, member, name)
        _drain(ctx)
    return found


def _is_written(ctx: Context, member: clang.Cursor) -> bool:
    """Whether a destructor has a body in a file of the project."""
    file = ctx.places.file_of(clang.location(member).raw)
    return file is not None and bool(file.project) and _worth_lowering(ctx, member)


def _worth_lowering(ctx: Context, declaration: clang.Cursor) -> bool:
    """What has a body: the shim gives one only to what kernels run or a constant may come of."""
    definition, _ = definition_of(declaration)
    return definition is not None


def _left(ctx: Context, source: _Source) -> list[clang.Cursor]:
    """Kernel templates that nothing which was lowered instantiates."""
    instantiated = set()
    for key in list(ctx.functions):
        canonical = ctx.keys.get(key)
        callee: Callee | None = ctx.callees.get(canonical) if canonical is not None else None
        if callee is not None and ctx.functions[key].kernel:
            instantiated.add(_template(callee.declaration))
    return [c for c in source.kernel_templates if clang.canonical_cursor(c).a not in instantiated]


def _made(cursors: list[clang.Cursor]) -> set[int | None]:
    """The templates of which clang lists an instance, with a body or asked for only: those that are `extern`
    it does not.
    """
    return {_template(cursor) for cursor in cursors if cursor.kind in kinds.FUNCTION_DECLS}


def _asleep(source: _Source, cursors: list[clang.Cursor]) -> list[clang.Cursor]:
    """The function templates that this unit makes no instances of."""
    made = _made(cursors)
    return [cursor for cursor in source.other_templates if clang.canonical_cursor(cursor).a not in made]


def _launching_templates(ctx: Context, asleep: list[clang.Cursor]) -> dict[str, Function]:
    """Those of the templates that launch kernels, as they are written, with what they alone call."""
    before, problems = dict(ctx.functions), len(ctx.problems)
    for cursor in asleep:
        extent = ctx.places.span(cursor)
        file = ctx.places.file_of(clang.location(cursor).raw)
        lines = file.lines(extent.line, extent.end_line) if file is not None else b""
        if _LAUNCH.search(lines) and _of_the_host(cursor):
            lower_function(ctx, cursor, dependent=True, defaults=True)
    _drain(ctx)
    made = {key: function for key, function in ctx.functions.items() if key not in before}
    ctx.functions = before
    del ctx.problems[problems:]
    return made


def _left_over(
    ctx: Context, left: list[clang.Cursor], found: tuple[Use, ...], asleep: list[Span]
) -> Iterator[Left]:
    for cursor in left:
        name, span = _named(ctx, cursor)
        own = [use for use in found if use.name == name]
        elsewhere = bool(own) and all(any(_holds(at, use) for at in asleep) for use in own)
        yield Left(name, span, bool(own), elsewhere)


def _holds(extent: Span, use: Use) -> bool:
    return use.path == extent.path and extent.line <= use.line <= extent.end_line


def _template(cursor: clang.Cursor) -> int | None:
    """The identity of the template that a function is made of."""
    template = clang.specialized_template(cursor)
    return None if template.kind in kinds.INVALID_KINDS else clang.canonical_cursor(template).a


def _kernels_in_source(ctx: Context, source: _Source) -> Iterator[tuple[str, int, str]]:
    for cursor in source.kernels:
        name, span = _named(ctx, cursor)
        yield span.path, span.line, name


def _named(ctx: Context, cursor: clang.Cursor) -> tuple[str, Span]:
    name = clang.spelling(cursor).split("<", 1)[0]
    return name, name_span(ctx, cursor, name)


def _unit(
    ctx: Context,
    source: _Source,
    path: str,
    arch: str,
    flags: tuple[str, ...],
    problems: tuple[Problem, ...],
    default_stream_per_thread: bool,
) -> Unit:
    shown = ctx.places.shown(path)
    files = tuple(dict.fromkeys((shown, *(f.path for f in ctx.places.project_files()))))
    parts = parted(ctx.functions)
    return Unit(
        path=shown,
        arch=arch,
        functions=parts.functions,
        records=ctx.types.finish(),
        variables=ctx.by_id,
        kernels=tuple(k for k, f in parts.functions.items() if f.kernel and k not in ctx.bodiless),
        kernels_in_source=tuple(dict.fromkeys(_kernels_in_source(ctx, source))),
        headers=tuple(f for f in files if f != shown),
        problems=(*problems, *ctx.problems),
        flags=flags,
        default_stream_per_thread=default_stream_per_thread,
        project_files=files,
        algorithms=parts.algorithms,
    )
