"""Every fixture is a program for nvcc, for old and new devices alike; those that cannot be stand here with
the reason, and are checked to be rejected for it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from cudalint.validate import build
from tests.support import nvcc
from tests.support.checkout import ROOT

FIXTURES = ROOT / "fixtures"
FILES = sorted(FIXTURES.rglob("*.cu"))
OLD_AND_NEW = (build.ARCHS[0], build.ARCHS[-1])  # what both take, those between take

# Headers that are part of neither the CUDA toolkit nor the C++ library: who includes one needs it here.
OTHERS = {
    "GL/gl.h": "OpenGL",
    "X11/Xlib.h": "a window system",
    "cublasLt.h": "a library of its own, which small installations leave out",
    "cublas_v2.h": "as the one before",
    "cufft.h": "as the one before",
    "cusolverDn.h": "as the one before",
    "formatting/that_is_not_there.h": "made up: only messages of the host use it",
    "generated_at_build_time.h": "made up: the fixture is about a header that is not there",
    "helper_timer.h": "comes with NVIDIA's samples",
    "build/features.h": "a build would make it: that it is missing is what the fixture is about",
    "omp.h": "OpenMP of the host compiler",
}


@dataclass(frozen=True)
class Rejected:
    """Fixtures that no compiler of today takes. says: what nvcc says of each; files: below fixtures/."""

    why: str
    says: str
    files: tuple[str, ...]


REJECTED = (
    Rejected(
        "CUDA 13 has these functions no more",
        r'identifier "cudaThread(Synchronize|Exit)" is undefined',
        (
            "deprecated/removed_api/bad.cu",
            "deprecated/removed_api/macro.cu",
            "deprecated/removed_api/template.cu",
            "guides/004_thread_synchronize.cu",
        ),
    ),
    Rejected(
        "since CUDA 12 a kernel cannot wait for those that it launches",
        r'host__ function\("cudaDeviceSynchronize"\) from a __global__ function',
        ("guides/001_child_launch.cu",),
    ),
    Rejected(
        "CUDA 12 has no texture references",
        r"texture is not a template",
        (
            "deprecated/texture_reference/bad.cu",
            "deprecated/texture_reference/macro.cu",
            "deprecated/texture_reference/regression_checked_binding.cu",
            "deprecated/texture_reference/regression_lost_code.cu",
            "deprecated/texture_reference/template.cu",
            "guides/004_texture_reference.cu",
        ),
    ),
    Rejected(
        "intrinsics without a mask are gone since sm_70",
        r'identifier "__shfl(_down|_xor)?" is undefined',
        (
            "sync/legacy_warp_intrinsic/bad.cu",
            "sync/legacy_warp_intrinsic/macro.cu",
            "sync/legacy_warp_intrinsic/regression_unlaunched.cu",
            "sync/legacy_warp_intrinsic/template.cu",
        ),
    ),
    Rejected(
        "about code that cannot be read without its build",
        r'identifier "(FILL_VALUE|Real|SomeColourOf)" is undefined',
        (
            "run/degraded_file/macro.cu",
            "run/degraded_file/regression_stand_in.cu",
            "run/degraded_file/template.cu",
        ),
    ),
)

pytestmark = pytest.mark.skipif(nvcc.COMPILER is None, reason="no nvcc here")


def test_headers_that_are_not_here_are_those_of_others(tmp_path: Path) -> None:
    assert nvcc.missing_headers(FILES, tmp_path) <= OTHERS.keys()


@pytest.mark.parametrize("arch", OLD_AND_NEW)
def test_every_fixture_compiles(arch: str, tmp_path: Path) -> None:
    left_out = {FIXTURES / name for one in REJECTED for name in one.files}
    left_out.update(nvcc.without_headers(FILES, tmp_path))
    assert nvcc.rejected([file for file in FILES if file not in left_out], tmp_path, arch) == []


@pytest.mark.parametrize("arch", OLD_AND_NEW)
def test_what_is_left_out_is_rejected_for_its_reason(arch: str, tmp_path: Path) -> None:
    reasons = {FIXTURES / name: one.says for one in REJECTED for name in one.files}
    files = list(reasons)
    here = [file for file in files if file not in nvcc.without_headers(files, tmp_path)]
    together = nvcc.errors(here, tmp_path, arch)
    told = {file: together.get(file) or nvcc.said(file, arch) for file in here}
    assert [str(file) for file in here if not re.search(reasons[file], told[file])] == []
