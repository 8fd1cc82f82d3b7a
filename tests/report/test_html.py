"""The page: opened in a headless browser and used with the keyboard, small and smooth with many findings,
deaf to hostile code.
"""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.report import html_report
from tests.report.test_formats import evil
from tests.support.browser import PATH, Browser
from tests.support.checkout import ROOT
from tests.support.command_line import Command

PIPELINE = """
void pipeline(float *out, const float *in, float *host)
{
    cudaStream_t s[2];
    float *pinned, *device;
    cudaMallocHost(&pinned, 1 << 22);
    cudaMalloc(&device, 1 << 22);
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&s[i]);
    for (int i = 0; i < 100; i++) {
        cudaMemcpyAsync(device, pinned, 1 << 22, cudaMemcpyHostToDevice, s[i % 2]);
        smooth<<<4096, 256, 0, s[i % 2]>>>(device, device);
    }
}
"""
SHOWN = "[...document.querySelectorAll('details.finding')].filter((one) => !one.hidden).length"
TOLD = "document.getElementById('shown').textContent"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if PATH is None:
        pytest.skip("no chromium or chrome on PATH: the page is not opened")
    made = Browser(tmp_path_factory.mktemp("browser"))
    yield made
    made.close()


@pytest.fixture
def page(cudalint: Command, tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "example.cu").write_text((ROOT / "docs" / "example.cu").read_text() + PIPELINE)
    done = cudalint(".", "--output-format", "html:report.html", "--select", "CU101,CU301,CU602")
    assert done.returncode == 1, done.stderr
    return tmp_path / "report.html"


def test_a_report_is_drawn_and_used_by_keyboard(browser: Browser, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=[\"']?(?!#|https://docs\.nvidia\.com)[\w/.]", text)
    browser.open(page)
    assert browser.value(TOLD) == "3 of 3 findings"
    browser.key("j")  # to the first finding
    browser.key("j")
    browser.key("k")
    assert browser.value("document.activeElement.parentNode.id") == "f0"
    browser.key("Enter")
    browser.until("document.querySelectorAll('#f0[open] svg').length === 2")
    assert "CU101" in browser.value("document.activeElement.textContent")
    drawn = browser.value("[...document.querySelectorAll('#f0 svg text')].map((one) => one.textContent)")
    assert {"now: 32 per request, 32 bytes from lane to lane", "side by side: 4 per request"} <= set(drawn)
    browser.key("/")
    for letter in "race":
        browser.key(letter)
    assert (browser.value(TOLD), browser.value(SHOWN)) == ("1 of 3 findings", 1)
    rows = browser.value(
        "[...document.querySelectorAll('.streams svg > text')].map((one) => one.textContent)"
    )
    assert rows[:3] == ["host", "s[0]", "s[1]"]
    assert browser.value("document.querySelectorAll('.streams rect.HtoD').length") >= 4
    assert browser.value("document.querySelector('.tree summary').textContent").startswith(
        "src/ 1 file 1 error"
    )
    assert browser.value("[...document.querySelectorAll('.card .bar')].length") > 4  # occupancy and roofs
    assert (browser.logged, browser.asked) == ([], [page.as_uri()])


def test_a_link_opens_a_finding_and_a_file_filters(browser: Browser, page: Path) -> None:
    browser.open(page, "f2")
    assert browser.value("document.getElementById('f2').open")
    browser.value("document.querySelector('.tree a').click()")
    browser.until("document.getElementById('query').value === 'src/example.cu'")
    assert browser.value(SHOWN) == 3
    browser.open(page, "q=CU301")
    assert (browser.value(TOLD), browser.logged) == ("1 of 3 findings", [])


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_it_fits_a_desk_and_a_phone_in_light_and_dark(
    browser: Browser, page: Path, tmp_path: Path, width: int, height: int
) -> None:
    browser.open(page, "f1")
    grounds = []
    for scheme in ("light", "dark"):
        picture = browser.picture(tmp_path / f"{scheme}.png", width, height, scheme)
        assert struct.unpack(">II", picture[16:24]) == (width, height)
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")  # nothing sticks out
        grounds.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(21, 25, 29)"]


def test_hostile_source_is_text(browser: Browser, tmp_path: Path) -> None:
    text = html_report.render(evil())
    assert "<script>alert" not in text and text.count("<script>") == 1
    assert 'onerror="' not in text
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert len(policy) == 1 and policy[0].startswith("default-src 'none'; ")
    (tmp_path / "evil.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "evil.html", "f0")
    assert browser.value("document.scripts.length") == 1
    assert (browser.logged, len(browser.asked)) == ([], 1)


def test_two_thousand_findings_are_small_and_smooth(browser: Browser, tmp_path: Path) -> None:
    one = evil()
    (finding,) = one.findings
    plain = replace(
        finding, message="m" * 120, notes=("n" * 120,) * 2, help="h" * 100, kernel="k", related=()
    )
    many = replace(one, findings=tuple(replace(plain, evidence={"n": n}) for n in range(2000)))
    text = html_report.render(many)
    assert len(text.encode()) < 3_000_000
    (tmp_path / "many.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "many.html")
    typed = (
        "(() => { const began = performance.now(); for (const word of ['nowhere', '']) {"
        " query.value = word; filter(); document.body.offsetHeight; } return performance.now() - began; })()"
    )
    work = (
        "(() => { const began = performance.now(); let s = 0;"
        " for (let i = 0; i < 2e7; i++) s += Math.sqrt(i); return [performance.now() - began, s][0]; })()"
    )
    pace = min(browser.value(work) for _ in range(3))  # a machine that has other things to do is slow at both
    assert min(browser.value(typed) for _ in range(3)) < 5 * pace
    assert browser.value(TOLD) == "2000 of 2000 findings"
