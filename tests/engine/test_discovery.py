"""Which files are linted, and each thing of them once."""

from pathlib import Path

from tests.support.command_line import STRIDED, Command, codes, report

KERNEL = STRIDED.split("int main")[0]
LAUNCH = "void run(float *o, const float *i) { spread<<<640, 256>>>(o, i); }\n"


def paths(cudalint: Command, *arguments: str) -> list[str]:
    return [file["path"] for file in report(cudalint(*arguments, "--output-format", "json"))["files"]]


def test_cuda_files_and_sources_with_kernels(cudalint: Command, tmp_path: Path) -> None:
    for name in ("a.cu", "b.cuh", "c.cpp", "d.h", "e.CU"):
        (tmp_path / name).write_text(STRIDED)
    for name in ("plain.cpp", "plain.h", "notes.txt", "old.cu.bak"):
        (tmp_path / name).write_text("int a;\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.cu").write_text(STRIDED)
    assert paths(cudalint, ".") == ["a.cu", "b.cuh", "c.cpp", "d.h", "e.CU"]


def test_a_named_file_is_linted_whatever_it_is_called(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "kernel.inc").write_text(STRIDED)
    assert cudalint("kernel.inc").returncode == 1


def test_a_path_given_twice_counts_once(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.cu").write_text(STRIDED)
    outcome = cudalint("sub", "sub/a.cu", "./sub/../sub/a.cu", str(tmp_path), "--output-format", "json")
    assert [file["path"] for file in report(outcome)["files"]] == ["sub/a.cu"]
    assert len(codes(outcome)) == 1


def test_a_header_is_reported_once_through_its_units(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("#pragma once\n" + KERNEL)
    (tmp_path / "a.cu").write_text('#include "k.cuh"\n' + LAUNCH)
    (tmp_path / "b.cu").write_text('#include "k.cuh"\n' + LAUNCH)
    outcome = cudalint(".", "--output-format", "json")
    assert codes(outcome) == [("k.cuh", 5, "CU101")]
    assert {f["path"]: f["status"] for f in report(outcome)["files"]} == {
        "a.cu": "ok", "b.cu": "ok", "k.cuh": "ok",
    }  # fmt: skip
    text = cudalint(".", "--statistics").stdout
    assert "kernels in the source: 1" in text


def test_a_header_that_no_unit_includes_is_linted_alone(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(KERNEL)
    (tmp_path / "a.cu").write_text("int a;\n")
    assert {path for path, _, _ in codes(cudalint(".", "--output-format", "json"))} == {"k.cuh"}


def test_a_source_that_another_includes_is_part_of_it(cudalint: Command, tmp_path: Path) -> None:
    # By itself kernel.cu does not parse: its types come from the file that includes it.
    (tmp_path / "kernel.cu").write_text(KERNEL.replace("float", "real"))
    (tmp_path / "main.cu").write_text('typedef float real;\n#include "kernel.cu"\n' + LAUNCH)
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.stderr == ""
    assert codes(outcome) == [("kernel.cu", 4, "CU101")]
    assert {f["path"]: f["status"] for f in report(outcome)["files"]} == {"kernel.cu": "ok", "main.cu": "ok"}
    alone = cudalint("kernel.cu", "--output-format", "json")
    assert report(alone)["files"][0]["status"] != "ok"


def test_sources_that_include_each_other_do_not_vanish(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('#pragma once\n#include "b.cu"\n' + STRIDED)
    (tmp_path / "b.cu").write_text('#pragma once\n#include "a.cu"\n')
    outcome = cudalint(".", "--output-format", "json")
    assert codes(outcome) == [("a.cu", 6, "CU101")]


def test_files_outside_the_working_directory_are_named_from_it(cudalint: Command, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (tmp_path / "a.cu").write_text(STRIDED.replace("in[i];", "in[i];  // cudalint: ignore[CU101] known"))
    outcome = cudalint("../a.cu", "--output-format", "json", cwd=here)
    assert report(outcome)["files"] == [{"path": "../a.cu", "status": "ok", "reason": None}]
    assert codes(outcome) == []


def test_a_link_that_goes_round_ends(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.cu").write_text(STRIDED)
    (tmp_path / "sub" / "again").symlink_to(tmp_path)
    assert paths(cudalint, ".") == ["sub/a.cu"]
