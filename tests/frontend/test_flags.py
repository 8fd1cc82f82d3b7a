"""Options of nvcc and clang as the parser gets them."""

import pytest

from cudalint.frontend.flags import translate


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("-DFAST", "-DFAST"),
        ("-D FAST=2", "-DFAST=2"),
        ("--define-macro FAST=2", "-DFAST=2"),
        ("--define-macro=FAST=2", "-DFAST=2"),
        ("-U FAST", "-UFAST"),
        ("--undefine-macro FAST", "-UFAST"),
        ("-Iinclude", "-I/build/include"),
        ("-I include", "-I/build/include"),
        ("--include-path include,other", "-I/build/include -I/build/other"),
        ("--include-path=include", "-I/build/include"),
        ("-isystem include", "-isystem /build/include"),
        ("--system-include include", "-isystem /build/include"),
        ("--pre-include first.h", "-include first.h"),
        ("-Xcompiler -DHOST,-fPIC", "-DHOST"),
        ("--std c++20", "-std=gnu++20"),
        ("-o out.o -maxrregcount 64 a.cu", ""),
    ],
)
def test_what_is_kept_of_an_option(given: str, kept: str) -> None:
    assert " ".join(translate(given.split(), "/build").arguments) == kept


@pytest.mark.parametrize(
    ("given", "arch"),
    [
        ("-arch=sm_80", 80),
        ("-arch sm_90a", 90),
        ("--gpu-architecture compute_75", 75),
        ("-gencode arch=compute_70,code=sm_70 -gencode=arch=compute_86,code=sm_86", 86),
        ("--offload-arch=sm_89", 89),
        ("-O3", None),
    ],
)
def test_the_highest_architecture_counts(given: str, arch: int | None) -> None:
    assert translate(given.split()).arch == arch
