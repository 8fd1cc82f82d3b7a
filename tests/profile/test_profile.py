"""What a profile says of findings. The exports under tests/data/profiles are made by hand."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run
from cudalint.profile.apply import profiled
from cudalint.profile.launches import filled
from cudalint.profile.read import Measured, base_name, parse
from cudalint.rule.findings import Confidence, Finding, Profiled
from cudalint.rule.ranking import most_worth
from cudalint.settings.launch_shape import LaunchShape
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span
from tests.support.checkout import ROOT
from tests.support.command_line import STRIDED, Command, report

DATA = ROOT / "tests" / "data" / "profiles"


def kernels(name: str) -> list[tuple[str, float, tuple[str, ...]]]:
    found = parse((DATA / f"{name}.csv").read_text(encoding="utf-8"))
    return [(one.name, pytest.approx(one.seconds), one.rules) for one in found]


def test_shapes_of_launches_are_read_once() -> None:
    fold, spread = parse((DATA / "raw.csv").read_text(encoding="utf-8"))
    assert fold.shapes == (LaunchShape("fold", (64, 1, 1), (128, 1, 1)),)
    assert spread.shapes == (LaunchShape("spread", (65536, 1, 1), (256, 1, 1)),)


_SIZES = """\
__global__ void spread(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x]; }
void run(float *a, float *b, int n) { spread<<<n / 256, BLOCK>>>(a, b); }
"""


def launched(block: str, *shapes: LaunchShape) -> list[tuple[object, object, bool]]:
    unit = load("a.cu", LoadOptions(text=_SIZES.replace("BLOCK", block)))
    host = filled(run(unit), shapes)
    assert all(call.launch in host.launches for call in host.calls if call.kind == "launch")
    return [(one.grid, one.block, one.measured) for one in host.launches]


def test_launches_get_the_sizes_that_only_the_run_knows() -> None:
    small, large = (LaunchShape("spread", (grid, 1, 1), (256, 1, 1)) for grid in (64, 512))
    other = LaunchShape("other", (1, 1, 1), (1, 1, 1))
    assert launched("n", other) == [((None, 1, 1), (None, 1, 1), False)]
    assert launched("256", small, other) == [((64, 1, 1), (256, 1, 1), True)]
    assert launched("n", small, large) == [
        ((64, 1, 1), (256, 1, 1), True),
        ((512, 1, 1), (256, 1, 1), True),
    ]
    assert launched("128", small) == [((None, 1, 1), (128, 1, 1), False)]


def test_the_pages_of_nsight_compute_are_read() -> None:
    assert kernels("raw") == [("fold", 1209.5e-6, ()), ("spread", 190.5e-6, ())]
    assert kernels("details") == [
        ("spread", 75e-6, ("UncoalescedGlobalAccess",)),
        ("fold", 25e-6, ("LaunchConfiguration",)),
    ]


def test_the_summary_of_nsight_systems_is_read() -> None:
    assert kernels("systems") == [("spread", 3e-3, ()), ("fold", 1e-3, ())]


@pytest.mark.parametrize(
    ("full", "base"),
    [
        ("k", "k"),
        ("k(int)", "k"),
        ("void k<float>(float *)", "k"),
        ("void a::b<c<int>, (int)4>::k<(bool)1>(void (*)(int), T1)", "k"),
        ("(anonymous namespace)::k(int)", "k"),
        ("void <unnamed>::k<2>(int)", "k"),
        ("std::pair<int, int> *a::k()", "k"),
        ("", ""),
    ],
)
def test_names_lose_what_the_source_writes_elsewhere(full: str, base: str) -> None:
    assert base_name(full).lstrip("*") == base


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(one.seconds > 0 for one in parse(text))
    assert all(one.seconds > 0 for one in parse('"Kernel Name","Metric Name","Metric Unit"\n' + text))


def finding(kernel: str, low: float, basis: Basis = Basis.SECTORS) -> Finding:
    span = Span("a.cu", 1, 1, 1, 2)
    impact = Impact(low, low, basis)
    return Finding("CU101", "x", Severity.NOTE, Confidence.HIGH, span, "m", kernel=kernel, impact=impact)


def test_kernels_are_weighed_by_their_time() -> None:
    measured = (Measured("hot", 0.9, ("UncoalescedGlobalAccess",)), Measured("cold", 0.1))
    found = profiled((finding("cold", 0.8), finding("hot", 0.2), finding("never", 0.9)), measured)
    assert [one.profile for one in found] == [
        Profiled(0.1),
        Profiled(0.9, ("UncoalescedGlobalAccess",)),
        Profiled(0.0),
    ]
    assert [one.kernel for one in most_worth(found)] == ["hot", "cold", "never"]


def test_only_the_rule_that_sees_the_same_cost_confirms() -> None:
    measured = (Measured("k", 1.0, ("LaunchConfiguration", "TheoreticalOccupancy")),)
    found = profiled((finding("k", 0.2), finding("k<int>", 0.2, Basis.IDLE)), measured)
    assert [one.profile.rules for one in found if one.profile] == [(), ("LaunchConfiguration",)]


def test_a_finding_about_no_kernel_is_left_alone() -> None:
    assert profiled((finding("", 0.2),), (Measured("k", 1.0),)) == (finding("", 0.2),)


def test_a_profile_on_the_command_line(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("a.cu", "--profile", str(DATA / "details.csv"), "--output-format", "json")
    (found,) = report(outcome)["findings"]
    assert found["profile"] == {"share": 0.75, "confirmed_by": ["UncoalescedGlobalAccess"]}
    text = cudalint("a.cu", "--profile", str(DATA / "details.csv")).stdout
    row = "  = profile: 75% of the measured kernel time; confirmed by UncoalescedGlobalAccess"
    assert row in text.splitlines()
    (plain,) = report(cudalint("a.cu", "--output-format", "json"))["findings"]
    assert plain["profile"] is None


def test_what_is_no_profile_is_refused(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    for path, says in (
        ("gone.csv", "cannot be read: No such file"),
        ("a.cu", "no kernel with its time in it"),
    ):
        outcome = cudalint("a.cu", "--profile", path)
        assert outcome.returncode == 2
        assert outcome.stderr.startswith(f"cudalint: --profile {path}: {says}")


def test_what_is_said_rests_on_the_measured_sizes(cudalint: Command, tmp_path: Path) -> None:
    unknown = STRIDED.replace("int main()", "int size(); int main()").replace(
        "<<<65536, 256>>>", "<<<size(), size()>>>"
    )
    (tmp_path / "a.cu").write_text(unknown)
    arguments = ("a.cu", "--select", "CU101", "--output-format", "json")
    (plain,) = report(cudalint(*arguments))["findings"]
    (sized,) = report(cudalint(*arguments, "--profile", str(DATA / "raw.csv")))["findings"]
    assert "block 256x1x1 (launched at a.cu:12, as the profile has it)" in sized["notes"]
    assert (plain["confidence"], sized["confidence"]) == ("medium", "high")
