"""Variable declarations: storage, qualifiers, constants."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.types import unresolved
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_STORAGE: dict[int, e.Storage] = {
    kinds.CUDA_SHARED_ATTR: "shared",
    kinds.CUDA_CONSTANT_ATTR: "constant",
    kinds.CUDA_DEVICE_ATTR: "device",
}
_MANAGED = "cudalint.managed"  # the annotation that the shim writes for `__managed__`
_BUILTIN_NAMES = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})
_EXTERN_CLASS = 2  # CX_SC_Extern
_FUNCTION_SCOPES = kinds.FUNCTION_DECLS | {kinds.FUNCTION_TEMPLATE}
_LARGEST_TABLE = 4096  # elements of a namespace-scope table that are worth lowering


def _qualified(clang_type: clang.ClangType) -> tuple[bool, bool]:
    """(const, volatile) of a type or of its innermost element. A canonical array bears what its elements
    are declared with.
    """
    canonical = clang.canonical_type(clang_type)
    const, volatile = clang.is_const(canonical), clang.is_volatile(canonical)
    while canonical.kind in (kinds.T_CONSTANT_ARRAY, kinds.T_INCOMPLETE_ARRAY):
        canonical = clang.canonical_type(clang.array_element(canonical))
        const, volatile = const or clang.is_const(canonical), volatile or clang.is_volatile(canonical)
    return bool(const), bool(volatile)


def builtin_name(ctx: Context, declaration: clang.Cursor) -> str:
    """'threadIdx' and its kin when a declaration is one of the shim's, else ''."""
    identity = declaration.a or 0
    known = ctx.builtins.get(identity)
    if known is None:
        name = clang.spelling(declaration)
        known = ""
        if name in _BUILTIN_NAMES:
            file = ctx.places.place(clang.location(declaration).raw).file
            known = name if file is None or not file.project else ""
        ctx.builtins[identity] = known
    return known


def variable(ctx: Context, declaration: clang.Cursor) -> e.Variable:
    """The Variable of a declaration, made at its first mention."""
    known = ctx.variables.get(declaration.a or 0)
    if known is not None:
        return known
    definition = declaration
    if declaration.kind == kinds.VAR_DECL:
        found = clang.definition(declaration)
        if found.kind == kinds.VAR_DECL and found.a != declaration.a:
            definition = found
            known = ctx.variables.get(definition.a or 0)
            if known is not None:
                ctx.variables[declaration.a or 0] = known
                return known
    made = _make(ctx, definition)
    ctx.variables[declaration.a or 0] = ctx.variables[definition.a or 0] = made
    return made


def _make(ctx: Context, declaration: clang.Cursor) -> e.Variable:
    clang_type = clang.type_of(declaration)
    invalid = ctx.types.doubtful and clang.is_invalid(declaration)
    kind = unresolved(declaration) if invalid else ctx.types.lower(clang_type)
    if declaration.kind == kinds.PARM_DECL and isinstance(kind, t.Array):
        # libclang shows a parameter's type as it was written; what is passed is a pointer.
        kind = t.Pointer(kind.element, const=_qualified(clang_type)[0])
    const, volatile = _qualified(clang_type)
    storage, is_global = _storage(ctx, declaration, kind)
    span, name = ctx.places.span(declaration), clang.spelling(declaration)
    number = ctx.numbers.get((span, name)) or ctx.fresh()
    initial: e.Expression | None = None
    if is_global and storage in ("global", "constant", "device", "managed"):
        initial = _initial(ctx, declaration, number, kind, const)
    made = e.Variable(
        number,
        name,
        kind,
        storage,
        span,
        extern=_is_extern(declaration, storage, kind),
        const=const,
        volatile=volatile,
        initial=initial,
        static=is_global and storage == "local",
    )
    return ctx.register(made)


def _is_extern(declaration: clang.Cursor, storage: e.Storage, kind: t.Type) -> bool:
    """nvcc takes an extern shared variable of a known size for a static one (its warning 20044)."""
    if declaration.kind != kinds.VAR_DECL or clang.storage_class(declaration) != _EXTERN_CLASS:
        return False
    return storage != "shared" or not kind.bytes


def _storage(ctx: Context, declaration: clang.Cursor, kind: t.Type) -> tuple[e.Storage, bool]:
    if declaration.kind == kinds.PARM_DECL:
        return "parameter", False
    storage: e.Storage | None = None
    for child in clang.children(declaration):
        if child.kind in _STORAGE:
            # `__device__ __constant__` carries both, and so does `__managed__`: device loses.
            if storage not in ("constant", "managed"):
                storage = _STORAGE[child.kind]
        elif child.kind == kinds.ANNOTATE_ATTR and clang.spelling(child) == _MANAGED:
            storage = "managed"
    in_function = clang.semantic_parent(declaration).kind in _FUNCTION_SCOPES
    if storage is not None:
        return storage, not in_function
    if in_function or not clang.has_global_storage(declaration):
        return "local", bool(clang.has_global_storage(declaration))
    if isinstance(kind, t.Record) and kind.name.startswith(("texture<", "textureReference")):
        return "texture", True
    return "global", True


def _initial(
    ctx: Context, declaration: clang.Cursor, number: int, kind: t.Type, const: bool
) -> e.Expression | None:
    initializer = clang.variable_initializer(declaration)
    if initializer.kind in kinds.INVALID_KINDS:
        return None
    if isinstance(kind, t.Scalar) and const:
        ctx.constants[number] = scalar_value(clang.evaluate(declaration), kind)
    if isinstance(kind, t.Array) and len(clang.children(initializer)) > _LARGEST_TABLE:
        return None
    return ctx.expression(ctx, initializer)


def scalar_value(value: int | float | None, kind: t.Scalar) -> int | float | None:
    """An evaluated constant in the range of its type."""
    if value is None or kind.kind == "void":
        return None
    if kind.kind == "float":
        return float(value)
    whole = int(value)
    if kind.kind == "unsigned":
        return whole & ((1 << (8 * kind.bytes)) - 1)
    return whole


def local_constant(ctx: Context, declaration: clang.Cursor, made: e.Variable) -> int | float | None:
    """The value of a const scalar with static storage, folded wherever it is used."""
    if made.id in ctx.constants:
        return ctx.constants[made.id]
    value = None
    if (
        made.const
        and not made.volatile
        and made.storage == "local"
        and isinstance(made.type, t.Scalar)
        and clang.has_global_storage(declaration)
        and not ctx.frame.dependent
        and not ctx.errors_within(ctx.places.span(declaration))
    ):
        value = scalar_value(clang.evaluate(declaration), made.type)
    if made.storage in ("local", "parameter"):
        ctx.constants[made.id] = value
    return value
