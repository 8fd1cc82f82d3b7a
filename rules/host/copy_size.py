"""
## What it does
Finds copies and memsets with the wrong size: more bytes than the source or destination has, the sizeof of a
pointer, or an element count where bytes are expected.

## Why it costs
cudaMemcpy, cudaMemset and their variants take bytes. With an element count, three quarters of a float array
stay unchanged; with the sizeof of a pointer, all but 8 bytes. A size beyond a cudaMalloc buffer is
cudaErrorInvalidValue (1), and nothing is copied or set; on the host it reads or overwrites memory past the
end of the buffer.

## Example
```cuda
cudaMalloc(&d, n * sizeof(float));
cudaMemset(d, 0, n);                                 // a quarter of the array
cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);  // 8 bytes
```

## Instead
```cuda
cudaMalloc(&d, n * sizeof(float));
cudaMemset(d, 0, n * sizeof(float));
cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
```

## Limits
- A size beyond the buffer is reported if both numbers are known, or made of the same unknown ones: `2 * n`
  bytes of a buffer of `n`.
- An element count is reported only if the buffer (of two-dimensional copies, a pitch or the allocated width)
  is that number times the element size, or if the numbers show it for a literal or both buffers of a copy.
- Silent for sizes with a sizeof or a division in them, and for one-byte elements.
- The sizeof of a pointer is not reported where pointers are copied; times a number, only for a pointer to an
  element, in buffers not known to have that much.

## Source
The CUDA runtime API: cudaMemcpy, cudaMemset.
"""

from collections.abc import Iterator
from itertools import islice, repeat

from msgspec.structs import replace

from cudalint.analyses.byte_counts import in_bytes, is_size
from cudalint.analyses.definitions import definitions
from cudalint.analyses.divisibility import bare, factors
from cudalint.analyses.passed_on import as_passed
from cudalint.host.copies import COPIES
from cudalint.host.facts import Buffer, HostCall, HostFacts, Place
from cudalint.host.forms import Form, combined, constant, is_more, ratio
from cudalint.host.walks import home
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.render import render
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.host_callers import called_at
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU810",
    name="copy-size",
    severity=Severity.ERROR,
    summary="the size of a copy or memset is an element count, a sizeof of a pointer, or exceeds a buffer",
    fixes=("unsafe",),
)

