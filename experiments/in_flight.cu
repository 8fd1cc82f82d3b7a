// What bytes in flight are worth: the same work with one element of 4 bytes per thread and iteration, with several
// iterations' loads started at once, and with vectors of 16 bytes. Prints JSON: the milliseconds of the median launch and
// the bytes that each moves.
//
//     nvcc -O3 -std=c++17 -arch=native -o in_flight experiments/in_flight.cu && ./in_flight > in_flight.json
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status, int line)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
}
#define CHECK(call) check(call, __LINE__)

static const size_t COUNT = 1 << 27;  // floats of one array: 512 MiB
static float *first, *second, *third, *fourth;
static bool comma = false;

template <typename Launch>
void time(const char *group, const char *name, double bytes, Launch launch)
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 23; i++) {
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaGetLastError());
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (i >= 3) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    const double ms = times[times.size() / 2];
    printf("%s\n  {\"group\": \"%s\", \"name\": \"%s\", \"ms\": %.5f, \"gb_per_s\": %.0f}", comma ? "," : "", group, name, ms,
           bytes / ms * 1e-6);
    comma = true;
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
}

// --- one element per thread ---

__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

__global__ void copy1(const float *__restrict__ in, float *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
__global__ void copy4(const float4 *__restrict__ in, float4 *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
__global__ void gelu1(const float *__restrict__ in, float *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = gelu(in[i]);
}
__global__ void gelu4(const float4 *__restrict__ in, float4 *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float4 a = in[i];
    out[i] = make_float4(gelu(a.x), gelu(a.y), gelu(a.z), gelu(a.w));
}
__global__ void add1(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];
}
__global__ void add4(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float4 x = a[i], y = b[i];
    out[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__global__ void step1(float *__restrict__ p, const float *__restrict__ g, float *__restrict__ m, float *__restrict__ v)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float grad = g[i];
    const float a = 0.9f * m[i] + 0.1f * grad, b = 0.99f * v[i] + 0.01f * grad * grad;
    m[i] = a;
    v[i] = b;
    p[i] -= 0.001f * a / (sqrtf(b) + 1e-8f);
}
__global__ void step1_aliased(float *p, const float *g, float *m, float *v)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float grad = g[i];
    const float a = 0.9f * m[i] + 0.1f * grad, b = 0.99f * v[i] + 0.01f * grad * grad;
    m[i] = a;
    v[i] = b;
    p[i] -= 0.001f * a / (sqrtf(b) + 1e-8f);
}

// The sums are never so large, but the compiler does not know.
__device__ void keep(float *out, float sum)
{
    if (sum > 1e30f) out[blockIdx.x] = sum;
}

// --- a loop with a stride that the launch tells: the compiler writes out no iterations ---

__global__ void sum1(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    float sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) sum += in[i];
    keep(out, sum);
}
__global__ void sum1_unrolled(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    float sum = 0;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * step)
        sum += in[i] + in[i + step] + in[i + 2 * step] + in[i + 3 * step];
    keep(out, sum);
}
__global__ void sum4(const float4 *__restrict__ in, float *__restrict__ out, size_t n)
{
    float sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        const float4 a = in[i];
        sum += a.x + a.y + a.z + a.w;
    }
    keep(out, sum);
}
__global__ void copy_loop1(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void copy_loop4(const float4 *__restrict__ in, float4 *__restrict__ out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void rows1(const float *__restrict__ in, float *__restrict__ out, int length)
{
    const float *row = in + (size_t)blockIdx.x * length;
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += blockDim.x) sum += row[i];
    keep(out, sum);
}
__global__ void rows1_unrolled(const float *__restrict__ in, float *__restrict__ out, int length)
{
    const float *row = in + (size_t)blockIdx.x * length;
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += 4 * blockDim.x)
        sum += row[i] + row[i + blockDim.x] + row[i + 2 * blockDim.x] + row[i + 3 * blockDim.x];
    keep(out, sum);
}
__global__ void rows4(const float *__restrict__ in, float *__restrict__ out, int length)
{
    const float4 *row = (const float4 *)(in + (size_t)blockIdx.x * length);
    float sum = 0;
    for (int i = threadIdx.x; i < length / 4; i += blockDim.x) {
        const float4 a = row[i];
        sum += a.x + a.y + a.z + a.w;
    }
    keep(out, sum);
}
__global__ void columns1(const float *__restrict__ in, float *__restrict__ out, int rows, int width)
{
    const float *column = in + (size_t)blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int row = threadIdx.y; row < rows; row += blockDim.y) sum += column[(size_t)row * width];
    keep(out, sum);
}
__global__ void columns1_unrolled(const float *__restrict__ in, float *__restrict__ out, int rows, int width)
{
    const float *column = in + (size_t)blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    const int step = blockDim.y;
    for (int row = threadIdx.y; row < rows; row += 4 * step)
        sum += column[(size_t)row * width] + column[(size_t)(row + step) * width] +
               column[(size_t)(row + 2 * step) * width] + column[(size_t)(row + 3 * step) * width];
    keep(out, sum);
}

