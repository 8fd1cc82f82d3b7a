// How many bytes of sectors a clock and multiprocessor pass between L2 and the multiprocessors while all of them load,
// or store, at once: a JSON object with rows of [what, MiB that are gone through again and again, bytes a lane, bytes
// between lanes, bytes of sectors a clock and multiprocessor]. The clock is the multiprocessors' own. "load" goes
// through L1, which what is gone through is far too large for; "load past L1" does not.
//
//     nvcc -O3 -std=c++17 -arch=native -o cache cache.cu && ./cache
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 1024, rounds = 64;

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ float sum(float a) { return a; }
__device__ float sum(float4 a) { return a.x + a.y + a.z + a.w; }
__device__ void fill(float &a, float with) { a = with; }
__device__ void fill(float4 &a, float with) { a = make_float4(with, with, with, with); }

struct Load {
    template <class T> static __device__ float touch(T *at, float) { return sum(*(const T *)at); }
};
struct LoadPastL1 {
    template <class T> static __device__ float touch(T *at, float) { return sum(__ldcg((const T *)at)); }
};
struct Store {
    template <class T> static __device__ float touch(T *at, float with)
    {
        fill(*at, with);
        return 0;
    }
};

// All threads touch every `stride`-th of `steps` times as many elements as there are threads, four of them side by
// side in time, and that `rounds` times over, each time from another place.
template <class What, int stride, class T> __global__ void walk(T *data, int steps, float *out, long long *clocks)
{
    const int all = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
    const long long before = clock64();
    for (int round = 0; round < rounds; ++round) {
        const int shift = (round * 37 % gridDim.x) * blockDim.x;
        T *from = data + (long long)(at + shift >= all ? at + shift - all : at + shift) * stride;
        for (int step = 0; step < steps; step += 4) {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                total += What::touch(from + (long long)(step + k) * all * stride, (float)round);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        clocks[blockIdx.x] = clock64() - before;
    }
    out[at] = total;
}

struct Bench {
    int processors;
    void *data;
    float *out;
    long long *clocks;
    const char *comma = "";

    template <class What, int stride, class T> void row(const char *name, long long mib)
    {
        const int blocks = 2 * processors, bytes = sizeof(T), apart = stride * bytes;
        const int steps = (int)((mib << 20) / apart / (blocks * threads) / 4 * 4);
        if (steps == 0) {
            return;
        }
        const double places = (double)steps * blocks * threads;
        const double sectors = places * rounds * std::min(apart, std::max(bytes, 32));
        std::vector<double> rates;
        for (int k = 0; k < 7; ++k) {
            walk<What, stride><<<blocks, threads>>>((T *)data, steps, out, clocks);
            check(cudaDeviceSynchronize());
            std::vector<long long> took(blocks);
            check(cudaMemcpy(took.data(), clocks, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
            rates.push_back(sectors / *std::max_element(took.begin(), took.end()) / processors);
        }
        std::sort(rates.begin(), rates.end());
        const double held = places * apart / (1 << 20);
        std::printf("%s[\"%s\", %.1f, %d, %d, %.2f]", comma, name, held, bytes, apart, rates[rates.size() / 2]);
        comma = ",\n ";
    }

    template <class What> void rows(const char *name)
    {
        for (long long mib : {9, 18, 36, 64, 256}) {
            row<What, 1, float4>(name, mib);
        }
        for (long long mib : {36, 256}) {
            row<What, 1, float>(name, mib);
            row<What, 2, float>(name, mib);
            row<What, 4, float>(name, mib);
            row<What, 8, float>(name, mib);
            row<What, 16, float>(name, mib);
            row<What, 32, float>(name, mib);
            row<What, 64, float>(name, mib);
        }
    }
};

int main()
{
    cudaDeviceProp told;
    check(cudaGetDeviceProperties(&told, 0));
    const int processors = told.multiProcessorCount;
    void *in;
    float *out;
    long long *clocks;
    check(cudaMalloc(&in, 256LL << 20));
    check(cudaMemset(in, 0, 256LL << 20));
    check(cudaMalloc(&out, 2LL * processors * threads * sizeof(float)));
    check(cudaMalloc(&clocks, 2LL * processors * sizeof(long long)));
    std::printf("{\"device\": \"%s\", \"l2_mib\": %d, \"rows\": [", told.name, told.l2CacheSize >> 20);
    Bench bench = {processors, in, out, clocks};
    bench.rows<Load>("load");
    bench.rows<LoadPastL1>("load past L1");
    bench.rows<Store>("store");
    std::printf("]}\n");
    return 0;
}
