"""A thin, fast binding of the libclang C API: own ctypes structures and prototypes.

The Python binding's properties cost several foreign calls and an enum lookup each; a lowering reads kind,
type and place of every cursor once, so it calls the library directly. Numbers are those of clang-c/Index.h
of libclang 18.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_longlong, c_size_t, c_uint, c_void_p
from typing import Any

from clang import cindex


class Cursor(Structure):
    """CXCursor. `a` is the declaration of a declaration cursor (its identity), `b` the statement of
    others.
    """

    _fields_ = [("kind", c_int), ("x", c_int), ("a", c_void_p), ("b", c_void_p), ("c", c_void_p)]
    kind: int
    a: int | None
    b: int | None


class ClangType(Structure):
    """CXType. `a` is the qualified type's pointer: an identity up to sugar."""

    _fields_ = [("kind", c_int), ("a", c_void_p), ("b", c_void_p)]
    kind: int
    a: int | None


class Location(Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p), ("raw", c_uint)]
    raw: int


class Range(Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p), ("begin", c_uint), ("end", c_uint)]
    begin: int
    end: int


class String(Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


MACRO_BIT = 1 << 31  # set in the encoding of a source location inside a macro expansion

_library = cindex.conf.lib
_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)


def _bind(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)((name, _library))


def _bind_string(name: str, argument: Any) -> Callable[[Any], str]:
    raw = _bind(name, String, argument)

    def read(value: Any) -> str:
        string = raw(value)
        data = _c_string(string)
        text = data.decode("utf-8", "replace") if data else ""
        _dispose_string(string)
        return text

    return read


_c_string = _bind("clang_getCString", c_char_p, String)
_dispose_string = _bind("clang_disposeString", None, String)
_visit_children = _bind("clang_visitChildren", c_uint, Cursor, _VISITOR, c_void_p)
_visit_fields = _bind(
    "clang_Type_visitFields", c_uint, ClangType, ctypes.CFUNCTYPE(c_int, Cursor, c_void_p), c_void_p
)

spelling = _bind_string("clang_getCursorSpelling", Cursor)
usr = _bind_string("clang_getCursorUSR", Cursor)
type_spelling = _bind_string("clang_getTypeSpelling", ClangType)
type_of = _bind("clang_getCursorType", ClangType, Cursor)
result_type_of = _bind("clang_getCursorResultType", ClangType, Cursor)
referenced = _bind("clang_getCursorReferenced", Cursor, Cursor)
definition = _bind("clang_getCursorDefinition", Cursor, Cursor)
canonical_cursor = _bind("clang_getCanonicalCursor", Cursor, Cursor)
semantic_parent = _bind("clang_getCursorSemanticParent", Cursor, Cursor)
specialized_template = _bind("clang_getSpecializedCursorTemplate", Cursor, Cursor)
extent = _bind("clang_getCursorExtent", Range, Cursor)
location = _bind("clang_getCursorLocation", Location, Cursor)
binary_operator = _bind("clang_getCursorBinaryOperatorKind", c_int, Cursor)
unary_operator = _bind("clang_getCursorUnaryOperatorKind", c_int, Cursor)
variable_initializer = _bind("clang_Cursor_getVarDeclInitializer", Cursor, Cursor)
storage_class = _bind("clang_Cursor_getStorageClass", c_int, Cursor)
has_global_storage = _bind("clang_Cursor_hasVarDeclGlobalStorage", c_int, Cursor)
enum_value = _bind("clang_getEnumConstantDeclValue", c_longlong, Cursor)
enum_integer_type = _bind("clang_getEnumDeclIntegerType", ClangType, Cursor)
field_offset_bits = _bind("clang_Cursor_getOffsetOfField", c_longlong, Cursor)
bit_width = _bind("clang_getFieldDeclBitWidth", c_int, Cursor)
is_bit_field = _bind("clang_Cursor_isBitField", c_uint, Cursor)
is_anonymous_record = _bind("clang_Cursor_isAnonymousRecordDecl", c_uint, Cursor)
is_defaulted = _bind("clang_CXXMethod_isDefaulted", c_uint, Cursor)
is_static_method = _bind("clang_CXXMethod_isStatic", c_uint, Cursor)
is_virtual_method = _bind("clang_CXXMethod_isVirtual", c_uint, Cursor)
is_copy_constructor = _bind("clang_CXXConstructor_isCopyConstructor", c_uint, Cursor)
is_move_constructor = _bind("clang_CXXConstructor_isMoveConstructor", c_uint, Cursor)
is_default_constructor = _bind("clang_CXXConstructor_isDefaultConstructor", c_uint, Cursor)
_overridden = _bind(
    "clang_getOverriddenCursors", None, Cursor, ctypes.POINTER(ctypes.POINTER(Cursor)), ctypes.POINTER(c_uint)
)
_dispose_overridden = _bind("clang_disposeOverriddenCursors", None, ctypes.POINTER(Cursor))
is_virtual_base = _bind("clang_isVirtualBase", c_uint, Cursor)
overload_count = _bind("clang_getNumOverloadedDecls", c_uint, Cursor)
overload = _bind("clang_getOverloadedDecl", Cursor, Cursor, c_uint)
argument_count = _bind("clang_Cursor_getNumArguments", c_int, Cursor)
argument = _bind("clang_Cursor_getArgument", Cursor, Cursor, c_uint)
template_argument_count = _bind("clang_Cursor_getNumTemplateArguments", c_int, Cursor)
template_argument_kind = _bind("clang_Cursor_getTemplateArgumentKind", c_int, Cursor, c_uint)
template_argument_type = _bind("clang_Cursor_getTemplateArgumentType", ClangType, Cursor, c_uint)
template_argument_value = _bind("clang_Cursor_getTemplateArgumentValue", c_longlong, Cursor, c_uint)

