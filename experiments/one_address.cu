// What integer atomics of a whole grid on one address cost, where the compiler already makes one of the lanes of a warp: the
// milliseconds of a launch with them, and with one atomic per block instead. Prints JSON.
//
//     nvcc -O3 -std=c++17 -arch=native --extended-lambda -o one_address experiments/one_address.cu && ./one_address
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

static void check(cudaError_t status, int line)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
}
#define CHECK(call) check(call, __LINE__)

static const int COUNT = 1 << 26;

template <int> __global__ void append(const uint2 *from, uint2 *to, unsigned *kept, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint2 entry = from[i];
    if (entry.x != 0) to[atomicAdd(kept, 1u)] = entry;
}

template <int BLOCK> __global__ void append_by_block(const uint2 *from, uint2 *to, unsigned *kept, int n)
{
    using Scan = cub::BlockScan<int, BLOCK>;
    __shared__ typename Scan::TempStorage scratch;
    __shared__ unsigned start;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 entry = i < n ? from[i] : make_uint2(0, 0);
    int place, all;
    Scan(scratch).ExclusiveSum(entry.x != 0, place, all);
    if (threadIdx.x == 0) start = atomicAdd(kept, unsigned(all));
    __syncthreads();
    if (entry.x != 0) to[start + place] = entry;
}

template <int> __global__ void least(const int *from, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMin(found, from[i]);
}

template <int BLOCK> __global__ void least_by_block(const int *from, int *found, int n)
{
    using Reduce = cub::BlockReduce<int, BLOCK>;
    __shared__ typename Reduce::TempStorage scratch;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? from[i] : 0x7fffffff;
    own = Reduce(scratch).Reduce(own, [] __device__(int a, int b) { return a < b ? a : b; });
    if (threadIdx.x == 0) atomicMin(found, own);
}

template <typename Launch> float time(Launch launch)
{
    const int rounds = 20;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    launch();
    CHECK(cudaEventRecord(begin));
    for (int round = 0; round < rounds; ++round) launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float elapsed;
    CHECK(cudaEventElapsedTime(&elapsed, begin, end));
    return elapsed / rounds;
}

static uint2 *from, *to;
static unsigned *word;

template <int BLOCK> void report(int one_in, bool last)
{
    std::vector<uint2> entries(COUNT);
    for (int i = 0; i < COUNT; ++i) entries[i] = make_uint2(unsigned(rand()) % one_in == 0, i);
    CHECK(cudaMemcpy(from, entries.data(), COUNT * sizeof(uint2), cudaMemcpyHostToDevice));
    const int blocks = COUNT / BLOCK;
    auto timed = [&](auto kernel) {
        return time([&] {
            CHECK(cudaMemsetAsync(word, 0, sizeof(unsigned)));
            kernel<<<blocks, BLOCK>>>(from, to, word, COUNT);
        });
    };
    auto minimum = [&](auto kernel) {
        return time([&] { kernel<<<blocks, BLOCK>>>((const int *)from, (int *)word, COUNT); });
    };
    const char *form = "  {\"what\": \"%s\", \"block\": %d, \"one_in\": %d, \"ms\": %.4f, \"ms_by_block\": %.4f}%s\n";
    printf(form, "append", BLOCK, one_in, timed(append<BLOCK>), timed(append_by_block<BLOCK>), ",");
    printf(form, "minimum", BLOCK, one_in, minimum(least<BLOCK>), minimum(least_by_block<BLOCK>), last ? "" : ",");
}

int main()
{
    CHECK(cudaMalloc(&from, COUNT * sizeof(uint2)));
    CHECK(cudaMalloc(&to, COUNT * sizeof(uint2)));
    CHECK(cudaMalloc(&word, sizeof(unsigned)));
    printf("[\n");
    report<128>(1, false);
    report<128>(8, false);
    report<256>(1, false);
    report<256>(8, false);
    report<1024>(1, false);
    report<1024>(8, true);
    printf("]\n");
    CHECK(cudaDeviceSynchronize());
}
