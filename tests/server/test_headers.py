"""A file that others include is judged through them, also while it is not saved."""

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra cudalint[lsp]")

from cudalint.engine.editing import Editing
from cudalint.engine.includers import includers
from cudalint.server import linting
from cudalint.server.linting import Analysis
from tests.support.command_line import Command, codes

KERNEL = """\
#pragma once
__global__ void spread(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[STEP * i] = in[i];
}
"""
UNIT = """\
#define STEP 8
#include "kernels/spread.cuh"
void run(float *out, const float *in) { spread<<<65536, 256>>>(out, in); }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cudalint.toml").write_text('select = ["CU101", "CU001"]\n')
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "spread.cuh").write_text(KERNEL)
    (tmp_path / "main.cu").write_text(UNIT)
    return tmp_path


def found(folder: Path, name: str, text: str) -> list[tuple[str, int]]:
    """Codes and lines of what an editor shows in a file."""
    analysis = linting.lint(str(folder / name), text)
    return [(f.code, f.span.line) for f in analysis.findings if f.span.path == analysis.path]


def test_a_header_is_judged_as_check_does(folder: Path, cudalint: Command) -> None:
    shown = found(folder, "kernels/spread.cuh", KERNEL)
    assert shown == [("CU101", 5)]
    said = codes(cudalint(".", "--output-format", "json", cwd=folder))
    assert said == [("kernels/spread.cuh", 5, "CU101")]


def test_what_is_typed_counts(folder: Path) -> None:
    assert not found(folder, "kernels/spread.cuh", KERNEL.replace("STEP * i", "i"))
    assert found(folder, "kernels/spread.cuh", f"\n\n{KERNEL}") == [("CU101", 7)]


@pytest.mark.parametrize(
    "edit", [("STEP * i", "i"), ("in[i]", "in[2 * i]"), ("    out", "    float x = in[4 * i];\n    out")]
)
def test_an_edit_is_answered_through_the_units(folder: Path, edit: tuple[str, str]) -> None:
    (folder / "wide.cu").write_text(UNIT.replace("STEP 8", "STEP 16"))
    path, editing = str(folder / "kernels" / "spread.cuh"), Editing()
    try:
        before, text = linting.lint(path, KERNEL), KERNEL
        for number in range(3):  # by the third the worker holds both units
            text = KERNEL.replace(*edit) if number % 2 == 0 else KERNEL
            changed = linting.relint(path, text, before, editing)
            assert changed is not None
            whole = linting.lint(path, text)
            assert told(changed) == told(whole)
            before = whole
    finally:
        editing.close()


def told(analysis: Analysis) -> list[tuple[str, int, str]]:
    """What stands in the file itself, by code, line and message."""
    own = [f for f in analysis.findings if f.span.path == analysis.path]
    return sorted((f.code, f.span.line, f.message) for f in own)


def test_a_unit_that_is_a_part_of_another_is_no_unit(folder: Path) -> None:
    (folder / "all.cu").write_text('#include "main.cu"\n')
    (folder / "other").mkdir()
    (folder / "other" / "spread.cuh").write_text(KERNEL)
    assert includers(str(folder / "kernels" / "spread.cuh")) == (str(folder / "all.cu"),)
    assert includers(str(folder / "main.cu")) == (str(folder / "all.cu"),)
    assert includers(str(folder / "all.cu")) == ()
    assert includers(str(folder / "other" / "spread.cuh")) == ()


def test_headers_that_include_each_other_end(folder: Path) -> None:
    for one, other in (("a.h", "b.h"), ("b.h", "a.h")):
        (folder / one).write_text(f'#include "{other}"\n')
    assert includers(str(folder / "a.h")) == ()
