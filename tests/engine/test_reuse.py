"""What is kept of a run: the same bytes warm as cold, and a miss where anything that counts has changed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cudalint.engine import own_code
from cudalint.engine.store import Store
from tests.support.command_line import STRIDED, Command

WITH_HEADER = '#include "near.h"\n' + STRIDED.replace("* 2", "* STEP")
Lint = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "near.h").write_text("#define STEP 2\n")
    (tmp_path / "a.cu").write_text(WITH_HEADER)
    (tmp_path / "b.cu").write_text(STRIDED)
    return tmp_path


@pytest.fixture
def kept(cudalint: Command, project: Path) -> Lint:
    """Lints with a cache, and tells the report."""

    def lint(*arguments: str) -> str:
        return cudalint("check", "--cache-dir", "kept", "--output-format", "json", *arguments).stdout

    return lint


def entries(project: Path) -> dict[str, float]:
    """The files of the cache with the times they were written."""
    found = (path for path in (project / "kept" / "entries").rglob("*") if path.is_file())
    return {path.name: path.stat().st_mtime_ns for path in found}


def misses(project: Path, run: Callable[[], object]) -> int:
    """How many entries a run adds or writes anew."""
    before = entries(project)
    run()
    return len(set(entries(project).items()) - set(before.items()))


def test_a_second_run_says_the_same_and_analyses_nothing(
    kept: Lint, project: Path, cudalint: Command
) -> None:
    cold = kept("a.cu", "b.cu")
    assert cold == cudalint("check", "--output-format", "json", "a.cu", "b.cu").stdout
    assert misses(project, lambda: kept("a.cu", "b.cu")) == 0
    assert kept("b.cu", "a.cu", "-j", "1") == cold
    assert "CU101" in cold


@pytest.mark.parametrize(
    "change",
    [
        lambda top: (top / "a.cu").write_text(WITH_HEADER.replace("STEP", "3")),
        lambda top: (top / "include" / "near.h").write_text("#define STEP 4\n"),
        lambda top: (top / "include" / "near.h").unlink(),
        lambda top: (top / "near.h").write_text("#define STEP 1\n"),  # found before the other one
        lambda top: (top / "CMakeLists.txt").write_text('set(CMAKE_CUDA_FLAGS "-G")\n'),
        lambda top: (top / "cudalint.toml").write_text("defines = ['STEP=8']\n"),
    ],
    ids=["file", "header", "header gone", "header that appears", "build file", "configuration"],
)
def test_what_counts_makes_a_miss(
    kept: Lint, project: Path, cudalint: Command, change: Callable[[Path], object]
) -> None:
    kept("a.cu")
    change(project)
    assert misses(project, lambda: kept("a.cu")) == 1
    assert kept("a.cu") == cudalint("check", "--output-format", "json", "a.cu").stdout


@pytest.mark.parametrize("arguments", [("-DOTHER",), ("--arch", "sm_75"), ("--min-impact", "0"), ("-I", "x")])
def test_so_do_options(kept: Lint, project: Path, arguments: tuple[str, ...]) -> None:
    kept("b.cu")
    assert misses(project, lambda: kept("b.cu", *arguments)) == 1


def test_a_change_of_one_file_analyses_that_one(kept: Lint, project: Path) -> None:
    kept("a.cu", "b.cu")
    (project / "b.cu").write_text(STRIDED.replace("* 2", "* 4"))
    assert misses(project, lambda: kept("a.cu", "b.cu")) == 1


def test_fewer_rules_take_their_part(kept: Lint, project: Path, cudalint: Command) -> None:
    kept("b.cu", "--select", "ALL")
    for words in ("CU1", "CU5,CU101"):
        outcome = cudalint("check", "--select", words, "--output-format", "json", "b.cu")
        assert misses(project, lambda: kept("b.cu", "--select", words)) == 0  # noqa: B023
        assert kept("b.cu", "--select", words) == outcome.stdout


def test_a_header_that_a_macro_names_counts(kept: Lint, project: Path) -> None:
    text = WITH_HEADER.replace('"near.h"', "NEAR")
    (project / "b.cu").write_text('#define NEAR "near.h"  // the step\n' + text)
    kept("b.cu")
    assert misses(project, lambda: kept("b.cu")) == 0
    assert len(entries(project)) == 2
    (project / "include" / "near.h").write_text("#define STEP 4\n")
    assert misses(project, lambda: kept("b.cu")) == 1


def test_a_macro_that_nothing_defines_names_no_header(kept: Lint, project: Path) -> None:
    (project / "b.cu").write_text("#ifdef PLUGIN\n#include PLUGIN\n#endif\n" + STRIDED)
    kept("b.cu")
    assert len(entries(project)) == 2
    kept("b.cu", '-DPLUGIN="near.h"')
    assert len(entries(project)) == 2


@pytest.mark.parametrize("value", ["", "NAME(near.h)", "OTHER"])
def test_what_a_macro_computes_is_not_vouched_for(kept: Lint, project: Path, value: str) -> None:
    (project / "b.cu").write_text(f"#define NEAR {value}\n#ifdef PLUGIN\n#include NEAR\n#endif\n" + STRIDED)
    kept("b.cu")
    assert misses(project, lambda: kept("b.cu")) == 0
    assert len(entries(project)) == 1  # what is known of the code


def test_damage_is_a_miss(kept: Lint, project: Path) -> None:
    cold = kept("b.cu")
    for path in (project / "kept" / "entries").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert misses(project, lambda: kept("b.cu")) == 2
    assert kept("b.cu") == cold


def test_an_entry_under_the_name_of_another_is_a_miss(kept: Lint, project: Path) -> None:
    kept("b.cu")
    there = {path for path in (project / "kept" / "entries").rglob("*") if path.is_file()}
    (project / "b.cu").write_text(STRIDED.replace("* 2", "* 1"))
    kept("b.cu")
    (new,) = {path for path in (project / "kept" / "entries").rglob("*") if path.is_file()} - there
    for path in there:
        shutil.copy(path, new)
        assert "CU101" not in kept("b.cu")


def test_a_trial_of_a_fix_is_kept(kept: Lint, project: Path) -> None:
    race = """\
