"""Configuration: where it is found, what it may say, and how the command line comes on top."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.errors import UsageError
from cudalint.gpu.devices import device
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit
from cudalint.rule.rule import Context
from cudalint.settings import config, reference
from cudalint.settings.config import Settings
from cudalint.settings.severity import Severity
from tests.support.command_line import STRIDED, Command, codes, report

DOUBLES = """__global__ void k(double *out, double x)
{
    for (int i = 0; i < 64; ++i)
        out[threadIdx.x] += x * i + x;
}
"""


def test_the_nearest_file_above_counts(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('arch = "sm_80"\nselect = ["CU101"]\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "k.cu").write_text("")
    assert config.for_path(str(inner / "k.cu")).arch == "sm_80"
    (inner / "cudalint.toml").write_text('arch = "sm_70"\n')
    config._nearest.cache_clear()
    settings = config.for_path(str(inner / "k.cu"))
    assert (settings.arch, settings.select) == ("sm_70", ())
    assert config.for_path(str(inner / "k.cu"), isolated=True).target == "sm_90"


def test_pyproject_counts_only_with_our_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.cudalint]\nfail-on = "error"\nignore = ["CU102"]\n')
    below = tmp_path / "below"
    below.mkdir()
    (below / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    settings = config.for_path(str(below))
    assert (settings.fail_on, settings.ignore) == (Severity.ERROR, ("CU102",))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour = true", "colour"),
        ('select = "CU101"', "select"),
        ("select = [1]", "select"),
        ('fail-on = "fatal"', "fail-on"),
        ('arch = "hopper"', "arch"),
        ("time-limit = 0", "time-limit"),
        ("memory-limit = true", "memory-limit"),
        ("min-impact = 101", "min-impact"),
        ("min-impact = true", "min-impact"),
        ('fail-on-impact = "20"', "fail-on-impact"),
        ("fail-on-impact = -1.5", "fail-on-impact"),
        ('respect-gitignore = "no"', "respect-gitignore"),
        ("std = 17", "std"),
    ],
)
def test_a_wrong_key_or_value_names_file_and_key(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "cudalint.toml").write_text(text + "\n")
    with pytest.raises(UsageError) as raised:
        config.for_path(str(tmp_path))
    assert "cudalint.toml" in str(raised.value)
    assert f"'{named}'" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("cudalint.toml", '# colour = 1\nselect = [\n  "CU1",\n]\ncolour = 1\n', "cudalint.toml:5: "),
        ("cudalint.toml", '\n"colour" = 1\n', "cudalint.toml:2: "),
        ("cudalint.toml", "std = 'c++17'\n[colour]\nx = 1\n", "cudalint.toml:2: "),
        ("cudalint.toml", "colour.x = 1\n", "cudalint.toml:1: "),
        ("pyproject.toml", "[tool.x]\ncolour = 1\n\n[tool.cudalint]\ncolour = 1\n", "pyproject.toml:5: "),
        ("pyproject.toml", '[tool.cudalint]\n[ tool . "cudalint" . colour ]\n', "pyproject.toml:2: "),
    ],
)
def test_an_unknown_key_names_file_and_line(tmp_path: Path, name: str, text: str, place: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as raised:
        config.for_path(str(tmp_path))
    assert place in str(raised.value)
    assert "unknown key 'colour'" in str(raised.value)


def test_a_key_that_is_nearly_right_is_proposed(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('ignores = ["CU101"]\n')
    with pytest.raises(UsageError, match="did you mean 'ignore'"):
        config.for_path(str(tmp_path))


def test_every_file_of_a_tree_has_the_settings_nearest_above_it(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('ignore = ["CU102"]\n')
    for name in ("quiet", "cut", "broken"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.cu").write_text(STRIDED)
    (tmp_path / "quiet" / "cudalint.toml").write_text('ignore = ["CU101"]\n')
    (tmp_path / "cut" / "b.cu").write_text(STRIDED)
    (tmp_path / "cut" / "cudalint.toml").write_text('exclude = ["a.cu"]\n')
    (tmp_path / "broken" / "b.cu").write_text(STRIDED)
    (tmp_path / "broken" / "cudalint.toml").write_text("colour = 1\n")
    outcome = cudalint(".", "--output-format", "json")
    assert {path for path, _, _ in codes(outcome)} == {"cut/b.cu"}
    assert [file["path"] for file in report(outcome)["files"]] == ["cut/b.cu", "quiet/a.cu"]
    assert outcome.returncode == 2
    (line,) = outcome.stderr.splitlines()
    assert "broken/cudalint.toml:1: unknown key 'colour'" in line


def test_paths_in_a_configuration_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('include-paths = ["inc"]\ncompile-commands = "build"\n')
    settings = config.for_path(str(tmp_path))
    assert settings.include_paths == (str(tmp_path / "inc"),)
    assert settings.compile_commands == str(tmp_path / "build")


def test_the_command_line_adds_to_lists_and_replaces_the_rest() -> None:
    base = config.Settings(ignore=("CU102",), select=("CU1",), arch="sm_80")
    got = config.override(base, ignore=("CU103",), select=("CU301",), arch=None, defines=())
    assert (got.ignore, got.select, got.arch) == (("CU102", "CU103"), ("CU301",), "sm_80")


def test_a_broken_file_stops_its_tree_only(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "cudalint.toml").write_text("select = [\n")
    (tmp_path / "broken" / "a.cu").write_text(STRIDED)
    (tmp_path / "b.cu").write_text(STRIDED)
    outcome = cudalint("broken", "b.cu", "--output-format", "json")
    assert outcome.returncode == 2
    assert len(outcome.stderr.splitlines()) == 1
    assert "broken/cudalint.toml" in outcome.stderr
    assert "--isolated" in outcome.stderr
    assert {path for path, _, _ in codes(outcome)} == {"b.cu"}


def test_exclude_and_gitignore_leave_files_out(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n*.tmp.cu\n!keep.tmp.cu\n")
    (tmp_path / "cudalint.toml").write_text('exclude = ["third_party/"]\n')
    for name in ("a.cu", "x.tmp.cu", "keep.tmp.cu", "gen/g.cu", "third_party/t.cu", "sub/s.cu", "plain.cpp"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(STRIDED if name != "plain.cpp" else "int main() {}\n")
    (tmp_path / "sub" / ".gitignore").write_text("s.cu\n")
    outcome = cudalint(".", "--output-format", "json")
    assert [file["path"] for file in report(outcome)["files"]] == ["a.cu", "keep.tmp.cu"]
    named = cudalint("gen/g.cu", "--output-format", "json")
    assert [file["path"] for file in report(named)["files"]] == ["gen/g.cu"]


def test_folders_that_a_later_pattern_takes_back_are_looked_into(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*\n!*.*\n!*/\nbuild/\n")
    for name in ("a.cu", "part/b.cu", "part/deep/c.cu", "build/d.cu", "part/build/e.cu"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(STRIDED)
    outcome = cudalint(".", "--output-format", "json")
    assert [file["path"] for file in report(outcome)["files"]] == ["a.cu", "part/b.cu", "part/deep/c.cu"]


def test_fail_on_and_select_from_a_file(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text('fail-on = "error"\nselect = ["CU101"]\n')
    outcome = cudalint("a.cu", "--output-format", "json")
    assert outcome.returncode == 0
    assert {code for _, _, code in codes(outcome)} == {"CU101"}
    assert cudalint("a.cu", "--fail-on", "warning").returncode == 1
    assert cudalint("a.cu", "--isolated").returncode == 1


def test_a_device_names_the_architecture_and_may_not_contradict_it(tmp_path: Path) -> None:
    file = tmp_path / "cudalint.toml"
    file.write_text('device = "h200"\n')
    settings = config.for_path(str(tmp_path))
    assert (settings.device, settings.arch) == ("H200", "sm_90")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "cudalint.toml").write_text('device = "H200"\narch = "sm_80"\n')
    with pytest.raises(UsageError, match=r"cudalint.toml:2: key 'arch' is sm_80, but device 'H200' is sm_90"):
        config.for_path(str(tmp_path / "a"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "cudalint.toml").write_text('device = "RTX 4090"\n')
    with pytest.raises(UsageError, match="did you mean one of 'GeForce RTX 4090'"):
        config.for_path(str(tmp_path / "b"))


def test_a_device_of_the_command_line_decides_the_architecture() -> None:
    settings = config.Settings(arch="sm_80", further_archs=("sm_75",))
    named = config.override(settings, device=config.named_device("h200", None))
    assert (named.device, named.archs) == ("H200", ("sm_90",))
    kept = config.override(settings, device=config.named_device("a100 80gb", None))
    assert kept.archs == ("sm_80", "sm_75")
    both = config.override(settings, device=config.named_device("H200", "sm_75,sm_90a"), arch="sm_75,sm_90a")
    assert both.archs == ("sm_75", "sm_90a")
    with pytest.raises(UsageError, match="--device: 'H200' is sm_90, but --arch is sm_80"):
        config.named_device("H200", "sm_80")
    with pytest.raises(UsageError, match="--device: no device named 'H2'"):
        config.named_device("H2", None)


def test_check_takes_a_device(tmp_path: Path, cudalint: Command) -> None:
    (tmp_path / "a.cu").write_text(DOUBLES)
    for name, expected in (("GeForce RTX 4090", True), ("H200", False)):
        found = cudalint("a.cu", "--select", "CU610", "--device", name, "--output-format", "json")
        assert bool(codes(found)) == expected
    wrong = cudalint("a.cu", "--device", "RTX 9999")
    assert wrong.returncode == 2 and "--device: no device named 'RTX 9999'" in wrong.stderr


def test_rules_ask_the_context_for_the_device() -> None:
    unit = Unit("a.cu", "sm_90", {}, {}, {}, (), (), ())
    context = Context(unit, (), HostFacts((), (), ()), 90)
    assert context.target == device("H200")  # the usual one of sm_90
    assert replace(context, device=device("H100 PCIe")).target.multiprocessors == 114
    assert replace(context, arch=103).target == device("B200")


def test_every_key_is_explained_by_an_example_that_is_accepted(tmp_path: Path) -> None:
    assert set(reference.KEYS) == set(config.KEYS)
    for key, (example, text) in reference.KEYS.items():
        folder = tmp_path / key
        folder.mkdir()
        (folder / "cudalint.toml").write_text(f"{key} = {example}\n")
        assert config.for_path(str(folder)) != Settings(root=str(folder)), text