int main()
{
    int multiprocessors = 0;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    for (float **array : {&first, &second, &third, &fourth}) {
        CHECK(cudaMalloc(array, COUNT * sizeof(float)));
        CHECK(cudaMemset(*array, 0, COUNT * sizeof(float)));
    }
    const double bytes = COUNT * sizeof(float);
    printf("[");
    const unsigned one = COUNT / 256, four = COUNT / 1024;
    time("copy", "1 float", 2 * bytes, [&] { copy1<<<one, 256>>>(first, second); });
    time("copy", "float4", 2 * bytes, [&] { copy4<<<four, 256>>>((float4 *)first, (float4 *)second); });
    time("gelu", "1 float", 2 * bytes, [&] { gelu1<<<one, 256>>>(first, second); });
    time("gelu", "float4", 2 * bytes, [&] { gelu4<<<four, 256>>>((float4 *)first, (float4 *)second); });
    time("add", "1 float", 3 * bytes, [&] { add1<<<one, 256>>>(first, second, third); });
    time("add", "float4", 3 * bytes, [&] { add4<<<four, 256>>>((float4 *)first, (float4 *)second, (float4 *)third); });
    time("optimiser", "1 float", 7 * bytes, [&] { step1<<<one, 256>>>(first, second, third, fourth); });
    time("optimiser", "1 float, may alias", 7 * bytes, [&] { step1_aliased<<<one, 256>>>(first, second, third, fourth); });
    for (int warps : {64, 32, 16, 8}) {
        char group[64];
        const unsigned blocks = multiprocessors * warps / 8;
        snprintf(group, sizeof group, "sum, %d warps per multiprocessor", warps);
        time(group, "1 float", bytes, [&] { sum1<<<blocks, 256>>>(first, second, COUNT); });
        time(group, "4 loads at once", bytes, [&] { sum1_unrolled<<<blocks, 256>>>(first, second, COUNT - 4ull * blocks * 256); });
        time(group, "float4", bytes, [&] { sum4<<<blocks, 256>>>((float4 *)first, second, COUNT / 4); });
        snprintf(group, sizeof group, "copy in a loop, %d warps per multiprocessor", warps);
        time(group, "1 float", 2 * bytes, [&] { copy_loop1<<<blocks, 256>>>(first, second, COUNT); });
        time(group, "float4", 2 * bytes, [&] { copy_loop4<<<blocks, 256>>>((float4 *)first, (float4 *)second, COUNT / 4); });
    }
    for (int length : {1024, 4096, 16384})
        for (int threads : {64, 256, 1024}) {
            char group[64];
            snprintf(group, sizeof group, "rows of %d, %d threads", length, threads);
            const unsigned rows = COUNT / length;
            time(group, "1 float", bytes, [&] { rows1<<<rows, threads>>>(first, second, length); });
            if (length >= 4 * threads) {
                time(group, "4 loads at once", bytes, [&] { rows1_unrolled<<<rows, threads>>>(first, second, length); });
                time(group, "float4", bytes, [&] { rows4<<<rows, threads>>>(first, second, length); });
            }
        }
    for (int width : {768, 3072, 8448}) {
        const int rows = 8192;
        char group[64];
        snprintf(group, sizeof group, "columns, %d blocks of 1024 threads", width / 32);
        const double moved = 4.0 * rows * width;
        time(group, "1 float", moved, [&] { columns1<<<width / 32, dim3(32, 32)>>>(first, second, rows, width); });
        time(group, "4 loads at once", moved, [&] { columns1_unrolled<<<width / 32, dim3(32, 32)>>>(first, second, rows, width); });
    }
    printf("\n]\n");
    return 0;
}
