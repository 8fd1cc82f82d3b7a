// One warp, one shared-memory instruction, one lane pattern: the counters of every launch tell its wavefronts.
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __device__ T value_of(int v) { return T(v); }
template <> __device__ float4 value_of<float4>(int v) { return make_float4(v, v, v, v); }
template <class T> __device__ int number_of(T v) { return int(v); }
template <> __device__ int number_of<float4>(float4 v) { return int(v.x + v.y + v.z + v.w); }

constexpr int never = 12345;  // what *out does not hold: keeps the compiler from dropping the access

template <class T> __global__ void load(const int *index, unsigned mask, int *out) {
    extern __shared__ float4 raw[];
    T *cells = reinterpret_cast<T *>(raw);
    if (*out == never)
        for (int i = 0; i < 2048; i++) cells[i] = value_of<T>(out[i]);
    __syncthreads();
    int i = index[threadIdx.x];
    if (mask >> threadIdx.x & 1)
        if (number_of<T>(cells[i]) == never) out[1] = 1;
}

template <class T> __global__ void store(const int *index, unsigned mask, int *out) {
    extern __shared__ float4 raw[];
    T *cells = reinterpret_cast<T *>(raw);
    int i = index[threadIdx.x];
    if (mask >> threadIdx.x & 1) cells[i] = value_of<T>(i);
    __syncthreads();
    if (*out == never) out[1] = number_of<T>(cells[out[2]]);
}

enum Kind { count, native, compare };

template <class T, Kind kind> __global__ void atomic(const int *index, unsigned mask, int *out) {
    extern __shared__ float4 raw[];
    T *cells = reinterpret_cast<T *>(raw);
    int i = index[threadIdx.x];
    if (mask >> threadIdx.x & 1) {
        if (kind == count) atomicAdd(cells + i, T(1));
        if (kind == native) atomicMax(cells + i, T(3));
        if (kind == compare) atomicCAS(cells + i, T(99), T(3));
    }
    __syncthreads();
    if (*out == never) out[1] = number_of<T>(cells[out[2]]);
}

int main(int, char **arguments) {
    const int bytes = 32 * 1024;
    int *index, *out, pattern[32];
    unsigned mask;
    cudaMalloc(&index, sizeof pattern);
    cudaMalloc(&out, 8192);
    cudaMemset(out, 0, 8192);
    FILE *patterns = fopen(arguments[1], "r");
    while (patterns && fscanf(patterns, "%u", &mask) == 1) {
        for (int &i : pattern) fscanf(patterns, "%d", &i);
        cudaMemcpy(index, pattern, sizeof pattern, cudaMemcpyHostToDevice);
        load<int><<<1, 32, bytes>>>(index, mask, out);
        load<double><<<1, 32, bytes>>>(index, mask, out);
        load<float4><<<1, 32, bytes>>>(index, mask, out);
        store<char><<<1, 32, bytes>>>(index, mask, out);
        store<short><<<1, 32, bytes>>>(index, mask, out);
        store<int><<<1, 32, bytes>>>(index, mask, out);
        store<double><<<1, 32, bytes>>>(index, mask, out);
        store<float4><<<1, 32, bytes>>>(index, mask, out);
        atomic<int, count><<<1, 32, bytes>>>(index, mask, out);
        atomic<int, native><<<1, 32, bytes>>>(index, mask, out);
        atomic<int, compare><<<1, 32, bytes>>>(index, mask, out);
        atomic<unsigned long long, compare><<<1, 32, bytes>>>(index, mask, out);
    }
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