_SIZES = {  # the argument that holds the bytes
    "cudaMemcpy": 2,
    "cudaMemcpyAsync": 2,
    "cudaMemcpyToSymbol": 2,
    "cudaMemcpyToSymbolAsync": 2,
    "cudaMemcpyFromSymbol": 2,
    "cudaMemcpyFromSymbolAsync": 2,
    "cudaMemset": 2,
    "cudaMemsetAsync": 2,
}
_ROWS = {  # the bytes of a row, and from one row to the next
    "cudaMemcpy2D": (4, (1, 3)),
    "cudaMemcpy2DToArray": (5, (4,)),
    "cudaMemcpy2DFromArray": (5, (1,)),
    "cudaMemset2D": (3, (1,)),
}
_ACCESSORS = 2  # functions in each other that hand a size on
Side = tuple[str, Buffer, int, e.Expression]  # role, buffer, offset in bytes, argument


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for every copy or memset with a size that cannot be intended."""
    allocations = _allocations(host)
    widths = {call.destination.id: call.rows.width for call in host.calls if _allocates_rows(call)}  # type: ignore[union-attr]
    sites: dict[Span, set[Span]] = {}
    for call in host.calls:
        sites.setdefault(call.span, set()).update(call.came_by[-1:])
    for call in host.calls:
        if call.kind not in ("copy", "memset") or not isinstance(call.expression, e.Call):
            continue
        sides = _sides(call, call.expression)
        size = _size(call.expression)
        found = None
        if size is not None:
            found = _of_pointer(call, size, sides) or _count(call, size, sides, allocations, context)
            found = found or _passed_count(call, size, sides, allocations, context)
            found = found or _times_pointer(call, size, sides, allocations, context.unit)
        found = found or _rows(call, sides, widths, context) or _too_large(call, sides)
        if found is not None:
            named = called_at(call.came_by, context) if len(sites[call.span]) > 1 else ()
            yield replace(found, related=(*found.related, *islice(named, 1)))


def _allocations(host: HostFacts) -> dict[int, e.Expression]:
    """The size that each buffer of the device was allocated with, as an expression."""
    return {
        call.destination.id: call.expression.arguments[1]
        for call in host.calls
        if call.kind == "allocate"
        and call.destination is not None
        and isinstance(call.expression, e.Call)
        and call.name in ("cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaMallocAsync")
        and len(call.expression.arguments) > 1
    }


def _size(written: e.Call) -> e.Expression | None:
    index = _SIZES.get(written.name)
    return bare(written.arguments[index]) if index is not None and index < len(written.arguments) else None


def _sides(call: HostCall, written: e.Call) -> list[Side]:
    """The buffers that are known of a call, the destination first."""
    how = COPIES.get(call.name)
    source = how.source if how is not None else 1
    found: list[Side] = []
    for role, buffer, place, index in (
        ("destination", call.destination, call.destination_place, 0),
        ("source", call.source, call.source_place, source),
    ):
        if buffer is not None and buffer.name != "temporary" and index < len(written.arguments):
            found.append((role, buffer, _before(place), bare(written.arguments[index])))
    return found


def _before(place: Place | None) -> int:
    return place.offset if place is not None and place.offset is not None else 0


# --- past the end of a buffer ---


def _too_large(call: HostCall, sides: list[Side]) -> Finding | None:
    for role, buffer, before, _ in sides:
        if _is_more(call, buffer, before):
            return _more(call, role, buffer)
        if call.bytes is None or buffer.bytes is None or call.bytes <= buffer.bytes - before:
            continue
        room = max(buffer.bytes - before, 0)
        at = f" from byte {before:,}" if before else ""
        verb = "written to" if role == "destination" else "read from"
        return _finding(
            call,
            f"{call.bytes:,} bytes are {verb} `{buffer.name}`, which has {room:,}{at}",
            f"{call.bytes - room:,} bytes past the end of the {role}",
            "use the size that the buffer is allocated with",
            buffer,
            {"bytes": call.bytes, "room": room},
        )
    return None


def _is_more(call: HostCall, buffer: Buffer, before: int) -> bool:
    """Whether more is copied than the buffer has, for all numbers that both sizes are made of."""
    if before or call.form is None or buffer.form is None or call.bytes is not None:
        return False
    return is_more(call.form, buffer.form)


def _more(call: HostCall, role: str, buffer: Buffer) -> Finding:
    assert call.form is not None and buffer.form is not None
    times = ratio(call.form, buffer.form)
    how_many = f"{float(times):.3g} times the bytes" if times is not None else "more bytes"
    verb = "written to" if role == "destination" else "read from"
    return _finding(
        call,
        f"{how_many} that `{buffer.name}` has are {verb} it",
        f"both sizes are made of the same numbers: this is past the end of the {role} whatever they are",
        "use the size that the buffer is allocated with",
        buffer,
        {"bytes": None, "room": None},
    )


# --- rows of a number of elements ---


def _allocates_rows(call: HostCall) -> bool:
    return call.kind == "allocate" and call.rows is not None and call.destination is not None


def _rows(
    call: HostCall, sides: list[Side], widths: dict[int, Form | None], context: Context
) -> Finding | None:
    """A width that is smaller than the rows of a side by exactly the size of an element."""
    at_width, at_pitches = _ROWS.get(call.name.removesuffix("Async"), (0, ()))
    if call.rows is None or not call.rows.width or not at_width:
        return None
    assert isinstance(call.expression, e.Call)
    arguments = call.expression.arguments
    width = bare(arguments[at_width])
    if not _counts(width, context.unit):
        return None
    in_full = [
        pitch
        for pitch, at in zip(call.rows.pitches, at_pitches, strict=False)
        if _has_a_sizeof(bare(arguments[at]), context)
    ]
    for _, buffer, _, written in sides:
        element = _element(written)
        each = element.bytes if element is not None else 0
        whole = combined("*", call.rows.width, constant(each))
        if each < 2 or isinstance(element, t.Pointer) or whole not in (*in_full, widths.get(buffer.id, ())):
            continue
        return _finding(
            call,
            f"`{render(width)}` is a number of elements, not bytes",
            f"each row of `{buffer.name}` has {each} bytes per element: only 1/{each} of it is "
            f"{'set' if call.kind == 'memset' else 'copied'}",
            f"write {render(width)} * sizeof({_name(written)})",
            buffer,
            {"bytes": call.bytes, "room": buffer.bytes, "element": each},
            _fix(width, written, context),
        )
    return None


def _has_a_sizeof(pitch: e.Expression, context: Context) -> bool:
    """Whether a pitch is made with a sizeof, or by a variable that is."""
    return in_bytes(pitch, context.unit) or any(is_size(node) for node in walk(pitch))


# --- the sizeof of a pointer ---


def _of_pointer(call: HostCall, size: e.Expression, sides: list[Side]) -> Finding | None:
    if not isinstance(size, e.Literal) or size.size_of is None:
        return None
    what = _holder(size.size_of)
    elements = [_element(written) for _, _, _, written in sides]
    if not what or not elements or t.VOID in elements:
        return None
    if any(isinstance(x, t.Pointer) or x == size.size_of for x in elements):
        return None
    if any(buffer.bytes == size.value for _, buffer, _, _ in sides):
        return None
    _, buffer, _, _ = next((s for s in sides if s[1].bytes is not None), sides[0])
    whole = f"{buffer.bytes:,} bytes" if buffer.bytes is not None else "a different size"
    return _finding(
        call,
        f"the sizeof of {what} is {size.value}, not the size of its data",
        f"`{buffer.name}` has {whole}",
        "write the number of elements times the size of an element",
        buffer,
        {"bytes": call.bytes, "room": buffer.bytes},
    )


def _times_pointer(
    call: HostCall, size: e.Expression, sides: list[Side], allocations: dict[int, e.Expression], unit: Unit
) -> Finding | None:
    """A number of elements times the sizeof of a pointer to one."""
    function = unit.functions.get(home(unit, call.span))
    if function is not None:
        size = definitions(unit, function).resolve(size)
    pointers = _pointers(size)
    if not isinstance(bare(size), e.Binary) or len(pointers) != 1 or all(map(_has_room, repeat(call), sides)):
        return None
    meant = pointers[0].pointee
    each, given = meant.bytes, pointers[0].bytes
    fitting = [side for side in sides if _element(side[3]) == meant]
    as_much = any(_pointers(allocations[one.id]) for _, one, _, _ in sides if one.id in allocations)
    if not fitting or as_much or each in (0, given):
        return None
    _, buffer, _, written = fitting[-1]
    verb = "set" if call.kind == "memset" else "copied"
    much = f"{given // each} times the bytes that they have" if each < given else "only a part of their bytes"
    return _finding(
        call,
        f"the sizeof of a pointer is {given}, not the size of an element",
        f"the elements of `{buffer.name}` have {each} bytes: {much} {'is' if each > given else 'are'} {verb}",
        f"write sizeof({_name(written)})",
        buffer,
        {"bytes": call.bytes, "room": buffer.bytes, "element": each},
    )


def _pointers(size: e.Expression) -> list[t.Pointer]:
    """The pointers whose sizeof is in a product."""
    sizes = [one.size_of for one in factors(size) if isinstance(one, e.Literal)]
    return [one for one in sizes if isinstance(one, t.Pointer)]


def _has_room(call: HostCall, side: Side) -> bool:
    """Whether the bytes of a call are known to fit in one of its buffers."""
    _, buffer, before, _ = side
    if call.bytes is not None and buffer.bytes is not None:
        return call.bytes <= buffer.bytes - before
    return call.form is not None and call.form == buffer.form


def _holder(measured: t.Type) -> str:
    """'a pointer' or 'a vector' for a type whose size is not that of its data, else ''."""
    if isinstance(measured, t.Pointer):
        return "a pointer"
    vector = isinstance(measured, t.Record) and measured.name.startswith(("std::vector<", "thrust::"))
    return "a vector" if vector else ""


def _element(written: e.Expression) -> t.Type | None:
    """What a pointer argument points to."""
    match written.type:
        case t.Pointer(pointee=element) | t.Array(element=element):
            return element
    return None


# --- an element count instead of bytes ---


def _count(
    call: HostCall,
    size: e.Expression,
    sides: list[Side],
    allocations: dict[int, e.Expression],
    context: Context,
) -> Finding | None:
    """A size that is smaller than the buffer by exactly the size of an element."""
    if not _counts(size, context.unit):
        return None
    for _, buffer, before, written in sides:
        element = _element(written)
        each = element.bytes if element is not None else 0
        if each < 2 or before or isinstance(element, t.Pointer):
            continue
        allocated = allocations.get(buffer.id)
        times_element = allocated is not None and _times(bare(allocated), size, each)
        times_element = times_element or _is_count(call, buffer, each)
        numbers = call.bytes is not None and call.bytes > 1 and buffer.bytes == call.bytes * each
        agree = all(b.bytes == buffer.bytes for _, b, _, _ in sides) and len(sides) > 1
        counted = times_element or agree or isinstance(size, e.Literal)
        if (numbers and counted) or (times_element and call.bytes is None):
            part = f"{call.bytes:,} of its {buffer.bytes:,} bytes" if numbers else f"only 1/{each} of it"
            done = "set" if call.kind == "memset" else "copied"
            verb = "are" if numbers else "is"
            return _finding(
                call,
                f"`{render(size)}` is a number of elements, not bytes",
                f"`{buffer.name}` has {each} bytes per element: {part} {verb} {done}",
                f"write {render(size)} * sizeof({_name(written)})",
                buffer,
                {"bytes": call.bytes, "room": buffer.bytes, "element": each},
                _fix(size, written, context),
            )
    return None


def _passed_count(
    call: HostCall,
    size: e.Expression,
    sides: list[Side],
    allocations: dict[int, e.Expression],
    context: Context,
) -> Finding | None:
    """The same of a helper that is handed the size: by what its caller passes."""
    passed = bare(as_passed(size, call.came_by, context.unit))
    if passed is size:
        return None
    through = [(r, b, at, bare(as_passed(w, call.came_by, context.unit))) for r, b, at, w in sides]
    typed = next((w for _, _, _, w in through if _element(w) not in (None, t.VOID)), None)
    if typed is not None:  # a pointer to void points to what the other one does
        through = [(r, b, at, typed if _element(w) in (None, t.VOID) else w) for r, b, at, w in through]
    return _count(call, passed, through, allocations, context)


def _is_count(call: HostCall, buffer: Buffer, each: int) -> bool:
    """Whether the buffer has the size times the bytes of an element, whatever both are made of."""
    if call.form is None or not call.form or buffer.form is None or call.bytes is not None:
        return False
    return combined("*", call.form, constant(each)) == buffer.form


def _counts(size: e.Expression, unit: Unit) -> bool:
    """Whether a size is plain arithmetic, and not in bytes."""
    return _is_plain(size, unit) and not in_bytes(size, unit)


def _is_plain(size: e.Expression, unit: Unit, depth: int = _ACCESSORS) -> bool:
    """Variables, members and written numbers, added and multiplied, and functions that return such: no
    sizeof, no division.
    """
    match bare(size):
        case e.VariableReference():
            return True
        case e.Member(base=base):
            return _is_plain(base, unit, depth)
        case e.Dereference(pointer=e.VariableReference()):
            return True
        case e.Call(name="size" | "length", receiver=receiver) if receiver is not None:
            return _is_plain(receiver, unit, depth)
        case e.Call(key=str() as key) if depth:
            function = unit.functions.get(key)
            match function.body if function is not None else None:
                case s.Block(body=(s.Return(value=value),)) if value is not None:
                    return _is_plain(value, unit, depth - 1) and not in_bytes(value, unit)
            return False
        case e.Literal(spelling=spelling, in_macro=in_macro, size_of=None):
            return spelling is not None or in_macro
        case e.Binary(operator="*" | "+" | "<<", left=left, right=right):
            return _is_plain(left, unit, depth) and _is_plain(right, unit, depth)
    return False


def _times(allocated: e.Expression, size: e.Expression, each: int) -> bool:
    """Whether a buffer was allocated as `size * each`, in either order."""
    if not isinstance(allocated, e.Binary) or allocated.operator != "*":
        return False
    for one, other in ((allocated.left, allocated.right), (allocated.right, allocated.left)):
        if isinstance(bare(other), e.Literal) and bare(other).value == each and _same(one, size):  # type: ignore[union-attr]
            return True
    return False


def _same(one: e.Expression, other: e.Expression) -> bool:
    """Whether two expressions are the same variable, product or sum."""
    match bare(one), bare(other):
        case e.VariableReference(variable=a), e.VariableReference(variable=b):
            return a == b
        case e.Literal(value=a), e.Literal(value=b):
            return a == b
        case e.Member(base=a, name=n), e.Member(base=b, name=m):
            return n == m and _same(a, b)
        case e.Call(name=n, receiver=a), e.Call(name=m, receiver=b) if a is not None and b is not None:
            return n == m and _same(a, b)
        case e.Binary(operator=o, left=a, right=b), e.Binary(operator=p, left=c, right=d):
            return o == p and _same(a, c) and _same(b, d)
    return False


def _name(written: e.Expression) -> str:
    """The operand of `sizeof`: the first element that the pointer points to."""
    return f"*{render(written)}" if isinstance(written, (e.VariableReference, e.Member)) else "an element"


def _fix(size: e.Expression, written: e.Expression, context: Context) -> Fix | None:
    """Multiply by the size of an element, where both are plainly written."""
    named = isinstance(size, e.VariableReference) and isinstance(written, e.VariableReference)
    if not named or context.text(size.span) != render(size) or context.text(written.span) != render(written):
        return None
    return Fix((Edit(size.span, f"{render(size)} * sizeof({_name(written)})"),), safe=False)


def _finding(
    call: HostCall,
    what: str,
    why: str,
    help_: str,
    buffer: Buffer,
    evidence: dict[str, int | None],
    fix: Fix | None = None,
) -> Finding:
    related = (Related(buffer.span, f"`{buffer.name}` is allocated or declared here"),) if buffer.span else ()
    return RULE.finding(
        call.span,
        f"{call.kind} size: {what}",
        notes=(why,),
        help=help_,
        evidence={**evidence, "buffer": buffer.name},
        related=related,
        fix=fix,
    )
