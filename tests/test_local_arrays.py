"""Arrays in local memory, against the stack frames that nvcc gives the same kernels."""

import re
from pathlib import Path

from cudalint.frontend import load
from cudalint.simt.local_arrays import local_arrays

KERNELS = Path(__file__).parent / "hardware" / "local_arrays.cu"
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
