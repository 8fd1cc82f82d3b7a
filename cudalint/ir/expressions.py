"""Expressions. Every node has a type and a span; an lvalue used where a value is needed means its load.

Implicit conversions that change the type are explicit `Cast` nodes with `implicit=True`, also where an
array becomes a pointer to its first element. An array keeps its type as the base of an Index, where it is
bound to a reference, and as a string literal.
"""

from typing import Literal as Choice

from msgspec import Struct

from cudalint.ir.types import Type
from cudalint.source.span import Span

Storage = Choice["local", "parameter", "shared", "constant", "device", "managed", "global", "texture"]


class Variable(Struct, frozen=True, eq=False):
    """A variable of any storage. `id` is unique within a unit (a template's locals differ per instantiation).

    storage: local (automatic, also `static` ones of a host function), parameter, shared (`extern` when the
    array is sized by the launch), constant, device, managed, global (host namespace scope), texture.
    `initial` is the constant initialiser's expression of a const/constexpr/static variable at namespace
    scope.
    """

    id: int
    name: str
    type: Type
    storage: Storage
    span: Span
    extern: bool = False
    const: bool = False
    volatile: bool = False
    initial: "Expression | None" = None
    static: bool = False  # in a function, and kept from call to call

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variable) and self.id == other.id and self.span == other.span

    def __hash__(self) -> int:
        return self.id


class Literal(Struct, frozen=True):
    """A constant, also a folded one (sizeof, enumerators, template value arguments, constexpr).

    spelling is the token as written ("1.0", "0x10u") when the node is one literal token outside a macro's
    body, else None. `in_macro` tells that it comes from a macro's expansion, which a `sizeof` never
    does. size_of: the type of the expression whose `sizeof` it is.
    """

    value: int | float | bool | str | None
    type: Type
    span: Span
    spelling: str | None = None
    in_macro: bool = False
    size_of: Type | None = None


class VariableReference(Struct, frozen=True):
    variable: Variable
    type: Type
    span: Span


class FunctionReference(Struct, frozen=True):
    """A function used as a value (function pointer, kernel handed to cudaLaunchKernel)."""

    key: str
    name: str
    type: Type
    span: Span


class Builtin(Struct, frozen=True):
    """threadIdx, blockIdx, blockDim, gridDim (axis 'x', 'y' or 'z') and warpSize (axis '')."""

    name: Choice["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"]
    axis: str
    type: Type
    span: Span


class Unary(Struct, frozen=True):
    operator: Choice["-", "+", "!", "~"]
    operand: "Expression"
    type: Type
    span: Span


class Binary(Struct, frozen=True):
    """Arithmetic, comparison, shift and bit operators; `&&`, `||` (short-circuit) and `,`. Pointer +- integer
    is in elements; pointer - pointer likewise."""

    operator: str
    left: "Expression"
    right: "Expression"
    type: Type
    span: Span


class Assign(Struct, frozen=True):
    """`target = value`, `target op= value`, `++` and `--` (value is Literal 1)."""

    target: "Expression"
    value: "Expression"  # has type `computed` already, unless it is a shift count or a pointer's step
    operator: str | None  # without '=': '+' of `+=`
    type: Type
    span: Span
    result: Choice["new", "old"] = "new"  # the expression's value: after the assignment, or before (postfix)
    computed: Type | None = None  # the type that `op=` calculates in before the result is converted back


class Conditional(Struct, frozen=True):
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    type: Type
    span: Span


class Cast(Struct, frozen=True):
    operand: "Expression"
    type: Type
    span: Span
    implicit: bool = False


class Index(Struct, frozen=True):
    """`base[index]`, base of pointer or array type; the type is the element's."""

    base: "Expression"
    index: "Expression"
    type: Type
    span: Span


class Dereference(Struct, frozen=True):
    pointer: "Expression"
    type: Type
    span: Span


class AddressOf(Struct, frozen=True):
    operand: "Expression"
    type: Type
    span: Span


class Member(Struct, frozen=True):
    """`base.name`; `p->name` has base Dereference(p). offset is in bytes from the start of base. volatile:
    the member is declared so.
    """

    base: "Expression"
    name: str
    offset: int
    type: Type
    span: Span
    volatile: bool = False


class Call(Struct, frozen=True):
    """A call of a function, a method or what a pointer holds. A constructor call is `Construct`."""

    key: str | None  # the function called, for Unit.defined; None: through a pointer, or not resolved
    name: str  # the plain one: '__syncthreads', 'atomicAdd', 'cudaMemcpyAsync', 'operator+'
    qualified: str  # the full one: 'cub::Sum::operator()'
    arguments: tuple["Expression", ...]
    receiver: "Expression | None"  # a method's object: an lvalue, or a value for a temporary
    type: Type
    span: Span
    target: "Expression | None" = None  # the called expression where `key` is None
    template_arguments: tuple[int | str, ...] = ()  # values of integral arguments, names of types

    @property
    def operands(self) -> tuple["Expression", ...]:
        """A method's object, then the arguments."""
        return self.arguments if self.receiver is None else (self.receiver, *self.arguments)


class Construct(Struct, frozen=True):
    """A class object made by a constructor: `dim3(1, 2)`, `Foo f(x)`; key is the constructor's body if known.
    Copy and move constructions of trivially copyable objects do not appear: the operand does."""

    key: str | None
    arguments: tuple["Expression", ...]
    type: Type
    span: Span


class InitList(Struct, frozen=True):
    """`{a, b, c}` for an array or aggregate, elements in order of elements or fields; missing ones are
    zero.
    """

    elements: tuple["Expression", ...]
    type: Type
    span: Span


class Lambda(Struct, frozen=True):
    """A closure. Its body is Unit.functions[key]; captures map the captured variable to how it is captured.
    Inside the body captured variables are plain VariableReferences to the same Variable."""

    key: str
    captures: tuple[tuple[Variable, Choice["copy", "reference"]], ...]
    type: Type
    span: Span


class Launch(Struct, frozen=True):
    """`kernel<<<grid, block, shared, stream>>>(arguments)`, cudaLaunchKernel and its variants.

    key finds the kernel's (instantiated) Function; where that is not certain, kernel is the pointer to it.
    grid and block are dim3 or integer expressions. arguments is None when they come through an opaque
    `void**`.
    """

    key: str | None
    name: str
    grid: "Expression"
    block: "Expression"
    shared: "Expression | None"
    stream: "Expression | None"
    arguments: "tuple[Expression, ...] | None"
    type: Type
    span: Span
    cooperative: bool = False
    kernel: "Expression | None" = None


class Unknown(Struct, frozen=True):
    """Something the frontend has no IR for. `operands` are parts that it could lower: they are still
    evaluated.
    """

    reason: str
    type: Type
    span: Span
    operands: tuple["Expression", ...] = ()


Expression = (
    Literal
    | VariableReference
    | FunctionReference
    | Builtin
    | Unary
    | Binary
    | Assign
    | Conditional
    | Cast
    | Index
    | Dereference
    | AddressOf
    | Member
    | Call
    | Construct
    | InitList
    | Lambda
    | Launch
    | Unknown
)
