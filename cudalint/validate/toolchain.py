"""Where the compiler and NVIDIA's tools are: on PATH, below CUDA_HOME, or in the packages of PyPI."""

import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

from cudalint.errors import UsageError

_HOMES = ("CUDA_HOME", "CUDA_PATH")


class Toolchain(Struct, frozen=True):
    """Paths of the tools; None for one that is not there."""

    nvcc: Path | None
    nvdisasm: Path | None
    ncu: Path | None
    sanitizer: Path | None

    @property
    def compiler(self) -> Path:
        """nvcc. UsageError where there is none."""
        if self.nvcc is None:
            raise UsageError(
                "validate: no nvcc on PATH, below CUDA_HOME or from PyPI, and no CuPy; install the compiler"
                " with `pip install 'cudalint[nvcc]'`, or CuPy with `pip install 'cudalint[gpu]'`"
            )
        return self.nvcc


def find() -> Toolchain:
    """The tools of this machine."""
    return Toolchain(*(_tool(name) for name in ("nvcc", "nvdisasm", "ncu", "compute-sanitizer")))


def _tool(name: str) -> Path | None:
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    folders = [Path(os.environ[home], "bin") for home in _HOMES if os.environ.get(home)]
    return next((folder / name for folder in (*folders, *_packaged()) if (folder / name).is_file()), None)


def _packaged() -> list[Path]:
    """The `bin` folders of NVIDIA's packages: nvidia/cu13/bin since CUDA 13, nvidia/cuda_nvcc/bin before."""
    roots = dict.fromkeys([*sys.path, *site.getsitepackages()])
    return [folder for root in roots for folder in sorted(Path(root, "nvidia").glob("*/bin"), reverse=True)]


def version() -> str:
    """The compiler's release, as 'nvcc 13.0.88'; 'NVRTC' without one."""
    nvcc = find().nvcc
    if nvcc is None:
        return "NVRTC"
    output = subprocess.run([str(nvcc), "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"V([\d.]+)", output)
    return f"nvcc {number.group(1)}" if number else "nvcc"
