"""Arrays in local memory, against the stack frames that nvcc gives the same kernels."""

import re
from pathlib import Path

import pytest

from cudalint.analyses.local_arrays import local_arrays
from cudalint.frontend import load
from tests.support.checkout import ROOT
from tests.support.command_line import Command, report

KERNELS = ROOT / "tests" / "hardware" / "local_arrays.cu"
_LAUNCH = re.compile(r"^\s*(\w+)<([^,]+), (\d+)><<<.*// (\d+)( found)?$", re.MULTILINE)


def test_arrays_are_told_where_the_compiler_has_a_stack_frame_only() -> None:
    found: dict[tuple[str, str, str], int] = {}
    for array, function in local_arrays(load(str(KERNELS))):
        kind, count = function.template_arguments
        found[function.name, str(kind), str(count)] = array.bytes
    launches = _LAUNCH.findall(KERNELS.read_text(encoding="utf-8"))
    assert len(launches) > 100
    for name, kind, count, frame, told in launches:
        size = found.get((name, kind, count))
        assert (size is not None) == bool(told), (name, kind, count)
        assert size is None or int(frame) >= size, (name, kind, count)


def test_a_unit_without_arrays_has_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.cu"
    path.write_text("__global__ void clear(float *out) { out[threadIdx.x] = 0; }\n")
    assert list(local_arrays(load(str(path)))) == []


@pytest.mark.parametrize(
    ("declared", "note"),
    [
        ("char bins[16]", "4 sectors/request if all lanes use the same index, up to 16 if they differ"),
        ("double bins[16]", "8 sectors/request if all lanes use the same index, up to 64 if they differ"),
        ("char bins[4]", "4 sectors/request"),  # all of a warp's arrays
    ],
)
def test_a_request_moves_no_more_than_the_arrays_of_its_lanes(
    cudalint: Command, tmp_path: Path, declared: str, note: str
) -> None:
    path = tmp_path / "bins.cu"
    path.write_text(
        "__global__ void count(int *out, const int *in, int n)\n{\n"
        f"    {declared};\n    for (int k = 0; k < 4; ++k) bins[k] = 0;\n"
        "    for (int k = 0; k < n; ++k) bins[in[k * 256 + threadIdx.x]] += 1;\n"
        "    for (int k = 0; k < 4; ++k) out[(blockIdx.x * 4 + k) * 256 + threadIdx.x] = bins[k];\n}\n"
        "void run(int *out, const int *in, int n) { count<<<1024, 256>>>(out, in, n); }\n"
    )
    (finding,) = report(cudalint("--select", "CU111", "--output-format", "json", str(path)))["findings"]
    assert finding["notes"][0] == note
