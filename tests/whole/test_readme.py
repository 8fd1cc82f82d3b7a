"""What the README says is so: its commands, options, configuration, comments and snippets."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cudalint.settings import config
from tests.support.checkout import ROOT, bare_environment, copy
from tests.support.command_line import CLEAN, STRIDED, Command, codes

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(.+?)\n```", README, flags=re.DOTALL)
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")

# A kernel for the README's lines on suppressions.
KERNEL = """\
__global__ void k(float *out, float *rest, float *sum, const float *in)
{{
    __shared__ float tile[8192];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float x = in[i], y = x + 1.0f;
{lines}
}}
void run(float *a, float *b, float *c, const float *d) {{ k<<<65536, 256>>>(a, b, c, d); }}
"""


def block(language: str) -> str:
    """The README's first block of a language."""
    return re.findall(rf"```{language}\n(.+?)```", README, flags=re.DOTALL)[0]


def help_of(command: str) -> str:
    arguments = [sys.executable, "-m", "cudalint", command, "--help"]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


def test_there_are_two_commands_of_one_line_each():
    assert len(COMMANDS) == 2
    assert not any("\n" in command for command in COMMANDS)


def test_what_it_is_a_command_and_a_finding_stand_before_the_tables() -> None:
    screen = README.split("\n|", 1)[0].splitlines()
    assert len(screen) <= 50
    assert COMMANDS[0] in screen and any(row.startswith("warning[CU101]") for row in screen)


def test_ci_runs_the_second_command():
    assert COMMANDS[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_readme_names_every_option_and_no_other():
    known = {
        option for command in ("check", "inspect", "rule") for option in _OPTION.findall(help_of(command))
    }
    ours = "\n".join(row for row in README.splitlines() if "pip install" not in row)
    named = {option for option in _OPTION.findall(ours) if option != "--version"}
    assert named <= known
    assert set(_OPTION.findall(help_of("check"))) - {"--help"} <= named


def test_the_configuration_is_accepted(tmp_path):
    text = block("toml")
    (tmp_path / "cudalint.toml").write_text(text, encoding="utf-8")
    settings = config.for_path(str(tmp_path / "a.cu"))
    table = tomllib.loads(text)
    assert len(table) > 4
    assert settings.select == tuple(table["select"]) and settings.arch == table["arch"]
    assert settings.assume == tuple(table["assume"]) and settings.exclude == tuple(table["exclude"])


def test_each_comment_silences_what_stands_without_it(cudalint: Command, tmp_path):
    lines = block("cuda")
    bare = re.sub(r"//[^\n]*", "//", lines)
    (tmp_path / "bare.cu").write_text(KERNEL.format(lines=bare))
    (tmp_path / "silent.cu").write_text(KERNEL.format(lines=lines))
    everything = ("--min-impact", "0", "--ignore", "CU5", "--output-format", "json")
    found = sorted(code for _, _, code in codes(cudalint("bare.cu", *everything)))
    assert found == ["CU101", "CU101", "CU201", "CU601"]
    silenced = cudalint("silent.cu", *everything)
    assert codes(silenced) == [] and silenced.returncode == 0


def test_the_workflow_writes_sarif_and_does_not_fail_on_findings(cudalint: Command, tmp_path):
    (run,) = re.findall(r"- run: cudalint (.+)", README)
    (tmp_path / "a.cu").write_text(STRIDED)
    done = cudalint(*shlex.split(run))
    assert done.returncode == 0, done.stderr
    (upload,) = re.findall(r"sarif_file: ([\w.]+)", README)
    results = json.loads((tmp_path / upload).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert "CU101" in {result["ruleId"] for result in results}


def test_assumptions_as_shown_are_understood(cudalint: Command, tmp_path):
    (tmp_path / "a.cu").write_text(CLEAN + re.findall(r"`(// cudalint: assume [^`]+)`", README)[0] + "\n")
    shown = re.findall(r"--assume '([^']+)'", README)
    assert len(set(shown)) > 1
    done = cudalint("a.cu", *(word for text in shown for word in ("--assume", text)))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_hooks_that_the_readme_names_exist():
    ids = re.findall(r"^- id: (.+)$", HOOKS, flags=re.MULTILINE)
    assert ids == ["cudalint", "cudalint-fix", "cudalint-sarif"]
    assert all(f"`{name}`" in README for name in ids)
    assert HOOKS.count("types_or: [cuda]") == len(ids)
    for entry in re.findall(r"^  entry: cudalint (.+)$", HOOKS, flags=re.MULTILINE):
        command, *arguments = entry.split()
        assert set(_OPTION.findall(" ".join(arguments))) <= set(_OPTION.findall(help_of(command)))


@pytest.mark.slow
def test_the_first_command_installs_and_lints_where_there_is_no_compiler(tmp_path: Path):
    source = copy(tmp_path / "cudalint")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "sh").symlink_to("/bin/sh")
    (tools / "python3").symlink_to(sys.executable)
    done = subprocess.run(
        [str(tools / "sh"), "-c", COMMANDS[0]],
        cwd=source, env=bare_environment(tools, tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr  # the example holds mistakes
    sample = re.findall(
        r"<!-- output of: cudalint docs/example.cu --select CU101 -->\n```text\n(.+?)```", README, re.DOTALL
    )
    assert [done.stdout] == sample
