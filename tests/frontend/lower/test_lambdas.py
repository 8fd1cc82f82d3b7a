"""Where a lambda runs: as it is marked, else where the code that it stands in does."""

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

CODE = """
__device__ void on_device(int *p) { auto f = [=](int i) { p[i] = 1; }; f(3); }
__host__ __device__ void on_both(int *p) { auto f = [=](int i) { p[i] = 1; }; f(3); }
void on_host(int *p)
{
    auto plain = [=](int i) { p[i] = 1; };
    auto sent = [=] __device__(int i) {
        auto inside = [=](int j) { p[j] = 2; };
        inside(i);
    };
    auto generic = [=](auto i) { p[i] = 1; };
    plain(2), sent(2), generic(2);
}
"""


def test_a_lambda_runs_on_the_device_where_it_or_its_function_is_marked():
    unit = load("a.cu", LoadOptions(text=CODE))
    found = {(f.extent.line, f.device) for f in unit.functions.values() if f.lambda_}
    assert found == {(2, True), (3, True), (6, False), (7, True), (8, True), (11, False)}
