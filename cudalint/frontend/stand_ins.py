"""Libraries whose headers are stood in for where they are not found, by what kernels and launches use."""

import os

FOLDER = "stand_ins"  # below the shim
_LIBRARIES = {
    "ATen": "torch.h",
    "Eigen": "eigen.h",
    "benchmark": "gtest.h",
    "c10": "torch.h",
    "caffe2": "torch.h",
    "fmt": "fmt.h",
    "glog": "glog.h",
    "gmock": "gtest.h",
    "gtest": "gtest.h",
    "nlohmann": "json.h",
    "pybind11": "torch.h",
    "rmm": "rmm.h",
    "spdlog": "fmt.h",
    "torch": "torch.h",
    "unsupported": "eigen.h",
}


def stand_in(name: str) -> str:
    """The text of a header that includes the stand-in for the library of an included header, or ''."""
    library, _, rest = name.partition("/")
    header = _LIBRARIES.get(library) if rest else None
    return f'#pragma once\n#include "{FOLDER}/{header}"\n' if header else ""


def folder(shim: str) -> str:
    """Where such headers seem to lie: below the shim, in a folder that does not exist."""
    return os.path.join(shim, FOLDER, "found")
