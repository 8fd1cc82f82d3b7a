"""The table of old names, and the conditions of the preprocessor that old code stands in."""

import re
from pathlib import Path

import pytest

from cudalint.cuda.old_api import FIELDS, FORMS, FUNCTIONS, GL
from cudalint.source.conditions import around, for_a_release
from tests.support.checkout import ROOT
from tests.support.command_line import Command, report

SHIM = ROOT / "cudalint" / "frontend" / "shim"
ROWS = [*FUNCTIONS.values(), *FIELDS.values(), *GL.values(), *(row for row, _ in FORMS.values())]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_says_when_and_what_instead(row):
    assert row.help and (row.removed or row.name in FUNCTIONS or row.name in GL)
    releases = [r for r in (row.deprecated, row.removed) if r is not None]
    assert all(re.fullmatch(r"\d+\.\d", release) for release in releases)
    assert releases == sorted(releases, key=float)


def test_a_name_stands_in_one_table():
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert not {row.same for row in ROWS if row.same} & {row.name for row in ROWS}


def test_what_takes_the_place_of_an_old_name_is_declared():
    declared = "\n".join(path.read_text(encoding="utf-8") for path in SHIM.rglob("*.h"))
    for row in ROWS:
        if row.same:
            assert re.search(rf"\b{row.same}\(", declared), row.name


LINES = """\
#if CUDART_VERSION >= 12000
new
#  else  // older
old
# endif
plain
#ifdef DEBUG
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 10
ancient
#elif X
other
#endif
#endif
""".splitlines()


@pytest.mark.parametrize(
    ("text", "depth", "of_a_release"),
    [("new", 1, True), ("old", 1, True), ("plain", 0, False), ("ancient", 2, True), ("other", 2, True)],
)
def test_conditions_round_a_line(text, depth, of_a_release):
    lines = tuple(LINES)
    number = lines.index(text) + 1
    assert len(around(lines, number)) == depth
    assert for_a_release(lines, number) is of_a_release


def test_waiting_in_a_kernel_is_possible_below_sm_90_where_the_build_asks_for_it(
    cudalint: Command, tmp_path: Path
):
    (tmp_path / "a.cu").write_text("__global__ void parent() { cudaDeviceSynchronize(); }\n")
    given = ("a.cu", "--select", "CU901", "--output-format", "json")
    old_way = ("-D", "CUDA_FORCE_CDP1_IF_SUPPORTED")
    assert len(report(cudalint(*given, "--arch", "sm_80"))["findings"]) == 1
    assert report(cudalint(*given, "--arch", "sm_80", *old_way))["findings"] == []
    assert len(report(cudalint(*given, "--arch", "sm_90", *old_way))["findings"]) == 1


@pytest.mark.parametrize(
    ("device", "named"),
    [
        ("cudaCpuDeviceId", {"Host"}),
        ("-1", {"Host"}),
        ("home", {"Host"}),
        ("0", {"Device"}),
        ("current", {"Device", "Host"}),
        ("given", {"Device", "Host"}),
    ],
)
def test_where_managed_memory_goes_is_named_by_what_the_number_is(
    cudalint: Command, tmp_path: Path, device: str, named: set[str]
):
    (tmp_path / "a.cu").write_text(
        "#include <cuda_runtime.h>\n"
        "void fetch(float *data, size_t bytes, int given)\n{\n"
        "    const int home = cudaCpuDeviceId;\n"
        "    int current = -1;\n"
        "    cudaGetDevice(&current);\n"
        f"    cudaMemPrefetchAsync(data, bytes, {device}, 0);\n}}\n"
    )
    given = ("a.cu", "--select", "CU901", "--output-format", "json")
    (finding,) = report(cudalint(*given))["findings"]
    assert {kind for kind in ("Device", "Host") if f"cudaMemLocationType{kind}" in finding["help"]} == named
