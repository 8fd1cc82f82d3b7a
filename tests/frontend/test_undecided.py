"""Which lines hang on macros that nothing defines: by examples, and against a model that asks for each line
by itself.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.undecided import undecided

NAMES = ("A", "B", "C", "D", "__CUDA_ARCH__")
NOISE = (
    "int code;",
    "/* #if A */ int code;",
    'auto s = "#if A"; // #if B \\\n#if C',
    'auto s = R"(\n#if A\n)";',
    "/*\n#ifdef A\n*/ int code;",
    "#include <A>",
)


class Row(NamedTuple):
    """A row of a made-up source. asked: of each conditional round it, the names up to its branch."""

    text: str
    asked: tuple[frozenset[str], ...]
    defines: str = ""


class Branch(NamedTuple):
    """A part of a conditional: how it asks for its names; the last one may ask for none, as `#else`."""

    names: tuple[str, ...]
    body: list[object]


def conditional(branches: list[Branch]) -> list[Branch]:
    """Branches of which only the last asks for nothing."""
    first, *rest = branches
    return [first._replace(names=first.names or ("A",)), *(b for b in rest[:-1] if b.names), *rest[-1:]]


items = st.recursive(
    st.sampled_from(NOISE) | st.sampled_from(NAMES[:4]).map(lambda name: f"#define {name} 1"),
    lambda inner: st.lists(
        st.builds(
            Branch, st.lists(st.sampled_from(NAMES), max_size=2).map(tuple), st.lists(inner, max_size=3)
        ),
        min_size=1,
        max_size=3,
    ).map(conditional),
    max_leaves=12,
)


def rows(item: object, around: tuple[frozenset[str], ...]) -> list[Row]:
    if isinstance(item, str):
        return [Row(item, around, item.split()[1] if item.startswith("#define") else "")]
    found: list[Row] = []
    asked: frozenset[str] = frozenset()
    assert isinstance(item, list)
    for branch in item:
        asked |= frozenset(branch.names)
        word = "#elif" if found else "# if"
        test = " && \\\n ".join(f"defined({name}) /* B */" for name in branch.names)
        found.append(Row(f"  {word} {test} // C" if test else "#else", (*around, asked)))
        for inner in branch.body:
            found += rows(inner, (*around, asked))
    return [*found, Row("#endif", around)]


def doubtful(row: Row, defined: set[str]) -> bool:
    return any(names - defined - {"__CUDA_ARCH__"} for names in row.asked)


@given(st.lists(items, max_size=5), st.sets(st.sampled_from(NAMES[:4]), max_size=2))
def test_each_line_is_undecided_when_the_model_says_so(source: list[object], given_: set[str]) -> None:
    made = [row for item in source for row in rows(item, ())]
    defined = given_ | {row.defines for row in made}
    while True:
        again = given_ | {row.defines for row in made if not doubtful(row, defined)}
        if again == defined:
            break
        defined = again
    text = "\n".join(row.text for row in made)
    found = undecided({"a.cu": text}, [f"-D{name}=1" for name in given_], "no-such-folder")
    line = 1
    for row in made:
        end = line + row.text.count("\n")
        if "code" in row.text or row.text.startswith("auto"):
            inside = any(region.line <= line and end <= region.end_line for region in found)
            assert inside == doubtful(row, defined), (text, line, found)
        line = end + 1


def test_a_region_names_the_macros_that_decide_on_it() -> None:
    text = "#if OWN(OTHER) || 0x10u\n#ifdef INNER\nint a;\n#endif\n#elif LAST\n#else\n#endif\nint b;\n"
    (region,) = undecided({"a.h": text}, (), "no-such-folder")
    assert (region.path, region.line, region.end_line) == ("a.h", 1, 7)
    assert region.macros == ("OWN", "OTHER", "LAST")


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef A_H\n#define A_H\nint a;\n#endif\n",
        "#if 0\nint a;\n#else\nint b;\n#endif\n",
        "#ifdef __linux__\nint a;\n#endif\n",
        "#ifdef NDEBUG\nint a;\n#endif\n",
        '#if __has_include("a.h") && defined(__cplusplus)\nint a;\n#endif\n',
        "#ifdef GIVEN\nint a;\n#elif defined(TAKEN)\nint b;\n#endif\n",
        "#ifdef OWN\n#define OTHER\n#endif\n#endif\n",
        "#ifdef OWN\nint a;\n",
    ],
)
def test_guards_and_known_macros_decide_and_regions_without_code_do_not_count(text: str) -> None:
    assert undecided({"a.cu": text}, ("-DGIVEN", "-UTAKEN"), "no-such-folder") == ()


def test_a_macro_of_another_file_and_of_the_bundled_headers_is_known(tmp_path: Path) -> None:
    (tmp_path / "toolkit.h").write_text("#define TOOLKIT 12\n")
    text = "#if TOOLKIT > 11 && OTHER\nint a;\n#endif\n"
    assert undecided({"a.cu": text, "b.h": "#define OTHER 1\n"}, (), str(tmp_path)) == ()
    assert len(undecided({"a.cu": text}, (), str(tmp_path))) == 1


def test_a_unit_has_undecided_regions_where_a_header_is_missing_only(tmp_path: Path) -> None:
    text = '#include "here.h"\r\n#ifdef OWN\r\nint a;\r\n#endif\r\n#ifdef OTHER\r\nint b;\r\n#endif\r\n'
    path = tmp_path / "a.cu"
    (tmp_path / "here.h").write_text("#define OTHER\n")
    path.write_bytes(text.encode())
    assert load(str(path)).undecided == ()
    path.write_bytes(text.encode() + b'#include "gone.h"\r\n')
    (region,) = load(str(path)).undecided
    assert (region.path, region.line, region.end_line, region.macros) == (path.as_posix(), 2, 4, ("OWN",))


def test_a_file_that_has_a_kernel_without_the_macro_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    hidden = "#ifdef OWN\n__global__ void hidden(int *a) { a[0] = 1; }\n#endif\n"
    for text, problems in (
        (hidden, ["none of its kernels is compiled while `OWN` is not defined"]),
        (hidden + "__global__ void told(int *a) { a[0] = 1; }\n", []),
        (hidden.replace("__global__", "// __global__\n"), []),
        ("#define OWN\n" + hidden, []),
        ("#if 0\n__global__ void never(int *a) { a[0] = 1; }\n#endif\n", []),
    ):
        path.write_text(text)
        assert [problem.reason for problem in load(str(path)).problems] == problems


@pytest.mark.parametrize(
    ("conditions", "assumed"),
    [
        (("#ifdef HAVE_PARTS",), ("HAVE_PARTS = 1",)),
        (("#if defined(HAVE_PARTS) && USE_MORE",), ("HAVE_PARTS = 1", "USE_MORE = 1")),
        (("#if !defined LEAVE_OUT", "#ifdef WITH_PARTS"), ("WITH_PARTS = 1",)),
        (("#ifndef BUILD_PARTS\nint a;\n#else",), ("BUILD_PARTS = 1",)),
        (("#if HAVE_PARTS > 3",), None),
        (("#ifdef USE_ROCM",), None),
        (("#ifdef OLD_WAY",), None),
        (("#if USE_MORE && !defined(USE_PARTS)",), None),
    ],
)
def test_options_of_a_build_are_taken_to_be_on_where_all_kernels_ask_for_them(
    conditions: tuple[str, ...], assumed: tuple[str, ...] | None, tmp_path: Path
) -> None:
    path = tmp_path / "a.cu"
    kernel = "__global__ void k(int *a) { a[0] = 1; }"
    path.write_text(
        "\n".join(("#include <cstdio>", *conditions, kernel, *("#endif" for _ in conditions), ""))
    )
    unit = load(str(path))
    found = [function.assumed for function in unit.functions.values() if function.kernel]
    assert found == ([] if assumed is None else [assumed])
    assert bool(unit.problems) == (assumed is None)
