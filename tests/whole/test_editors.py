"""What docs/editors.md says for Neovim and Emacs, run as it stands by the editors themselves."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra cudalint[lsp]")
from tests.support.checkout import ROOT
from tests.support.command_line import STRIDED

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
_SECONDS = 60
NEOVIM = """
vim.opt.rtp:append(vim.fn.getcwd())
dofile("snippet.lua")
vim.cmd.edit("a.cu")
local seen = vim.wait(%d, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, {one.code, one.lnum + 1, one.source})
end
local params = vim.lsp.util.make_position_params(0, "utf-16")
params.position = {line = 3, character = 14}
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", params, %d) or {}
local hover = ""
for _, answer in pairs(answers) do hover = hover .. answer.result.contents.value end
io.stdout:write(vim.json.encode({filetype = vim.bo.filetype, found = found, hover = hover}))
vim.cmd("qall!")
"""
EMACS = """
(setq eglot-sync-connect %d eglot-autoshutdown t)
(require 'eglot)
(require 'json)
(load-file "snippet.el")
(find-file "a.cu")
(call-interactively #'eglot)
(require 'flymake)
(let ((end (+ (float-time) %d)))
  (while (and (null (flymake-diagnostics)) (< (float-time) end))
    (flymake-start)
    (accept-process-output nil 0.1)))
(princ (json-encode
  (list (cons 'mode (symbol-name major-mode))
        (cons 'found (vconcat (mapcar
          (lambda (one) (vector (line-number-at-pos (flymake-diagnostic-beg one))
                                (flymake-diagnostic-text one)))
          (flymake-diagnostics)))))))
(kill-emacs 0)
"""


def snippet(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.+?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text('select = ["CU101"]\n')
    return tmp_path


def run(folder: Path, *command: str) -> str:
    """What an editor prints, with the cudalint of this environment on PATH and a home of its own."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3 * _SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout[done.stdout.index("{") :]


def test_neovim(folder: Path) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("no nvim on PATH")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < (0, 11):
        pytest.skip("the snippet is for Neovim 0.11 or newer")
    (folder / "snippet.lua").write_text(snippet("lua"))
    (folder / "drive.lua").write_text(NEOVIM % (1000 * _SECONDS, 1000 * _SECONDS))
    found = json.loads(run(folder, program, "--clean", "--headless", "-c", "luafile drive.lua"))
    assert (found["filetype"], found["found"]) == ("cuda", [["CU101", 4, "cudalint"]])
    assert "sectors/request" in found["hover"]


def test_emacs(folder: Path) -> None:
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("no emacs on PATH")
    asked = [program, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("this Emacs has no eglot: it comes with Emacs 29, or as a package")
    (folder / "snippet.el").write_text(snippet("elisp"))
    (folder / "drive.el").write_text(EMACS % (_SECONDS, _SECONDS))
    printed = run(folder, program, "--batch", "--eval", "(package-initialize)", "-l", "drive.el")
    found = json.loads(printed)
    assert found["mode"] == "cuda-mode"
    ((line, text),) = found["found"]
    assert line == 4 and "CU101" in text
