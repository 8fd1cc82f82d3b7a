"""Where the size of dynamic shared memory comes from."""

from cudalint.analyses.size_places import size_places
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run

CODE = """
struct Plan { unsigned blocks; size_t shared; };
__global__ void smooth(float *out);
__global__ void smooth(float *out) { extern __shared__ float s[]; s[0] = 1; out[0] = s[0]; }
static size_t tile(int threads) {
    return (threads + 2) * sizeof(float);
}
static Plan plan(int threads) {
    Plan made{};
    made.shared =
        threads * sizeof(float);
    return made;
}
void by_a_member(float *out) {
    Plan p = plan(128);
    smooth<<<1, 128, p.shared>>>(out);
}
void by_a_function(float *out) {
    smooth<<<1, 128, tile(128)>>>(out);
}
void by_a_variable(float *out, int n) {
    const size_t bytes =
        n * 8;
    smooth<<<1, 128, bytes>>>(out);
}
void as_given(float *out, size_t bytes) {
    smooth<<<1, 128, bytes>>>(out);
}
"""


def test_members_functions_and_variables_are_followed() -> None:
    unit = load("kernel.cu", LoadOptions(text=CODE))
    found = {
        launch.function.split("@F@")[-1].split("#")[0]: [
            span.line for span in size_places(unit, launch.expression, unit.functions[launch.function])
        ]
        for launch in run(unit).launches
    }
    assert found == {"by_a_member": [11], "by_a_function": [6], "by_a_variable": [23], "as_given": []}
