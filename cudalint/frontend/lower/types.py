"""Clang types to IR types, and record layouts with bases and anonymous members flattened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from cudalint.frontend.lower import clang, kinds, tuples
from cudalint.ir import types as t

_SCALARS: dict[int, t.Scalar] = {
    2: t.VOID,
    3: t.BOOL,
    4: t.Scalar("char", "signed", 1),
    5: t.Scalar("unsigned char", "unsigned", 1),
    6: t.Scalar("char16_t", "unsigned", 2),
    7: t.Scalar("char32_t", "unsigned", 4),
    8: t.Scalar("unsigned short", "unsigned", 2),
    9: t.UINT,
    10: t.ULONG,
    11: t.Scalar("unsigned long long", "unsigned", 8),
    12: t.Scalar("unsigned __int128", "unsigned", 16),
    13: t.CHAR,
    14: t.Scalar("signed char", "signed", 1),
    15: t.Scalar("wchar_t", "signed", 4),
    16: t.Scalar("short", "signed", 2),
    17: t.INT,
    18: t.LONG,
    19: t.Scalar("long long", "signed", 8),
    20: t.Scalar("__int128", "signed", 16),
    21: t.FLOAT,
    22: t.DOUBLE,
    23: t.Scalar("long double", "float", 8),
    30: t.Scalar("__float128", "float", 16),
    31: t.Scalar("half", "float", 2),
    32: t.Scalar("_Float16", "float", 2),
    39: t.Scalar("__bf16", "float", 2),
}
_ARRAYS = frozenset(
    {kinds.T_CONSTANT_ARRAY, kinds.T_INCOMPLETE_ARRAY, kinds.T_VARIABLE_ARRAY, kinds.T_DEPENDENT_ARRAY}
)
_SIZED = frozenset({kinds.T_NULLPTR, kinds.T_MEMBER_POINTER, kinds.T_COMPLEX, kinds.T_ATOMIC})
_LAMBDA_PLACE = re.compile(r"\((lambda|anonymous\w*|unnamed\w*)([^()]*?) at [^()]*?([^/\\()]*:\d+:\d+)\)")


class TypeTable(Struct):
    """Types and layouts of one unit, by clang's type pointers."""

    _by_pointer: dict[tuple[int, int | None], t.Type] = field(default_factory=dict)
    _record_names: dict[str, int] = field(default_factory=dict)
    _records: dict[int, t.Record] = field(default_factory=dict)
    _pending: dict[str, clang.ClangType] = field(default_factory=dict)
    _canonical: dict[str, clang.ClangType] = field(default_factory=dict)
    # of a record's name: the bases that its template names by its parameters, by their places in the list
    _adopted: dict[str, dict[int, clang.ClangType]] = field(default_factory=dict)
    _refused: set[tuple[str, int]] = field(default_factory=set)
    layouts: dict[str, t.Layout] = field(default_factory=dict)
    # byte offset, within the record of that name, of a member declaration and of a base's declaration
    _member_offsets: dict[str, dict[int, int]] = field(default_factory=dict)
    _base_offsets: dict[str, dict[int, int]] = field(default_factory=dict)
    declarations: dict[str, clang.Cursor] = field(default_factory=dict)
    doubtful: bool = False  # the unit has errors: declarations may be marked invalid

    def of(self, cursor: clang.Cursor) -> t.Type:
        """The type of an expression or declaration."""
        return self.lower(clang.type_of(cursor))

    def lower(self, clang_type: clang.ClangType) -> t.Type:
        key = (clang_type.kind, clang_type.a)
        known = self._by_pointer.get(key)
        if known is None:
            known = self._by_pointer[key] = self._lower(clang_type)
        return known

    def _lower(self, written: clang.ClangType) -> t.Type:
        kind = written.kind
        scalar = _SCALARS.get(kind)
        if scalar is not None:
            return scalar
        if self.doubtful and kind in (kinds.T_TYPEDEF, kinds.T_ELABORATED):
            return self._named(written)
        canonical = clang.canonical_type(written)
        kind = canonical.kind
        scalar = _SCALARS.get(kind)
        if scalar is not None:
            return scalar
        if kind == kinds.T_POINTER:
            return self._pointer(canonical, written)
        if kind in (kinds.T_LVALUE_REFERENCE, kinds.T_RVALUE_REFERENCE):
            target = clang.pointee_type(self._spelled(written, canonical))
            return t.Reference(self.lower(target), bool(clang.is_const(target)))
        if kind in _ARRAYS:
            count = clang.array_size(canonical) if kind == kinds.T_CONSTANT_ARRAY else -1
            return t.Array(
                self.lower(clang.array_element(self._spelled(written, canonical))),
                count if count >= 0 else None,
            )
        if kind == kinds.T_RECORD:
            return self._record(canonical)
        if kind == kinds.T_ENUM:
            return self.lower(clang.enum_integer_type(clang.type_declaration(canonical)))
        if kind in (kinds.T_VECTOR, kinds.T_EXT_VECTOR):
            return t.Array(self.lower(clang.element_type(canonical)), int(clang.element_count(canonical)))
        if kind == kinds.T_MEMBER_POINTER and clang.type_size(canonical) == t.LONG.bytes:
            return t.LONG  # to data: an offset
        # The size of a placeholder type (an overload set, a bound method) would abort libclang.
        size = int(clang.type_size(canonical)) if kind in _SIZED else 0
        return t.Opaque(clang.type_spelling(canonical), max(size, 0))

    def _spelled(self, written: clang.ClangType, canonical: clang.ClangType) -> clang.ClangType:
        """The type whose parts still show their names: an unresolved name is lost in the canonical type."""
        return written if self.doubtful and written.kind == canonical.kind else canonical

    def _named(self, written: clang.ClangType) -> t.Type:
        """What a name stands for. clang takes `int` for a type that it could not resolve and marks the
        name.
        """
        if written.kind == kinds.T_ELABORATED:
            return self.lower(clang.named_type(written))
        declaration = clang.type_declaration(written)
        if clang.is_invalid(declaration):
            return unresolved(declaration)
        return self.lower(clang.typedef_underlying(declaration))

    def _pointer(self, canonical: clang.ClangType, written: clang.ClangType) -> t.Pointer:
        target = clang.pointee_type(self._spelled(written, canonical))
        restrict = bool(clang.is_restrict(canonical) or clang.is_restrict(written))
        return t.Pointer(
            self.lower(target), bool(clang.is_const(target)), restrict, bool(clang.is_volatile(target))
        )

    def _record(self, canonical: clang.ClangType) -> t.Record | t.Opaque:
        declaration = clang.type_declaration(canonical)
        if self.doubtful and clang.is_invalid(declaration):
            return unresolved(declaration)
        identity = clang.canonical_cursor(declaration).a or 0
        known = self._records.get(identity)
        if known is not None:
            return known
        name = clang.type_spelling(canonical)
        for qualifier in ("const ", "volatile "):
            name = name.removeprefix(qualifier)
        name = _LAMBDA_PLACE.sub(r"(\1\2 at \3)", name)
        count = self._record_names.get(name, 0)
        self._record_names[name] = count + 1
        if count:
            name = f"{name}#{count + 1}"
        size, align = int(clang.type_size(canonical)), int(clang.type_align(canonical))
        record = t.Record(name, max(size, 0), max(align, 1))
        self._records[identity] = record
        self._pending[name] = self._canonical[name] = canonical
        self.declarations[name] = declaration
        return record

    def vector(self, element: t.Scalar, count: int) -> t.Record:
        """A record of so many elements that one instruction moves."""
        name = f"{element.name} x{count}"
        if name not in self.layouts:
            size = element.bytes * count
            fields = tuple(t.Field("xyzw"[at], element, at * element.bytes) for at in range(count))
            self.layouts[name] = t.Layout(name, size, size, fields)
        return t.Record(name, self.layouts[name].bytes, self.layouts[name].align)

    def record(self, name: str) -> t.Record | None:
        """The record of a name."""
        return next((record for record in self._records.values() if record.name == name), None)

    def layout(self, record: t.Record) -> t.Layout:
        """The layout of a record, made on first use."""
        known = self.layouts.get(record.name)
        if known is not None:
            return known
        canonical = self._pending.pop(record.name, None)
        if canonical is None:
            return t.Layout(record.name, record.bytes, record.align, ())
        declaration = self.declarations[record.name]
        members: dict[int, int] = {}
        bases: dict[int, int] = {}
        fields = self._fields(canonical, declaration, 0, members, bases, record.name)
        fields.sort(key=lambda item: item.offset)
        layout = t.Layout(
            record.name, record.bytes, record.align, tuple(fields), declaration.kind == kinds.UNION_DECL
        )
        self.layouts[record.name] = layout
        self._member_offsets[record.name] = members
        self._base_offsets[record.name] = bases
        return layout

    def finish(self) -> dict[str, t.Layout]:
        """Every record met so far with its layout."""
        while self._pending:
            name = next(iter(self._pending))
            pointer = next((r for r in self._records.values() if r.name == name), None)
            if pointer is None:
                self._pending.pop(name)
            else:
                self.layout(pointer)
        return self.layouts

    def _fields(
        self,
        canonical: clang.ClangType,
        declaration: clang.Cursor,
        start: int,
        members: dict[int, int],
        bases: dict[int, int],
        record_name: str = "",
    ) -> list[t.Field]:
        if record_name not in self._adopted and (elements := tuples.elements(canonical)):
            members.update({own.a or 0: start + elements[0][0] for own in clang.fields(canonical)})
            return [t.Field("head", self.lower(kind), start + at) for at, kind in elements]
        found = self._base_fields(declaration, start, members, bases, record_name)
        for member in clang.fields(canonical):
            bits = clang.field_offset_bits(member)
            if bits < 0:
                continue
            clang_type = clang.type_of(member)
            name = clang.spelling(member)
            offset = start + bits // 8
            anonymous = clang.type_declaration(clang_type)
            if anonymous.kind in kinds.RECORD_DECLS and clang.is_anonymous_record(anonymous):
                members[member.a or 0] = offset
                inner = clang.canonical_type(clang_type)
                found += self._fields(inner, anonymous, offset, members, bases)
                continue
            kind = self.lower(clang_type)
            if clang.is_bit_field(member):
                unit = max(kind.bytes, 1)
                offset = start + bits // (8 * unit) * unit
                members[member.a or 0] = offset
                width = int(clang.bit_width(member))
                found.append(t.Field(name, kind, offset, bits - (offset - start) * 8, width))
                continue
            members[member.a or 0] = offset
            found.append(t.Field(name, kind, offset))
        return found

    def _base_fields(
        self,
        declaration: clang.Cursor,
        start: int,
        members: dict[int, int],
        bases: dict[int, int],
        record_name: str,
    ) -> list[t.Field]:
        found: list[t.Field] = []
        position = 0
        if declaration.kind not in kinds.RECORD_DECLS:
            return found
        for base in base_types(declaration, self._adopted.get(record_name, {})):
            record = self.lower(base)
            if not isinstance(record, t.Record):
                continue
            layout = self.layout(record)
            # The Itanium ABI lays non-virtual bases out in order; an empty one takes no room.
            offset = -(-position // record.align) * record.align
            empty = not layout.fields and record.bytes <= 1
            if empty:
                offset = 0
            bases[clang.canonical_cursor(clang.type_declaration(base)).a or 0] = start + offset
            for identity, inner in self._base_offsets.get(record.name, {}).items():
                bases.setdefault(identity, start + offset + inner)
            for identity, inner in self._member_offsets.get(record.name, {}).items():
                members.setdefault(identity, start + offset + inner)
            found += [
                t.Field(f.name, f.type, start + offset + f.offset, f.bit_offset, f.bits)
                for f in layout.fields
            ]
            if not empty:
                position = offset + record.bytes
        return found

    def adopt(self, derived: t.Record, base: clang.Cursor) -> bool:
        """Learn that an object of one record is taken for one of another, which clang does not tell of an
        instance whose template names that base by its parameters. Whether it was news.
        """
        identity = clang.canonical_cursor(base).a or 0
        tried = derived.name, identity
        if base.kind not in kinds.RECORD_DECLS or derived.name not in self.declarations:
            return False
        if tried in self._refused or clang.canonical_cursor(self.declarations[derived.name]).a == identity:
            return False
        self._refused.add(tried)
        self.layout(derived)
        if identity in self._base_offsets.get(derived.name, {}):
            return False
        adopted = self._adopted.setdefault(derived.name, {})
        place = _place_of(base, self.declarations[derived.name], adopted)
        if place is not None:
            adopted[place] = clang.canonical_type(clang.type_of(base))
        known = base_types(self.declarations[derived.name], adopted)
        inner = [record for one in known if isinstance(record := self.lower(one), t.Record)]
        if place is None and not any(self.adopt(record, base) for record in inner):
            return False
        self._forget(derived)
        return True

    def _forget(self, record: t.Record) -> None:
        """Make the layout of a record again, and those of the records that are derived from it."""
        identity = clang.canonical_cursor(self.declarations[record.name]).a or 0
        derived = [name for name, bases in self._base_offsets.items() if identity in bases]
        for name in (record.name, *derived):
            for table in (self.layouts, self._member_offsets, self._base_offsets):
                table.pop(name, None)
            self._pending[name] = self._canonical[name]

    def member_offset(self, record: t.Record, member: clang.Cursor) -> int:
        """Bytes from the start of a record to a member declaration, also of a base or an anonymous member."""
        self.layout(record)
        offset = self._member_offsets.get(record.name, {}).get(member.a or 0)
        if offset is not None:
            return offset
        field_ = (
            self.layouts[record.name].field(clang.spelling(member)) if record.name in self.layouts else None
        )
        if field_ is not None:
            return field_.offset
        bits = clang.field_offset_bits(member)
        return int(bits) // 8 if bits > 0 else 0

    def base_offset(self, derived: t.Record, base: t.Record) -> int | None:
        """Bytes from a record's start to its base's; None when it is not a base of it."""
        self.layout(derived)
        declaration = self.declarations.get(base.name)
        if declaration is None:
            return None
        return self._base_offsets.get(derived.name, {}).get(clang.canonical_cursor(declaration).a or 0)


_UNRESOLVED = "unresolved type of "


def unresolved(declaration: clang.Cursor) -> t.Opaque:
    """The type of a declaration that clang marked invalid: its size is unknown."""
    return t.Opaque(f"{_UNRESOLVED}'{clang.spelling(declaration)}'")


def is_unresolved(kind: t.Type) -> bool:
    """Whether an object of that type has no known size, so that no access to one may be counted."""
    return isinstance(kind, t.Opaque) and kind.name.startswith(_UNRESOLVED)


def base_types(
    declaration: clang.Cursor, adopted: Mapping[int, clang.ClangType] = MappingProxyType({})
) -> list[clang.ClangType]:
    """The types of the non-virtual bases. An implicit instantiation shows none: its template's are taken
    where they do not depend on it, or are known by their places in the list.
    """
    found = []
    for place, specifier in enumerate(_specifiers(declaration)):
        if clang.is_virtual_base(specifier):
            continue
        base = adopted.get(place) or clang.canonical_type(clang.type_of(specifier))
        if base.kind == kinds.T_RECORD and clang.type_size(base) > 0:
            found.append(base)
    return found


def _specifiers(declaration: clang.Cursor) -> list[clang.Cursor]:
    specifiers = [c for c in clang.children(declaration) if c.kind == kinds.CXX_BASE_SPECIFIER]
    if not specifiers:
        template = clang.specialized_template(declaration)
        if template.kind in (kinds.CLASS_TEMPLATE, kinds.CLASS_TEMPLATE_PARTIAL):
            specifiers = [c for c in clang.children(template) if c.kind == kinds.CXX_BASE_SPECIFIER]
    return specifiers


def _place_of(
    base: clang.Cursor, derived: clang.Cursor, adopted: Mapping[int, clang.ClangType]
) -> int | None:
    """Which of the specifiers that depend on a template's parameters may name the base: the one that names
    its template, else one that names no template.
    """
    template = clang.specialized_template(base)
    templates = [clang.canonical_cursor(one).a for one in (template, clang.specialized_template(template))]
    unnamed: list[int] = []
    for place, specifier in enumerate(_specifiers(derived)):
        if place in adopted or clang.canonical_type(clang.type_of(specifier)).kind == kinds.T_RECORD:
            continue
        named = [clang.referenced(c) for c in clang.children(specifier) if c.kind == kinds.TEMPLATE_REF]
        if any(clang.canonical_cursor(one).a in templates for one in named):
            return place
        if not named:
            unnamed.append(place)
    return unnamed[0] if len(unnamed) == 1 else None
