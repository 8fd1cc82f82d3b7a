"""The warp model against the plain interpreter, on generated kernels.

CUDALINT_CASES sets how many kernels are tried (500 unless told; the nightly run asks for 20,000). They are
split over tests of CHUNK kernels, so that `-n` shares them among processes. A file holds BATCH of them: most
of the time would go into reading files of one.
"""

import os
from collections import defaultdict
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import Argument, Buffer, HostFacts, LaunchFact
from cudalint.ir.unit import Unit
from cudalint.simt.facts.accesses import fact as accesses_fact
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run
from tests.support import kernels, plain, plain_costs, plain_cuda

CASES = int(os.environ.get("CUDALINT_CASES", "500"))
BATCH = 10
CHUNK = min(CASES, 250)
EACH = 64  # executions of a place that the model counts one by one; of more it counts a sample
KINDS = ("if", "loop", "switch", "conditional")
LAST = ("load", "last", "in", ("name", "i", "tid"))

Problem = str


def launched(unit: Unit, key: str, shape: kernels.Shape) -> LaunchFact:
    """A launch whose arguments are all known."""
    block, blocks, n, m = shape
    pointers = tuple(
        Argument(buffer=Buffer(i, "device", None, f"b{i}", None), offset=0) for i in range(plain.POINTERS)
    )
    arguments = (*pointers, Argument(value=n), Argument(value=m))
    function = unit.functions[key]
    return LaunchFact(
        key, function.name, function.span, (blocks, 1, 1), block, 0, "default", arguments, None, "main"
    )  # type: ignore[arg-type]


def modelled(
    cases: list[plain.Node], shapes: list[kernels.Shape]
) -> list[tuple[KernelFacts, dict[int, str]]]:
    """The model's facts of each kernel, and the markers by line."""
    code = "".join(plain_cuda.cuda(case) for case in cases)
    markers = {
        number: line.rpartition("// ")[2] for number, line in enumerate(code.splitlines(), 1) if "// " in line
    }
    unit = load("generated.cu", LoadOptions(text=code))
    launches = tuple(launched(unit, key, shape) for key, shape in zip(unit.kernels, shapes, strict=True))
    return [(facts, markers) for facts in run(unit, HostFacts(launches, (), ()), ModelOptions())]


def sites(node: Any) -> dict[Any, plain.Node]:
    """The load and store nodes of a kernel."""
    found = {"last": LAST}
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            if part and part[0] in ("load", "store"):
                found[part[1]] = part
            stack.extend(part)
    return found


def compare(
    case: plain.Node, shape: kernels.Shape, facts: KernelFacts, markers: dict[int, str]
) -> list[Problem]:
    """Where the model and the interpreter differ."""
    if not facts.modelled:
        return [facts.modelling.failure]
    if facts.modelling.budget_spent:
        return []
    seen = plain.observe(case, *shape)
    return [*accesses(case, facts, seen, markers), *branches(facts, seen, markers)]


def accesses(
    case: plain.Node, facts: KernelFacts, seen: plain.Seen, markers: dict[int, str]
) -> list[Problem]:
    """Differences in transactions, their ideal, requests and active lanes."""
    nodes = {str(site): node for site, node in sites(case).items()}
    requests: dict[str, list[dict[int, int]]] = defaultdict(list)
    executions: dict[str, set[plain.Key]] = defaultdict(set)
    for (site, _, key), lanes in seen.accesses.items():
        requests[str(site)].append(lanes)
        executions[str(site)].add(key)
    problems, ran = [], set()
    for access in facts.accesses:
        site = markers.get(access.span.line, "").removeprefix("site ")
        if (
            access.expression == "*r" and not access.weight.requests
        ):  # a local variable of the caller, never come to
            continue
        if site not in nodes:
            problems.append(f"access {access.expression}: is none")
            continue
        if access.weight.requests and not access.basis.assumed:
            ran.add(site)
        if access.transactions.certainty == "unknown" or access.basis.assumed:
            if site in requests:
                problems.append(f"site {site}: unknown ({access.basis.unknown}), though it runs")
        elif len(executions[site]) * plain.place(nodes[site]).pieces <= EACH:
            problems += access_problems(access, site, nodes[site], requests[site])
    return problems + [f"site {site} runs in one of the two only" for site in ran ^ set(requests)]


