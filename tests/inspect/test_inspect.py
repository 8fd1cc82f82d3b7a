"""`cudalint inspect`: the contract's tables, and one of them for all instantiations of a template."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cudalint.inspect.instances import merged, placed, transactions
from tests.support.command_line import STRIDED, Command, report

TEMPLATE = """\
template <int Step>
__global__ void spread(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * Step];
    if (threadIdx.x % Step) out[i] += 1.0f;
    __syncthreads();
}

void run(float *out, const float *in)
{
    spread<1><<<64, 256>>>(out, in);
    spread<4><<<64, 256>>>(out, in);
}
"""


def numbers(per_request: float | None, ideal: float | None = 4.0, certainty: str = "exact") -> dict[str, Any]:
    return {
        "per_request": per_request,
        "ideal": ideal,
        "certainty": certainty,
        "lower": per_request,
        "upper": per_request,
    }


def kernel(**changes: Any) -> dict[str, Any]:
    table = {
        "name": "k", "path": "a.cu", "line": 1, "instantiations": [], "modelled": True, "failure": None,
        "launches": [], "accesses": [], "branches": [], "barriers": [], "reused": [], "as_written": False,
        "made": False, "races": 0, "unknowns": [],
    }  # fmt: skip
    return {**table, **changes}


def branch(divergence: str, share: float | None, column: int = 1) -> dict[str, Any]:
    place = {"path": "a.cu", "line": 3, "column": column, "inlined_from": None}
    return {**place, "kind": "if", "condition": "c", "divergence": divergence, "divergent_warps": share}


def test_equal_numbers_stay_as_they_are() -> None:
    assert transactions([numbers(8.0), numbers(8.0)]) == numbers(8.0)


def test_different_numbers_become_bounds_with_their_mean() -> None:
    assert transactions([numbers(4.0), numbers(16.0, 8.0)]) == {
        "per_request": 10.0, "ideal": 6.0, "certainty": "bounded", "lower": 4.0, "upper": 16.0,
    }  # fmt: skip


def test_an_unknown_instantiation_leaves_no_number() -> None:
    unknown = numbers(None, None, "unknown")
    assert transactions([numbers(4.0), unknown]) == unknown


@given(st.lists(st.floats(1, 32), min_size=1, max_size=6))
def test_bounds_hold_every_instantiation(values: list[float]) -> None:
    got = transactions([numbers(value) for value in values])
    assert got["lower"] == min(values)
    assert got["upper"] == max(values)
    assert got["lower"] - 1e-9 <= got["per_request"] <= got["upper"] + 1e-9
    assert (got["certainty"] == "exact") == (len(set(values)) == 1)


def test_the_worst_branch_and_barrier_stand_for_all() -> None:
    order = ["uniform", "unknown", "data-dependent", "divergent"]
    for number, worse in enumerate(order):
        tables = [kernel(branches=[branch(one, None)]) for one in order[: number + 1]]
        (one,) = merged(tables)
        assert [b["divergence"] for b in one["branches"]] == [worse]
    shares = [kernel(branches=[branch("divergent", s)]) for s in (0.25, 1.0, None)]
    assert merged(shares)[0]["branches"][0]["divergent_warps"] == 1.0
    barriers = [
        kernel(barriers=[{"path": "a.cu", "line": 9, "column": 5, "reached_by": who}])
        for who in ("all", "unknown", "some")
    ]
    assert merged(barriers)[0]["barriers"][0]["reached_by"] == "some"
    assert merged(barriers[:2])[0]["barriers"][0]["reached_by"] == "unknown"


def test_other_kernels_and_other_places_stay_apart() -> None:
    two = merged([kernel(), kernel(line=2), kernel(name="l")])
    assert len(two) == 3
    (one,) = merged([kernel(branches=[branch("uniform", 0.0)]), kernel(branches=[branch("uniform", 0.0, 7)])])
    assert [b["column"] for b in one["branches"]] == [1, 7]


def test_what_one_instantiation_reached_counts_as_modelled() -> None:
    lost = kernel(modelled=False, failure="too deep", unknowns=[{"reason": "r", "count": 2}])
    (one,) = merged([lost, kernel(unknowns=[{"reason": "r", "count": 3}])])
    assert (one["modelled"], one["failure"]) == (True, None)
    assert one["unknowns"] == [{"reason": "r", "count": 5}]
    assert merged([lost, lost])[0]["failure"] == "too deep"


def test_a_headers_kernel_stands_once_in_its_own_file_or_its_first_unit() -> None:
    header, own = kernel(path="k.cuh", instantiations=[["float"]]), kernel(path="a.cu")
    units = {"a.cu": (header, own), "b.cu": (kernel(path="k.cuh", instantiations=[["int"], ["float"]]),)}
    got = placed(units, ["a.cu", "b.cu", "k.cuh"])
    assert {path: [k["path"] for k in kernels] for path, kernels in got.items()} == {
        "k.cuh": ["k.cuh"], "a.cu": ["a.cu"],
    }  # fmt: skip
    assert got["k.cuh"][0]["instantiations"] == [["float"], ["int"]]
    assert [k["path"] for k in placed(units, ["a.cu", "b.cu"])["a.cu"]] == ["k.cuh", "a.cu"]


def test_the_json_is_the_contract(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("inspect", "a.cu", "--output-format", "json", "--arch", "sm_80")
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    document = report(outcome)
    assert (document["version"], document["arch"]) == (1, "sm_80")
    (file,) = document["files"]
    assert (file["path"], file["status"]) == ("a.cu", "ok")
    (one,) = file["kernels"]
    assert (one["name"], one["line"]) == ("spread", 1)
    launch = one["launches"][0]
    assert {k: launch[k] for k in ("path", "line", "grid", "block", "dynamic_shared_bytes", "stream")} == {
        "path": "a.cu", "line": 12, "grid": [65536, 1, 1], "block": [256, 1, 1],
        "dynamic_shared_bytes": 0, "stream": "default",
    }  # fmt: skip
    load = next(a for a in one["accesses"] if a["operation"] == "load")
    assert (load["path"], load["line"], load["space"], load["bytes"]) == ("a.cu", 4, "global", 4)
    assert load["column"] == STRIDED.splitlines()[3].index("in[i]") + 1
    assert load["expression"] == "in[i]"
    assert load["transactions"] == {
        "per_request": 8.0, "ideal": 4.0, "certainty": "exact", "lower": 8.0, "upper": 8.0,
    }  # fmt: skip


def test_a_template_is_one_kernel_in_json_and_names_its_instantiations_in_text(
    cudalint: Command, tmp_path: Path
) -> None:
    (tmp_path / "t.cu").write_text(TEMPLATE)
    document = report(cudalint("inspect", "t.cu", "--output-format", "json"))
    (one,) = document["files"][0]["kernels"]
    assert (one["name"], one["line"], one["instantiations"]) == ("spread", 2, [[1], [4]])
    assert [launch["line"] for launch in one["launches"]] == [12, 13]
    store, load = (a["transactions"] for a in one["accesses"][:2])
    assert store["certainty"] == "exact"
    assert load == {"per_request": 10.0, "ideal": 4.0, "certainty": "bounded", "lower": 4.0, "upper": 16.0}
    assert [b["divergence"] for b in one["branches"]] == ["divergent"]
    assert [b["reached_by"] for b in one["barriers"]] == ["all"]
    text = cudalint("inspect", "t.cu").stdout
    assert "kernel spread, line 2" in text
    assert "instantiated as spread<1>, spread<4>" in text
    assert "10 sectors/request, bounds 4 to 16 (ideal 4)" in text
    assert "t.cu:6: if" in text
    assert "t.cu:7: barrier reached by all threads" in text


def test_a_report_goes_where_it_was_asked_to(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("inspect", "a.cu", "--output-format", "json", "-o", "facts.json")
    assert (outcome.returncode, outcome.stdout) == (0, "")
    assert json.loads((tmp_path / "facts.json").read_text())["files"][0]["status"] == "ok"


def test_what_inspect_does_not_print_is_named(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("inspect", "a.cu", "--output-format", "sarif")
    assert outcome.returncode == 2
    assert outcome.stderr == "cudalint: inspect --output-format: 'sarif' is not one of text, json\n"


def test_a_headers_kernel_is_one_over_all_units(cudalint: Command, tmp_path: Path) -> None:
    head, launches = TEMPLATE.split("void run")
    (tmp_path / "k.cuh").write_text("#pragma once\n" + head)
    for name, step in (("a.cu", 1), ("b.cu", 4)):
        launch = next(row for row in launches.splitlines() if f"<{step}>" in row)
        (tmp_path / name).write_text(
            f'#include "k.cuh"\nvoid run(float *out, const float *in)\n{{\n{launch}\n}}\n'
        )
    document = report(cudalint("inspect", ".", "--output-format", "json"))
    kernels = {file["path"]: file["kernels"] for file in document["files"]}
    assert (kernels["a.cu"], kernels["b.cu"]) == ([], [])
    (one,) = kernels["k.cuh"]
    assert one["instantiations"] == [[1], [4]]
    assert [launch["path"] for launch in one["launches"]] == ["a.cu", "b.cu"]
    load = next(a for a in one["accesses"] if a["operation"] == "load")
    assert (load["transactions"]["lower"], load["transactions"]["upper"]) == (4.0, 16.0)