canonical_type = _bind("clang_getCanonicalType", ClangType, ClangType)
pointee_type = _bind("clang_getPointeeType", ClangType, ClangType)
array_element = _bind("clang_getArrayElementType", ClangType, ClangType)
array_size = _bind("clang_getArraySize", c_longlong, ClangType)
element_type = _bind("clang_getElementType", ClangType, ClangType)
element_count = _bind("clang_getNumElements", c_longlong, ClangType)
type_declaration = _bind("clang_getTypeDeclaration", Cursor, ClangType)
type_size = _bind("clang_Type_getSizeOf", c_longlong, ClangType)
type_align = _bind("clang_Type_getAlignOf", c_longlong, ClangType)
type_argument_count = _bind("clang_Type_getNumTemplateArguments", c_int, ClangType)
type_argument = _bind("clang_Type_getTemplateArgumentAsType", ClangType, ClangType, c_uint)
named_type = _bind("clang_Type_getNamedType", ClangType, ClangType)
typedef_underlying = _bind("clang_getTypedefDeclUnderlyingType", ClangType, Cursor)
is_invalid = _bind("clang_isInvalidDeclaration", c_uint, Cursor)
is_const = _bind("clang_isConstQualifiedType", c_uint, ClangType)
is_volatile = _bind("clang_isVolatileQualifiedType", c_uint, ClangType)
is_restrict = _bind("clang_isRestrictQualifiedType", c_uint, ClangType)
is_pod = _bind("clang_isPODType", c_uint, ClangType)

_evaluate = _bind("clang_Cursor_Evaluate", c_void_p, Cursor)
_evaluation_kind = _bind("clang_EvalResult_getKind", c_int, c_void_p)
_evaluation_integer = _bind("clang_EvalResult_getAsLongLong", c_longlong, c_void_p)
_evaluation_double = _bind("clang_EvalResult_getAsDouble", c_double, c_void_p)
_evaluation_dispose = _bind("clang_EvalResult_dispose", None, c_void_p)

_range_location = _bind("clang_getRangeStart", Location, Range)
_file_location = _bind(
    "clang_getFileLocation",
    None,
    Location,
    POINTER(c_void_p),
    POINTER(c_uint),
    POINTER(c_uint),
    POINTER(c_uint),
)
_expansion_location = _bind(
    "clang_getExpansionLocation",
    None,
    Location,
    POINTER(c_void_p),
    POINTER(c_uint),
    POINTER(c_uint),
    POINTER(c_uint),
)
file_name = _bind_string("clang_getFileName", c_void_p)
_file_contents = _bind("clang_getFileContents", c_void_p, c_void_p, c_void_p, POINTER(c_size_t))

_diagnostic_count = _bind("clang_getNumDiagnostics", c_uint, c_void_p)
_diagnostic = _bind("clang_getDiagnostic", cindex.c_object_p, c_void_p, c_uint)
_message = _bind_string("clang_getDiagnosticSpelling", cindex.c_object_p)
_below = _bind("clang_getChildDiagnostics", cindex.c_object_p, cindex.c_object_p)
_number_of = _bind("clang_getNumDiagnosticsInSet", c_uint, cindex.c_object_p)
_member = _bind("clang_getDiagnosticInSet", cindex.c_object_p, cindex.c_object_p, c_uint)

_printing_policy = _bind("clang_getCursorPrintingPolicy", c_void_p, Cursor)
_set_policy = _bind("clang_PrintingPolicy_setProperty", None, c_void_p, c_int, c_uint)
_dispose_policy = _bind("clang_PrintingPolicy_dispose", None, c_void_p)
_pretty_printed = _bind("clang_getCursorPrettyPrinted", String, Cursor, c_void_p)
_TERSE_OUTPUT = 17  # CXPrintingPolicy_TerseOutput: declarations without bodies

