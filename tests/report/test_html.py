"""The page: opened in a headless browser, small with many findings, deaf to hostile code."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.report import html_report
from tests.report.test_formats import evil
from tests.support.checkout import ROOT
from tests.support.command_line import Command

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def browse(page: Path, fragment: str, *options: str) -> tuple[str, str]:
    """(the page as the browser has made it, what it logged of scripts and policies)."""
    if BROWSER is None:
        pytest.skip("no chromium or chrome on PATH: the page is not opened")
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--enable-logging=stderr", f"--user-data-dir={page.parent / 'profile'}", "--virtual-time-budget=2000",
        *options, f"{page.as_uri()}#{fragment}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout, "\n".join(row for row in done.stderr.splitlines() if ":CONSOLE" in row)


def test_a_report_opens_filters_and_draws(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "example.cu").write_text((ROOT / "docs" / "example.cu").read_text())
    done = cudalint(".", "--output-format", "html:report.html", "--output-format", "concise")
    assert done.returncode == 1
    page = tmp_path / "report.html"
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=[\"']?(?!#|https://docs\.nvidia\.com)[\w/.]", text)  # loads nothing
    number = next(m[1] for m in re.finditer(r'id="(f\d+)"><summary><b class="\w+">\w+</b> CU101', text))
    made, logged = browse(page, number, "--dump-dom")
    assert logged == ""
    assert "3 of 3 findings" in made
    assert "now: 8 per request, 8 bytes from lane to lane" in made and made.count("<svg") == 2
    filtered, _ = browse(page, "q=CU301", "--dump-dom")
    assert "1 of 3 findings" in filtered


def test_hostile_source_is_text(tmp_path: Path) -> None:
    text = html_report.render(evil())
    assert "<script>alert" not in text and text.count("<script>") == 1
    assert 'onerror="' not in text
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert len(policy) == 1 and policy[0].startswith("default-src 'none'; ")


def test_two_thousand_findings_stay_below_three_megabytes() -> None:
    one = evil()
    (finding,) = one.findings
    plain = replace(
        finding, message="m" * 120, notes=("n" * 120,) * 2, help="h" * 100, kernel="k", related=()
    )
    many = replace(one, findings=tuple(replace(plain, evidence={"n": n}) for n in range(2000)))
    assert len(html_report.render(many).encode()) < 3_000_000
