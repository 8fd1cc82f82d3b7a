// What calls of the host cost in a loop: Thrust's temporary memory with and without an allocator that keeps it, copies of
// a few numbers one by one and together; and what divisions by constants and narrow rows cost in kernels. Prints JSON:
// microseconds of an iteration, the median of 201.
//
//     nvcc -O3 -std=c++17 -arch=native -o host_calls experiments/host_calls.cu && ./host_calls > host_calls.json
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include <cuda_fp16.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

static void check(cudaError_t status, int line)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
}
#define CHECK(call) check(call, __LINE__)

// Keeps what was freed, by size.
struct Kept {
    using value_type = char;
    std::multimap<std::ptrdiff_t, char *> free;
    std::map<char *, std::ptrdiff_t> sizes;

    char *allocate(std::ptrdiff_t bytes)
    {
        auto found = free.find(bytes);
        char *memory;
        if (found != free.end()) {
            memory = found->second;
            free.erase(found);
        } else {
            CHECK(cudaMalloc(&memory, bytes));
            sizes[memory] = bytes;
        }
        return memory;
    }
    void deallocate(char *memory, size_t) { free.insert({sizes[memory], memory}); }
};

static bool comma = false;

template <typename Step>
void time(const char *group, const char *name, Step step)
{
    std::vector<double> times;
    for (int i = 0; i < 221; i++) {
        CHECK(cudaDeviceSynchronize());
        auto begin = std::chrono::steady_clock::now();
        step();
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        if (i >= 20) times.push_back(took.count());
    }
    std::sort(times.begin(), times.end());
    printf("%s\n  {\"group\": \"%s\", \"name\": \"%s\", \"us\": %.2f}", comma ? "," : "[", group, name, times[times.size() / 2]);
    comma = true;
}

template <typename T>
__global__ void divided(T *values, int count, bool product)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    T value = values[i];
    if (product)
        for (int k = 0; k < 256; k++) value = (value + T(3)) * (T(1) / T(255));
    else
        for (int k = 0; k < 256; k++) value = (value + T(3)) / T(255);
    values[i] = value;
}

// A row of halves for each warp, one or two of them per lane and access.
__global__ void rows(__half *out, const __half *in, int length)
{
    size_t row = (blockIdx.x * size_t(blockDim.x) + threadIdx.x) / 32 * length;
    for (int k = threadIdx.x % 32; k < length; k += 32) out[row + k] = __hadd(in[row + k], in[row + k]);
}

__global__ void paired_rows(__half2 *out, const __half2 *in, int length)
{
    size_t row = (blockIdx.x * size_t(blockDim.x) + threadIdx.x) / 32 * length;
    for (int k = threadIdx.x % 32; k < length; k += 32) out[row + k] = __hadd2(in[row + k], in[row + k]);
}

int main()
{
    Kept kept;
    float *values;
    double *wide;
    CHECK(cudaMalloc(&values, 1 << 26));
    CHECK(cudaMalloc(&wide, 1 << 26));
    CHECK(cudaMemset(values, 0, 1 << 26));
    CHECK(cudaMemset(wide, 0, 1 << 26));
    thrust::device_ptr<float> first(values);
    for (int count : {1 << 12, 1 << 20, 1 << 24}) {
        char group[32];
        snprintf(group, sizeof group, "%d floats", count);
        time(group, "reduce", [&] { thrust::reduce(first, first + count); });
        time(group, "reduce, kept memory", [&] { thrust::reduce(thrust::cuda::par(kept), first, first + count); });
        time(group, "scan", [&] { thrust::inclusive_scan(first, first + count, thrust::device_ptr<float>((float *)wide)); });
        time(group, "scan, kept memory", [&] {
            thrust::inclusive_scan(thrust::cuda::par(kept), first, first + count, thrust::device_ptr<float>((float *)wide));
        });
        time(group, "sort", [&] { thrust::sort(first, first + count); });
        time(group, "sort, kept memory", [&] { thrust::sort(thrust::cuda::par(kept), first, first + count); });
    }
    int numbers[8];
    int *on_device[8];
    for (int *&one : on_device) CHECK(cudaMalloc(&one, 256));
    for (int count : {1, 3, 6})
        time("copies of 4 bytes to the host", count == 1 ? "1" : count == 3 ? "3" : "6", [&] {
            for (int k = 0; k < count; k++)
                CHECK(cudaMemcpy(&numbers[k], on_device[k], sizeof(int), cudaMemcpyDeviceToHost));
        });
    time("copies of 4 bytes to the host", "one of 24", [&] { CHECK(cudaMemcpy(numbers, on_device[0], 24, cudaMemcpyDeviceToHost)); });
    int count = 1 << 22;
    for (bool product : {false, true}) {
        const char *name = product ? "product" : "quotient";
        time("float, constant", name, [&] { divided<<<count / 256, 256>>>(values, count, product); });
        time("double, constant", name, [&] { divided<<<count / 256, 256>>>(wide, count, product); });
    }
    for (int length : {64, 512, 1024}) {
        char group[32];
        snprintf(group, sizeof group, "rows of %d halves", length);
        int blocks = (1 << 24) / length / 8;
        time(group, "one per lane", [&] { rows<<<blocks, 256>>>((__half *)wide, (const __half *)values, length); });
        time(group, "two per lane", [&] { paired_rows<<<blocks, 256>>>((__half2 *)wide, (const __half2 *)values, length / 2); });
    }
    printf("\n]\n");
    return 0;
}
