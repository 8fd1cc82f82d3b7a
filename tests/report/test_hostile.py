"""Hostile text in every place of a report, in every format, and hostile names and sources in whatever a
command prints or writes: nothing acts, whatever the mixture.
"""

import json
import re
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.report import formats
from cudalint.report.content import Content
from cudalint.rule.findings import Confidence, Edit, FileResult, Finding, Fix, Related
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span
from cudalint.source.text import Sources
from tests.support.command_line import Command

PIECES = (
    "\x1b]0;title\x07", "\x1b[2J", "\x9b31m", "\r", "\n::error file=a,line=1::b\n", "::set-output name=a::b",
    "##[error]", "##vso[task.complete]", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "'\"><svg onload=a>", "]]>", "<!--", "--!>", "&lt;", "[l](javascript:alert(1))", "![i](http://e)",
    "<http://e>", "`", "``` ", "|", "@team", "#1", "{{ f }}", "${a}", "%0A", "%", "\u202e", "\u2066",
    "\ufeff", "\u2028", "\udcff", "\U0001f600", "a", " ", "\t", "\\", "section_start:1:a\r\x1b[0K",
    "</textarea>", "</pre>", "https://evil.example/",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
_ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LOGGED = ("full", "concise", "grouped", "github", "markdown")


class _Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def content(texts: list[str]) -> Content:
    name, message, note, kernel, evidence, related, source = texts
    path = name.replace("\0", "").replace("\udcff", "") + ".cu"
    span = Span(path, 1, 1, 1, 2)
    finding = Finding(
        "CU301", "shared-memory-race", Severity.ERROR, Confidence.HIGH, span, message,
        notes=(note,), help=note, kernel=kernel, evidence={"text": evidence, "threads": 2},
        condition=evidence, related=(Related(span, related), Related(span, related)),
        fix=Fix((Edit(span, source),), True), impact=Impact(0.1, 0.2, Basis.SECTORS),
    )  # fmt: skip
    bar: dict[str, Any] = {
        "path": path, "line": 1, "name": kernel, "kind": "launch", "direction": None, "bytes": None,
        "start_us": 0.0, "end_us": 1.0, "known": True, "waits_for": [], "overlaps": [],
    }  # fmt: skip
    timeline = {
        "function": kernel, "path": path, "line": 1, "loop": True, "iterations": 1, "microseconds": 1.0,
        "rows": [{"name": "host", "bars": [bar]}, {"name": related, "bars": [bar]}],
    }  # fmt: skip
    files = (FileResult(path, "failed", message),)
    return Content((finding,), files, "sm_90", Sources({path: source}), "0", streams=(timeline,))


@pytest.mark.parametrize("name", formats.FORMATS)
@settings(max_examples=20, deadline=None)
@given(texts=st.lists(HOSTILE, min_size=7, max_size=7))
def test_no_mixture_acts_in_any_format(name: str, texts: list[str]) -> None:
    text = formats.render(name, content(texts))
    text.encode("utf-8")
    assert not _ACTS.search(text)
    if name in _LOGGED:
        commands = [row for row in text.splitlines() if re.match(r"\s*::(?!:)", row)]
        assert len(commands) == (name == "github")
        assert "##[" not in text and "##vso[" not in text
    if name in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(text)
    if name == "json-lines":
        assert len([json.loads(row) for row in text.split("\n") if row]) == 1
    if name == "junit":
        assert {part.tag for part in ElementTree.fromstring(text).iter()} <= {
            "testsuites", "testsuite", "testcase", "failure", "error", "system-out", "properties", "property",
        }  # fmt: skip
    if name == "html":
        page = _Elements()
        page.feed(text)
        tags = [tag for tag, _ in page.found]
        assert tags.count("script") == 1 and not {"img", "iframe", "object", "textarea"} & set(tags)
        assert not [key for _, attributes in page.found for key in attributes if key.startswith("on")]
        links = [attributes.get("href") or "#" for tag, attributes in page.found if tag == "a"]
        assert all(link.startswith(("#", "https://docs.nvidia.com/")) for link in links)


SOURCE = """\
__global__ void k(float *out, const float *in) /* \x1b[2J\u202e ::error::a */
{
    int t = threadIdx.x + blockIdx.x * 256;
    out[t] = in[8 * t]/* \x1b[31m\x9b31m\u202e <img src=x onload=a> ``` | [l](javascript:a) */ + 2.5 * in[t];
}
int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 26);
    cudaMalloc(&b, 1 << 29);
    k<<<65536, 256>>>(a, b);
    cudaThreadSynchronize(); /* \x1b]0;t\x07 */
}
"""
FOLDER = 'd\x1b[31m<b>`|\n::error::q"'
NAME = "a \x1b]0;t\x07'<script>.cu"
COMMANDS = {
    "check": ". --output-format full",
    "concise": ". --output-format concise",
    "junit": ". --output-format junit",
    "markdown": ". --output-format markdown",
    "statistics": ". --statistics",
    "diff": ". --diff --unsafe-fixes",
    "files": ". --show-files",
    "settings": ". --show-settings",
    "inspect": "inspect .",
    "streams": "inspect . --streams",
    "line": "inspect . --explain FILE:4",
    "silence": "check . --explain-silence FILE:4",
    "advise": "advise . --no-nvcc",
    "advise-markdown": "advise . --no-nvcc --output-format markdown",
    "prove": "prove .",
    "init": "init",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="file names are bytes there")
@pytest.mark.parametrize("name", COMMANDS)
def test_no_name_acts_in_what_a_command_prints(cudalint: Command, tmp_path: Path, name: str) -> None:
    for folder in (tmp_path / FOLDER, tmp_path / FOLDER / "third_party"):
        folder.mkdir()
        (folder / NAME).write_text(SOURCE, encoding="utf-8")
    words = [word.replace("FILE", f"{FOLDER}/{NAME}") for word in COMMANDS[name].split()]
    done = cudalint(*words)
    assert done.returncode <= 1 or name == "prove", done.stderr
    written = tmp_path / "cudalint.toml"
    if name == "init":
        assert list(tomllib.loads(written.read_text(encoding="utf-8"))) == ["arch", "exclude"]
    text = written.read_text(encoding="utf-8") if name == "init" else done.stdout
    assert len(text) > 50
    for one in (text, done.stderr):
        assert not _ACTS.search(one)
        assert not [row for row in one.splitlines() if re.match(r"\s*::(?!:)", row)]
    if name.endswith("markdown"):
        assert "<" not in re.sub(r"`[^`\n]*`|&lt;", "", text)
