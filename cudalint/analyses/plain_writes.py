"""Functions that write numbers alone: no pointer, handle or container that they are handed changes."""

import re
from typing import cast

from msgspec import Struct

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.layout import leaves
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_ELEMENT = frozenset("operator[] at front back operator*".split())
_READS = _ELEMENT | frozenset(
    """data size length empty begin end cbegin cend get operator-> operator++ operator-- operator!=
    operator== operator<""".split()
)
_ALGORITHMS = frozenset(
    """fill fill_n iota copy copy_n generate generate_n transform for_each accumulate reduce inner_product
    max_element min_element minmax_element count count_if find find_if equal sort stable_sort reverse
    shuffle""".split()
)
RANDOM = re.compile(
    r"std::(uniform|normal|bernoulli|exponential|poisson|gamma|mersenne|mt19937|minstd|linear_cong|default_random"
    r"|subtract_with|random_device)"
)
_VECTOR = re.compile(r"make_[a-z]+[1-4]|make_cu\w*Complex")  # makes a vector of numbers of them
_ITERATOR = re.compile(r"std::\w+<([\w ]+)[,>]")  # of plain elements
_MOST_PARTS = 64  # of a record
_DEEPEST = 4  # calls of calls that are looked into


class Member(Struct, frozen=True):
    """A number among the members of the object of a method, by its place; constant: what it is afterwards,
    where the method says so.
    """

    offset: int
    bytes: int
    constant: int | float | None = None


Members = frozenset[Member]


def written_members(function: Function, unit: Unit, plain: frozenset[str], depth: int = 0) -> Members | None:
    """Which members of its own object a function writes, if all that its body assigns are these, its own
    variables, and numbers, also in records of numbers, through pointers, and all that it calls does so too;
    else None. plain: functions of the C and C++ library that run no code of the program.
    """
    if function.body is None or depth > _DEEPEST:
        return None
    found: set[Member] = set()
    always = _always(function.body)
    elements: set[int] = set()  # variables that refer to elements
    for node in walk(function.body):
        more: Members | None = frozenset()
        match node:
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                if isinstance(variable.type, t.Reference) and _is_element(initial, elements):
                    elements.add(variable.id)
            case e.Assign(target=target) if not _is_local(target):
                more = _own_number(node, unit, id(node) in always)
                if _is_number(target, unit, elements):
                    more = frozenset()
            case e.Call():
                more = _by_call(node, unit, plain, depth)
            case e.Lambda(key=key):
                body = unit.functions.get(key)
                more = written_members(body, unit, plain, depth + 1) if body is not None else None
                more = None if more else more
            case e.Launch() | s.Opaque():
                return None
        if more is None:
            return None
        found |= more
    return frozenset(found)


def _always(body: s.Statement) -> frozenset[int]:
    """The expressions, by identity, that a body evaluates whatever happens, unless it may end before."""
    if find(body, s.Return):
        return frozenset()
    parts = body.body if isinstance(body, s.Block) else (body,)
    return frozenset(id(part.expression) for part in parts if isinstance(part, s.Evaluate))


def _own_number(node: e.Assign, unit: Unit, always: bool) -> Members | None:
    """A number, or a record of numbers, that is a member of the object of the method; None for anything
    else.
    """
    target, value = node.target, node.value
    if not isinstance(target, e.Member) or not _holds_numbers(target.type, unit):
        return None
    offset, owner = 0, cast(e.Expression, target)
    while isinstance(owner, e.Member):
        offset, owner = offset + owner.offset, owner.base
    if not _is_own_object(owner):
        return None
    while isinstance(value, e.Cast):
        value = value.operand
    plain = always and node.operator is None and isinstance(value, e.Literal)
    constant = value.value if plain and isinstance(value, e.Literal) else None
    return frozenset((Member(offset, target.type.bytes, None if isinstance(constant, str) else constant),))


def _is_own_object(node: e.Expression | None) -> bool:
    if isinstance(node, e.Dereference):
        node = node.pointer
    return isinstance(node, e.VariableReference) and node.variable.name == "this"


def _is_local(target: e.Expression) -> bool:
    """Whether it is a variable of the function itself, or a part of one, not one that it was handed by
    reference.
    """
    while isinstance(target, e.Member):
        target = target.base
    return (
        isinstance(target, e.VariableReference)
        and target.variable.storage == "local"
        and not isinstance(target.variable.type, t.Reference)
    )


def _is_number(target: e.Expression, unit: Unit, elements: set[int]) -> bool:
    """Whether a number is assigned that is no member, or is in an element that is a record of numbers."""
    if isinstance(target.type, t.Scalar) and not isinstance(target, e.Member):
        return True
    while isinstance(target, e.Member):
        target = target.base
    return (
        isinstance(target.type, t.Record)
        and _holds_numbers(target.type, unit)
        and _is_element(target, elements)
    )


def _holds_numbers(type_: t.Type, unit: Unit) -> bool:
    """Whether all parts of a type are numbers."""
    parts = leaves(unit, type_, limit=_MOST_PARTS)
    return 0 < len(parts) < _MOST_PARTS and all(isinstance(kind, t.Scalar) for _, kind in parts)


def _is_element(node: e.Expression, elements: set[int]) -> bool:
    """Whether it is behind a pointer or in a container, and no object of a method."""
    match node:
        case e.Index(base=base):
            return isinstance(base.type, t.Pointer)
        case e.Dereference(pointer=pointer):
            return not (isinstance(pointer, e.VariableReference) and pointer.variable.name == "this")
        case e.Call(name=name, receiver=receiver):
            return receiver is not None and name in _ELEMENT
        case e.VariableReference(variable=variable):
            return variable.id in elements
    return False


def _by_call(node: e.Call, unit: Unit, plain: frozenset[str], depth: int) -> Members | None:
    """The members that a call writes; None where it may write more than numbers."""
    if node.name in plain or (node.receiver is not None and node.name in _READS):
        return frozenset()
    function = unit.defined(node.key)
    if function is None:
        return frozenset() if _is_of_a_library(node, unit) else None
    found = written_members(function, unit, plain, depth + 1)
    return None if found and not _is_own_object(node.receiver) else found


def _is_of_a_library(node: e.Call, unit: Unit) -> bool:
    """Whether a function without a body in the project only makes numbers, or works on a range of them."""
    if RANDOM.match(node.qualified) or _VECTOR.fullmatch(node.name):
        return True
    if not node.qualified.startswith("std::") or node.receiver is not None:
        return False
    if node.name in _ALGORITHMS and node.arguments:
        return _is_range_of_numbers(node.arguments[0].type, unit)
    return all(_is_plain(argument.type) for argument in node.arguments)


def _is_plain(type_: t.Type) -> bool:
    """Whether it is a number or a duration."""
    return isinstance(type_, t.Scalar) or (
        isinstance(type_, t.Record) and type_.name.startswith("std::chrono::")
    )


def _is_range_of_numbers(type_: t.Type, unit: Unit) -> bool:
    """Whether a pointer or an iterator leads to numbers, or to records of them."""
    if isinstance(type_, t.Pointer):
        return _holds_numbers(type_.pointee, unit)
    found = _ITERATOR.match(type_.name) if isinstance(type_, t.Record) else None
    if found is None:
        return False
    layout = unit.records.get(found[1])
    return layout is None or _holds_numbers(t.Record(layout.name, layout.bytes, layout.align), unit)
