"""Arrays in structs that a launch passes by value, and arrays with a pointer for each block."""

from tests.support.modelled import facts

TENSORS = """
template <int N> struct Tensors {
    float *at[N][110];
    int sizes[110];
    unsigned char tensor[320];
    int chunk[320];
};
__global__ void scale(int chunk, Tensors<2> tensors, float by) {
    int t = tensors.tensor[blockIdx.x], c = tensors.chunk[blockIdx.x];
    int n = tensors.sizes[t] - c * chunk;
    const float *in = tensors.at[0][t] + c * chunk;
    float *out = tensors.at[1][t] + c * chunk;
    for (int i = threadIdx.x; i < n && i < chunk; i += blockDim.x) out[i] = in[i] * by;
}
"""


def test_each_block_has_an_element_of_its_own() -> None:
    kernel = facts(TENSORS)
    assert kernel.modelling.unknowns == ()
    assert {a.transactions.certainty for a in kernel.accesses} == {"bounded"}
    assert all(a.transactions.upper is not None and a.transactions.upper <= 5 for a in kernel.accesses)
    assert {branch.divergence for branch in kernel.branches} == {"uniform"}
    assert kernel.races == ()


def test_a_pointer_for_each_block_is_followed_and_one_for_each_warp_is_not() -> None:
    code = "__global__ void k(float **rows) { float *p = rows[%s]; p[threadIdx.x %% 32] *= 2; }"
    of_block = [a for a in facts(code % "blockIdx.x").accesses if a.bytes == 4]
    of_warp = [a for a in facts(code % "threadIdx.x / 32").accesses if a.bytes == 4]
    assert {a.transactions.certainty for a in of_block} == {"bounded"}
    assert {a.transactions.certainty for a in of_warp} == {"unknown"}


def test_parts_of_structs_are_named_as_the_source_names_them() -> None:
    kernel = facts(
        "struct Shape { int rank; int sizes[3]; }; struct Base { long pitch; };"
        "struct View : Base { float *data; Shape shape; };"
        "__global__ void k(View v, int n) { v.data[threadIdx.x] = n; }"
    )
    names = [value.name for value in kernel.parameters[0]]
    assert names == ["v.pitch", "v.data", "v.shape.rank", *(f"v.shape.sizes[{n}]" for n in range(3)), "n"]