def access_problems(
    access: Access, site: str, node: plain.Node, requests: list[dict[int, int]]
) -> list[Problem]:
    if not requests:
        return []
    pieces = plain.place(node).pieces
    count = len(requests) * pieces
    counted = [plain_costs.cost(node, lanes) for lanes in requests]
    told = access.transactions
    expected = {
        "certainty": (told.certainty, "exact"),
        "space": (access.space, "shared" if plain.place(node).row else "global"),
        "bytes": (access.bytes, plain.place(node).width),
        "per request": (told.per_request, sum(done for done, _ in counted) / count),
        "ideal": (told.ideal, sum(best for _, best in counted) / count),
        "active lanes": (access.lanes.active, sum(map(len, requests)) * pieces / count),
    }
    return [
        f"site {site}: {what} {model}, by threads {truth}"
        for what, (model, truth) in expected.items()
        if (model != truth if isinstance(truth, str) else abs(model - truth) > 1e-6)
    ]


def branches(facts: KernelFacts, seen: plain.Seen, markers: dict[int, str]) -> list[Problem]:
    """Differences in the share of warps that split, and in the iterations of the lanes of one warp."""
    outcomes: dict[str, list[set[Any]]] = defaultdict(list)
    for (branch, _, _), found in seen.outcomes.items():
        outcomes[str(branch)].append(found)
    trips: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for (branch, _, _), counters in seen.trips.items():
        numbers = [number for (number,) in counters]
        trips[str(branch)].add((min(numbers), max(numbers)))
    problems = []
    for told in facts.branches:
        kind, _, branch = markers.get(told.span.line, "").partition(" ")
        if kind == told.kind and branch in outcomes:
            problems += branch_problems(told, f"{kind} {branch}", outcomes[branch], trips[branch])
            del outcomes[branch]
    missing = (branch for branch, found in outcomes.items() if any(len(one) > 1 for one in found))
    return problems + [f"branch {branch}: is not told" for branch in missing]


def branch_problems(
    told: Branch, name: str, outcomes: list[set[Any]], trips: set[tuple[int, int]]
) -> list[Problem]:
    share = sum(len(found) > 1 for found in outcomes) / len(outcomes)
    problems = []
    if told.split.share is None or abs(told.split.share - share) > 1e-6:
        problems.append(f"{name}: {told.split.share} of the warps split, by threads {share}")
    elif (told.divergence == "divergent") != (share >= 0.01):
        problems.append(f"{name}: {told.divergence}, by threads {share} split")
    widest = max((most - least for least, most in trips), default=0)
    if told.loop.trips is not None and (
        told.loop.trips not in trips or told.loop.trips[1] - told.loop.trips[0] != widest
    ):
        problems.append(f"{name}: {told.loop.trips} iterations, by threads {sorted(trips)}")
    return problems


def problems_of(case: plain.Node, shape: kernels.Shape) -> list[Problem]:
    """Differences of one kernel by itself."""
    ((facts, markers),) = modelled([case], [shape])
    return compare(case, shape, facts, markers)


def sort_of(problem: Problem) -> tuple[str, ...]:
    """A difference without its numbers."""
    place, _, what = problem.partition(":")
    return (place.split(" ")[0], *(word for word in what.split() if word.isalpha()))


def told(case: plain.Node, shape: kernels.Shape, problems: list[Problem]) -> str:
    """The difference on the smallest kernel that shows one of its kind."""
    wanted = sort_of(problems[0])

    def differs(other: plain.Node) -> bool:
        try:
            return any(sort_of(problem) == wanted for problem in problems_of(other, shape))
        except plain.Endless:
            return False

    small = kernels.reduced(case, differs)
    block, blocks, n, m = shape
    lines = "\n".join(problems_of(small, shape))
    return f"<<<{blocks}, {block}>>> n = {n}, m = {m}\n{plain_cuda.cuda(small)}\n{lines}"


@pytest.fixture(autouse=True)
def as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads do what is written; what the compiler makes of it is for test_fixture_counters.py."""
    monkeypatch.setattr(accesses_fact, "bounded", lambda unit, function, branches, calls, found: found)


@pytest.mark.parametrize("chunk", range(-(-CASES // max(CHUNK, 1))))
def test_the_model_counts_what_threads_do(chunk: int) -> None:
    @settings(
        max_examples=-(-CHUNK // BATCH),
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=True))
    def batch(random: Random) -> None:
        shapes = [kernels.shape(random) for _ in range(BATCH)]
        cases = [kernels.kernel(random, number) for number in range(BATCH)]
        for case, shape, (facts, markers) in zip(cases, shapes, modelled(cases, shapes), strict=True):
            problems = compare(case, shape, facts, markers)
            assert not problems, told(case, shape, problems)

    batch()
