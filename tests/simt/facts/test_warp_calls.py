"""What the model knows of the calls of warps: who comes, what the mask says, whose values are taken."""

import pytest

from cudalint.engine.analysis import ask
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.settings import assume
from cudalint.settings.severity import Severity
from cudalint.simt.facts.warp_calls import WarpCall
from cudalint.simt.model import ModelOptions, run
from tests.support.modelled import facts

KERNEL = """
__global__ void k(int *out, const int *in, int n)
{
    int t = threadIdx.x, lane = t % 32, value = in[blockIdx.x * 64 + t];
    BODY
    out[blockIdx.x * 64 + t] = value;
}
"""


def call(body: str, *assumptions: str) -> WarpCall:
    """The only warp call of a kernel with that body, in blocks of 64 threads."""
    (found,) = facts(KERNEL.replace("BODY", body), *assumptions).of(WarpCall)
    return found


def kind(body: str, *assumptions: str) -> str:
    fault = call(body, *assumptions).fault
    return fault.kind if fault is not None else ""


@pytest.mark.parametrize(
    ("body", "full", "partial"),
    [
        ("value = __shfl_sync(0xffffffff, value, 0);", True, False),
        ("if (t < 32) value = __shfl_sync(0xffffffff, value, 0);", True, False),
        ("if (t < 16) value = __shfl_sync(0xffff, value, 0);", False, True),
        ("if (value > 0) value = __any_sync(__activemask(), value);", False, False),
    ],
)
def test_who_comes(body: str, full: bool, partial: bool) -> None:
    found = next(c for c in facts(KERNEL.replace("BODY", body)).of(WarpCall) if c.name != "__activemask")
    assert (found.full, found.partial) == (full, partial)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("__syncwarp();", ""),
        ("__syncwarp(0xffff);", "unnamed"),
        ("if (lane < 16) __syncwarp();", "absent"),
        ("if (lane < 16) __syncwarp(0xffff);", ""),
        ("if (lane < 16) value += __popc(__ballot_sync(0x1ffff, value));", "absent"),
        ("value += __match_any_sync(0x7fffffff, value);", "unnamed"),
        ("if (lane == 3) return; value += __any_sync(0xffffffff, value);", ""),
        ("if (lane == 3) return; value += __shfl_sync(0xffffffff, value, 3);", "empty"),
        ("if (lane == 3) return; value += __shfl_sync(0xffffffff, value, 4);", ""),
        ("if (lane == 3) return; value += __shfl_xor_sync(0xffffffff, value, 1);", "empty"),
        ("if (lane < 16) value += __shfl_down_sync(0xffff, value, 8);", ""),
        ("value = __shfl_sync(in[0], value, 0);", ""),
        ("for (int i = lane; i < 40; i += 32) __syncwarp();", "absent"),
    ],
)
def test_masks(body: str, expected: str) -> None:
    assert kind(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if (value > 0) value = __shfl_sync(0xffffffff, value, 0);",
        "while (lane > value) { __syncwarp(); ++value; }",
    ],
)
def test_data_may_keep_named_lanes_away(body: str) -> None:
    fault = call(body).fault
    assert fault is not None
    assert (fault.kind, fault.by_data, fault.certain) == ("absent", True, False)


def test_one_number_for_a_warp_keeps_none_or_all_away() -> None:
    assert kind("if (in[t / 32] > 0) value = __shfl_sync(0xffffffff, value, 0);") == ""


def test_a_value_lost_on_the_way_comes_to_the_first_lane() -> None:
    reduction = "for (int o = 16; o > 0; o /= 2) value += __shfl_down_sync(0xffffffff, value, o);"
    fault = call(f"if (lane >= 24) return; {reduction}").fault
    assert fault is not None
    assert (fault.kind, fault.lane, fault.other_lane, fault.left) == ("empty", 8, 24, True)
    assert kind(f"if (lane >= 32) return; {reduction}") == ""


def test_a_value_that_is_kept_apart_is_not_judged() -> None:
    body = "if (lane >= 24) return; int other = __shfl_down_sync(0xffffffff, value, 16);"
    assert kind(f"{body} if (lane < 8) value += other;") == ""


def test_lanes_that_the_block_does_not_have() -> None:
    body = "value += __shfl_xor_sync(0xffffffff, value, 16);"
    code = KERNEL.replace("BODY", body)
    options = ModelOptions(assumptions=assume.parse_all(("blockDim.x == 40",)))
    (found,) = run(load("k.cu", LoadOptions(text=code)), HostFacts((), (), ()), options)
    fault = found.of(WarpCall)[0].fault
    assert fault is not None
    assert fault.kind == "empty" and fault.other is None and fault.other_lane >= 8


def test_a_guessed_block_tells_nothing() -> None:
    code = KERNEL.replace("BODY", "if (lane < 16) value += __shfl_sync(0xffffffff, value, 0);")
    (found,) = run(load("k.cu", LoadOptions(text=code)), HostFacts((), (), ()), ModelOptions())
    assert found.of(WarpCall)[0].fault is None
    assert found.of(WarpCall)[0].partial


def test_sizes_that_part_a_warp() -> None:
    body = "if (blockIdx.x * 64 + t < n) value = __shfl_sync(0xffffffff, value, 0);"
    fault = call(body).fault
    assert fault is not None and not fault.certain
    assert fault.sizes[0].startswith("n = ")
    assert kind(body, "n % 64 == 0") == ""


def legacy(body: str, arch: str = "sm_90", assumption: str = "blockDim.x == 64") -> list[Finding]:
    code = KERNEL.replace("BODY", body)
    unit = load("k.cu", LoadOptions(text=code, arch=arch))
    number = int(arch.removeprefix("sm_"))
    host = HostFacts((), (), ())
    kernels = run(unit, host, ModelOptions(number, assumptions=assume.parse_all((assumption,))))
    context = Context(unit, kernels, host, number, {unit.path: tuple(code.split("\n"))})
    rules = tuple(loaded for loaded in registry.load() if loaded.rule.code == "CU305")
    return [f for function in unit.functions.values() for f in ask(rules, context, function)]


@pytest.mark.parametrize(
    ("body", "safe"),
    [
        ("value = __shfl(value, 0);", True),
        ("if (value > 0) value = __shfl(value, 0);", False),
        ("if (lane < 16) value = __shfl(value, 0);", None),
    ],
)
def test_fix_of_a_legacy_call(body: str, safe: bool | None) -> None:
    (finding,) = legacy(body)
    assert finding.severity is Severity.ERROR
    assert (finding.fix.safe if finding.fix is not None else None) == safe


def test_legacy_calls_compile_below_70() -> None:
    assert not legacy("value = __shfl(value, 0);", "sm_60")
    assert legacy("value = __shfl(value, 0);", "sm_70")
