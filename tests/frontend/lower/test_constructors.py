"""Constructor calls of written templates: their arguments are those in the round brackets."""

import pytest

from tests.support.modelled import facts

VIEW = """
struct Origin { int at; };
template <class T, int STEP> struct View {
    __device__ View(const Origin &from, T *to) : origin(from), data(to) {}
    __device__ T &operator[](int i) { return data[i * STEP + origin.at]; }
    const Origin &origin;
    T *data;
};
template <int STEP> __device__ View<float, STEP> view(const Origin &from, float *to)
{
    return View<float, STEP>(from, to);
}
"""


@pytest.mark.parametrize(
    "made",
    [
        "View<float, 2>(from, out)",
        "View<float, 2>{from, out}",
        "view<2>(from, out)",
        "(View<float, 2>(from, out))",
    ],
)
def test_numbers_of_a_written_template_are_no_arguments_of_the_constructor(made: str) -> None:
    kernel = facts(
        VIEW
        + "__global__ void k(float *out) {\n"
        + "    Origin from = {8};\n"
        + f"    {made}[threadIdx.x] = 1.0f;\n"
        + "}\n"
    )
    (store,) = (a for a in kernel.accesses if a.space == "global")
    assert (store.operation, store.transactions.per_request, store.layout.offset) == ("store", 8.0, 0)
