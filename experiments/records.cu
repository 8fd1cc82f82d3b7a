// What arrays of records cost against arrays of their words: a JSON object with rows of [what, bytes a word, words of
// a record, words used, threads a block, clocks of a multiprocessor for a warp's records, the same for arrays of
// words]. "spaced" stores have some arithmetic between them; "loop" is a loop over a thread's own words that is not
// unrolled. 1 GiB is gone through, once, so that device memory moves it.
//
//     nvcc -O3 -std=c++17 -arch=native -o records records.cu && ./records
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr long long bytes = 1LL << 30;

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

// So that the compiler joins no words. A volatile load would go past L1.
__device__ float get(const float *at)
{
    float found;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(found) : "l"(at));
    return found;
}
template <class T> __device__ void put(T *at, T value) { *(volatile T *)at = value; }

template <int words, bool records> __device__ long long place(long long record, int word, long long count)
{
    return records ? record * words + word : word * count + record;
}

struct Load {
    template <class T, int words, int used, bool records>
    static __device__ float touch(T *data, long long at, long long count)
    {
        T total = 0;
#pragma unroll
        for (int k = 0; k < used; ++k) {
            total += get(data + place<words, records>(at, k, count));
        }
        return total;
    }
};
struct LoadLoop {
    template <class T, int words, int used, bool records>
    static __device__ float touch(T *data, long long at, long long count)
    {
        T total = 0;
#pragma unroll 1
        for (int k = 0; k < used; ++k) {
            total += get(data + place<words, records>(at, k, count));
        }
        return total;
    }
};
struct Store {
    template <class T, int words, int used, bool records>
    static __device__ float touch(T *data, long long at, long long count)
    {
#pragma unroll
        for (int k = 0; k < used; ++k) {
            put(data + place<words, records>(at, k, count), (T)k);
        }
        return 0;
    }
};
struct SpacedStore {
    template <class T, int words, int used, bool records>
    static __device__ float touch(T *data, long long at, long long count)
    {
        float value = at;
#pragma unroll
        for (int k = 0; k < used; ++k) {
            for (int step = 0; step < 16; ++step) {
                value = value * 1.0001f + 0.5f;
            }
            put(data + place<words, records>(at, k, count), (T)value);
        }
        return 0;
    }
};
struct StoreLoop {
    template <class T, int words, int used, bool records>
    static __device__ float touch(T *data, long long at, long long count)
    {
#pragma unroll 1
        for (int k = 0; k < used; ++k) {
            put(data + place<words, records>(at, k, count), (T)k);
        }
        return 0;
    }
};

template <class What, class T, int words, int used, bool records>
__global__ void all(T *data, long long count, float *out)
{
    const long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (at < count) {
        const float found = What::template touch<T, words, used, records>(data, at, count);
        if (found == 12345.0f) {
            *out = found;
        }
    }
}

struct Bench {
    void *data;
    float *out;
    int processors;
    double clock;  // kHz
    const char *comma = "";

    template <class What, class T, int words, int used, bool records> double clocks(int threads)
    {
        const long long count = bytes / (sizeof(T) * words);
        const int blocks = (int)((count + threads - 1) / threads);
        cudaEvent_t start, stop;
        check(cudaEventCreate(&start));
        check(cudaEventCreate(&stop));
        std::vector<float> took;
        for (int k = 0; k < 10; ++k) {
            check(cudaEventRecord(start));
            all<What, T, words, used, records><<<blocks, threads>>>((T *)data, count, out);
            check(cudaEventRecord(stop));
            check(cudaEventSynchronize(stop));
            float ms;
            check(cudaEventElapsedTime(&ms, start, stop));
            took.push_back(ms);
        }
        check(cudaEventDestroy(start));
        check(cudaEventDestroy(stop));
        std::sort(took.begin(), took.end());
        return took[took.size() / 2] * clock * processors * 32 / count;
    }

    template <class What, class T, int words, int used = words> void row(const char *name)
    {
        for (int threads : {256, 1024}) {
            const double records = clocks<What, T, words, used, true>(threads);
            const double arrays = clocks<What, T, words, used, false>(threads);
            std::printf("%s[\"%s\", %d, %d, %d, %d, ", comma, name, (int)sizeof(T), words, used, threads);
            std::printf("%.1f, %.1f]", records, arrays);
            comma = ",\n ";
        }
    }

    template <class What> void loads(const char *name)
    {
        row<What, float, 3>(name);
        row<What, float, 5>(name);
        row<What, float, 8>(name);
        row<What, float, 16>(name);
        row<What, float, 32>(name);
    }

    template <class What> void stores(const char *name)
    {
        row<What, float, 2>(name);
        row<What, float, 3>(name);
        row<What, float, 4>(name);
        row<What, float, 5>(name);
        row<What, float, 6>(name);
        row<What, float, 7>(name);
        row<What, float, 8>(name);
        row<What, float, 16>(name);
        row<What, double, 2>(name);
        row<What, double, 3>(name);
        row<What, double, 4>(name);
        row<What, double, 8>(name);
        row<What, unsigned char, 4>(name);
        row<What, unsigned char, 8>(name);
        row<What, unsigned char, 16>(name);
    }
};

int main()
{
    cudaDeviceProp told;
    check(cudaGetDeviceProperties(&told, 0));
    int clock;
    check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    void *data;
    float *out;
    check(cudaMalloc(&data, bytes));
    check(cudaMalloc(&out, sizeof(float)));
    check(cudaMemset(data, 0, bytes));
    std::printf("{\"device\": \"%s\", \"clock_mhz\": %d, \"rows\": [", told.name, clock / 1000);
    Bench bench = {data, out, told.multiProcessorCount, (double)clock};
    bench.loads<Load>("load");
    bench.loads<LoadLoop>("load loop");
    bench.row<Load, float, 3, 1>("load");
    bench.row<Load, float, 8, 1>("load");
    bench.row<Load, float, 8, 4>("load");
    bench.row<Load, float, 32, 1>("load");
    bench.stores<Store>("store");
    bench.stores<SpacedStore>("spaced store");
    bench.stores<StoreLoop>("store loop");
    bench.row<Store, float, 3, 1>("store");
    bench.row<Store, float, 8, 1>("store");
    bench.row<Store, float, 8, 4>("store");
    bench.row<Store, float, 32, 1>("store");
    std::printf("]}\n");
    return 0;
}
