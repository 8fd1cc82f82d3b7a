"""Usual arguments for the parameters of a kernel template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from cudalint.cuda.effects import CHOSEN_CLASS, CHOSEN_OPERATION
from cudalint.frontend.lower import clang, kinds

# A function object whose body nobody sees, and a function of any type: their results stay unknown.
OPERATION = (
    f"struct {CHOSEN_OPERATION} {{ template <class A, class... B> __host__ __device__ "
    "A operator()(A, B...) const; }; "
    f"template <class R, class... A> __host__ __device__ R {CHOSEN_OPERATION}_function(A...);"
)
_FUNCTION = f"&::{CHOSEN_OPERATION}_function"
_OPERATION_NAME = CHOSEN_OPERATION
_OPERATION_SHOWN = "a function object without a body"
_FUNCTION_SHOWN = "a function without a body"
_CLASS_SHOWN = "a class with the members that the kernel uses"

_INDEX_NAME = re.compile(
    r"(?i)(idx|ind(ex|ices)|ordinal|offset|size_?t?$|size_?type|count|int|vertex|edge|key|label|node|"
    r"position|(^|_)id(_?t)?$)"
)
_OPERATION_TYPE_NAME = re.compile(
    r"(?i)(^f$|^fn$|func|functor|(^|_)op($|_|erat)|op(_?t)?$|pred|lambda|callback|reducer|transform|map)"
)
# Words of a value parameter's name with its usual value; the first that matches counts.
_VALUES: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (re.compile(pattern), value)
    for pattern, value in (
        (r"(?i)warp_?size", 32),
        (r"(?i)(num_?)?warps?($|_)", 8),
        (r"(?i)(block|thread|cta|tpb|tb_?size|work_?group|local_?size)", 256),
        (r"(?i)tile|tb", 16),
        (r"(?i)unroll|vec|items|per_?thread|ilp|coarse|stage|width", 4),
        (r"(?i)rank|dim", 2),
        (r"(?i)radius", 4),
    )
)
_USUAL_VALUE = 4
_ENUMERATION = re.compile(r"static_cast<::(.*)>(\(\d\))")
_BOOL = 3
_TEMPLATE_TYPE_PARAMETER = 27
_TEMPLATE_PARAMETERS = frozenset({_TEMPLATE_TYPE_PARAMETER, kinds.TEMPLATE_NON_TYPE_PARAMETER, 29})
_FIRST_INTEGER, _LAST_INTEGER = 4, 20  # CXType kinds of the character and integer types


class Choice(Struct, frozen=True):
    """One way to name an instantiation. text: as C++ names it; assumed: what was chosen, as 'T = float';
    form: of the line that takes its address, '' for the usual one.
    """

    name: str
    text: str
    assumed: tuple[str, ...]
    form: str = ""


class _Variant(Struct, frozen=True):
    """How to choose: the type of every type parameter ('' by its name), the value of every integer, whether a
    pack of types has one or none, and the value of every enumeration: where it is not 0, flags are set.
    number: the type of numbers beside a made-up class, '' by the parameter's name; only: the place of the one
    type parameter that is chosen so, however it is named.
    """

    type: str = ""
    value: int | None = None
    pack: bool = False
    enumerator: int = 0
    number: str = ""
    only: int | None = None


_USUAL = _Variant()
_VARIANTS = (
    _USUAL,
    _Variant("int"),
    _Variant("float"),
    _Variant(value=1),
    _Variant(value=32),
    _Variant(_OPERATION_NAME),
    *(_Variant("float2", only=place) for place in range(3)),
    _Variant("float2"),
    _Variant("float4"),
    _Variant("double", 16),
    _Variant(pack=True),
    _Variant(enumerator=1),
    _Variant(enumerator=2),
    _Variant("int", enumerator=1),
)


_CLASSES = (
    _Variant(CHOSEN_CLASS),
    _Variant(CHOSEN_CLASS, 1),
    _Variant(CHOSEN_CLASS, 32),
    *(_Variant(CHOSEN_CLASS, number=f"float{count}") for count in (4, 2, 3)),
    *(_Variant(CHOSEN_CLASS, only=place) for place in range(3)),
)
_NUMBER_TYPE_NAME = re.compile(
    r"(?i)(^[a-z]\d?$|^(in|out|acc|data|compute|math)(put)?$|type\d?$|_t$|scalar|real|float|dtype|^(key|value|val)\w*$)"
)


_Given = Mapping[int, str]  # arguments of the template itself that the source says, by their place


def choices(template: clang.Cursor, given: _Given = MappingProxyType({})) -> tuple[Choice, ...]:
    """The ways to instantiate a kernel template, the most usual first; none when it cannot be named."""
    return _distinct(template, _VARIANTS, given)


def class_choices(template: clang.Cursor) -> tuple[Choice, ...]:
    """Those with CHOSEN_CLASS for the type parameters that are not named as numbers are."""
    return tuple(c for c in _distinct(template, _CLASSES) if CHOSEN_CLASS in c.text)


def _distinct(
    template: clang.Cursor, variants: tuple[_Variant, ...], given: _Given = MappingProxyType({})
) -> tuple[Choice, ...]:
    found = (_choice(template, variant, given) for variant in variants)
    return tuple(dict.fromkeys(choice for choice in found if choice is not None))


def _choice(template: clang.Cursor, variant: _Variant, given: _Given) -> Choice | None:
    parts: list[str] = []
    assumed: list[str] = []
    scope = template
    while scope.kind != kinds.TRANSLATION_UNIT:
        name = clang.spelling(scope).split("<", 1)[0]
        if scope.kind == kinds.CLASS_TEMPLATE_PARTIAL:
            return None
        if scope.kind in (kinds.FUNCTION_TEMPLATE, kinds.CLASS_TEMPLATE):
            said = given if scope == template else {}
            chosen = _arguments(scope, variant, said)
            if chosen is None:
                return None
            name += f"<{', '.join(text for _, text in chosen)}>"
            assumed[:0] = [
                f"{own} = {_shown(text)}" for at, (own, text) in enumerate(chosen) if own and at not in said
            ]
        if name and not name.startswith("("):
            parts.insert(0, name)
        scope = clang.semantic_parent(scope)
        if scope.kind in kinds.INVALID_KINDS:
            return None
    own_name = clang.spelling(template).split("<", 1)[0]
    return Choice(own_name, "::" + "::".join(parts), tuple(assumed))


def path(declaration: clang.Cursor) -> str:
    """How the wrapper names a declaration that no template holds; unnamed namespaces have no part in it."""
    parts: list[str] = []
    while declaration.kind != kinds.TRANSLATION_UNIT and declaration.kind not in kinds.INVALID_KINDS:
        name = clang.spelling(declaration).split("<", 1)[0]
        if name and not name.startswith("("):
            parts.insert(0, name)
        declaration = clang.semantic_parent(declaration)
    return "::" + "::".join(parts)


def _shown(argument: str) -> str:
    if argument in (_OPERATION_NAME, CHOSEN_CLASS):
        return _OPERATION_SHOWN if argument == _OPERATION_NAME else _CLASS_SHOWN
    if argument == _FUNCTION:
        return _FUNCTION_SHOWN
    enumeration = _ENUMERATION.fullmatch(argument)
    return f"{enumeration[1]}{enumeration[2]}" if enumeration else argument


def _arguments(template: clang.Cursor, variant: _Variant, given: _Given) -> list[tuple[str, str]] | None:
    """(name, argument) for the parameters up to the last one without a default."""
    found: list[tuple[str, str]] = []
    needed = 0
    for parameter in clang.children(template):
        if parameter.kind not in _TEMPLATE_PARAMETERS:
            continue
        name = clang.spelling(parameter)
        if "..." in clang.declaration_text(parameter):
            if variant.pack and parameter.kind == _TEMPLATE_TYPE_PARAMETER:
                found.append((name, number_type(name)))
                needed = len(found)
            break  # a pack may stay empty
        chosen = variant if variant.only in (None, len(found)) else _USUAL
        text = given.get(len(found)) or _argument(parameter, name, chosen)
        if text is None:
            return None if needed == len(found) and not _has_default(parameter) else found[:needed]
        found.append((name, text))
        if not _has_default(parameter) or len(found) - 1 in given:
            needed = len(found)
    return found[:needed]


def _has_default(parameter: clang.Cursor) -> bool:
    return "=" in clang.declaration_text(parameter)


def _argument(parameter: clang.Cursor, name: str, variant: _Variant) -> str | None:
    if parameter.kind == _TEMPLATE_TYPE_PARAMETER:
        if variant.only is not None:
            return variant.type
        if _OPERATION_TYPE_NAME.search(name) and variant.type in ("", "int", "float"):
            return variant.type or _OPERATION_NAME
        if variant.type == CHOSEN_CLASS:
            numbers = _INDEX_NAME.search(name) or _NUMBER_TYPE_NAME.search(name)
            kind = number_type(name) if numbers else CHOSEN_CLASS
            return variant.number if kind == "float" and variant.number else kind
        return variant.type or number_type(name)
    if parameter.kind != kinds.TEMPLATE_NON_TYPE_PARAMETER:
        return None
    kind = clang.canonical_type(clang.type_of(parameter))
    if kind.kind == _BOOL:
        return "true" if variant.enumerator else "false"
    if kind.kind == kinds.T_ENUM:
        return f"static_cast<{path(clang.type_declaration(kind))}>({variant.enumerator})"
    if _FIRST_INTEGER <= kind.kind <= _LAST_INTEGER or kind.kind == kinds.T_DEPENDENT:
        return str(usual_value(name) if variant.value is None else variant.value)
    if kind.kind == kinds.T_POINTER and clang.pointee_type(kind).kind == kinds.T_FUNCTION_PROTO:
        return _FUNCTION
    return None


def number_type(name: str) -> str:
    """The type of numbers that a type parameter or a member is named for."""
    return "int" if _INDEX_NAME.search(name) else "float"


def usual_value(name: str, otherwise: int = _USUAL_VALUE) -> int:
    """The value of an integer that is named so; otherwise: of one whose name says nothing."""
    return next((value for pattern, value in _VALUES if pattern.search(name)), otherwise)