_found: list[Cursor] = []


def _collect(cursor: Cursor, _parent: Cursor, _data: Any) -> int:
    _found.append(cursor)
    return 1  # CXChildVisit_Continue


def _collect_field(cursor: Cursor, _data: Any) -> int:
    _found.append(cursor)
    return 1  # CXVisit_Continue


_collector = _VISITOR(_collect)
_field_collector = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)(_collect_field)


def children(cursor: Cursor) -> list[Cursor]:
    """The direct children in the order libclang visits them."""
    global _found
    found: list[Cursor] = []
    _found = found
    _visit_children(cursor, _collector, None)
    return found


def fields(record: ClangType) -> list[Cursor]:
    """The field declarations of a record type, also of an implicit instantiation."""
    global _found
    found: list[Cursor] = []
    _found = found
    _visit_fields(record, _field_collector, None)
    return found


def evaluate(cursor: Cursor) -> int | float | None:
    """The constant a scalar expression has; None when it has none. Crashes on aggregates: never ask it for
    those.
    """
    result = _evaluate(cursor)
    if not result:
        return None
    kind = _evaluation_kind(result)
    value: int | float | None = None
    if kind == 1:
        value = _evaluation_integer(result)
    elif kind == 2:
        value = _evaluation_double(result)
    _evaluation_dispose(result)
    return value


def place(pointers: tuple[int | None, int | None], raw: int, file: bool) -> tuple[int, ...]:
    """(file handle, line, byte column, byte offset) of a raw location; the macro argument's place when
    `file`.
    """
    where = Location(pointers[0], pointers[1], raw)
    handle, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    call = _file_location if file else _expansion_location
    call(where, ctypes.byref(handle), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
    return handle.value or 0, line.value, column.value, offset.value


def file_contents(translation_unit: int, handle: int) -> bytes:
    size = c_size_t()
    data = _file_contents(translation_unit, handle, ctypes.byref(size))
    return ctypes.string_at(data, size.value) if data else b""


def declaration_text(cursor: Cursor) -> str:
    """The declaration printed by clang, template arguments substituted, without its body."""
    policy = _printing_policy(cursor)
    _set_policy(policy, _TERSE_OUTPUT, 1)
    string = _pretty_printed(cursor, policy)
    data = _c_string(string)
    text = data.decode("utf-8", "replace") if data else ""
    _dispose_string(string)
    _dispose_policy(policy)
    return text


def overridden(cursor: Cursor) -> list[Cursor]:
    """The methods of base classes that a method overrides directly."""
    found, count = ctypes.POINTER(Cursor)(), c_uint()
    _overridden(cursor, ctypes.byref(found), ctypes.byref(count))
    if not count.value:
        return []
    cursors = [Cursor.from_buffer_copy(found[at]) for at in range(count.value)]
    _dispose_overridden(found)
    return cursors


def messages(translation_unit: Any) -> Iterator[str]:
    """What clang says of the Python binding's TranslationUnit."""
    return (message for _, message in _told(translation_unit))


def diagnostics(translation_unit: Any, wanted: Callable[[str], bool]) -> Iterator[Any]:
    """The Python binding's diagnostics, those whose message is wanted: there may be thousands of others."""
    return (cindex.Diagnostic(one) for one, message in _told(translation_unit) if wanted(message))


def _told(translation_unit: Any) -> Iterator[tuple[Any, str]]:
    """All diagnostics, which the unit owns, with their messages."""
    handle = unit_handle(translation_unit)
    for index in range(_diagnostic_count(handle)):
        diagnostic = _diagnostic(handle, index)
        yield diagnostic, _message(diagnostic)


def notes(diagnostic: Any) -> tuple[str, ...]:
    """The messages below one of the Python binding's diagnostics, which itself makes a class to tell them."""
    below = _below(diagnostic.ptr)
    return tuple(_message(_member(below, number)) for number in range(_number_of(below)))


def ranges(diagnostic: Any) -> list[Any]:
    """The ranges of one of the Python binding's diagnostics, likewise."""
    library = cindex.conf.lib
    number = library.clang_getDiagnosticNumRanges(diagnostic)
    return [library.clang_getDiagnosticRange(diagnostic, index) for index in range(number)]


def root_cursor(translation_unit: Any) -> Cursor:
    """The translation unit's cursor from the Python binding's TranslationUnit."""
    return Cursor.from_buffer_copy(translation_unit.cursor)


def unit_handle(translation_unit: Any) -> int:
    """The CXTranslationUnit pointer of the Python binding's TranslationUnit."""
    return int(ctypes.cast(translation_unit.obj, c_void_p).value or 0)
