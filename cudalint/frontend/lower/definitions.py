"""Where a declaration has its body."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds


def definition_of(declaration: clang.Cursor) -> tuple[clang.Cursor | None, bool]:
    """The cursor with the body, and whether it is a template's own (uninstantiated) one."""
    found = clang.definition(declaration)
    if found.kind in kinds.FUNCTION_DECLS:
        return found, False
    if found.kind == kinds.FUNCTION_TEMPLATE:
        return found, True
    template = clang.specialized_template(declaration)
    if template.kind in kinds.INVALID_KINDS:
        return None, False
    pattern = clang.definition(template)
    if pattern.kind in kinds.FUNCTION_DECLS or pattern.kind == kinds.FUNCTION_TEMPLATE:
        return pattern, True
    return None, False
