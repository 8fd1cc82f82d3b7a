"""C++ types as the models need them: sizes, layouts, pointees. Sizes and offsets are bytes on a 64-bit
target.
"""

from typing import Literal

from msgspec import Struct

ScalarKind = Literal["signed", "unsigned", "float", "bool", "void"]


class Scalar(Struct, frozen=True):
    """An arithmetic type or void. `char` is signed, enumerations are their underlying integer."""

    name: str
    kind: ScalarKind
    bytes: int


class Pointer(Struct, frozen=True):
    pointee: "Type"
    const: bool = False  # the pointee is const
    restrict: bool = False
    volatile: bool = False  # the pointee is volatile
    bytes: int = 8


class Reference(Struct, frozen=True):
    """An lvalue or rvalue reference. As an expression's type it never appears: the referent's type does."""

    target: "Type"
    const: bool = False
    bytes: int = 8


class Array(Struct, frozen=True):
    element: "Type"
    count: int | None  # None: `extern __shared__ T a[]` or an array of unknown bound

    @property
    def bytes(self) -> int:
        return self.element.bytes * (self.count or 0)


class Record(Struct, frozen=True):
    """A struct, class or union by name; its layout is `Unit.records[name]`, so records may point to
    themselves.
    """

    name: str
    bytes: int
    align: int


class Opaque(Struct, frozen=True):
    """A type the IR has no shape for (function type, dependent type, nullptr_t); `bytes` may be 0."""

    name: str
    bytes: int = 0


Type = Scalar | Pointer | Reference | Array | Record | Opaque


class Field(Struct, frozen=True):
    """A data member. Fields of base classes and of anonymous members stand in the list too, at their
    offsets.
    """

    name: str
    type: Type
    offset: int  # bytes from the start of the record
    bit_offset: int = 0  # for a bit field: bits from `offset`
    bits: int | None = None  # width of a bit field


class Layout(Struct, frozen=True):
    """The layout of one record. `methods` maps a method's name to the keys of its overloads in
    Unit.functions.
    """

    name: str
    bytes: int
    align: int
    fields: tuple[Field, ...]
    union: bool = False

    def field(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)


VOID = Scalar("void", "void", 0)
BOOL = Scalar("bool", "bool", 1)
CHAR = Scalar("char", "signed", 1)
INT = Scalar("int", "signed", 4)
UINT = Scalar("unsigned int", "unsigned", 4)
LONG = Scalar("long", "signed", 8)
ULONG = Scalar("unsigned long", "unsigned", 8)
FLOAT = Scalar("float", "float", 4)
DOUBLE = Scalar("double", "float", 8)
