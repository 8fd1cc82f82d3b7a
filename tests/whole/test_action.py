"""The composite action, step by step as a runner takes it: pip installs the checkout, the code is linted."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.checkout import bare_environment, copy
from tests.support.command_line import CLEAN, STRIDED
from tests.support.once import made_once

pytestmark = pytest.mark.slow


class Runner:
    """Runs the steps of an action in an environment of its own. `actions/setup-python` becomes a venv."""

    def __init__(self, action: Path, work: Path) -> None:
        """Take the steps that make the environment: no input changes what they do."""
        self.action, self.work, self.path = action, work, os.environ["PATH"]
        self.definition = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
        for step in self.definition["runs"]["steps"][:-1]:
            assert "inputs." not in str(step)
            if "uses" in step:
                self._setup_python(step)
            else:
                done = self._step(step, work, {})
                assert done.returncode == 0, done.stdout + done.stderr

    def run(self, workspace: Path, **given: str) -> subprocess.CompletedProcess[str]:
        """The last step, which lints."""
        declared = self.definition["inputs"]
        assert given.keys() <= declared.keys()
        inputs = {name: given.get(name, declared[name]["default"]) for name in declared}
        return self._step(self.definition["runs"]["steps"][-1], workspace, inputs)

    def _setup_python(self, step: dict[str, Any]) -> None:
        assert step["uses"].startswith("actions/setup-python@") and step["with"]["python-version"]
        environment = self.work / "python"
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        self.path = f"{environment / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"

    def _step(
        self, step: dict[str, Any], workspace: Path, inputs: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        assert step["shell"] == "bash"
        values = {f"inputs.{name}": value for name, value in inputs.items()}
        values["github.action_path"] = str(self.action)
        own = {
            name: re.sub(r"\$\{\{ (\S+) \}\}", lambda m: values[m[1]], text)
            for name, text in step["env"].items()
        }
        environment = {
            **bare_environment(Path(self.path.split(os.pathsep)[0]), self.work), **own, "PATH": self.path,
            "GITHUB_STEP_SUMMARY": str(workspace / "summary.md"), "GITHUB_ACTIONS": "true",
        }  # fmt: skip
        script = workspace / "step.sh"
        script.write_text(step["run"])
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        return subprocess.run(
            command, cwd=workspace, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    work = tmp_path_factory.mktemp("runner")
    return made_once(tmp_path_factory, "runner", lambda: Runner(copy(work / "action"), work))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(STRIDED)
    (tmp_path / "clean.cu").write_text(CLEAN)
    return tmp_path


def test_a_finding_fails_the_job_and_is_shown(runner: Runner, workspace: Path) -> None:
    done = runner.run(workspace, paths="src", sarif="out.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("::warning file=src/a.cu,line=4")
    assert len(json.loads((workspace / "out.sarif").read_text())["runs"][0]["results"]) == 1
    assert (workspace / "summary.md").read_text().startswith("### cudalint: 1 finding\n")
    installed = runner.work / "python" / "bin" / "cudalint"
    assert installed.exists()  # pip put it there, from the checkout of the action


def test_arguments_and_paths_are_those_of_the_workflow(runner: Runner, workspace: Path) -> None:
    assert runner.run(workspace, paths="src clean.cu", args="--fail-on error").returncode == 0
    assert runner.run(workspace, paths="clean.cu").returncode == 0
    assert runner.run(workspace, paths="gone").returncode == 2
    assert runner.run(workspace, paths="$(touch made) clean.cu").returncode == 2
    assert not (workspace / "made").exists()
