// What rows of fewer than 32 lanes in a block cost where each row is whole sectors: one load of a warp then looks up
// several cache lines. A copy, a window along x, and a window along x and y, over a cube, for several blocks.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>
#include <algorithm>

constexpr int SIDE = 512;
constexpr int REACH = 3;

__device__ size_t at(int x, int y, int z) { return ((size_t)z * SIDE + y) * SIDE + x; }

template <int ROWS>
__global__ void window(float *out, const float *__restrict__ in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < REACH || y < REACH || x >= SIDE - REACH || y >= SIDE - REACH) return;
    float sum = 0.0f;
#pragma unroll
    for (int j = -ROWS; j <= ROWS; ++j)
#pragma unroll
        for (int i = -REACH; i <= REACH; ++i) sum += in[at(x + i, y + j, z)];
    out[at(x, y, z)] = sum;
}

__global__ void copy(float *out, const float *__restrict__ in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    out[at(x, y, z)] = in[at(x, y, z)];
}

template <class Kernel>
float time(Kernel kernel, dim3 block, float *out, const float *in)
{
    dim3 grid(SIDE / block.x, SIDE / block.y, SIDE / block.z);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<float> all;
    for (int i = 0; i < 12; ++i) {
        cudaEventRecord(start);
        kernel<<<grid, block>>>(out, in);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float ms;
        cudaEventElapsedTime(&ms, start, stop);
        all.push_back(ms);
    }
    std::sort(all.begin() + 2, all.end());
    return all[2 + (all.size() - 2) / 2];
}

int main()
{
    float *in, *out;
    const size_t bytes = (size_t)SIDE * SIDE * SIDE * sizeof(float);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes);
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    printf("{\"device\": \"%s\", \"blocks\": [", device.name);
    const dim3 blocks[] = {{32, 8, 1}, {32, 4, 2}, {16, 16, 1}, {16, 4, 4}, {8, 8, 4}, {8, 8, 8}, {8, 32, 1}, {4, 8, 8}};
    const char *comma = "";
    for (dim3 block : blocks) {
        printf("%s{\"block\": [%u, %u, %u], \"copy\": %.4f, \"x\": %.4f, \"xy\": %.4f}", comma, block.x, block.y, block.z,
               time(copy, block, out, in), time(window<0>, block, out, in), time(window<1>, block, out, in));
        comma = ", ";
    }
    printf("]}\n");
    return cudaDeviceSynchronize() != cudaSuccess;
}
