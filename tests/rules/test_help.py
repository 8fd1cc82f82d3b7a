"""Help and notes that have to fit the case that they stand under, each on a small program of its own."""

from pathlib import Path

from cudalint.rule.findings import Finding
from tests.support.fixtures import lint


def _only(tmp_path: Path, code: str, text: str) -> Finding:
    file = tmp_path / "program.cu"
    file.write_text(f"// select: {code}\n// min-impact: 0\n{text}")
    (finding,) = (found for found in lint(file).findings if found.code == code)
    return finding


_WEIGHTS = """
__global__ void weigh(float *out, const float *in, const float *weights, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < count; k++) sum = sum * in[i] + weights[k];
    out[i] = sum;
}
void run(float *out, float *in, const float *table, int count)
{
    float *weights;
    cudaMalloc(&weights, BYTES);
    cudaMemcpy(weights, table, BYTES, cudaMemcpyHostToDevice);
    weigh<<<4096, 256>>>(out, in, weights, count);
}
"""


def test_a_small_table_that_all_threads_read_fits_in_constant_memory(tmp_path: Path) -> None:
    assert "constant memory" in _only(tmp_path, "CU107", _WEIGHTS.replace("BYTES", "64")).help


def test_a_large_one_is_read_in_tiles(tmp_path: Path) -> None:
    assert "tile" in _only(tmp_path, "CU107", _WEIGHTS.replace("BYTES", "1 << 24")).help


def test_what_each_block_has_for_itself_is_no_constant(tmp_path: Path) -> None:
    finding = _only(
        tmp_path,
        "CU107",
        """
__global__ void shift(float *out, const float *in, const float *mean)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] - mean[blockIdx.x];
}
void run(float *out, float *in, float *mean) { shift<<<4096, 256>>>(out, in, mean); }
""",
    )
    assert "constant memory" not in finding.help


def test_a_tile_that_the_block_has_is_to_be_read(tmp_path: Path) -> None:
    finding = _only(
        tmp_path,
        "CU107",
        """
__global__ void slope(float *out, const float *in)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    float left = tile[threadIdx.x ? threadIdx.x - 1 : 0], right = tile[min(threadIdx.x + 1, 255)];
    __syncthreads();
    out[i] = right - left + in[i ^ 1];
}
void run(float *out, float *in) { slope<<<4096, 256>>>(out, in); }
""",
    )
    assert finding.help == "the block stages `in` in shared memory: read it from there"


def test_a_field_of_a_passed_struct_has_its_name(tmp_path: Path) -> None:
    finding = _only(
        tmp_path,
        "CU107",
        """
struct Layer { float *out; const float *in; const float *scale; };
__global__ void apply(Layer layer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    layer.out[i] = layer.in[i] * *layer.scale;
}
void run(Layer layer) { apply<<<4096, 256>>>(layer); }
""",
    )
    assert "`layer.scale`" in finding.message


_STRIDES = """
__global__ void halve(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    LOOP a[i] *= 0.5f;
}
void run(float *a) { halve<<<100, 256>>>(a, 1 << 20); }
"""


def test_more_blocks_help_where_a_loop_steps_by_the_grid(tmp_path: Path) -> None:
    for loop in (
        "for (; i < n; i += gridDim.x * blockDim.x)",
        "int all = gridDim.x * blockDim.x; for (; i < n; i += all)",
    ):
        finding = _only(tmp_path, "CU504", _STRIDES.replace("LOOP", loop))
        assert finding.help == "launch more blocks: the kernel's loops step by the size of the grid"


def test_the_size_of_the_grid_alone_is_no_such_loop(tmp_path: Path) -> None:
    loop = "int start = i * (n / gridDim.x); while (i < start + 4) i++;"
    assert "step by the size" not in _only(tmp_path, "CU504", _STRIDES.replace("LOOP", loop)).help


_RESTORED = """
#include <cstdlib>
__global__ void work(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }
int main()
{
    float *host, *device;
    MAKE;
    for (int i = 0; i < 1 << 22; i++) host[i] = 0.5f * i;
    cudaMalloc(&device, 1 << 24);
    for (int k = 0; k < 100; k++) {
        cudaMemcpy(device, host, 1 << 24, cudaMemcpyHostToDevice);
        work<<<16384, 256>>>(device);
    }
    cudaDeviceSynchronize();
}
"""


def test_a_copy_takes_as_long_as_its_memory_lets_it(tmp_path: Path) -> None:
    pageable = _only(tmp_path, "CU705", _RESTORED.replace("MAKE", "host = (float *)malloc(1 << 24)"))
    assert "1.12 ms at 15 GB/s (pageable memory)" in pageable.notes[0]
    pinned = _only(tmp_path, "CU705", _RESTORED.replace("MAKE", "cudaMallocHost(&host, 1 << 24)"))
    assert "0.305 ms at 55 GB/s (pinned memory)" in pinned.notes[0]