__global__ void turn(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *a, float *b) { turn<<<1, 256>>>(a, b); }
"""
    (project / "b.cu").write_text(race)
    cold = kept("b.cu")
    assert "__syncthreads" in cold
    assert misses(project, lambda: kept("b.cu")) == 0
    assert kept("b.cu") == cold


def test_fixing_changes_what_is_found(kept: Lint, project: Path) -> None:
    (project / "b.cu").write_text(STRIDED.replace("= in[i]", "*= 0.3"))
    small = ("b.cu", "--min-impact", "0")
    assert "CU601" in kept(*small)
    fixed = kept(*small, "--fix", "--unsafe-fixes")
    assert "0.3f" in (project / "b.cu").read_text()
    assert "CU601" not in fixed
    assert "CU601" not in kept(*small)


def test_another_state_of_the_code_is_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path / "kept"))
    first = own_code.code_digest(store)
    assert own_code.code_digest(store) == first == own_code.code_digest(Store(str(tmp_path / "other")))
    files = own_code._own_files()
    top = tmp_path / "rule"
    top.mkdir()
    (top / "new.py").write_text("")
    monkeypatch.setattr(own_code, "_own_files", lambda: [*files, (str(top), "new.py", (1,))])
    assert own_code.code_digest(store) != first


@pytest.mark.skipif(os.name != "posix" or not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_folder_that_others_can_write_is_not_used(project: Path, cudalint: Command) -> None:
    (project / "kept").mkdir()
    (project / "kept").chmod(0o777)
    outcome = cudalint("check", "--cache-dir", "kept", "b.cu")
    assert outcome.returncode == 1
    assert "others can write there" in outcome.stderr
    assert entries(project) == {}


def test_no_cache_keeps_nothing_and_clean_removes_all(kept: Lint, project: Path, cudalint: Command) -> None:
    kept("b.cu", "--no-cache")
    assert not (project / "kept").exists()
    kept("b.cu")
    (project / "kept" / "mine.txt").write_text("")
    assert "2 entries removed" in cudalint("clean", "--cache-dir", "kept").stdout
    assert entries(project) == {}
    assert (project / "kept" / "mine.txt").exists()
    assert "nothing" in cudalint("clean", "--cache-dir", "kept").stdout
