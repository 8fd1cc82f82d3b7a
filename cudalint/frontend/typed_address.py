"""The address of an instance of a kernel template beside which functions of the same name stand: clang takes
the one whose type is asked for, and the template's parameters say that type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from cudalint.frontend.lower import clang, kinds

_TEMPLATE_PARAMETERS = frozenset({27, kinds.TEMPLATE_NON_TYPE_PARAMETER, 29})
_FUNCTIONS = frozenset({kinds.FUNCTION_TEMPLATE, kinds.FUNCTION_DECL})
_NUMBER, _INSTANCE, _ARGUMENTS = "@number", "@instance", "@arguments"


def form_finder() -> Callable[[clang.Cursor], str]:
    """What tells the form of a line of the wrapper for a template that has namesakes, '' for others."""
    counted: dict[int | None, Counter[str]] = {}

    def form(template: clang.Cursor) -> str:
        scope = clang.semantic_parent(template)
        if scope.kind not in (kinds.NAMESPACE, kinds.TRANSLATION_UNIT):
            return ""
        if scope.a not in counted:
            counted[scope.a] = Counter(
                clang.spelling(c) for c in clang.children(scope) if c.kind in _FUNCTIONS
            )
        return _form(template) if counted[scope.a][clang.spelling(template)] > 1 else ""

    return form


def filled(form: str, number: int, instance: str) -> str:
    """The line for an instance, as '::space::kernel<float>'."""
    arguments = instance[instance.index("<") :] if "<" in instance else "<>"
    row = form.replace(_NUMBER, str(number)).replace(_ARGUMENTS, arguments)
    return row.replace(_INSTANCE, instance)


def _form(template: clang.Cursor) -> str:
    """An alias of the type in the template's namespaces, and a variable of it."""
    parts = clang.children(template)
    own = ", ".join(clang.declaration_text(one) for one in parts if one.kind in _TEMPLATE_PARAMETERS)
    types = ", ".join(
        _undefaulted(clang.declaration_text(one)) for one in parts if one.kind == kinds.PARM_DECL
    )
    alias = f"template <{own}> using cudalint_type_of_{_NUMBER} = void (*)({types});"
    path = ""
    scope = clang.semantic_parent(template)
    while scope.kind == kinds.NAMESPACE:
        name = clang.spelling(scope)
        name = "" if name.startswith("(") else name
        alias, path = f"namespace {name} {{ {alias} }}", f"{name}::{path}" if name else path
        scope = clang.semantic_parent(scope)
    variable = f"::{path}cudalint_type_of_{_NUMBER}{_ARGUMENTS} cudalint_instance_{_NUMBER} = &{_INSTANCE};"
    return f"{alias} {variable}".replace("\n", " ")


def _undefaulted(parameter: str) -> str:
    """A parameter without its default argument."""
    depth = 0
    for at, letter in enumerate(parameter):
        depth += (letter in "(<[{") - (letter in ")>]}")
        if letter == "=" and depth == 0:
            return parameter[:at]
    return parameter
