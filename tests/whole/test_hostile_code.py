"""The code under review is hostile: nothing that it names is run, loaded or written."""

import json
import os
import sys
from pathlib import Path

import pytest

from cudalint.frontend.flags import translate
from tests.support.command_line import STRIDED, Command, codes, report

PLUGIN = "/tmp/evil.so"
LOADERS = [
    [f"-fplugin={PLUGIN}"],
    ["-fplugin", PLUGIN],
    ["-Xclang", "-load", "-Xclang", PLUGIN],
    ["-Xclang", "-add-plugin", "-Xclang", "evil"],
    [f"-fpass-plugin={PLUGIN}"],
    ["-mllvm", f"-load={PLUGIN}"],
    ["-load", PLUGIN],
    [f"-specs={PLUGIN}"],
    ["-wrapper", PLUGIN],
    ["-B", "/tmp"],
    ["--config", "/tmp/evil.cfg"],
    [f"--config={PLUGIN}"],
    ["@/tmp/evil.rsp"],
    ["-optf", "/tmp/evil.rsp"],
    ["-Xcompiler", f"-fplugin={PLUGIN}"],
    [f"-Xcompiler=-fplugin={PLUGIN}"],
    ["-include-pch", "/tmp/evil.pch"],
    ["-fmodule-file=/tmp/evil.pcm"],
    ["-o", "/tmp/evil.out"],
    ["-MF", "/tmp/evil.d"],
    ["-serialize-diagnostics", "/tmp/evil.dia"],
    ["-ftime-trace=/tmp/evil.json"],
    ["-ivfsoverlay", "/tmp/evil.yaml"],
]


@pytest.mark.parametrize("arguments", LOADERS, ids=" ".join)
def test_what_loads_or_writes_never_reaches_the_parser(arguments: list[str]) -> None:
    kept = translate(["-DKEPT", *arguments, "-Ikept"], "/project").arguments
    assert kept[0] == "-DKEPT"
    assert kept[1:] == ("-I/project/kept",)


def test_a_hostile_database_loads_nothing_and_writes_nothing(cudalint: Command, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.cu").write_text(STRIDED)
    (tmp_path / "outside.rsp").write_text("-DFROM_OUTSIDE\n")
    (project / "a.cu").write_text("#ifdef FROM_OUTSIDE\n#error outside\n#endif\n" + STRIDED)
    arguments = ["nvcc", *(word for words in LOADERS for word in words), "@../outside.rsp"]
    arguments += ["--options-file", str(tmp_path / "outside.rsp"), "-c", "a.cu"]
    entry = {"directory": str(project), "file": "a.cu", "arguments": arguments}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    before = sorted(tmp_path.rglob("*"))
    outcome = cudalint("project", "--output-format", "json")
    assert sorted(tmp_path.rglob("*")) == before
    assert outcome.stderr == ""
    assert {code for _, _, code in codes(outcome)} == {"CU101"}
    assert report(outcome)["files"][0]["status"] == "ok"


def test_extra_arguments_are_no_way_in_either(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    extra = [word for words in LOADERS for flag in words for word in ("--extra-arg", flag)]
    outcome = cudalint("a.cu", *extra, "--output-format", "json")
    assert outcome.stderr == ""
    assert report(outcome)["files"][0]["status"] == "ok"


def test_a_file_that_takes_the_worker_down_costs_only_itself(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    rows = ["#define A0(x) x + x + x + x"] + [f"#define A{n}(x) A{n - 1}(A{n - 1}(x))" for n in (1, 2, 3)]
    rows.append("__global__ void k(int *out) { out[0] = A3(A2(1)); }")
    (tmp_path / "deep.cu").write_text("\n".join(rows).replace("A0(A0(", "A0((") + "\n")
    (tmp_path / "wide.cu").write_text("int a = " + "(" * 50_000 + "1" + ")" * 50_000 + ";\n")
    outcome = cudalint(".", "--output-format", "json")
    assert [found for found in codes(outcome) if found[0] == "good.cu"]
    assert {f["path"] for f in report(outcome)["files"]} == {"deep.cu", "good.cu", "wide.cu"}
    assert "Traceback" not in outcome.stderr


def test_an_endless_file_hits_its_limit_and_the_others_are_linted(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    (tmp_path / "slow.cu").write_text(
        "template <int A, int B> struct S { static constexpr int v = S<A - 1, B>::v + S<A - 1, A>::v; };\n"
        "template <int B> struct S<0, B> { static constexpr int v = B; };\n"
        "constexpr int spin() { long n = 0; for (long i = 0; i < 1'000'000'000L; ++i) n += i; return n; }\n"
        "static_assert(S<900, 0>::v + spin() > 0);\n"
    )
    (tmp_path / "cudalint.toml").write_text("time-limit = 2\n")
    flags = ["--extra-arg", "-fconstexpr-steps=2000000000", "--extra-arg", "-ftemplate-depth=4000"]
    outcome = cudalint(".", *flags, "--output-format", "json", "-j", "2")
    assert [found for found in codes(outcome) if found[0] == "good.cu"]
    slow = next(f for f in report(outcome)["files"] if f["path"] == "slow.cu")
    assert slow["status"] != "ok"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the shell's own files")
def test_nothing_outside_the_named_output_is_written(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("a.cu", "-o", "report.txt")
    assert outcome.returncode == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.cu", "report.txt"]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that never ends")
@pytest.mark.parametrize(
    "name", ["a.cu", "a.cpp", "a.h", ".gitignore", "cudalint.toml", "compile_commands.json"]
)
def test_a_link_to_a_device_is_not_read(cudalint: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    (tmp_path / name).symlink_to("/dev/zero")
    outcome = cudalint(".", "--output-format", "json")
    assert [found for found in codes(outcome) if found[0] == "good.cu"]
    assert outcome.returncode == (2 if name == "a.cu" else 1)
    assert outcome.stderr.count("a.cu: cannot be read: it is not a regular file") == (name == "a.cu")


def test_a_pipe_in_a_tree_is_not_waited_for(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    os.mkfifo(tmp_path / "a.cu")
    os.mkfifo(tmp_path / ".gitignore")
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.returncode == 2
    assert [found for found in codes(outcome) if found[0] == "good.cu"]


def test_a_file_too_large_for_source_is_not_read(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    for name in ("a.cu", "b.cpp"):
        with (tmp_path / name).open("wb") as stream:
            stream.truncate(5_000_000_000)  # a hole: it takes no space
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.returncode == 2
    assert [found for found in codes(outcome) if found[0] == "good.cu"]
    assert "a.cu: cannot be read: it is larger than 64 MiB" in outcome.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that never ends")
def test_an_include_that_never_ends_costs_its_file_only(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(STRIDED)
    (tmp_path / "a.cu").write_text('#include "/dev/zero"\n#include "zero.h"\n' + STRIDED)
    (tmp_path / "zero.h").symlink_to("/dev/zero")
    outcome = cudalint(".", "--output-format", "json")
    assert [found for found in codes(outcome) if found[0] == "good.cu"]
    assert {f["path"]: f["status"] for f in report(outcome)["files"]}["a.cu"] != "ok"
