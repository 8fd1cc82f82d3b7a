"""Names that a file uses without a header that declares them: integer types that are what their names say,
and names of the standard library, whose headers bring more than they have to.
"""

import re
from collections.abc import Iterable

_WIDTHS = {8: "char", 16: "short", 32: "int", 64: "long long"}
_LETTERS = (("s", "signed "), ("i", "signed "), ("u", "unsigned "))
_UNKNOWN = re.compile(
    r"^(?:unknown type name|no (?:member|type|template) named|use of undeclared identifier) '(\w+)'"
    r"( in namespace 'std')?"
)
_UNDEFINED = re.compile(r"^implicit instantiation of undefined template 'std::(\w+)<")
_TYPES = {
    **{f"int{bits}": name for bits, name in _WIDTHS.items()},
    **{f"uint{bits}": f"unsigned {name}" for bits, name in _WIDTHS.items()},
    **{f"{letter}{bits}": f"{sign}{name}" for letter, sign in _LETTERS for bits, name in _WIDTHS.items()},
    "uchar": "unsigned char",
    "ullong": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
# Names of the standard library by the header that declares them (cppreference.com, "Headers").
_STANDARD = {
    "algorithm": """all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill fill_n
        find find_if for_each generate lower_bound max max_element min min_element minmax nth_element
        partial_sort remove_if replace reverse rotate shuffle sort stable_sort transform unique
        upper_bound""",
    "any": "any any_cast",
    "array": "array",
    "atomic": "atomic atomic_flag memory_order_acquire memory_order_relaxed memory_order_release",
    "bitset": "bitset",
    "chrono": "chrono",
    "cmath": "ceil exp fabs floor fmod isfinite isinf isnan log log2 pow round sqrt tanh",
    "complex": "complex",
    "condition_variable": "condition_variable",
    "cstring": "memcmp memcpy memset strcmp strlen",
    "deque": "deque",
    "exception": "exception exception_ptr terminate",
    "fstream": "fstream ifstream ofstream",
    "functional": "bind equal_to function greater hash less minus multiplies plus ref",
    "future": "async future promise",
    "iomanip": "setfill setprecision setw",
    "iostream": "cerr cin cout endl",
    "iterator": "back_inserter distance iterator_traits next prev",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "addressof allocator make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock",
    "numeric": "accumulate adjacent_difference inner_product iota partial_sum reduce",
    "optional": "make_optional nullopt optional",
    "queue": "priority_queue queue",
    "random": "default_random_engine mt19937 mt19937_64 normal_distribution random_device "
    "uniform_int_distribution uniform_real_distribution",
    "set": "multiset set",
    "sstream": "istringstream ostringstream stringstream",
    "stack": "stack",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range overflow_error "
    "range_error runtime_error",
    "string": "getline stof stoi string to_string wstring",
    "string_view": "string_view",
    "thread": "this_thread thread",
    "tuple": "apply forward_as_tuple get ignore make_tuple tie tuple tuple_cat",
    "type_traits": "void_t",
    "typeindex": "type_index",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
_HEADERS = {name: header for header, names in _STANDARD.items() for name in names.split()}


def header_with(messages: Iterable[str]) -> str:
    """A header with what clang's messages say is missing, as far as it is a usual name, or ''."""
    rows: dict[str, None] = {}
    for message in messages:
        unknown, undefined = _UNKNOWN.match(message), _UNDEFINED.match(message)
        standard = undefined[1] if undefined else unknown[1] if unknown and unknown[2] else ""
        if standard in _HEADERS:
            rows[f"#include <{_HEADERS[standard]}>"] = None
        elif unknown and not standard and unknown[1] in _TYPES:
            rows[f"typedef {_TYPES[unknown[1]]} {unknown[1]};"] = None
    return "\n".join(("#pragma once", *rows, "")) if rows else ""
