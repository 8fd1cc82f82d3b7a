"""Headers that stand in for those that are not found: of libraries, by what kernels and launches use; and of
the build, by the templates that it makes them from.
"""

import os
import re

FOLDER = "stand_ins"  # below the shim
_LIBRARIES = {
    "ATen": "torch.h",
    "Eigen": "eigen.h",
    "benchmark": "gtest.h",
    "c10": "torch.h",
    "caffe2": "torch.h",
    "dmlc": "dmlc.h",
    "fmt": "fmt.h",
    "glm": "glm.h",
    "glog": "glog.h",
    "gmock": "gtest.h",
    "gtest": "gtest.h",
    "hip": "hip.h",
    "hipcub": "hip_libraries.h",
    "hipfft": "hip_libraries.h",
    "hiprand": "hip_libraries.h",
    "nlohmann": "json.h",
    "nonstd": "nonstd.h",
    "opencv2": "opencv.h",
    "pybind11": "python.h",
    "rapids_logger": "rapids_logger.h",
    "rmm": "rmm.h",
    "spdlog": "fmt.h",
    "torch": "torch.h",
    "unsupported": "eigen.h",
}
# Those without a folder, and those of libraries that programs hold in folders of their own.
_HEADERS = {"Python.h": "python.h", "hipfft.h": "hip_libraries.h"}
_BELOW = re.compile(r"(?:.*/)?Random123/(?:philox|threefry|aes|ars|uniform)\.h(?:pp)?")
_BOOST = re.compile(r"boost/stacktrace(?:/\w+)?\.hpp")
_STABLE = re.compile(r"torch/(?:csrc/stable|headeronly)/.+")  # PyTorch's stable interface
# The headers of CUTLASS that are no part of its matrix products.
_CUTLASS = re.compile(
    r"cutlass/(?:aligned_buffer|arch/(?:arch|memory)|array|bfloat16|coord|cutlass|fast_math|float8|functional|"
    r"half|integer_subbyte|kernel_hardware_info|layout/(?:layout|matrix)|matrix_(?:coord|shape)|"
    r"numeric_(?:conversion|size|types)|platform/platform|tensor_(?:ref|view)|tfloat32)\.h(?:pp)?"
)
# Headers of CCCL that no program has to include, and some do.
_PRIVATE = re.compile(r"(?:cuda|cub|thrust|nv)/(?:\w+/)*(?:__\w+|detail)(?:/|$)")
# What rapids_make_logger() makes in a build: macros under the name of the project.
_LOGGER = re.compile(r"(\w+)/(?:\w+/)*logger_macros\.hpp")
_LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "CRITICAL")
_MAYBE = re.compile(r"^[ \t]*#[ \t]*cmakedefine(01)?[ \t]+(\w+)[^\n]*", re.MULTILINE)
_QUOTED = re.compile(r'"[^"\n]*(?:@\w+@|\$\{\w+\})[^"\n]*"')
_VERSION = re.compile(r"@\w*VERSION\w*@|\$\{\w*VERSION\w*\}", re.IGNORECASE)
_NEWEST = "9999"  # what a tree holds is its newest version
_FILLED_IN = re.compile(r"@\w+@|\$\{\w+\}")


def stand_in(name: str) -> str:
    """The text of a header that includes the stand-in for the library of an included header, or ''."""
    library, _, rest = name.partition("/")
    if logger := _LOGGER.fullmatch(name):
        return "".join(f"#define {logger[1].upper()}_LOG_{level}(...) ((void)0)\n" for level in _LEVELS)
    header = _LIBRARIES.get(library) if rest else _HEADERS.get(name)
    if _BELOW.fullmatch(name):
        header = "random123.h"
    if _BOOST.fullmatch(name):
        header = "boost_stacktrace.h"
    if _STABLE.fullmatch(name):
        header = "torch_stable.h"
    if _CUTLASS.fullmatch(name):
        header = "cutlass.h"
    if _PRIVATE.match(name):
        header = "cccl.h"
    return f'#pragma once\n#include "{FOLDER}/{header}"\n' if header else ""


def from_template(text: str) -> str:
    """The header that a build makes from a template, as far as the template says it: a macro that the build
    may define is not defined, a value that it fills in is 0, but for a version.
    """
    text = _MAYBE.sub(lambda m: f"#define {m[2]} 0" if m[1] else f"/* {m[2]} */", text)
    text = _QUOTED.sub('""', text)
    return _FILLED_IN.sub("0", _VERSION.sub(_NEWEST, text))


def folder(shim: str) -> str:
    """Where such headers seem to lie: below the shim, in a folder that does not exist."""
    return os.path.join(shim, FOLDER, "found")
