"""The work that runs may take is shared out in advance, and a run that takes more ends with bounded facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.simt import model
from cudalint.simt.launch import budget
from tests.support.modelled import modelled

LOOPS = """
__global__ void k(float *out, const float *in) {
    float sum = 0;
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 12; j++)
            for (int l = 0; l < 6; l++) sum += in[(i * 12 + j) * 8 + l + threadIdx.x * 2];
    out[threadIdx.x] = sum;
}
void go(float *out, const float *in) { k<<<1, 128>>>(out, in); }
"""


@given(st.lists(st.integers(0, 3 * budget.RUN), min_size=1, max_size=30), st.integers(1, 4 * budget.FILE))
def test_kernels_that_take_what_they_are_given_leave_each_the_least(wants: list[int], most: int) -> None:
    file = budget.Budget(most)
    for number, want in enumerate(wants, 1):
        own = file.kernel(len(wants) - number)
        allowed = own.run(0)
        assert budget.LEAST <= allowed <= max(budget.LEAST, min(budget.RUN, file.left))
        file.spend(min(want, allowed))
    assert file.left >= -budget.LEAST * len(wants)


def test_a_kernel_alone_may_take_all_and_the_first_of_many_a_part() -> None:
    assert budget.Budget(1000 * budget.LEAST).kernel(0).left == 1000 * budget.LEAST
    assert budget.Budget(1000 * budget.LEAST).kernel(99).left == 250 * budget.LEAST


def test_a_run_without_budget_still_comes_to_every_access(monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = modelled(LOOPS)
    monkeypatch.setattr(model, "Budget", lambda: budget.Budget(1))
    _, brief = modelled(LOOPS)
    assert not whole.modelling.budget_spent and brief.modelling.budget_spent
    assert "the run's budget was spent" in dict(brief.modelling.unknowns)
    assert brief.modelling.work < whole.modelling.work / 2
    assert [(a.span, a.operation) for a in brief.accesses] == [(a.span, a.operation) for a in whole.accesses]
    assert all(a.transactions.certainty != "exact" for a in brief.accesses if a.operation == "load")
