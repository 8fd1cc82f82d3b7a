"""The warp model against the plain interpreter, on generated kernels.

CUDALINT_CASES sets how many kernels are tried (500 unless told; the nightly run asks for 20,000).
"""

import os
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudalint import assume
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.simt.model import ModelOptions, run
from tests import plain

CASES = int(os.environ.get("CUDALINT_CASES", "500"))
NOTHING = HostFacts((), (), ())

names = st.sampled_from(["tid", "ty", "bid", "n"])
constants = st.integers(0, 40)
leaf = st.one_of(names.map(lambda x: ("name", x)), constants.map(lambda x: ("const", x)))


def arithmetic(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    divisors = st.integers(1, 33).map(lambda x: ("const", x))
    return st.one_of(
        st.tuples(st.sampled_from(["+", "*", "-", "^", "&"]), inner, inner),
        st.tuples(st.sampled_from(["/", "%"]), inner, divisors),
    )


expressions = st.recursive(leaf, arithmetic, max_leaves=5)
conditions = st.tuples(st.sampled_from(["<", "=="]), expressions, expressions)


@st.composite
def kernels(draw: st.DrawFn) -> plain.Node:
    counter = [0]

    def fresh(prefix: str = "") -> str:
        counter[0] += 1
        return f"{prefix}{counter[0]}"

    def access() -> plain.Node:
        return (draw(st.sampled_from(["load", "store"])), fresh(), draw(expressions))

    def body(depth: int, in_loop: bool) -> plain.Node:
        parts: list[plain.Node] = []
        for _ in range(draw(st.integers(1, 3))):
            kinds = ["access", "access", "return_if"] + (["if", "for"] if depth < 2 else [])
            kind = draw(st.sampled_from(kinds + (["break_if"] if in_loop else [])))
            if kind == "access":
                parts.append(access())
            elif kind in ("return_if", "break_if"):
                parts.append((kind, draw(conditions)))
            elif kind == "if":
                otherwise = body(depth + 1, in_loop) if draw(st.booleans()) else None
                parts.append(("if", draw(conditions), body(depth + 1, in_loop), otherwise))
            else:
                start = draw(st.sampled_from([("const", 0), ("name", "tid")]))
                end = (
                    ("+", start, ("const", draw(st.integers(0, 6)))) if draw(st.booleans()) else ("const", 7)
                )
                parts.append(("for", fresh("i"), start, end, draw(st.integers(1, 4)), body(depth + 1, True)))
        return ("block", *parts)

    return body(0, False)


def sectors(addresses: list[int]) -> int:
    return len({a // 32 for a in addresses})


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    kernels(),
    st.sampled_from([(32, 1), (64, 1), (48, 1), (16, 4), (8, 8), (33, 2)]),
    st.integers(1, 2),
    st.integers(0, 200),
)
def test_the_model_counts_what_threads_do(body, block, blocks, n):
    code = plain.source(body)
    assumptions = (
        f"blockDim.x == {block[0]} && blockDim.y == {block[1]} && blockDim.z == 1 && n == {n}",
        f"gridDim.x == {blocks} && gridDim.y == 1 && gridDim.z == 1",
    )
    unit = load("generated.cu", LoadOptions(text=code))
    (facts,) = run(unit, NOTHING, ModelOptions(assumptions=assume.parse_all(assumptions)))
    assert facts.modelled, facts.failure
    lines = {i: line for i, line in enumerate(code.splitlines(), 1) if "// site" in line}
    truth = plain.requests(body, block, blocks, n)
    for access in facts.accesses:
        assert access.space == "global"
        site = lines[access.span.line].rpartition("// site ")[2]
        if access.transactions.certainty == "unknown" or access.assumed:
            assert site not in truth, (code, access)
            continue
        counted = [sectors(r) for r in truth[site]]
        assert access.transactions.certainty == "exact", (code, access)
        assert abs(access.transactions.per_request - sum(counted) / len(counted)) < 1e-6, (code, access)
    ran = [a for a in facts.accesses if a.requests and not a.assumed]
    seen = {lines[a.span.line].rpartition("// site ")[2] for a in ran}
    assert seen == set(truth)
