"""Functions that write elements alone: no member, pointer, handle or container they are handed changes."""

import re

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.layout import leaves
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

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


def writes_elements_only(function: Function, unit: Unit, plain: frozenset[str], depth: int = 0) -> bool:
    """Whether all that a body assigns are its own variables and numbers, also in records of numbers, through
    pointers, and all that it calls does so too. plain: functions of the C and C++ library that run no code
    of the program.
    """
    if function.body is None or depth > _DEEPEST:
        return False
    elements: set[int] = set()  # variables that refer to elements
    for node in walk(function.body):
        match node:
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                if isinstance(variable.type, t.Reference) and _is_element(initial, elements):
                    elements.add(variable.id)
            case e.Assign(target=target) if not _is_local(target):
                if not _is_number(target, unit, elements):
                    return False
            case e.Call():
                if not _is_harmless(node, unit, plain, depth):
                    return False
            case e.Lambda(key=key):
                body = unit.functions.get(key)
                if body is None or not writes_elements_only(body, unit, plain, depth + 1):
                    return False
            case e.Launch() | s.Opaque():
                return False
    return True


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


def _is_harmless(node: e.Call, unit: Unit, plain: frozenset[str], depth: int) -> bool:
    if node.name in plain or (node.receiver is not None and node.name in _READS):
        return True
    function = unit.defined(node.key)
    if function is not None:
        return writes_elements_only(function, unit, plain, depth + 1)
    return _is_of_a_library(node, unit)


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
